"""Which runner of tasks the settings choose, checked in a sentence before anything of it is imported."""

from importlib.util import find_spec

from schemas.errors import UsageError, nearest
from tasks.settings import Settings

RUNNERS = ("threads", "dask")


def chosen_runner(settings: Settings) -> str:
    """The word of the runner; UsageError for a word that is none, an address without Dask, or a package that is not installed."""
    chosen = settings.runner
    if chosen not in RUNNERS:
        raise UsageError(f"Unknown runner {chosen!r} in ZKUSEBNA_RUNNER{nearest(chosen, RUNNERS)}")
    if chosen != "dask" and settings.dask_address:
        raise UsageError(
            f"ZKUSEBNA_DASK_ADDRESS is set, but ZKUSEBNA_RUNNER is {chosen!r}; set it to 'dask', or unset the address."
        )
    if chosen == "dask" and find_spec("prefect_dask") is None:
        raise UsageError("ZKUSEBNA_RUNNER is 'dask', but prefect-dask is not installed; `pip install -e '.[dask]'`.")
    return chosen
