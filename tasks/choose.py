"""Which systems there are, which can run here, and which a run asks."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from datasets.systems import SYSTEMS_FILE, load_systems
from schemas.errors import UsageError, unknown
from schemas.exchange import Frozen
from schemas.system import System
from tasks.ask import why_missing
from tasks.settings import Settings
from tasks.suites import SUITES, suite_of


class Choice(Frozen):
    """The systems of a run, and those left out with the reason."""

    systems: tuple[System, ...]
    left_out: dict[str, str]


def known_systems(recorded: Mapping[str, str] | None = None) -> dict[str, System]:
    """All systems: those of the project, those of `ZKUSEBNA_SYSTEMS_FILE`, and one for each file of recorded answers.

    recorded: from system id to the path of its JSON Lines file; an id that no entry has becomes a system of its own.
    """
    extra = Settings.read().systems_file
    systems = {**load_systems(SYSTEMS_FILE), **(load_systems(extra) if extra else {})}
    for name, file in (recorded or {}).items():
        entry = systems.get(name, systems["recorded"])
        if entry.client != "recorded":
            raise UsageError(f"The system {name!r} is not of the kind `recorded`; give its answers another name.")
        options = {"file": str(Path(file).expanduser().resolve())}
        systems[name] = System.model_validate({**entry.model_dump(), "id": name, "name": name, "options": options})
    return systems


def find_system(system_id: str, recorded: Mapping[str, str] | None = None) -> System:
    """The system with an id; UsageError with the nearest one for an unknown id."""
    systems = known_systems(recorded)
    if system_id not in systems:
        raise unknown("system", system_id, systems)
    return systems[system_id]


def choose_systems(wanted: Sequence[str] | None, suite: str, recorded: Mapping[str, str] | None = None) -> Choice:
    """The systems to ask in a suite: the wanted ones, else all default ones; what cannot run here is left out with its reason.

    Control answers go with every run of a suite that has them, whoever is wanted (S-5).
    """
    systems = known_systems(recorded)
    for name in wanted or ():
        if name not in systems:
            raise unknown("system", name, systems)
    names = list(dict.fromkeys(wanted)) if wanted else [s.id for s in systems.values() if s.is_default]
    names += [name for name in recorded or {} if name not in names]
    names += [s.id for s in systems.values() if s.is_control and suite in s.suites and s.id not in names]
    chosen: list[System] = []
    left_out: dict[str, str] = {}
    if not wanted:  # say of every other system why it is not asked
        names += [name for name in systems if name not in names and not systems[name].is_default]
    for name in names:
        system = systems[name]
        if reason := _why_elsewhere(system, suite):
            if name in (wanted or recorded or ()):  # nobody who did not name it needs to hear of it
                left_out[name] = reason
        elif reason := why_missing(system) or _no_browser(suite):
            left_out[name] = reason
        elif not wanted and not (system.is_default or system.is_control) and name not in (recorded or {}):
            left_out[name] = "it is asked only when --systems names it"
        else:
            chosen.append(system)
    if wanted and all(s.is_control and s.id not in wanted for s in chosen):
        chosen = []  # they measure whoever grades others; alone they are no run
    return Choice(systems=tuple(chosen), left_out=left_out)


def _why_elsewhere(system: System, suite: str) -> str | None:
    """Why a system is not meant for a suite; None where it is."""
    if system.suites and suite not in system.suites:
        return f"it is not for the suite {suite}"
    kinds = SUITES[suite].clients if suite in SUITES else ()
    return (
        f"{suite} asks only systems of the kinds {', '.join(kinds)}" if kinds and system.client not in kinds else None
    )


def choose_judges(suite: str, wanted: Sequence[str] | None) -> list[System]:
    """The judges of a suite: those named, else the default entries that may judge it and can run here; UsageError for an unknown one."""
    if suite_of(suite).judging is None:
        return []
    systems = known_systems()
    for name in wanted or ():
        if name not in systems:
            raise unknown("judge", name, [s.id for s in systems.values() if suite in s.judges] or systems)
    if wanted is not None:
        return [systems[name] for name in dict.fromkeys(wanted)]
    return [s for s in systems.values() if suite in s.judges and s.is_default and why_missing(s) is None]


@cache
def _no_browser(suite: str) -> str | None:
    """Why pages cannot be opened here, where a suite needs that; asked in a thread of its own, since it may not be where a loop runs."""
    if suite not in SUITES or not SUITES[suite].has_evidence:
        return None
    from tasks.browse import missing

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(missing).result()
