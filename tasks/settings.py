"""The environment, read in one place: where the store is, secrets, and Prefect's quiet defaults.

If changing a value can change a score it is a file in git; if it only changes where or how fast, it is here; if a person picks it for
a run, it is a parameter of the flow.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from datasets.addresses import is_bucket as is_bucket
from datasets.addresses import tidy as tidy
from schemas.exchange import Frozen

QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_V2_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "zkusebna",
    "GX_ANALYTICS_ENABLED": "false",
}
"""No telemetry, the UI included, an embedded server that has time to start (measured; the same stands in `prefect.toml`), and our own
log lines in the logs of Prefect's runs."""


class Settings(Frozen):
    """What the environment says."""

    store: str = "store"
    private_seed: str | None = None
    systems_file: Path | None = None
    workers: int = 2
    runner: str = "threads"
    dask_address: str | None = None
    jury_key: str | None = None
    jury_panel: int = 5
    legal_folder: Path | None = None
    roleplay_folder: Path | None = None
    contact: str | None = None
    notify: str | None = None
    report_url: str | None = None

    @classmethod
    def read(cls) -> "Settings":
        """Settings from `ZKUSEBNA_STORE`, `ZKUSEBNA_PRIVATE_SEED` and so on, one variable a field (README, Settings)."""
        given = {name: os.environ.get(f"ZKUSEBNA_{name.upper()}") for name in cls.model_fields}
        return cls.model_validate({name: value for name, value in given.items() if value})


def secret(name: str) -> str | None:
    """The secret of a name: an environment variable, else the Prefect Secret block of that name in a flow's run; None where there is none.

    `OPENROUTER_API_KEY` is the block `openrouter-api-key`, since blocks have names of lower-case letters, digits and dashes. Blocks are
    looked up only where Prefect runs already: with an API of its own or inside a run. Never logged, stored or hashed; call it outside of
    an event loop.
    """
    value = os.environ.get(name, "").strip()
    if not value and "prefect" in sys.modules:
        value = _secret_block(name.lower().replace("_", "-")).strip()
    return value or None


def _secret_block(name: str) -> str:
    """The value of a Prefect Secret block, empty where there is no such block or no API to ask."""
    from prefect.blocks.system import Secret
    from prefect.context import FlowRunContext, TaskRunContext
    from prefect.exceptions import PrefectException

    if not (os.environ.get("PREFECT_API_URL") or FlowRunContext.get() or TaskRunContext.get()):
        return ""
    try:
        block = Secret.load(name)
    except (ValueError, RuntimeError, OSError, PrefectException):
        return ""
    return str(block.get()) if isinstance(block, Secret) else ""


def be_quiet(*, debug: bool = False) -> None:
    """Set Prefect's and Great Expectations' defaults for this process and its children; what is set already stays.

    Call it before Prefect is imported.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    if "PREFECT_API_URL" not in os.environ:
        os.environ.setdefault("PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED", "false")
        os.environ.setdefault("PREFECT_LOGGING_LEVEL", "DEBUG" if debug else "CRITICAL")


PLACES = frozenset({"ZKUSEBNA_HOME", "ZKUSEBNA_TEST_SHOTS"})
"""Variables that are no settings: the folder of the project for `prefect.yaml`, and a folder for pictures of tests."""


def unknown_settings() -> list[str]:
    """Variables of the environment that look like settings and are none."""
    known = {f"ZKUSEBNA_{name.upper()}" for name in Settings.model_fields} | PLACES
    return sorted(name for name in os.environ if name.startswith("ZKUSEBNA_") and name not in known)


def environment(**more: str) -> dict[str, str]:
    """The whole environment with some variables set: for a program of Prefect's that belongs to us."""
    return {**os.environ, **more}


def has_server() -> bool:
    """Whether runs report to a Prefect server of its own, whose UI somebody may be looking at."""
    return bool(os.environ.get("PREFECT_API_URL"))


def variables(names: Iterable[str]) -> dict[str, str]:
    """Those of the named environment variables that are set and not empty: what a program that we start may see, or a key."""
    return {name: value for name in names if (value := os.environ.get(name))}
