"""Reading the grades of legal answers: the profile of one answer by every judge, the tendencies of one system (L-6 to L-10, G-1).

Every judge reads the same answer, and its numbers stay apart (`Profile.scores`): the mechanical judge `signals` that is always there,
models, people. `judges` is the mean of all models, `other_vendors` of those that are not of the judged's own vendor. What a control
answer came to is told by `profile_control`, and `tendencies` of control answers is the fitness of the judges (S-5).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from profiles import legal_board, legal_fold
from profiles.legal_controls import control_scores
from profiles.legal_marks import CITATIONS, MECHANICAL, Marks, Wanted, marks_of, usable, wanted_of
from profiles.legal_path import critical_path, structure_of
from profiles.legal_scores import as_score, scores_of
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.grade import Grade
from schemas.legal import Mark
from schemas.profile import Profile, Score
from schemas.stamp import Stamp
from schemas.status import GRADED
from schemas.tendency import Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = "2"
"""Version of profile and tendencies; a new one makes both stages run again."""


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one answer (G-1).

    points, max_points, is_faultless, deviations and critical_path are those of the mechanical judge's rules and of the references; scores
    are those of every judge (`profiles.legal_scores`). An answer is faultless when every rule and reference could be judged and none is
    wrong. question: `answerable` once a person has reviewed the case, until then `not_reviewed` (L-4). Valid is an answer with words in it.
    grades: all grades of this answer, both passes, all judges. ValueError for a graded status without grades or grades without one.
    """
    return _profile(case, answer, grades, is_control=False)


def profile_control(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The same of an answer whose grade is known, with the scores `control_…` of every judge beside the others (S-5).

    ValueError where the case does not say what its trial is expected to get.
    """
    return _profile(case, answer, grades, is_control=True)


def _profile(case: Case, answer: Answer, grades: Sequence[Grade], *, is_control: bool) -> Profile:
    is_scored = answer.status in GRADED
    if is_scored != bool(grades):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}, has status {answer.status!r} and {len(grades)} grades; "
            f"expected {'some' if is_scored else 'none'}"
        )
    truth, is_refused = case.to_truth(), answer.status == "refused"
    wanted, judges = wanted_of(truth), marks_of(grades)
    mechanical = next((m for m in judges if m.judge_id == MECHANICAL), None)
    path = critical_path(truth, wanted, mechanical, is_refused=is_refused)
    counted = [g for g in grades if g.pass_name == "atomic" and g.judge_id in (MECHANICAL, CITATIONS)]
    scores = scores_of(wanted, judges, is_refused=is_refused)
    if is_control and is_scored:
        scores += _of_control(truth["controls"], answer, wanted, judges)
    text = answer.text or ""
    is_valid = is_scored and bool(text.strip())
    return Profile(
        **case.model_dump(include=set(Profile.model_fields) & set(Case.model_fields) - {"prompt_version"}),
        system_id=answer.system_id, trial=answer.trial, status=answer.status, is_scored=is_scored,
        points=sum(g.points for g in counted), max_points=sum(g.max_points for g in counted),
        is_faultless=is_scored and not path and _is_judged(wanted, mechanical),
        is_valid=is_valid, is_valid_first=is_valid,
        question="answerable" if case.state in ("reviewed", "approved") else "not_reviewed",
        structure=structure_of(text) if is_scored else "empty",
        deviations=sorted({step.error for step in path}), critical_path=path,
        cost_usd=answer.cost_usd, latency_ms=answer.latency_ms, prompt_version=answer.prompt_version,
        rubric_version="+".join(sorted({g.rubric_version for g in grades})), tokens_in=answer.tokens_in, scores=scores,
    )  # fmt: skip


def _is_judged(wanted: Wanted, mechanical: Marks | None) -> bool:
    """Whether every rule of must and must not, and every reference, has a usable grade."""
    if mechanical is None:
        return False
    rules = [mechanical.rules.get(i) for i in (*wanted.must, *wanted.must_not)]
    return all(map(usable, [*rules, *(mechanical.references.get(i) for i in wanted.references)]))


def _of_control(
    controls: dict[str, dict[str, object]], answer: Answer, wanted: Wanted, judges: Sequence[Marks]
) -> list[Score]:
    if str(answer.trial) not in controls:
        raise ValueError(
            f"{answer.case_id!r}: nothing is expected of the control answer {answer.trial}; the case tells of {', '.join(controls) or 'none'}"
        )
    expected = Mark.model_validate(controls[str(answer.trial)])
    return [as_score(m, metric, value) for m in judges for metric, value in control_scores(wanted, m, expected).items()]


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """Aggregates of one system, or the fitness of the judges where the answers are controls, see `profiles.legal_fold`."""
    del grades  # what they come to stands in the profiles
    return legal_fold.tendencies(profiles, stamp)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The standing as a table of words, drafts apart, with the fitness of each judge, see `profiles.legal_board`."""
    return legal_board.board(rows, systems)
