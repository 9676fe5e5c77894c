"""Grading of legal answers: the mechanical judge against authored answers and hand-made ones, and what judges' replies come to (L-5 to L-9)."""

import json
from typing import Any

import pytest

from datasets import legal as source
from datasets.controls import control_answers
from grading import legal
from schemas.answer import BlindAnswer
from schemas.grade import Exam, Verdict
from schemas.legal import LegalCase

CASES = source.cases()
LAW = source.law()


def exam(case: LegalCase, text: str, trial: int = 1, n_masked: int = 0) -> Exam:
    answer = BlindAnswer(case_id=case.id, trial=trial, status="ok", replies=(text,), n_masked=n_masked)
    return Exam(truth=source.truth_of(LAW, case).model_dump(mode="json"), language="cs", answer=answer)


def marks(verdicts: list[Verdict]) -> dict[str, Verdict]:
    return {v.item: v for v in verdicts}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.id)
def test_the_reference_passes_and_the_foil_fails(case: LegalCase) -> None:
    """L-4: by the mechanical judge, in both passes."""
    right = marks(legal.atomic(exam(case, case.reference)))
    assert {v.label for i, v in right.items() if i[0] in "MNR"} <= {"fulfilled", "avoided", "right"}
    assert marks(legal.holistic(exam(case, case.reference)))["verdict"].label == "right"
    wrong = marks(legal.atomic(exam(case, case.foil)))
    assert any(v.label == "violated" for v in wrong.values())
    assert all(wrong[rule.id].label == "missed" for rule in case.must_contain if rule.key_exception)
    whole = marks(legal.holistic(exam(case, case.foil)))
    assert (whole["verdict"].label, whole["behaviour"].label) == ("wrong", "overclaiming")
    assert (
        whole["unsafe_completeness"].points
        > marks(legal.holistic(exam(case, case.reference)))["unsafe_completeness"].points
    )


def test_held_out_controls_tell_how_often_the_mechanical_judge_is_right() -> None:
    """S-5: single rules against the marks of people who had not seen the signals; far from a coin, and not perfect either."""
    hits = total = 0
    for case in CASES:
        for trial, text in enumerate(control_answers("legal", case.id), 1):
            one = exam(case, text, trial)
            mark = one.truth["controls"][str(trial)]
            for item, verdict in marks(legal.atomic(one)).items():
                if item[0] in "MN":
                    is_bad = item in (*mark["misses"], *mark["violates"])
                    hits += is_bad == (verdict.label in ("missed", "violated"))
                    total += 1
    assert total > 600
    assert 0.85 < hits / total < 1


def test_references_are_weighted_and_other_provisions_of_the_same_acts_are_a_bonus() -> None:
    """L-6: 1 for the right pinpoint, 0.5 without it, 0 otherwise, times the weight; by hand for one case."""
    case = next(c for c in CASES if c.id == "schodek-pokladny-nad-ctyrapulnasobek")
    text = "Podle § 257 zákoníku práce a § 259 zákoníku práce, viz též § 264 zákoníku práce."
    found = marks(legal.atomic(exam(case, text)))
    assert {i: (v.points, v.max_points, v.label) for i, v in found.items() if i[0] == "R"} == {
        "R1": (0.5, 1, "incomplete"), "R2": (2, 2, "right"), "R3": (0, 1, "absent"),
    }  # fmt: skip
    assert found["extra_citations"].points == 1
    plain = marks(legal.atomic(exam(case, "Podle § 259 zákoníku práce a zákona č. 262/2006 Sb.")))
    assert plain["extra_citations"].points == 0


def test_provisions_about_another_part_of_the_deadline_are_a_bonus_and_no_substitute() -> None:
    """L-6: § 136/2 sets its length and § 173/1 what comes after it; from when it runs says § 71/2 alone."""
    case = next(c for c in CASES if c.id == "prihlaska-pohledavky-pres-velikonoce")
    text = "Podle § 136 odst. 2 písm. d) a § 173 odst. 1 zákona č. 182/2006 Sb. běží lhůta od zveřejnění."
    found = marks(legal.atomic(exam(case, text)))
    assert (found["R1"].label, found["extra_citations"].points) == ("absent", 1)
    both = marks(legal.atomic(exam(case, f"{text} Doručuje se podle § 71 odst. 2 insolvenčního zákona.")))
    assert (both["R1"].label, both["extra_citations"].points) == ("right", 1)


@pytest.mark.parametrize(
    ("text", "label", "behaviour"),
    [
        ("", "open", "underclaiming"),
        ("Nemohu poskytnout právní radu, obraťte se na advokáta.", "open", "underclaiming"),
        ("Bez dalších informací nelze posoudit, zda máte nárok.", "open", "underclaiming"),
        ("Ano, nárok máte a zaměstnavatel vám vyhoví.", "complete", "overclaiming"),
    ],
)
def test_an_answer_that_leaves_open_or_refuses_underclaims(text: str, label: str, behaviour: str) -> None:
    """L-9, L-10."""
    found = marks(legal.holistic(exam(CASES[0], text)))
    assert (found["looks_complete"].label, found["behaviour"].label, found["verdict"].label) == (
        label,
        behaviour,
        "wrong",
    )


def test_a_case_without_signals_is_not_judged_by_the_program() -> None:
    """Not scored is never 0 (G-11): neither rules nor the whole; references are still compared."""
    case = CASES[0]
    one = exam(case, case.reference)
    bare = one.model_copy(update={"truth": {**one.truth, "signals": {}}})
    verdicts = [*legal.atomic(bare), *legal.holistic(bare)]
    assert all(v.max_points == 0 and v.label == "not_judged" for v in verdicts if v.judge_id == "signals")
    assert any(v.max_points for v in verdicts if v.judge_id == "citations")


def test_self_identification_is_counted_outside_the_score() -> None:
    found = marks(legal.atomic(exam(CASES[0], "Jsem [model].", n_masked=2)))
    assert (found["self_identified"].max_points, found["self_identified"].reason) == (0, "masked 2 times")


def test_a_judge_is_asked_by_rule_and_in_both_orders() -> None:
    """L-5, L-8: a question a rule; answer and foil change places and nothing else."""
    case = CASES[0]
    one = exam(case, "ODPOVĚĎ-POD-LUPOU")
    rules = legal.questions(one, "atomic")
    assert [q.item for q in rules] == [r.id for r in (*case.must_contain, *case.must_not_contain, *case.may_contain)]
    assert all(
        "ODPOVĚĎ-POD-LUPOU" in q.prompt and case.foil not in q.prompt and case.reference not in q.prompt for q in rules
    )
    first, second = legal.questions(one, "holistic")
    assert first.prompt.index("ODPOVĚĎ-POD-LUPOU") < first.prompt.index(case.foil)
    assert second.prompt.index(case.foil) < second.prompt.index("ODPOVĚĎ-POD-LUPOU")
    assert "**první**" in first.prompt
    assert "**druhou**" in second.prompt
    assert "right" not in first.prompt.split("## Dotaz")[0]


def read(item: str, reply: Any, *, is_last: bool = True, text: str = "Lhůta je tři měsíce ode dne doručení.") -> Any:
    one = exam(CASES[0], text)
    question = next(
        q
        for name in ("atomic", "holistic")
        for q in legal.questions(one, name)
        if item in (q.item, f"{q.item}@{q.order}")
    )
    told = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return legal.read_reply(one, question, told, judge_id="j", is_last=is_last)


@pytest.mark.parametrize(
    ("item", "points", "expected"),
    [
        ("M1", 1, (1, "fulfilled", None)), ("M1", 0, (0, "missed", "missed")), ("N1", 1, (0, "violated", "violated")),
        ("N1", 0, (1, "avoided", None)), ("M1", 0.5, (0, "missed", "off_scale")), ("N1", 0.4, (1, "avoided", "off_scale")),
    ],
)  # fmt: skip
def test_a_reply_on_a_rule_becomes_a_grade(item: str, points: float, expected: tuple[float, str, str | None]) -> None:
    (verdict,) = read(item, {"points": points, "quote": "Lhůta je tři měsíce", "reason": "Říká to."}).verdicts
    assert (verdict.points, verdict.label, verdict.error) == expected
    assert (verdict.max_points, verdict.quote, verdict.judge_id) == (1, "Lhůta je tři měsíce", "j")


def test_what_cannot_be_used_is_asked_for_once_more_then_recorded_outside_the_score() -> None:
    """A-5, G-7, M-2."""
    for reply in (
        "Nevím.",
        {"points": 1, "quote": "tohle tam vůbec nestojí", "reason": ""},
        {"points": 0.5, "quote": "", "reason": ""},
    ):
        assert read("M1", reply, is_last=False).problem
        assert read("M1", reply, is_last=False).verdicts == ()
        assert read("M1", reply).problem is None
    (unread,) = read("M1", "Nevím.").verdicts
    (ungrounded,) = read("M1", {"points": 1, "quote": "tohle tam vůbec nestojí", "reason": ""}).verdicts
    assert [(v.error, v.max_points) for v in (unread, ungrounded)] == [("unread", 0), ("ungrounded", 0)]


WHOLE = {
    "verdict": 0.5, "unsafe_completeness": 0.3, "looks_complete": True, "argument": 0.75, "citations": 0.25, "completeness": 1,
    "behaviour": "aware", "better": "second", "quote": "Lhůta je tři měsíce", "reason": "Tak.",
}  # fmt: skip


@pytest.mark.parametrize(("order", "preferred"), [("answer_first", 0.0), ("foil_first", 1.0)])
def test_a_reply_on_the_whole_becomes_a_grade_a_criterion(order: str, preferred: float) -> None:
    """`better: second` prefers the foil where the answer stands first, and the answer where the foil does."""
    found = marks(list(read(f"whole@{order}", WHOLE).verdicts))
    assert {i.partition("@")[0]: v.points for i, v in found.items() if v.max_points} == {
        "verdict": 0.5, "unsafe_completeness": 0.3, "looks_complete": 1, "argument": 0.75, "citations": 0.25, "completeness": 1,
        "preferred": preferred,
    }  # fmt: skip
    assert found[f"behaviour@{order}"].label == "aware"
    assert all(i.endswith(f"@{order}") for i in found)


def test_a_quote_that_is_not_there_rejects_the_whole_reply() -> None:
    found = read("whole@answer_first", {**WHOLE, "quote": "nic takového tam není"}).verdicts
    assert {(v.error, v.max_points) for v in found} == {("ungrounded", 0)}
