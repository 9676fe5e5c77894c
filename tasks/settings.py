"""The environment, read in one place: where the store is, secrets, and Prefect's quiet defaults.

If changing a value can change a score it is a file in git; if it only changes where or how fast, it is here; if a person picks it for
a run, it is a parameter of the flow.
"""

import os
from pathlib import Path

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
    "GX_ANALYTICS_ENABLED": "false",
}
"""No telemetry, the UI included, and an embedded server that has time to start (measured; the same stands in `prefect.toml`)."""


class Settings(Frozen):
    """What the environment says."""

    store: str = "store"
    private_seed: str | None = None
    systems_file: Path | None = None
    workers: int = 2

    @classmethod
    def read(cls) -> "Settings":
        """Settings from `ZKUSEBNA_STORE`, `ZKUSEBNA_PRIVATE_SEED`, `ZKUSEBNA_SYSTEMS_FILE`, `ZKUSEBNA_WORKERS`."""
        given = {name: os.environ.get(f"ZKUSEBNA_{name.upper()}") for name in cls.model_fields}
        return cls.model_validate({name: value for name, value in given.items() if value})


def be_quiet(*, debug: bool = False) -> None:
    """Set Prefect's and Great Expectations' defaults for this process and its children; what is set already stays.

    Call it before Prefect is imported.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    if "PREFECT_API_URL" not in os.environ:
        os.environ.setdefault("PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED", "false")
        os.environ.setdefault("PREFECT_LOGGING_LEVEL", "DEBUG" if debug else "CRITICAL")
