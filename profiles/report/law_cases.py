"""The public legal cases on the page: question, reference answer, foil, and what each system said, rule by rule with quotes (G-2, G-7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from profiles.legal_marks import MECHANICAL, Marks, is_full, marks_of, usable
from profiles.report.law_tables import judge_name
from profiles.report.material import Reply, Section, ShownCase
from profiles.report.texts import Both, name, same, text
from schemas.grade import Grade
from schemas.profile import Step


@dataclass(frozen=True)
class Verdict:
    """What one judge says of one item: mark is `right`, `wrong` or `none` (outside the score)."""

    mark: str
    word: Both
    quote: str | None
    reason: str | None


@dataclass(frozen=True)
class RuleLine:
    """One rule, reference or criterion, and what each judge says of it, in the order of the judges."""

    id: str
    kind: Both
    what: str | None
    is_key: bool
    said: tuple[Verdict | None, ...]


@dataclass(frozen=True)
class Said:
    """One system's answer: its words, the judges, the lines, what would have had to be different."""

    system: Both
    status: Both | None
    text: str | None
    judges: tuple[Both, ...]
    lines: tuple[RuleLine, ...]
    steps: tuple[Both, ...]


@dataclass(frozen=True)
class LawCase:
    """A case as the page shows it."""

    id: str
    language: str
    tags: tuple[Both, ...]
    truth: Mapping[str, Any]
    said: tuple[Said, ...]


def view(shown: ShownCase, section: Section, systems: Sequence[str]) -> LawCase:
    """A public case for the page; ValueError for a private one (G-8)."""
    case = shown.case
    if case.split != "public":
        raise ValueError(f"a case of the split {case.split!r} came to the report; only public ones may")
    truth = case.to_truth()
    tags = tuple(name(kind, str(getattr(case, kind))) for kind in ("area", "category", "meta_task", "state"))
    told = [_said(shown.replies.get(s, Reply()), truth, section.systems[s].name) for s in systems]
    return LawCase(case.case_id, case.language, tags, truth, tuple(told))


def _said(reply: Reply, truth: Mapping[str, Any], system: str) -> Said:
    profile = reply.profile
    if profile is None or not profile.is_scored:
        status = name("told", profile.status if profile else "not_asked")
        return Said(same(system), status, None, (), (), ())
    judges = marks_of(reply.grades)
    judges.sort(key=lambda m: (m.judge_id != MECHANICAL, m.judge_id))
    steps = tuple(_step(step) for step in profile.critical_path)
    names = tuple(judge_name(m.judge_id) for m in judges)
    return Said(same(system), None, reply.text, names, (*_rules(truth, judges), *_whole(judges)), steps)


def _rules(truth: Mapping[str, Any], judges: Sequence[Marks]) -> list[RuleLine]:
    lines = []
    for kind in ("must_contain", "must_not_contain", "may_contain"):
        for rule in truth[kind]:
            said = tuple(_verdict(m.rules.get(rule["id"])) for m in judges)
            lines.append(
                RuleLine(rule["id"], text(f"law.kind.{kind}"), rule["text"], bool(rule.get("key_exception")), said)
            )
    for reference in truth["references"]:
        said = tuple(_verdict(m.references.get(reference["id"])) for m in judges)
        lines.append(RuleLine(reference["id"], text("law.kind.references"), reference["cite"], False, said))
    return lines


def _whole(judges: Sequence[Marks]) -> list[RuleLine]:
    """Criteria of pass 2; both orders of a judge stand in one cell."""
    lines = []
    for item in (
        "verdict",
        "unsafe_completeness",
        "looks_complete",
        "argument",
        "citations",
        "completeness",
        "behaviour",
        "preferred",
    ):
        said = tuple(_both(m.whole.get(item, {})) for m in judges)
        if any(said):
            lines.append(RuleLine(item, text(f"law.item.{item}"), None, False, said))
    return lines


def _verdict(grade: Grade | None) -> Verdict | None:
    if grade is None:
        return None
    is_bonus = grade.item.startswith("B")
    mark = "none" if not usable(grade) else "right" if is_full(grade) else "none" if is_bonus else "wrong"
    return Verdict(mark, _word(grade), grade.quote, grade.reason)


def _word(grade: Grade) -> Both:
    """The label in words; a number as its language writes it."""
    try:
        float(grade.label)
    except ValueError:
        return name("label", grade.label)
    return Both(grade.label.replace(".", ","), grade.label)


def _both(by_order: Mapping[str, Grade]) -> Verdict | None:
    grades = [by_order[order] for order in sorted(by_order)]
    if not grades:
        return None
    words = [_word(g) for g in grades]
    word = words[0] if len({w.en for w in words}) == 1 else text("law.two_orders", first=words[0], second=words[-1])
    return Verdict("none", word, grades[0].quote, grades[0].reason)


def _step(step: Step) -> Both:
    """One step of the critical path as a sentence."""
    told = {"item": step.item, "given": step.given or "", "expected": step.expected or ""}
    return text(f"law.path.{step.error}", **told)
