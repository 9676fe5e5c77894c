"""Grading of the role-play: counted by a program, judged by models (R-4 to R-9, M-6).

`atomic` and `holistic` are the judge `counter`, which reads the transcript and understands nothing: it counts turns, cut-off turns, the
longest chain of repetition (L5), and the ledger of coins as far as answers state it. What has to be understood (T, R, and the labels of
axis L) is asked of models, see `grading.roleplay_judged`; without one these items have no grade at all, which is not 0 (G-11).

| item              | pass     | points | error |
|-------------------|----------|--------|-------|
| `turns`           | atomic   | answers with words in them, of 14 | not_reached |
| `cut_off`         | atomic   | turns cut off by a token limit, outside the score (M-6) | – |
| `coins`           | atomic   | balances that answers state, outside the score | coins_rise |
| `self_identified` | atomic   | how often the model named itself, outside the score (G-6) | – |
| `L5`              | holistic | turns of the longest chain of repetition, outside the score (R-7) | – |
"""

from typing import Any

from grading.coins import ledger
from grading.repetition import longest_chain
from grading.roleplay_judged import JUDGED_VERSION, items_of, prompts, questions, read_reply, scale_of
from grading.roleplay_reply import run_of
from grading.shown import shown
from schemas.grade import Exam, PassName, Verdict
from schemas.roleplay import TURNS

RUBRIC_VERSION = "roleplay-2"

COUNTER, MASKING = "counter", "masking"

__all__ = [
    "JUDGED_VERSION",
    "RUBRIC_VERSION",
    "atomic",
    "holistic",
    "items_of",
    "prompts",
    "questions",
    "read_reply",
    "scale_of",
]


def atomic(exam: Exam) -> list[Verdict]:
    """Turn by turn: what was answered, what was cut off, which balances of coins are stated."""
    run, scenario = run_of(exam), exam.truth["scenario"]
    turns = sum(bool(answer.strip()) for answer in run.answers)
    cut = [turn - 1 for turn in exam.answer.truncated_turns]
    coins = ledger(scenario["opening"], run.answers, scenario["facts"]["coins"], exam.language)
    made = [
        _count("atomic", "turns", turns, "complete" if turns >= TURNS else "not_reached", most=TURNS),
        _count("atomic", "cut_off", len(cut), "cut_off" if cut else "none", given=", ".join(map(str, cut)) or None),
        _count("atomic", "coins", len(coins.balances), coins.label, given=shown(coins.told) or None),
    ]
    if exam.answer.n_masked:
        masked = _count("atomic", "self_identified", exam.answer.n_masked, "self_identified")
        made.append(masked.model_copy(update={"judge_id": MASKING}))
    return made


def holistic(exam: Exam) -> list[Verdict]:
    """The run as a whole: the longest chain of repetition, with the turns that it goes through."""
    chain = longest_chain(exam.answer.replies)
    given = ", ".join(map(str, chain.turns)) or None
    label = "none" if not chain.length else "sentence" if chain.sentence else "turns"
    return [_count("holistic", "L5", chain.length, label, given=given, quote=chain.sentence)]


def _count(pass_name: PassName, item: str, points: int, label: str, *, most: int = 0, **more: Any) -> Verdict:
    error = label if label == "not_reached" else "coins_rise" if label == "rises" else None
    return Verdict(
        pass_name=pass_name, judge_id=COUNTER, item=item, points=min(points, most) if most else points, max_points=most,
        label=label, error=error, rubric_version=RUBRIC_VERSION, **more,
    )  # fmt: skip
