"""Reading the counts of `language_tax`: how many times as many input tokens the same content takes as in English (D-18).

tax = Σ(tokens − empty) / Σ(English tokens − empty) over the paragraphs that were counted in both languages. `empty` is what the gateway
counts for a message without text (`readings.OVERHEAD_BY_FULL_STOP`). The interval is that of paragraphs drawn anew, languages together
(S-1): it says how the tax would differ with other paragraphs of this kind; the overhead is taken as exact. The spread over paragraphs
is told by least, quartiles (linear interpolation) and most of the taxes of single paragraphs.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from profiles import intervals
from profiles.intervals import Estimate
from profiles.report import tax_board
from schemas import readings
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.grade import Grade
from schemas.language_tax import BASE, FULL_STOP, LANGUAGES, NO_TEXT, OVERHEAD
from schemas.profile import Profile, Step
from schemas.stamp import Stamp
from schemas.status import GRADED
from schemas.tendency import Metric, Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = "2"
"""Version of profile and tendencies; a new one makes both stages run again."""

SPREAD: dict[Metric, float] = {
    "language_tax_min": 0.0, "language_tax_q1": 0.25, "language_tax_median": 0.5, "language_tax_q3": 0.75, "language_tax_max": 1.0,
}  # fmt: skip
"""The spread over paragraphs: quantiles of their own taxes."""

NO_OVERHEAD, NO_PARAGRAPHS = "no_overhead", "no_paragraphs"
"""Why there is no tax: neither message of the overhead was counted; no paragraph was counted in both languages."""


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one count (G-1); a message whose tokens were not counted is not scored, whatever its answer (G-11).

    grades: all grades of this answer, both passes. ValueError for a graded status without grades, or grades without such a status.
    """
    if (answer.status in GRADED) != bool(grades):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}, has status {answer.status!r} and {len(grades)} grades"
        )
    atomic = [g for g in grades if g.pass_name == "atomic"]
    points = sum(g.points for g in atomic)
    errors = sorted({g.error for g in grades if g.error is not None})
    return Profile(
        **case.model_dump(include=set(Profile.model_fields) & set(Case.model_fields) - {"prompt_version"}),
        system_id=answer.system_id, trial=answer.trial, status=answer.status, is_scored=points > 0,
        points=points, max_points=sum(g.max_points for g in atomic),
        is_faultless=points > 0 and not errors, is_valid=points > 0, is_valid_first=points > 0,
        question="plain", structure="none", deviations=errors,
        critical_path=[Step(item=g.item, error=g.error, given=g.given, expected=None) for g in grades if g.error is not None],
        cost_usd=answer.cost_usd, latency_ms=answer.latency_ms, prompt_version=answer.prompt_version,
        rubric_version="+".join(sorted({g.rubric_version for g in grades})), tokens_in=answer.tokens_in,
    )  # fmt: skip


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """Aggregates of one system over one edition; all of the set is public (G-8).

    profiles: the columns of `Profile` but `critical_path`; grades are not needed: each count stands in its profile. Rows:

    - language (each one): language_tax, its spread over paragraphs (`SPREAD`), and tokens_in, the sum above the empty prompt's.
      n_documents: paragraphs counted in this language and in English; n_items: counts behind the number; n_left_out: the other ones.
    - overhead (`no_text`, or `full_stop` where only that was counted): tokens_in, the tokens of the empty prompt.
    - overall: coverage, the share of messages that were counted.

    A paragraph whose count does not pass the empty prompt's is not counted. Of several trials of a case the first counted one is taken.
    ValueError for profiles of another system.
    """
    del grades  # each count stands in its profile
    if strangers := set(profiles["system_id"]) - {stamp.system_id}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: profiles of {min(strangers)!r} among them")
    return list(_Counts(profiles, stamp).rows())


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The taxes as a table of words, see `profiles.report.tax_board`."""
    return tax_board.board(rows, systems)


class _Counts:
    """The counts of one system: messages in order, the overhead, and paragraphs by language."""

    def __init__(self, profiles: "pd.DataFrame", stamp: Stamp) -> None:
        self.stamp = stamp
        self.cases = profiles.sort_values(["case_id", "trial"], ignore_index=True)
        counted = self.cases[self.cases["is_scored"].astype(bool)].drop_duplicates("case_id")
        self.counted = counted.assign(tokens=counted["tokens_in"].astype(float))
        self.overhead, self.measured_by = self._overhead()
        texts = self.counted[self.counted["variant"] != OVERHEAD]
        net = texts.assign(net=texts["tokens"] - (self.overhead or 0.0))
        self.net = net[net["net"] > 0].pivot(index="pair_id", columns="language", values="net").sort_index()

    def _overhead(self) -> tuple[float | None, str]:
        """Tokens of the empty prompt, and the message that told them."""
        found = self.counted[self.counted["variant"] == OVERHEAD].set_index("layout")["tokens"]
        if NO_TEXT in found.index:
            return float(found[NO_TEXT]), NO_TEXT
        if readings.OVERHEAD_BY_FULL_STOP and FULL_STOP in found.index:
            return max(0.0, float(found[FULL_STOP]) - 1), FULL_STOP
        return None, NO_TEXT

    def rows(self) -> Iterator[Tendency]:
        """All rows, languages in their order."""
        texts = self.cases[self.cases["variant"] != OVERHEAD]
        for language in (x for x in LANGUAGES if x in set(texts["language"])):
            yield from self._language(language, int(texts.loc[texts["language"] == language, "pair_id"].nunique()))
        overhead = Estimate(self.overhead)
        n = int(self.overhead is not None)
        yield self._row("overhead", self.measured_by, "tokens_in", overhead, (n, n, 1 - n), NO_OVERHEAD)
        n_cases, n_counted = int(self.cases["case_id"].nunique()), len(self.counted)
        share = Estimate(n_counted / n_cases, *intervals.wilson(n_counted, n_cases), "wilson")
        yield self._row("overall", "all", "coverage", share, (n_cases, n_cases, n_cases - n_counted), NO_PARAGRAPHS)

    def _language(self, language: str, n_paragraphs: int) -> Iterator[Tendency]:
        import numpy as np

        there = {language, BASE} <= set(self.net.columns)
        both = self.net[[language, BASE]].dropna() if there and self.overhead is not None else None
        tokens, english = (
            (np.empty(0), np.empty(0)) if both is None else (both.iloc[:, 0].to_numpy(), both.iloc[:, -1].to_numpy())
        )
        n = len(tokens)
        note = NO_OVERHEAD if self.overhead is None else NO_PARAGRAPHS
        row = partial(self._row, "language", language, note=note)
        s = self.stamp
        rng = intervals.generator(
            s.seed, s.suite, s.edition, s.system_id, "public", "language", language, "language_tax"
        )
        counts = (n, n * (1 if language == BASE else 2), n_paragraphs - n)
        yield row("language_tax", intervals.mean(tokens, english, rng), counts)
        for metric, q in SPREAD.items():
            yield row(metric, Estimate(float(np.quantile(tokens / english, q)) if n else None), counts)
        yield row("tokens_in", Estimate(float(tokens.sum()) if n else None), (n, n, n_paragraphs - n))

    def _row(
        self, dimension: str, group: str, metric: Metric, estimate: Estimate, counts: tuple[int, int, int], note: str
    ) -> Tendency:
        n_documents, n_items, n_left_out = counts
        return Tendency(
            **self.stamp.model_dump(), split="public", dimension=dimension, group_name=group, metric=metric,
            value=estimate.value, low=estimate.low, high=estimate.high, method=estimate.method,
            n_documents=n_documents, n_items=n_items, n_left_out=n_left_out, note=note if estimate.value is None else None,
        )  # fmt: skip
