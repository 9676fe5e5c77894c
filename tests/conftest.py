"""What all tests share: no test talks to a Prefect server or a store that is not its own."""

import os
import tempfile

import pytest

from tasks.settings import be_quiet

os.environ.pop("PREFECT_API_URL", None)
os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="zkusebna-prefect-")
for _name in ("ZKUSEBNA_STORE", "ZKUSEBNA_PRIVATE_SEED", "ZKUSEBNA_SYSTEMS_FILE"):
    os.environ.pop(_name, None)
be_quiet()

LONGEST = ("test_command.py", "test_kill.py", "test_flows.py")
"""Files that take longest; with one worker a file they go first, so that no worker is left with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
