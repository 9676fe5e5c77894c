"""What a case of law may be: each kind of bad input gives its sentence, written here by hand, with the line it stands in (L-1 to L-4, S-5)."""

import datetime as dt

import pytest
from legal_support import CASE, CONTROLS, SIGNALS
from pydantic import ValidationError

from schemas.legal import Controls, LegalCase, Signals, Truth
from schemas.marked import parse


def edited(text: str, old: str, new: str) -> bytes:
    assert text.count(old) == 1, (old, text.count(old))
    return text.replace(old, new).encode()


def case_of(old: str = "", new: str = "") -> LegalCase:
    found = parse(LegalCase, edited(CASE, old, new) if old else CASE.encode(), "a.yaml")
    assert found.model, found.problems
    return found.model


def test_a_sound_case_is_read() -> None:
    case = case_of()
    assert case.law_as_of == dt.date(2025, 5, 20)
    assert [rule.id for rule in case.rules()] == ["M1", "M2", "N1", "B1"]
    assert [rule.key_exception for rule in case.must_contain] == [True, False]
    assert (case.references[0].weight, case.reviewed_by) == (2, None)
    assert case.question == "V květnu mi v nové práci dali zkušební dobu šest měsíců. Platí to?"


M = CASE[CASE.index("must_contain:\n") : CASE.index("must_not_contain:\n")]
N = CASE[CASE.index("must_not_contain:\n") : CASE.index("may_contain:\n")]
R = CASE[CASE.index("references:\n  - id: R1") : CASE.index("notes:")]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (M, "must_contain: []\n", "line 16: must_contain: at least one statement was expected, not none."),
        (M, "", "line 1: must_contain: it is missing; expected: what the right answer needs, one statement at least (L-2)."),
        (N, "must_not_contain: []\n", "line 23: must_not_contain: at least 1 was expected, not 0."),
        (R, "references: []\n", "line 29: references: at least 1 was expected, not 0."),
        ("foil: >-\n  Ano, zkušební", "foil: [Ano, Ne]\nnotes2: >-\n  Ano, zkušební", "line 12: foil: one text was expected, not a list of 2."),
        ("reference: >-\n", "foil: podruhé\nreference: >-\n", "line 14: foil: the key stood there before, in line 12; exactly one was expected."),
        ("foil: >-\n", "foil: ''\nx: >-\n", "line 12: foil: a text was expected, not an empty one."),
        ("    key_exception: true\n", "", "line 16: must_contain: one statement at least was expected to have `key_exception: true`, none has."),
        ("    text: Zkušební doba může", "    key_exception: true\n    text: Zkušební doba může",
         "line 25: must_not_contain.0.key_exception: only a statement of must_contain can be the key exception."),
        ("key_exception: true", "key_exception: maybe", "line 19: must_contain.0.key_exception: true or false was expected, not 'maybe'."),
        ("- id: M2", "- id: M1", "line 21: must_contain.1.id: 'M1' stands there twice; the next free one is 'M2'."),
        ("- id: M2", "- id: N2", "line 21: must_contain.1.id: 'N2' was found, expected M and a number, as 'M2'."),
        ("- id: N1", "- id: 'N01'", "line 24: must_not_contain.0.id: 'N01' was found, expected N and a number, as 'N2'."),
        ("- id: B1", "- id: b1", "line 27: may_contain.0.id: 'b1' was found, expected B and a number, as 'B1'."),
        ("- id: R1", "- id: M1", "line 30: references.0.id: 'M1' was found, expected R and a number, as 'R1'."),
        ("[R1]", "[R11]", "line 20: must_contain.0.references.0: there is no reference 'R11'; did you mean 'R1'? Known: R1."),
        ("[R1]", "[R1, R1]", "line 20: must_contain.0.references.0: 'R1' is named 2 times, expected once."),
        ("weight: 2", "weight: 0", "line 34: references.0.weight: a number above 0 was expected, not 0."),
        ("weight: 2", "weight: -1", "line 34: references.0.weight: a number above 0 was expected, not -1."),
        ("weight: 2", "weight: .nan", "line 34: references.0.weight: a number was expected, not nan."),
        ("weight: 2", "weight: dva", "line 34: references.0.weight: a number was expected, not 'dva'."),
        ("kind: norm", "kind: zákon", "line 31: references.0.kind: 'zákon' is not one of the known words. Known: decision, doctrine, norm."),
        ("2025-05-20", "2025-02-30", "line 7: law_as_of: a day as 2025-07-01 was expected, not '2025-02-30'."),
        ("2025-05-20", "2025", "line 7: law_as_of: a day as 2025-07-01 was expected, not 2025."),
        ("2025-05-20", "květen", "line 7: law_as_of: a day as 2025-07-01 was expected, not 'květen'."),
        ("area: labour", "area: labor",
         "line 5: area: 'labor' is not one of the known words; did you mean 'labour'? "
         "Known: administrative, civil, commercial, criminal, labour, tax."),
        ("category: legislative-amendment", "category: amendment",
         "line 6: category: 'amendment' is not one of the known words; did you mean 'legislative-amendment'? Known: "
         "case-law-conflict, deadline-calculation, exception-to-general-rule, legislative-amendment, scope-limitation."),
        ("language: cs", "language: cz",
         "line 4: language: 'cz' is not one of the known words; did you mean 'cs'? Known: cs, de, en, es, fr, pl."),
        ("state: draft", "state: approved",
         "line 8: state: a case that is 'approved' needs `reviewed_by`, who reviewed it; else it is a 'draft'."),
        ("state: draft", "state: reviewed\nreviewed_by: JUDr. Nová",
         "line 8: state: a case that is 'reviewed' needs `reviewed_on`, the day of the review; else it is a 'draft'."),
        ('version: "1.0"', "version: 1.0", "line 2: version: one text was expected, not 1.0."),
        ("id: zkusebni-doba", "id: Zkušební doba", "line 1: id: 'Zkušební doba' does not match ^[a-z0-9]+(-[a-z0-9]+)*$."),
        ("notes:", "note:", "line 35: note: there is no such key; did you mean 'notes'? Known: area, category, "),
    ],
)  # fmt: skip
def test_each_kind_of_bad_input_gives_its_sentence(old: str, new: str, told: str) -> None:
    found = parse(LegalCase, edited(CASE, old, new), "a.yaml")
    assert found.model is None
    assert any(f"a.yaml, {told}" in problem for problem in found.problems), found.problems
    assert all("\n" not in problem for problem in found.problems)


def test_all_faults_are_told_together() -> None:
    written = (
        CASE.replace("- id: M2", "- id: M1").replace("[R1]", "[R3]").replace("    key_exception: true\n", "").encode()
    )
    found = parse(LegalCase, written, "a.yaml")
    assert [problem.split(":")[0] for problem in found.problems] == [
        "a.yaml, line 20",
        "a.yaml, line 19",
        "a.yaml, line 16",
    ]


def test_a_case_with_a_fault_cannot_be_made_at_all() -> None:
    entry = case_of().model_dump()
    assert LegalCase.model_validate(entry) == case_of()
    with pytest.raises(ValidationError, match="one statement at least was expected"):
        LegalCase.model_validate({**entry, "must_contain": [{"id": "M1", "text": "x"}]})


def test_a_reviewed_case_says_who_and_when() -> None:
    case = case_of("state: draft", "state: approved\nreviewed_by: JUDr. Nová\nreviewed_on: 2025-08-01")
    assert (case.state, case.reviewed_by, case.reviewed_on) == ("approved", "JUDr. Nová", dt.date(2025, 8, 1))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  - {kind: right, text: Druhá správná odpověď.}\n", "",
         "line 2: controls: right, right, partly, partly, foil was expected, in this order, not right, partly, partly, foil."),
        ("  - {kind: right, text: Druhá správná odpověď.}\n  - {kind: partly, misses: [M2], text: Správně jen zčásti.}\n",
         "  - {kind: partly, misses: [M2], text: Správně jen zčásti.}\n  - {kind: right, text: Druhá správná odpověď.}\n",
         "line 2: controls: right, right, partly, partly, foil was expected, in this order, not right, partly, right, partly, foil."),
        ("kind: foil,", "kind: right,",
         "line 2: controls: right, right, partly, partly, foil was expected, in this order, not right, right, partly, partly, right."),
        ("kind: foil,", "kind: foyl,",
         "line 7: controls.4.kind: 'foyl' is not one of the known words; did you mean 'foil'? Known: foil, partly, right."),
        ("misses: [M2],", "misses: [M3],", "line 5: controls.2.misses.0: there is no must_contain 'M3'; did you mean 'M1'? Known: M1, M2."),
        ("violates: [N1],", "violates: [M1],", "line 7: controls.4.violates.0: there is no must_not_contain 'M1'; did you mean 'N1'? Known: N1."),
        ("{kind: right, text: První", "{kind: right, misses: [M1], text: První",
         "line 3: controls.0.kind: a right answer misses and violates nothing."),
        ("misses: [M2],", "", "line 5: controls.2.kind: a partly right answer misses something; name it in `misses`, of M1, M2."),
        ("misses: [M2],", "misses: [M1, M2],", "line 5: controls.2.kind: a partly right answer fulfils something; it cannot miss all of M1, M2."),
        ("misses: [M2],", "misses: [M2], violates: [N1],",
         "line 5: controls.2.kind: a partly right answer violates nothing; one that does is wrong."),
        ("violates: [N1], ", "", "line 7: controls.4.kind: a foil violates something; name it in `violates`."),
        ("Druhá", "První", "line 4: controls.1.text: a text of its own was expected, this one is that of control 1."),
        ("Přesvědčivě a špatně.", '"Ano, zkušební doba může trvat až čtyři měsíce."',
         "line 7: controls.4.text: a text of its own was expected, this one is that of the foil."),
    ],
)  # fmt: skip
def test_bad_controls_give_their_sentence(old: str, new: str, told: str) -> None:
    found = parse(Controls, edited(CONTROLS, old, new), "a.yaml")
    problems = found.tell(found.model.against(case_of())) if found.model else found.problems
    assert f"a.yaml, {told}" in problems


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  N1:", "  N11:", "line 5: rules.N11: the case has no such rule; did you mean 'N1'? Known: B1, M1, M2, N1."),
        ("  N1: {all: [[čtyři měsíc]]}\n", "", "line 2: rules: signals of every rule were expected, N1 has none."),
        ("[[čtyři měsíc]]", "[]", "line 5: rules.N1.all: at least 1 was expected, not 0."),
        ("[[čtyři měsíc]]", "[[]]", "line 5: rules.N1.all.0: at least 1 was expected, not 0."),
        ("[[čtyři měsíc]]", "[[2025]]", "line 5: rules.N1.all.0.0: one text was expected, not 2025."),
        ("[[čtyři měsíc]]", "[čtyři měsíc]", "line 5: rules.N1.all.0: a list was expected, not 'čtyři měsíc'."),
        ("{all: [[čtyři", "{any: [[čtyři", "line 5: rules.N1.any: there is no such key. Known: all, none."),
    ],
)  # fmt: skip
def test_bad_signals_give_their_sentence(old: str, new: str, told: str) -> None:
    found = parse(Signals, edited(SIGNALS, old, new), "a.yaml")
    problems = found.tell(found.model.against(case_of())) if found.model else found.problems
    assert f"a.yaml, {told}" in problems


def test_sound_controls_and_signals_have_no_faults() -> None:
    controls, signals = parse(Controls, CONTROLS.encode(), "c").model, parse(Signals, SIGNALS.encode(), "s").model
    assert controls
    assert signals
    assert not [*controls.against(case_of()), *signals.against(case_of())]
    assert signals.rules["M1"].none == (("šest měsíc",),)


def test_the_truth_comes_back_from_json() -> None:
    """Graders read the truth from the row's JSON."""
    signals = parse(Signals, SIGNALS.encode(), "s").model
    assert signals
    truth = Truth(**dict(case_of()), signals=signals.rules)
    assert Truth.model_validate_json(truth.model_dump_json()) == truth
    assert Truth.model_validate(truth.model_dump(mode="json")) == truth
