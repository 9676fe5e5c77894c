"""Finding the tendencies of a role-play: by dimension, group, system, judge and metric; which systems and judges there are, and their order."""

from collections.abc import Sequence

from profiles.roleplay_scores import COUNTER
from schemas.tendency import Tendency

Found = dict[tuple[str, str, str, str, str], Tendency]


def index(rows: Sequence[Tendency]) -> Found:
    """Rows by dimension, group, system, judge and metric."""
    return {(r.dimension, r.group_name, r.system_id, r.judge_id, r.metric): r for r in rows}


def tested(rows: Sequence[Tendency], systems: Sequence[str]) -> list[str]:
    """Systems with runs of their own; control transcripts are none."""
    controls = {r.system_id for r in rows if r.metric.startswith("control_")}
    there = {r.system_id for r in rows}
    return [s for s in dict.fromkeys(systems) if s in there and s not in controls]


def judges_of(rows: Sequence[Tendency], systems: Sequence[str]) -> list[str]:
    """Judges that said anything about any of these systems, in the order of their ids."""
    return sorted({r.judge_id for r in rows if r.system_id in systems and r.judge_id not in ("", COUNTER)})


def is_ranked(found: Found, dimension: str, group: str, system: str, judge: str) -> bool:
    """Whether a system has a number of T over ranked runs."""
    row = found.get((dimension, group, system, judge, "sieve"))
    return row is not None and row.value is not None


def in_order(found: Found, dimension: str, group: str, systems: Sequence[str], judge: str) -> list[str]:
    """Ranked systems by falling T; then those that are not ranked, by name. R orders nothing (R-8)."""

    def key(system: str) -> tuple[bool, float, str]:
        row = found.get((dimension, group, system, judge, "sieve"))
        value = row.value if row is not None else None
        return value is None, -(value or 0.0), system

    return sorted(systems, key=key)
