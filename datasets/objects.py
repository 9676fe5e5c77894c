"""A bucket as the object store's client sees it, with errors of the operating system's kind (`s3://BUCKET/PREFIX`).

The client is obstore (the Rust crate `object_store`): it repeats what failed for the network's sake, and can write under a condition, which locks
need. Keys, region and endpoint come from the variables that every S3 tool reads: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT_URL.
"""

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from schemas.errors import UsageError

RETRY_S = 60

METADATA = "169.254.169.254"
"""Where a client without a key asks for one, which only machines of Amazon's answer."""


class Told(NamedTuple):
    """What the bucket says of an object: its tag, its bytes, and when it was written (seconds since the epoch, by the bucket's clock)."""

    tag: str
    size: int
    changed: float


class ChangedError(Exception):
    """The object is not as the condition of a write said: somebody else wrote it."""


class Bucket:
    """Whole objects in, whole objects out. FileNotFoundError, PermissionError and OSError as on a disk."""

    def __init__(self, address: str) -> None:
        from obstore.store import S3Store

        rest = address.removeprefix("s3://").strip("/")
        name, _, prefix = rest.partition("/")
        if not name:
            raise UsageError(f"The address {address!r} names no bucket; s3://BUCKET/PREFIX was expected.")
        with _as_os_errors(address):
            self._objects = S3Store(
                name,
                prefix=prefix or None,
                client_options={"allow_http": True, "connect_timeout": "5s", "timeout": "60s"},
                retry_config={"max_retries": 4, "retry_timeout": timedelta(seconds=RETRY_S)},
            )

    def put(self, name: str, data: bytes) -> str:
        """Write an object in one request; its tag."""
        import obstore

        with _as_os_errors(name):
            return obstore.put(self._objects, name, data, use_multipart=False)["e_tag"] or ""

    def put_new(self, name: str, data: bytes) -> str:
        """Write an object that is not there yet; its tag. ChangedError where it is there."""
        import obstore

        with _as_os_errors(name):
            return obstore.put(self._objects, name, data, mode="create")["e_tag"] or ""

    def put_over(self, name: str, data: bytes, tag: str) -> str:
        """Write an object over the one with a tag; the new tag. ChangedError where it has another one, or is not there."""
        import obstore

        with _as_os_errors(name):
            return obstore.put(self._objects, name, data, mode={"e_tag": tag})["e_tag"] or ""

    def get(self, name: str) -> tuple[bytes, str]:
        """The bytes of an object and its tag; FileNotFoundError where there is none."""
        import obstore

        with _as_os_errors(name):
            found = obstore.get(self._objects, name)
            return bytes(found.bytes()), found.meta["e_tag"] or ""

    def head(self, name: str) -> Told:
        """What is told of an object; FileNotFoundError where there is none."""
        import obstore

        with _as_os_errors(name):
            found = obstore.head(self._objects, name)
        return Told(found["e_tag"] or "", found["size"], found["last_modified"].timestamp())

    def names(self, folder: str) -> list[str]:
        """The names of all objects below a folder, in no order."""
        import obstore

        with _as_os_errors(folder):
            lists = obstore.list(self._objects, prefix=folder.strip("/") or None, chunk_size=1000)
            return [one["path"] for some in lists for one in some]

    def copy(self, name: str, further: str) -> None:
        """Copy an object inside the bucket; FileNotFoundError where there is none."""
        import obstore

        with _as_os_errors(name):
            obstore.copy(self._objects, name, further)

    def remove(self, name: str) -> None:
        """Remove an object; nothing happens where there is none."""
        import obstore

        with _as_os_errors(name), contextlib.suppress(FileNotFoundError):
            obstore.delete(self._objects, name)


@contextlib.contextmanager
def _as_os_errors(name: str) -> Iterator[None]:
    """The client's errors as those that a disk would raise, in one line."""
    from obstore.exceptions import (
        AlreadyExistsError,
        BaseError,
        PermissionDeniedError,
        PreconditionError,
        UnauthenticatedError,
    )

    try:
        yield
    except (AlreadyExistsError, PreconditionError) as problem:
        raise ChangedError(name) from problem
    except (PermissionDeniedError, UnauthenticatedError) as problem:
        raise PermissionError(f"the key may not do this with {name!r}") from problem
    except BaseError as problem:
        if "NoSuchBucket" in str(problem):
            raise FileNotFoundError(f"there is no such bucket, {name!r}") from problem
        if METADATA in str(problem):
            raise PermissionError("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set") from problem
        first = " ".join(str(problem).split("\n\nDebug source:")[0].split())
        raise OSError(f"{name!r}: {first[:300]}") from problem
