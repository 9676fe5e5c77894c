"""A real Prefect server for the tests of flows, one a session, with a database and results of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The server of Prefect's own test harness; the heartbeat, which costs a second a flow, is off."""
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, PREFECT_LOCAL_STORAGE_PATH, temporary_settings
    from prefect.testing.utilities import prefect_test_harness

    results = str(tmp_path_factory.mktemp("results"))
    changed = {PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None, PREFECT_LOCAL_STORAGE_PATH: results}
    with prefect_test_harness(server_startup_timeout=180), temporary_settings(changed):
        yield


@pytest.fixture
def store(tmp_path: Path) -> str:
    """The root of a new store."""
    return str(tmp_path / "store")
