"""What a store may be called by: the path of a folder, or the address of a bucket and a prefix in it."""

from pathlib import Path

from schemas.errors import UsageError


def is_bucket(root: str | Path) -> bool:
    """Whether an address names a bucket of an object store, not a folder; UsageError where it is an address of another kind.

    >>> is_bucket("s3://zkusebna/store"), is_bucket("/srv/store")
    (True, False)
    """
    scheme, mark, rest = str(root).partition("://")
    if mark and scheme != "s3":
        raise UsageError(
            f"{str(root)!r} is neither a folder nor a bucket that can be reached; did you mean 's3://{rest}'?"
        )
    return bool(mark)


def tidy(address: str) -> str:
    """The address of a bucket in the one form that all use.

    >>> tidy("s3://zkusebna/store/"), tidy("s3://")
    ('s3://zkusebna/store', 's3://')
    """
    return f"s3://{address.removeprefix('s3://').strip('/')}"
