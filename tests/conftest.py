"""What all tests share: no test talks to a Prefect server or a store that is not its own."""

import os
import signal
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from tasks.settings import be_quiet

os.environ.pop("PREFECT_API_URL", None)
os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="zkusebna-prefect-")
for _name in ("ZKUSEBNA_STORE", "ZKUSEBNA_PRIVATE_SEED", "ZKUSEBNA_SYSTEMS_FILE"):
    os.environ.pop(_name, None)
be_quiet()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script's shell has its background jobs ignore SIGINT. A Prefect worker that inherits this cannot be ended by SIGTERM either.
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("test_command.py", "test_kill.py", "test_flows.py")
"""Files that take longest; with one worker a file they go first, so that no worker is left with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


@pytest.fixture(scope="module")
def s3_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One S3 server for a file of tests, with the environment that leads there."""
    from bucket_support import bucket_server

    with bucket_server(tmp_path_factory.mktemp("cache")) as endpoint:
        yield endpoint


@pytest.fixture
def bucket(s3_endpoint: str) -> Any:
    """A fresh address in a bucket."""
    from bucket_support import Bucket

    return Bucket(s3_endpoint)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for a file of tests; a test that has one of its own in the same thread has to be done with it before."""
    from report_support import a_browser

    with a_browser() as found:
        yield found


@pytest.fixture
def settings_of_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of Prefect as a new process would read them, whatever server other tests of this process have."""
    import prefect.settings

    monkeypatch.setattr(prefect.settings, "get_current_settings", prefect.settings.Settings)
