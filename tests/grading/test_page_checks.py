"""What the mechanical judge of pages says, against a table by hand: every fault that the measurements show, nothing else (A-1, A-11)."""

from typing import Any

import pytest
from web_support import exam, measured, seen

from grading.page_checks import ITEMS, check
from schemas.evidence import ConsoleError, Control, Event, Killed, Motion, Reach, Shot, Use
from schemas.evidence_row import Evidence

BUTTON = Control(tag="button", label="Přidat", place=0)
LINK = Control(tag="a", label="Dolů", place=0, anchor=True)
COVERED = Control(tag="button", label="Přidat", place=0, rejected="covered", by="<div class=overlay>")


def uses(*changed: float | None, **other: Any) -> list[Use]:
    return [Use(number=n, control=BUTTON, changed=c, **other) for n, c in enumerate(changed, 1)]


def shots_with(name: str, missing: str) -> list[Shot]:
    return [s.model_copy(update={"missing": missing}) if s.name == name else s for s in measured().shots]


def faults(evidence: Evidence, **truth: Any) -> dict[str, str]:
    return {f.item: f.fault for f in check(exam(evidence=evidence, **truth)) if f.fault}


def judged(evidence: Evidence, **truth: Any) -> set[str]:
    return {f.item for f in check(exam(evidence=evidence, **truth)) if f.is_judged}


def test_a_page_on_which_all_is_well() -> None:
    assert faults(seen()) == {}
    assert judged(seen()) == {"page", "load", "console", "blank", "use-1", "use-2", "use-3", "reach"}
    assert [f.item for f in check(exam())] == list(ITEMS)


ERROR = ConsoleError(kind="pageerror", text="x is not defined", loads=("timeline",), at_s=0.1)
EVENT = {kind: Event(load="timeline", kind=kind, at_s=1.0) for kind in ("no_load", "crashed", "frozen", "closed")}  # type: ignore[arg-type]  # kinds of events

TABLE: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"errors": [ERROR]}, {"console": "console_errors"}),
    ({"errors": [ERROR.model_copy(update={"of_isolation": True})]}, {}),
    ({"is_one_colour": True}, {"blank": "blank"}),
    ({"uses": uses(0.0, 0.02, 0.00005)}, {"use-1": "dead", "use-3": "dead"}),
    ({"uses": uses(0.0, 0.0, 0.0), "controls": [LINK] * 3}, {"use-1": "dead", "use-2": "dead", "use-3": "dead"}),
    ({"uses": [Use(number=1, control=LINK, changed=0.0)]}, {}),
    ({"uses": uses(0.02, 0.02, 0.02, failed="covered")}, {f"use-{n}": "click_failed" for n in (1, 2, 3)}),
    ({"shots": shots_with("interact-3.png", "no_control")}, {"use-3": "no_control"}),
    ({"shots": shots_with("interact-2.png", "frozen")}, {"use-2": "frozen"}),
    ({"shots": shots_with("interact-2.png", "time")}, {}),
    ({"controls": [COVERED, COVERED]}, {"reach": "covered"}),
    ({"controls": [COVERED, BUTTON]}, {}),
    ({"below_fold": 0.6, "below_fold_blank": True}, {"below_fold": "empty_below_fold"}),
    ({"below_fold": 0.6, "below_fold_blank": False}, {}),
    ({"below_fold": 0.6, "below_fold_blank": False, "longest_blank_px": 800}, {"below_fold": "blank_screen"}),
    ({"below_fold": 0.6, "below_fold_blank": False, "longest_blank_px": 799}, {}),
    ({"uses": [Use(number=1, changed=0.02, elsewhere=0.0)]}, {"use-1": "dead"}),  # only the field itself changed
    ({"uses": [Use(number=1, changed=0.02, elsewhere=0.01, heard=False)]}, {}),  # without a script, by style alone
    ({"moves": True, "uses": [Use(number=1, changed=0.02, heard=False)]}, {"use-1": "deaf"}),
    ({"moves": True, "uses": [Use(number=1, changed=0.02, heard=True)]}, {}),
    ({"moves": True, "uses": [Use(number=1, changed=0.02)]}, {}),
    ({"reach": Reach(controls=3, covered=3, by="<div>")}, {"reach": "covered"}),
    ({"reach": Reach(controls=3, covered=2, by="<div>")}, {}),
    ({"reach": Reach(controls=0, covered=0)}, {}),
    ({"killed": [Killed(what="process", why="memory", at_s=3.0)]}, {"load": "killed"}),
    ({"load_s": None}, {"load": "no_load"}),
    *(({"events": [event]}, {"load": kind}) for kind, event in EVENT.items()),
]


@pytest.mark.parametrize(("changes", "wanted"), TABLE)
def test_every_fault_and_no_other(changes: dict[str, Any], wanted: dict[str, str]) -> None:
    assert faults(seen(**changes)) == wanted


def test_what_is_not_the_pages_fault_is_not_judged() -> None:
    """Without a browser, or when the trial ran out of time, nothing is said of the page (G-11)."""
    shots = [s.model_copy(update={"missing": "no_browser", "taken_s": None}) for s in measured().shots]
    assert judged(seen(load_s=None, shots=shots, uses=[], controls=[], moves=None)) == {"page"}


def test_motion_is_judged_where_the_page_has_to_move_by_itself_alone() -> None:
    """A-2: three equal shots are no defect elsewhere."""
    assert "motion" not in judged(seen(moves=False))
    assert faults(seen(moves=False), moves_by_itself=True) == {"motion": "still"}
    assert "motion" in judged(seen(moves=True), moves_by_itself=True)
    motion = [
        Motion(first="shot-1.png", second="shot-2.png", share=0.2),
        Motion(first="shot-2.png", second="shot-3.png", share=0.0),
    ]
    assert faults(seen(moves=True, motion=motion), moves_by_itself=True) == {"motion": "stopped"}
    assert faults(seen(moves=True, motion=motion[:1]), moves_by_itself=True) == {}


def test_a_page_that_moves_anyway_hides_what_a_use_changed() -> None:
    assert not {f"use-{n}" for n in (1, 2, 3)} & judged(seen(moves=True))
    assert faults(seen(moves=True, uses=uses(0.0, 0.02, 0.02))) == {"use-1": "dead"}


def test_a_static_page_needs_no_control() -> None:
    shots = shots_with("interact-1.png", "no_control")
    assert faults(seen(shots=shots), is_static=True) == {}
    assert faults(seen(shots=shots), is_static=False) == {"use-1": "no_control"}


def test_a_step_of_a_scenario_that_fails_is_told_in_its_words() -> None:
    actions = [
        {"kind": "click", "says": "klik na Přidat", "outcome": "done"},
        {"kind": "look", "says": "úkol v seznamu", "outcome": "not_seen"},
    ]
    found = check(exam(evidence=seen(uses=[Use.model_validate({"number": 1, "changed": 0.3, "actions": actions})])))
    (fault,) = [f for f in found if f.fault]
    assert (fault.item, fault.fault) == ("use-1", "step_failed")
    assert fault.reason == "V použití č. 1 se nepodařilo: úkol v seznamu."


def test_reasons_are_in_the_language_of_the_task_else_english() -> None:
    told = {lang: check(exam(evidence=seen(errors=[ERROR]), language=lang)) for lang in ("cs", "pl")}
    reasons = {lang: next(f.reason for f in found if f.fault) for lang, found in told.items()}
    assert reasons["cs"] == "Počet vlastních chyb v konzoli: 1; první z nich: x is not defined"
    assert reasons["pl"] == "Number of its own errors in the console: 1; the first: x is not defined"


def test_a_reply_without_a_page_is_told_with_its_beginning() -> None:
    (page, *rest) = check(exam("Stránku vytvořit nemohu."))
    assert (page.item, page.fault) == ("page", "no_page")
    assert page.reason == "V odpovědi není žádná stránka v HTML; začíná slovy „Stránku vytvořit nemohu.“."
    assert not any(f.is_judged for f in rest)
