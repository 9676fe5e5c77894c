"""Judges beside people and beside each other: two levels, bias, by task, by criterion, badges, drift (A-7, A-9, A-10).

Everything is computed from raw grades when it is shown (G-5). Only criteria that both grade are compared; a page's percentage is its points
of the most possible over them, equal weights. Differences are shares from 0 to 1, judge minus people.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean, median

from profiles.judges import spearman
from profiles.page_scores import JUDGES, PEOPLE, Given, is_person, score, with_medians
from schemas import readings
from schemas.artifacts import SHARED

BADGE = readings.BADGE_FROM
"""From this difference on a badge lights up (A-7)."""

CLOSE, FAR = 0.10, 0.30

Key = tuple[str, str, int]
"""System, task, trial."""

Pages = Mapping[Key, Mapping[str, Given]]
"""What every judge gave to every page, without medians."""


@dataclass(frozen=True)
class Badge:
    """A person and the judges differ on a shared criterion: something to look at, no alarm (A-7)."""

    key: Key
    criterion: str
    person: str
    by_person: float
    by_judges: float


@dataclass(frozen=True)
class Models:
    """By model: of how many, mean and largest absolute difference of their means, and how alike the order is (None: not defined)."""

    n: int
    mean: float
    largest: float
    spearman: float | None


@dataclass(frozen=True)
class Trials:
    """By single trial: differences without their sign, the share that is close (10 points at most) and far (over 30), who is stricter.

    bias: mean difference with its sign; lower: the share of trials in which the first one grades lower.
    """

    n: int
    mean: float
    median: float
    close: float
    far: float
    largest: float
    bias: float
    lower: float


@dataclass(frozen=True)
class Agreement:
    """One judge (or the median) beside another one (or the people)."""

    judge: str
    other: str
    models: Models
    trials: Trials
    by_task: Mapping[str, Trials]
    by_criterion: Mapping[str, Trials]


def badges(pages: Pages) -> list[Badge]:
    """Where a person and the median of the judges are 0.5 or more apart, in the order of pages and criteria (A-7)."""
    found = []
    for key in sorted(pages):
        judges = with_medians(pages[key]).get(JUDGES, {})
        for person in sorted(j for j in pages[key] if is_person(j)):
            given = pages[key][person]
            found += [
                Badge(key, c, person, given[c], judges[c])
                for c in SHARED
                if c in given and c in judges and abs(given[c] - judges[c]) >= BADGE
            ]
    return found


def agreement(pages: Pages, judge: str, other: str = PEOPLE) -> Agreement | None:
    """How far one judge is from another over the pages that both graded; None where there is none."""
    both: dict[Key, tuple[float, float]] = {}
    criteria: dict[str, list[float]] = {}
    for key, by_judge in pages.items():
        given = with_medians(by_judge)
        mine, theirs = given.get(judge, {}), given.get(other, {})
        shared = [c for c in SHARED if c in mine and c in theirs]
        first, second = score(mine, shared), score(theirs, shared)
        if first is not None and second is not None:
            both[key] = first, second
            for c in shared:
                criteria.setdefault(c, []).append(mine[c] - theirs[c])
    if not both:
        return None
    tasks: dict[str, list[float]] = {}
    for (_, task, _), (first, second) in both.items():
        tasks.setdefault(task, []).append(first - second)
    return Agreement(
        judge=judge,
        other=other,
        models=_models(both),
        trials=trials([a - b for a, b in both.values()]),
        by_task={task: trials(gaps) for task, gaps in sorted(tasks.items())},
        by_criterion={c: trials(criteria[c]) for c in SHARED if c in criteria},
    )


def _models(both: Mapping[Key, tuple[float, float]]) -> Models:
    """Means of each system first, then their differences."""
    systems = sorted({system for system, _, _ in both})
    first = [mean(a for (s, _, _), (a, _) in both.items() if s == system) for system in systems]
    second = [mean(b for (s, _, _), (_, b) in both.items() if s == system) for system in systems]
    gaps = [abs(a - b) for a, b in zip(first, second, strict=True)]
    return Models(len(systems), mean(gaps), max(gaps), spearman(first, second))


def trials(gaps: Sequence[float]) -> Trials:
    """Differences of single trials in numbers; at least one.

    >>> t = trials([0.0, -0.5, 0.125, -0.25])
    >>> t.mean, t.median, t.close, t.far, t.largest, t.bias, t.lower
    (0.21875, 0.1875, 0.25, 0.25, 0.5, -0.15625, 0.5)
    """
    sizes = [abs(gap) for gap in gaps]
    return Trials(
        n=len(gaps),
        mean=mean(sizes),
        median=float(median(sizes)),
        close=sum(round(s, 9) <= CLOSE for s in sizes) / len(sizes),
        far=sum(round(s, 9) > FAR for s in sizes) / len(sizes),
        largest=max(sizes),
        bias=mean(gaps),
        lower=sum(gap < 0 for gap in gaps) / len(gaps),
    )


def pairs(pages: Pages) -> list[Agreement]:
    """Every pair of judges that are no people, on the pages that both graded (A-9)."""
    judges = sorted({j for by_judge in pages.values() for j in by_judge if not is_person(j)})
    return [found for a, b in combinations(judges, 2) if (found := agreement(pages, a, b))]


@dataclass(frozen=True)
class Point:
    """The distance of a judge from people on one system's pages in one run: mean difference with its interval, over how many tasks."""

    run: str
    run_date: str
    system: str
    judge: str
    value: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Drift:
    """A judge whose distance from people is another one than in the run before (A-10)."""

    before: Point
    now: Point


def drifts(points: Iterable[Point]) -> list[Drift]:
    """Judges whose last two runs do not overlap in their intervals, points in the order of their runs; without intervals nothing is said."""
    series: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        series.setdefault((point.judge, point.system), []).append(point)
    return [Drift(*of_one[-2:]) for _, of_one in sorted(series.items()) if len(of_one) > 1 and _apart(*of_one[-2:])]


def _apart(before: Point, now: Point) -> bool:
    if before.low is None or before.high is None or now.low is None or now.high is None:
        return not readings.DRIFT_NEEDS_INTERVALS and now.value != before.value
    return now.low > before.high or now.high < before.low
