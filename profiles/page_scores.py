"""What each judge gave to one page, and what several gave together: medians are made here when they are shown, never stored (A-5, A-7, G-5)."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from schemas import readings
from schemas.artifacts import NO_PAGE, OF_JUDGES, OF_PEOPLE, SHARED
from schemas.grade import Grade

MECHANICAL, MASKING = "measurements", "masking"
JUDGES, PEOPLE = "judges", "people"
"""The median of all models that judge, and of all people."""

PERSON = "person-"
SCORE = "trial_score"

Given = Mapping[str, float]
"""By criterion, what was given: 0, 0.5 or 1."""


def is_person(judge_id: str) -> bool:
    """Whether a judge is a person."""
    return judge_id.startswith(PERSON)


def is_in_median(judge_id: str) -> bool:
    """Whether a judge counts for the median of the judges."""
    return is_model(judge_id) or (judge_id == MECHANICAL and not readings.MEDIAN_OF_MODELS)


def is_model(judge_id: str) -> bool:
    """Whether a judge is a model: neither a program of the project nor a person."""
    return judge_id not in (MECHANICAL, MASKING, JUDGES, PEOPLE) and not is_person(judge_id)


def given_by(grades: Iterable[Grade]) -> dict[str, dict[str, float]]:
    """The usable grades of one answer by judge and criterion."""
    found: dict[str, dict[str, float]] = {}
    for grade in grades:
        if grade.pass_name == "holistic" and grade.max_points > 0 and grade.judge_id != MASKING:
            found.setdefault(grade.judge_id, {})[grade.item] = grade.points / grade.max_points
    return found


def has_no_page(grades: Iterable[Grade]) -> bool:
    """Whether the answer held no page, so that everybody's grade is 0."""
    return any(g.judge_id == MECHANICAL and g.error == NO_PAGE for g in grades)


def nothing_of(judge_id: str) -> dict[str, float]:
    """The grades of an answer without a page by a judge: 0 for all that it grades; `process` is no matter of the page."""
    return dict.fromkeys(SHARED if is_person(judge_id) else OF_JUDGES, 0.0)


def score(given: Given, criteria: Sequence[str] = SHARED) -> float | None:
    """A page's share of the most possible over the criteria that were graded, equal weights (A-9); None where none was.

    >>> score({"conformity": 1.0, "works": 0.5, "structure": 0.0}), score({"logic": 1.0})
    (0.75, None)
    """
    values = [given[c] for c in criteria if c in given]
    return sum(values) / len(values) if values else None


def together(many: Sequence[Given]) -> dict[str, float]:
    """The median of several by criterion (A-7); of two it is their mean.

    >>> together([{"look": 0.0}, {"look": 1.0, "code": 0.5}, {"look": 1.0}])
    {'look': 1.0, 'code': 0.5}
    """
    names = [c for c in dict.fromkeys((*OF_JUDGES, *OF_PEOPLE)) if any(c in given for given in many)]
    return {name: float(median(given[name] for given in many if name in given)) for name in names}


def with_medians(by_judge: Mapping[str, Given]) -> dict[str, Given]:
    """What each judge gave, with the medians of models and of people beside it, where there are any."""
    found = dict(by_judge)
    for name, wanted in ((JUDGES, is_in_median), (PEOPLE, is_person)):
        members = [given for judge, given in by_judge.items() if wanted(judge)]
        if members:
            found[name] = together(members)
    return found
