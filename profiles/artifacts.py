"""Reading the grades of web pages: the profile of one page by every judge, the tendencies of one system (A-5 to A-9, G-1, S-5).

A profile keeps what every judge gave, apart; the medians of judges and of people are made in `tendencies` and in the report (G-5).
points, max_points, is_faultless, deviations and critical_path are those of the mechanical judge's checks.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from profiles import page_board, page_fold
from profiles.page_scores import MECHANICAL, SCORE, given_by, has_no_page, is_model, score
from schemas import readings
from schemas.answer import Answer
from schemas.artifacts import NO_PAGE, Expected
from schemas.artifacts_html import Artifact, artifact_of
from schemas.board import Board
from schemas.case import Case
from schemas.grade import Grade
from schemas.profile import Profile, Score, Step
from schemas.stamp import Stamp
from schemas.status import GRADED
from schemas.tendency import Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = "2"
"""Version of profile and tendencies; a new one makes both stages run again."""


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one page (G-1).

    grades: all grades of this answer, both passes, all judges. scores: every criterion that a judge graded, `trial_score` as its share of
    the most possible (A-9), `same_vendor` of models, and `no_page` where the answer held none. ValueError for a graded status without
    grades or grades without one.
    """
    return _profile(case, answer, grades, [])


def profile_control(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The same of a page whose grade is known, with `control_right_holistic` and `control_rules` of every judge (S-5).

    A control is graded rightly where every criterion that is certain and that the judge grades has exactly the expected grade; one of
    which it grades nothing that is certain, or that served to make it, is left out. ValueError where the case does not say what its trial
    is expected to get.
    """
    told = case.to_truth()["controls"]
    if str(answer.trial) not in told:
        raise ValueError(
            f"{case.case_id!r}: nothing is expected of the control page {answer.trial}; it tells of {', '.join(told) or 'none'}"
        )
    expected = Expected.model_validate(told[str(answer.trial)])
    scores = [_score(MECHANICAL, f"control_kind:{expected.kind}", 1.0)]
    for judge, given in given_by(grades).items():
        hits = [given[c] == value for c, value in expected.expected.items() if c in given]
        if hits and judge not in expected.served:
            scores.append(
                _score(
                    judge,
                    "control_right_holistic",
                    float(all(hits)) if readings.CONTROL_PAGE_WHOLE else sum(hits) / len(hits),
                )
            )
            scores.append(_score(judge, "control_rules", sum(hits) / len(hits)))
    return _profile(case, answer, grades, scores)


def _profile(case: Case, answer: Answer, grades: Sequence[Grade], more: list[Score]) -> Profile:
    is_scored = answer.status in GRADED
    if is_scored != bool(grades):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}, has status {answer.status!r} and {len(grades)} grades; "
            f"expected {'some' if is_scored else 'none'}"
        )
    checks = [g for g in grades if g.pass_name == "atomic" and g.judge_id == MECHANICAL]
    path = [Step(item=g.item, error=g.error, given=g.reason, expected=None) for g in checks if g.error]
    is_page = is_scored and isinstance(artifact_of(answer.text or ""), Artifact)
    is_opened = any(g.item == "load" and g.max_points for g in checks)
    return Profile(
        **case.model_dump(include=set(Profile.model_fields) & set(Case.model_fields) - {"prompt_version"}),
        system_id=answer.system_id, trial=answer.trial, status=answer.status, is_scored=is_scored,
        points=sum(g.points for g in checks), max_points=sum(g.max_points for g in checks),
        is_faultless=is_scored and is_opened and not path, is_valid=is_page, is_valid_first=is_page,
        question="answerable", structure="page" if is_page else "none",
        deviations=sorted({step.error for step in path}), critical_path=path,
        cost_usd=answer.cost_usd, latency_ms=answer.latency_ms, prompt_version=answer.prompt_version,
        rubric_version="+".join(sorted({g.rubric_version for g in grades})), tokens_in=answer.tokens_in,
        scores=[*_scores(grades), *more] if is_scored else [],
    )  # fmt: skip


def _scores(grades: Sequence[Grade]) -> list[Score]:
    vendors = {g.judge_id: g.is_same_vendor for g in grades}
    made: list[Score] = []
    for judge, given in sorted(given_by(grades).items()):
        values: dict[str, float] = dict(given)
        if (whole := score(given)) is not None:
            values[SCORE] = whole
        if is_model(judge):
            values["same_vendor"] = float(bool(vendors[judge]))
        made += [_score(judge, name, value, is_same_vendor=bool(vendors[judge])) for name, value in values.items()]
    return [*made, _score(MECHANICAL, NO_PAGE, 1.0)] if has_no_page(grades) else made


def _score(judge: str, metric: str, value: float, **more: Any) -> Score:
    return Score(judge_id=judge, metric=metric, value=value, **{"is_same_vendor": False, **more})


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """Aggregates of one system, or the fitness of the judges where the answers are controls, see `profiles.page_fold`."""
    del grades  # what they come to stands in the profiles
    return page_fold.tendencies(profiles, stamp)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The standing as a table of words, with the fitness of each judge, see `profiles.page_board`."""
    return page_board.board(rows, systems)
