"""Reading the jury's verdicts: the profile of one, and the states of claims from all that were ever recorded (J-3, G-1).

The five stages of a jury that goes on counting: `build` makes the claims, `test` is a sitting whose verdicts join the permanent record,
`grade` reads each reply, `profile` diagnoses one reply, `tendency` tells the states from every verdict there ever was. The one system is
the panel (J-6). What the page of claims needs beyond numbers is `overview`.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from profiles import intervals
from profiles.claims import Overview, overview
from profiles.intervals import Estimate
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.grade import Grade
from schemas.jury import VERDICTS, Counts, State, state
from schemas.profile import Profile, Step
from schemas.stamp import Stamp
from schemas.status import GRADED
from schemas.tendency import Metric, Tendency

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["VERSION", "Overview", "board", "overview", "profile", "tendencies"]

VERSION = "2"
"""Version of profile and tendencies; a new one makes both stages run again."""

NO_VERDICTS = "no_verdicts"
"""Why a claim has no share: it was never checked."""

OF_VERDICT: dict[str, Metric] = dict(zip(VERDICTS, ("votes_able", "votes_unable", "votes_undecided"), strict=True))

OF_STATE: dict[State, Metric] = {"UMÍ": "claims_able", "NEUMÍ": "claims_unable", "SPORNÉ": "claims_disputed"}

CAPTION = (
    "State of each claim that was checked, from all verdicts ever recorded: share of the stronger side, rounded down, with its 95 % interval."
    " An opinion of models, not a measurement."
)


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one verdict (G-1): whether it could be read, whether its reason is one sentence and names nobody.

    grades: all grades of this answer, both passes. ValueError for a graded status without grades, or grades without such a status.
    """
    if (answer.status in GRADED) != bool(grades):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}, has status {answer.status!r} and {len(grades)} grades"
        )
    atomic = [g for g in grades if g.pass_name == "atomic"]
    points = sum(g.points for g in atomic)
    wrong = [g for g in grades if g.error is not None]
    structure = next((g.label for g in grades if g.item == "structure"), "none")
    return Profile(
        **case.model_dump(include=set(Profile.model_fields) & set(Case.model_fields) - {"prompt_version"}),
        system_id=answer.system_id, trial=answer.trial, status=answer.status, is_scored=points > 0,
        points=points, max_points=sum(g.max_points for g in atomic),
        is_faultless=points > 0 and not wrong, is_valid=points > 0, is_valid_first=points > 0,
        question="claim", structure=structure, deviations=sorted({str(g.error) for g in wrong}),
        critical_path=[Step(item=g.item, error=str(g.error), given=g.given, expected=_expected(g.item)) for g in wrong],
        cost_usd=answer.cost_usd, latency_ms=answer.latency_ms, prompt_version=answer.prompt_version,
        rubric_version="+".join(sorted({g.rubric_version for g in grades})), tokens_in=answer.tokens_in,
    )  # fmt: skip


def _expected(item: str) -> str:
    return ", ".join(VERDICTS) if item == "verdict" else "one sentence that names no model and no maker"


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """The states of claims and what they are made of; all of the set is public (G-8).

    profiles: the columns of `Profile` but `critical_path`; grades: case_id, trial, item, label and so on of the atomic pass. Rows:

    - claim (each one, both languages together): consensus, the share of the stronger side in all verdicts with its Wilson interval (which
      takes verdicts as independent; jurors that sit again are not quite), and votes_able, votes_unable, votes_undecided. The state
      follows from these counts by `schemas.jury.state`. n_items: verdicts.
    - area, overall: claims_able, claims_unable, claims_disputed (claims that were checked; n_left_out: the others) and the votes.
    - overall: faultless, the share of verdicts whose reason is one sentence and names nobody.

    ValueError for profiles of another system.
    """
    if strangers := set(profiles["system_id"]) - {stamp.system_id}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: profiles of {min(strangers)!r} among them")
    return list(_States(profiles, grades, stamp).rows())


class _States:
    """The verdicts of an edition by claim, in the order of the claims' ids."""

    def __init__(self, profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> None:
        self.stamp, self.profiles = stamp, profiles
        heads = profiles.drop_duplicates("case_id").set_index("case_id")
        told = grades[(grades["item"] == "verdict") & (grades["points"] > 0)]
        words = told.assign(claim=told["case_id"].astype(str).map(heads["pair_id"]))
        found = words.groupby("claim", observed=True)["label"].agg(list)
        self.counts = {claim: Counts.of(map(str, found.get(claim, []))) for claim in sorted(set(heads["pair_id"]))}
        areas = heads.dropna(subset=["area"]) if "area" in heads else heads.iloc[:0].assign(area="")
        self.area = dict(zip(areas["pair_id"], areas["area"], strict=True))

    def rows(self) -> Iterator[Tendency]:
        """All rows: claims, areas, overall."""
        for claim, counts in self.counts.items():
            standing = max(counts.able, counts.unable)
            n = counts.total
            share = Estimate(standing / n, *intervals.wilson(standing, n), "wilson") if n else intervals.NOTHING
            yield self._row("claim", claim, "consensus", share, (1, n, int(n == 0)))
            yield from self._votes("claim", claim, counts, (1, n, int(n == 0)))
        for area in sorted(set(self.area.values())):
            yield from self._group("area", area, [c for c in self.counts if self.area.get(c) == area])
        yield from self._group("overall", "all", list(self.counts))
        yield self._faultless()

    def _group(self, dimension: str, group: str, claims: Sequence[str]) -> Iterator[Tendency]:
        checked = [claim for claim in claims if self.counts[claim].total]
        states = [state(self.counts[claim]).state for claim in checked]
        total = sum((self.counts[claim] for claim in claims), Counts())
        n = (len(checked), total.total, len(claims) - len(checked))
        for name, metric in OF_STATE.items():
            yield self._row(dimension, group, metric, Estimate(float(states.count(name))), n)
        yield from self._votes(dimension, group, total, n)

    def _votes(self, dimension: str, group: str, counts: Counts, n: tuple[int, int, int]) -> Iterator[Tendency]:
        for metric, count in zip(OF_VERDICT.values(), (counts.able, counts.unable, counts.undecided), strict=True):
            yield self._row(dimension, group, metric, Estimate(float(count)), n)

    def _faultless(self) -> Tendency:
        """By claims as clusters: the verdicts on one claim are not independent (S-1)."""
        scored = self.profiles[self.profiles["is_scored"].astype(bool)]
        by_claim = scored.groupby("pair_id")["is_faultless"].agg(["sum", "count"])
        s = self.stamp
        rng = intervals.generator(s.seed, s.suite, s.edition, s.system_id, "public", "overall", "all", "faultless")
        good, all_of_them = (by_claim[name].to_numpy(dtype=float) for name in ("sum", "count"))
        n = (len(by_claim), len(scored), len(self.counts) - len(by_claim))
        return self._row("overall", "all", "faultless", intervals.share(good, all_of_them, rng), n)

    def _row(self, dimension: str, group: str, metric: Metric, estimate: Estimate, n: tuple[int, int, int]) -> Tendency:
        n_documents, n_items, n_left_out = n
        return Tendency(
            **self.stamp.model_dump(), split="public", dimension=dimension, group_name=group, metric=metric,
            value=estimate.value, low=estimate.low, high=estimate.high, method=estimate.method,
            n_documents=n_documents, n_items=n_items, n_left_out=n_left_out,
            note=NO_VERDICTS if estimate.value is None else None,
        )  # fmt: skip


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The states of the claims that were checked, by id; English headings, the words of J-3 as they are."""
    by_claim: dict[str, dict[str, Tendency]] = {}
    for row in rows:
        if row.dimension == "claim" and row.system_id in systems:
            by_claim.setdefault(row.group_name, {})[row.metric] = row
    found = [_line(claim, of_claim) for claim, of_claim in sorted(by_claim.items()) if of_claim["consensus"].n_items]
    shown = (("claim",), ("state",), ("share",), ("interval",), *((word,) for word in VERDICTS))
    return Board(rows=tuple(found), shown=shown, caption=f"{CAPTION} Run of {found[0]['run']}." if found else CAPTION)


def _line(claim: str, rows: dict[str, Tendency]) -> dict[str, str]:
    consensus = rows["consensus"]
    votes = {word: int(rows[metric].value or 0) for word, metric in OF_VERDICT.items()}
    standing = state(Counts(able=votes["UMÍ"], unable=votes["NEUMÍ"], undecided=votes["NEROZHODNUTO"]))
    return {
        "claim": claim,
        "state": standing.state,
        "share": f"{standing.percent}%",
        "interval": f"{100 * (consensus.low or 0):.0f}–{100 * (consensus.high or 0):.0f}%",
        **{word: str(count) for word, count in votes.items()},
        "run": consensus.run_date,
    }
