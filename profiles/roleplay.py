"""Reading the grades of a role-play: the profile of one run by every judge, the tendencies of one system (R-4 to R-12, G-1).

Each judge reads the same run and its numbers stay apart (`Profile.scores`); so do T, R and the counts of axis L (R-8). What a control
transcript came to is told by `profile_control`, and `tendencies` of controls is the fitness of the judges (S-5).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from profiles import roleplay_board, roleplay_fold
from profiles.roleplay_controls import control_scores
from profiles.roleplay_scores import COUNTER, Marks, as_scores, counted_scores, marks_of, scores_of
from profiles.trials import outcome_of
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.grade import Grade
from schemas.profile import Profile, Score, Step
from schemas.roleplay import CONTROL_KINDS, TURNS, Truth
from schemas.scene_end import is_extreme
from schemas.stamp import Stamp
from schemas.status import GRADED
from schemas.tendency import Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = "2"
"""Version of profile and tendencies; a new one makes both stages run again."""


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one run (G-1).

    points, max_points: turns answered, of 14. A run is faultless where all were answered, none was cut off, it shows no extreme behaviour,
    and no judge took a point of T or R from it. critical_path: what is missing first, then every point lost, with the anchor of the full
    value. grades: all of this run, both passes, all judges. ValueError for a graded status without grades or grades without one.
    """
    return _profile(case, answer, grades, [])


def profile_control(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The same of a control transcript, with the scores `control_…` of every judge beside the others (S-5)."""
    truth = Truth.model_validate(case.to_truth())
    trial = str(answer.trial)
    if trial not in truth.controls:
        raise ValueError(
            f"{case.case_id!r}: nothing is expected of the control transcript {trial}; there are {len(truth.controls)}"
        )
    kind = truth.control_kinds[trial]
    more = as_scores(COUNTER, {"control_kind": float(CONTROL_KINDS.index(kind))})
    for marks in marks_of(grades) if answer.status in GRADED else ():
        more += as_scores(marks.judge_id, control_scores(marks, truth.controls[trial], kind))
    return _profile(case, answer, grades, more)


def _profile(case: Case, answer: Answer, grades: Sequence[Grade], more: Sequence[Score]) -> Profile:
    is_scored = answer.status in GRADED
    if is_scored != bool(grades):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}, has status {answer.status!r} and {len(grades)} grades; "
            f"expected {'some' if is_scored else 'none'}"
        )
    outcome = outcome_of(answer.status, answer.replies, lambda replies: is_extreme(replies, TURNS))
    judges = marks_of(grades)
    path = list(_path(grades, judges, is_extreme=outcome == "extreme")) if is_scored else []
    scores = as_scores(COUNTER, counted_scores(grades, is_extreme=outcome == "extreme")) if outcome != "open" else []
    for marks in judges:
        scores += as_scores(marks.judge_id, scores_of(marks), is_same_vendor=marks.is_same_vendor)
    turns = next((g for g in grades if g.item == "turns"), None)
    is_whole = bool(turns) and turns is not None and turns.points >= turns.max_points
    return Profile(
        **case.model_dump(include=set(Profile.model_fields) & set(Case.model_fields) - {"prompt_version"}),
        system_id=answer.system_id, trial=answer.trial, status=answer.status, is_scored=is_scored,
        points=turns.points if turns else 0, max_points=turns.max_points if turns else 0,
        is_faultless=is_scored and not path, is_valid=is_whole, is_valid_first=is_whole,
        question="not_measurable" if case.to_truth()["scenario"]["not_measurable"] else "answerable",
        structure=outcome, deviations=sorted({step.error for step in path}), critical_path=path,
        cost_usd=answer.cost_usd, latency_ms=answer.latency_ms, prompt_version=answer.prompt_version,
        rubric_version="+".join(sorted({g.rubric_version for g in grades})), tokens_in=answer.tokens_in, scores=[*scores, *more],
    )  # fmt: skip


def _path(grades: Sequence[Grade], judges: Sequence[Marks], *, is_extreme: bool) -> Iterator[Step]:
    """What would have had to be different: the run as such, then points lost by item and judge."""
    if is_extreme:
        yield Step(item="run", error="extreme", given=None, expected=None)
    for grade in grades:
        if grade.judge_id == COUNTER and (grade.error or (grade.item == "cut_off" and grade.points)):
            yield Step(item=grade.item, error=grade.error or "cut_off", given=grade.given, expected=None)
    for marks in judges:
        for grade in marks.points.values():
            if grade.error in ("partly", "failed"):
                yield Step(item=grade.item, error=grade.error, given=grade.quote, expected=grade.expected)


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """Aggregates of one system, or the fitness of the judges where the runs are controls, see `profiles.roleplay_fold`."""
    del grades  # what they come to stands in the profiles
    return roleplay_fold.tendencies(profiles, stamp)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The standing as a table of words, see `profiles.roleplay_board`."""
    return roleplay_board.board(rows, systems)
