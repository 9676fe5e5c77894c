"""What a run would ask and cost, before anything is done (M-8).

Nothing is written, not even a store. Where the cases are in the store, or the set is authored, every one is looked at; before that a
sample of units is made in memory, and the figures are those of the sample for the whole set: at least its cheapest case, at most its
dearest for all cases.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Literal

from datasets.editions import edition_for
from datasets.store import Store
from datasets.tables import Part, Place, read_part, rows_of, sealed
from schemas.case import Case
from schemas.edition import Edition
from schemas.errors import DocumentError
from schemas.exchange import Frozen
from schemas.system import System
from tasks.ask import make_client
from tasks.choose import choose_judges, choose_systems
from tasks.forecast import Forecast, Left, brief_of, read_asked
from tasks.judge_estimate import judge_forecast, judged_left
from tasks.jury_estimate import PanelCost, panel_cost
from tasks.peek import kept_seed, peek
from tasks.prices import Prices, Quote
from tasks.retries import statuses
from tasks.settings import Settings
from tasks.suites import SUITES, Suite, suite_of
from tasks.trials_ordered import check_trials, ordered

SAMPLE = 6
"""Units made in memory where the cases are not built yet, spread evenly over the set."""

MILLIONTH = Decimal("0.000001")
"""Figures are told in millionths of a dollar; the low one is rounded down, the high one up."""

Role = Literal["system", "judge"]


class Line(Frozen):
    """One system in one suite.

    cases: that it would be asked about; answered: those with nothing left to ask; cached: calls whose answers are known; to_ask:
    calls that would go out at least; prices in USD, None where unknown; price_from: `entry`, `free`, a gateway with the date of its
    list, or `unknown`; is_sampled: whether cases and prices come from a sample, because the set is not built yet; trials: of every case,
    where an order says how many (R-10), else 1.
    """

    suite: str
    system: str
    role: Role = "system"
    cases: int
    answered: int
    cached: int
    to_ask: int
    low_usd: Decimal | None
    expected_usd: Decimal | None
    most_usd: Decimal | None
    price_from: str
    is_sampled: bool
    trials: int = 1


class Total(Frozen):
    """The sum of lines, exactly; unknown: how many lines have no low, no expected, no highest price and stay out of the sums."""

    role: Role | Literal["all"]
    cases: int
    cached: int
    to_ask: int
    low_usd: Decimal
    expected_usd: Decimal
    most_usd: Decimal
    unknown: tuple[int, int, int]


def estimate(
    root: str, suites: Sequence[str] | None, systems: Sequence[str] | None, size: int | None, seed: int, recorded: Mapping[str, str] | None,
    is_full: bool, levels: tuple[str, ...] = (), retry_status: Sequence[str] = (), judges: Sequence[str] | None = None, trials: int | None = None,
) -> list[Line]:  # fmt: skip
    """A line for every suite and system; UsageError for a wrong word or size, StoreError for a store that cannot be read."""
    again = statuses(retry_status)
    check_trials(trials, suites)
    store = peek(root)
    prices = Prices(store, keep=False)
    lines: list[Line] = []
    for word in suites or list(SUITES):
        suite = suite_of(word)
        wanted = suite.size(size, is_full=is_full)
        secret = Settings.read().private_seed or kept_seed(store)
        edition = edition_for(word, suite.source.SET_VERSION, seed, wanted, secret, levels)
        units = suite.source.units(edition)
        chosen = choose_systems(systems, word, recorded).systems
        if suite.by_panel:
            claims = [made.case for made in suite.source.make_cases(edition, secret, 0, units)]
            lines += [_of_panel(word, system.id, panel_cost(store, claims, prices)) for system in chosen]
            continue
        if suite.judging:
            lines += _of_judges(
                store, suite, edition, list(_authored(store, suite, edition, secret)), chosen, judges, prices, trials
            )
        tallies = [_tally(store, suite, edition.id, system, prices.of(system), again, trials) for system in chosen]
        parts = sealed(store, Case, Place(suite=word, edition=edition.id)) if store else None
        if store and parts is not None:
            _count(tallies, _built(store, edition, parts))
            lines += [tally.line(word) for tally in tallies]
        elif tallies and not suite.is_generated:
            _count(tallies, (made.case for made in suite.source.make_cases(edition, secret, 0, units)))
            lines += [tally.line(word) for tally in tallies]
        elif tallies:
            sample = list(_sampled(suite, edition, units, secret))
            _count(tallies, sample, is_limited=False)
            a_unit = len(sample) // max(1, min(units, SAMPLE))
            for tally in tallies:
                most = tally.forecast.system.most_cases(word)
                cases = units * a_unit if most is None else min(most, units * a_unit)
                lines.append(tally.scaled(word, cases, len(sample)))
    return lines


def totals(lines: Sequence[Line]) -> list[Total]:
    """Systems and judges apart, then all together; a role that no line has is left out."""
    roles: list[Role] = [role for role in ("system", "judge") if any(line.role == role for line in lines)]
    apart = [_total(role, [line for line in lines if line.role == role]) for role in roles]
    return [*apart, _total("all", lines)]


def _total(role: Role | Literal["all"], lines: Sequence[Line]) -> Total:
    columns = [[getattr(line, f"{name}_usd") for line in lines] for name in ("low", "expected", "most")]
    low, expected, most = (sum((v for v in column if v is not None), Decimal(0)) for column in columns)
    return Total(
        role=role,
        cases=sum(line.cases for line in lines),
        cached=sum(line.cached for line in lines),
        to_ask=sum(line.to_ask for line in lines),
        low_usd=low,
        expected_usd=expected,
        most_usd=most,
        unknown=(columns[0].count(None), columns[1].count(None), columns[2].count(None)),
    )


@dataclass
class _Tally:
    """What is left of the cases looked at so far, for one system."""

    forecast: Forecast
    origin: str
    cases: int = 0
    answered: int = 0
    cached: int = 0
    to_ask: int = 0
    figures: list[tuple[Decimal | None, ...]] = field(default_factory=list)

    def add(self, left: Left) -> None:
        self.cases += 1
        self.answered += left.to_ask == 0
        self.cached += left.cached
        self.to_ask += left.to_ask
        if left.to_ask:
            self.figures.append((left.low, left.expected, left.most))

    def line(self, suite: str) -> Line:
        """The cases themselves."""
        sums = [_sum(column) for column in self._columns()]
        return self._line(suite, self.cases, self.answered, self.cached, self.to_ask, sums, is_sampled=False)

    def scaled(self, suite: str, cases: int, sampled: int) -> Line:
        """`cases` cases like the `sampled` ones, of which the system takes the share that it took of the sample."""
        n = len(self.figures)
        if not n:  # nothing in the sample that it takes
            known = Decimal(0) if self.origin == "free" else None
            return self._line(suite, cases, 0, 0, cases, [known] * 3, is_sampled=True)
        taken = cases * self.cases // sampled
        lows, means, highs = self._columns()
        cheapest = None if None in lows else min(v for v in lows if v is not None)
        dearest = None if None in highs else max(v for v in highs if v is not None)
        total = _sum(means)
        prices = [
            None if cheapest is None else cheapest * taken,
            None if total is None else total * taken / n,
            None if dearest is None else dearest * cases,
        ]
        return self._line(suite, cases, 0, 0, -(-self.to_ask // n) * cases, prices, is_sampled=True)

    def _columns(self) -> list[list[Decimal | None]]:
        return [[figure[at] for figure in self.figures] for at in range(3)]

    def _line(
        self, suite: str, cases: int, answered: int, cached: int, to_ask: int, usd: Sequence[Decimal | None], *, is_sampled: bool
    ) -> Line:  # fmt: skip
        low, expected, most = _rounded(usd)
        return Line(
            suite=suite, system=self.forecast.system.id, cases=cases, answered=answered, cached=cached, to_ask=to_ask,
            low_usd=low, expected_usd=expected, most_usd=most, price_from=self.origin, is_sampled=is_sampled,
            trials=self.forecast.trials,
        )  # fmt: skip


def _tally(
    store: Store | None, suite: Suite, edition: str, system: System, quote: Quote | None, again: Collection[str], trials: int | None
) -> _Tally:  # fmt: skip
    asked = ordered(store, suite, edition, system.id, make_client(system), trials)
    return _Tally(Forecast(system, quote, read_asked(store, suite.word, system.id), asked, again), _origin(quote))


def _of_judges(
    store: Store | None,
    suite: Suite,
    edition: Edition,
    cases: Sequence[Case],
    systems: Sequence[System],
    judges: Sequence[str] | None,
    prices: Prices,
    trials: int | None,
) -> list[Line]:
    lines = []
    for judge in choose_judges(suite.word, judges):
        quote = prices.of(judge)
        tally = _Tally(judge_forecast(store, suite, judge, quote), _origin(quote))
        for left in judged_left(tally.forecast, store, suite, edition.id, cases, systems, trials):
            tally.add(left)
        lines.append(tally.line(suite.word).model_copy(update={"role": "judge"}))
    return lines


def _authored(store: Store | None, suite: Suite, edition: Edition, secret: str) -> Iterator[Case]:
    """The cases of an edition as systems with `cases_at_most` are asked: those in the store, else made in memory."""
    parts = sealed(store, Case, Place(suite=suite.word, edition=edition.id)) if store else None
    if store and parts is not None:
        yield from _built(store, edition, parts)
    else:
        made = suite.source.make_cases(edition, secret, 0, suite.source.units(edition))
        yield from sorted((m.case for m in made), key=lambda c: (c.pair_id, c.case_id))


def _of_panel(suite: str, system: str, cost: PanelCost) -> Line:
    told = cost.model_dump(exclude={"low_usd", "expected_usd", "most_usd"})
    low, expected, most = _rounded((cost.low_usd, cost.expected_usd, cost.most_usd))
    return Line(
        suite=suite, system=system, role="judge", cached=0, is_sampled=False, low_usd=low, expected_usd=expected, most_usd=most, **told
    )  # fmt: skip


def _rounded(usd: Sequence[Decimal | None]) -> list[Decimal | None]:
    """Low, expected and most, in millionths of a dollar."""
    roundings = (ROUND_FLOOR, ROUND_HALF_UP, ROUND_CEILING)
    return [None if v is None else v.quantize(MILLIONTH, rounding=r) for v, r in zip(usd, roundings, strict=True)]


def _sum(values: Iterable[Decimal | None]) -> Decimal | None:
    """The sum; None where a part is unknown."""
    total = Decimal(0)
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _count(tallies: Sequence[_Tally], cases: Iterable[Case], *, is_limited: bool = True) -> None:
    """Look at cases; is_limited: of each system only as many as it is asked about at most."""
    for case in cases:
        brief = brief_of(case)
        for tally in tallies:
            most = tally.forecast.system.most_cases(case.suite) if is_limited else None
            if (most is None or tally.cases < most) and tally.forecast.takes(brief):
                tally.add(tally.forecast.left(brief))


def _built(store: Store, edition: Edition, parts: Sequence[Part]) -> Iterator[Case]:
    place = Place(suite=edition.suite, edition=edition.id)
    for part in parts:
        cases = rows_of(Case, read_part(store, Case, place, part.name))
        yield from sorted(cases, key=lambda c: (c.pair_id, c.case_id))  # as systems with `cases_at_most` are asked


def _sampled(suite: Suite, edition: Edition, units: int, secret: str) -> Iterator[Case]:
    """The cases of some units, made in memory and thrown away."""
    n = min(units, SAMPLE)
    for at in sorted({number * units // n for number in range(n)}):
        with suppress(DocumentError):  # `build` sets it aside
            yield from (made.case for made in suite.source.make_cases(edition, secret, at, at + 1))


def _origin(quote: Quote | None) -> str:
    if quote is None:
        return "unknown"
    return f"{quote.source} {quote.date}" if quote.date else quote.source
