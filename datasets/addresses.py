"""What a store may be called by: the path of a folder, or the address of a bucket and a prefix in it."""

from pathlib import Path


def is_bucket(root: str | Path) -> bool:
    """Whether an address names a bucket of an object store, not a folder."""
    return str(root).startswith("s3://")


def tidy(address: str) -> str:
    """The address of a bucket in the one form that all use.

    >>> tidy("s3://zkusebna/store/"), tidy("s3://")
    ('s3://zkusebna/store', 's3://')
    """
    return f"s3://{address.removeprefix('s3://').strip('/')}"
