"""Systems of the edition that the report shows against each other, read from their sealed profiles over public cases (S-2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from datasets.editions import has_edition, load_edition
from datasets.store import Store
from datasets.tables import Place, read, sealed
from profiles.fitness import FitnessOf
from profiles.measures import WANTED, measures
from profiles.page_scores import PEOPLE, is_person
from profiles.ranking import HEADLINES, Ranking, rankings
from profiles.report.board import PARTIAL
from profiles.report.material import Section
from profiles.standing_groups import standing_groups
from schemas.profile import Profile
from tasks.suites import suite_of

if TYPE_CHECKING:
    import pandas as pd

NOT_RANKED = ("sieve", "presence", "sieve_bonus")
"""Numbers that a run has only where it is ranked; others are listed (R-7)."""


@dataclass(frozen=True)
class Spent:
    """What the public answers of a system to a suite cost: how many there are, and their sum in USD as returned."""

    n_answers: int
    usd: Decimal


@dataclass(frozen=True)
class Against:
    """What a section's profiles say beside its aggregates: rankings, and spend by system."""

    rankings: tuple[Ranking, ...] = ()
    spent: Mapping[str, Spent] | None = None


def against_each_other(store: Store, section: Section) -> Against:
    """The rankings of a section and what its answers cost; of systems whose profiles are not sealed nothing, and never of a panel (J-6)."""
    if section.overview is not None:
        return Against()
    profiles = {system: frame for system in _tested(section) if (frame := _public(store, section, system)) is not None}
    spent = {s: Spent(len(f), sum((Decimal(c) for c in f["cost_usd"]), Decimal(0))) for s, f in profiles.items()}
    if not suite_of(section.suite).is_compared or not has_edition(store, section.suite, section.edition):
        return Against(spent=spent)
    seed = load_edition(store, section.suite, section.edition).seed
    frames = {s: _measured(frame) for s, frame in profiles.items() if len(frame)}
    whole = [s for s in frames if not PARTIAL & section.left_out.get(s, {}).keys()]
    return Against(tuple(rankings(frames, standing_groups(section.rows), whole, _fit(section), seed)), spent)


def _tested(section: Section) -> Sequence[str]:
    there = {row.system_id for row in section.rows}
    return sorted(s for s, entry in section.systems.items() if s in there and not entry.is_control)


def _public(store: Store, section: Section, system: str) -> "pd.DataFrame | None":
    import pyarrow.compute as pc

    place = Place(suite=section.suite, edition=section.edition, system=system)
    if sealed(store, Profile, place) is None:
        return None
    table = read(store, Profile, place, [*WANTED, "state", "cost_usd"])
    frame: pd.DataFrame = table.filter(pc.equal(table["split"], "public")).to_pandas()
    return frame


def _measured(profiles: "pd.DataFrame") -> "pd.DataFrame":
    """The numbers of a system with the state of each case as a column, without those of runs that are listed and not ranked (R-7)."""
    found = measures(profiles[list(WANTED)])
    found = found.assign(state=found["case_id"].map(dict(zip(profiles["case_id"], profiles["state"], strict=True))))
    by_run = list(zip(found["case_id"], found["trial"], found["judge_id"], strict=True))
    unranked = (found["metric"] == "unranked") & (found["points"] > 0)
    listed = {run for run, is_apart in zip(by_run, unranked, strict=True) if is_apart}
    is_ranked = [m not in NOT_RANKED or run not in listed for run, m in zip(by_run, found["metric"], strict=True)]
    return found.loc[np.array(is_ranked, dtype=bool)]  # an empty list would choose no columns


def _fit(section: Section) -> set[tuple[str, str, str]]:
    """Which judge may decide about which number of which system; what programs counted needs no fitness (S-5)."""
    fitness = FitnessOf(section.rows)
    there = {(r.system_id, r.judge_id, r.metric) for r in section.rows if r.metric in HEADLINES}
    return {(s, j, m) for s, j, m in there if not j or j == PEOPLE or is_person(j) or fitness.of(s, j, m).is_decisive}
