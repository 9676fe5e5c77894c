"""What is checked before a case is offered: leaks of its question, the foil's failure, the reference's success (L-4)."""

import unicodedata
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_support import CASE

from datasets import legal
from grading.admission import problems, shared_run
from schemas.grade import Verdict
from schemas.legal import LegalCase
from schemas.marked import parse

ITEMS = ("M1", "M2", "N1", "B1", "R1", "extra_citations")


def case_with(**changes: object) -> LegalCase:
    case = parse(LegalCase, CASE.encode(), "a.yaml").model
    assert case
    return case.model_copy(update=changes)


def judge_by(**points: dict[str, float]) -> Callable[[str], Sequence[Verdict]]:
    """A judge that gives every item full points, and other points where told, by the beginning of the text."""

    def judge(text: str) -> list[Verdict]:
        lost = points.get("foil" if text.startswith("Ano") else "reference", {})
        return [
            Verdict(pass_name="atomic", judge_id="j", item=item, points=lost.get(item, 1), max_points=1, label="x", rubric_version="1")
            for item in ITEMS
        ]  # fmt: skip

    return judge


@pytest.mark.parametrize(
    ("foil", "reference", "told"),
    [
        ({"N1": 0, "M1": 0, "M2": 0, "R1": 0}, {}, []),
        ({"N1": 0}, {}, []),
        ({"M1": 0}, {}, []),
        ({"N1": 0}, {"B1": 0, "extra_citations": 0}, []),
        ({}, {}, ["The foil does not fail: it was expected to violate one of N1 or to miss the key exception, M1."]),
        ({"M2": 0, "R1": 0}, {}, ["The foil does not fail: it was expected to violate one of N1 or to miss the key exception, M1."]),
        ({"N1": 0}, {"M2": 0, "N1": 0, "R1": 0.5}, [
            "The reference answer does not pass: it misses M2 (Novela se na smlouvu uzavřenou v květnu nepoužije).",
            "The reference answer does not pass: it violates N1 (Zkušební doba může trvat čtyři měsíce).",
            "The reference answer does not pass: it does not cite exactly R1 (§ 35 odst. 1 zákona č. 262/2006 Sb.).",
        ]),
    ],
)  # fmt: skip
def test_the_foil_must_fail_and_the_reference_must_pass(
    foil: dict[str, float], reference: dict[str, float], told: list[str]
) -> None:
    assert problems(case_with(), judge_by(foil=foil, reference=reference)) == told


def test_a_judge_that_left_rules_out_is_told() -> None:
    def judge(text: str) -> list[Verdict]:
        full = judge_by(foil={"N1": 0})(text)
        return [
            v.model_copy(update={"max_points": 0, "points": 0}) if v.item == "R1" else v for v in full if v.item != "M2"
        ]

    assert problems(case_with(), judge) == ["The reference answer could not be judged on M2, R1."]


@pytest.mark.parametrize(
    ("question", "leak"),
    [
        ("Platí na mě § 35 a co to znamená?", "§ 35"),
        ("Kamarád říká, že to stojí v zákoně č. 262/2006 Sb. Má pravdu?", "262/2006"),
        ("Soud to prý řešil pod sp. zn. 21 Cdo 1234/2020. Je to tak?", "21 Cdo 1234/2020"),
    ],
)
def test_a_question_that_leaks_a_citation_is_told(question: str, leak: str) -> None:
    (told,) = problems(case_with(question=question), None)
    assert told.startswith("The question holds the citation ")
    assert leak in told.replace("\u00a0", " ")


def test_six_words_in_a_row_of_a_must_contain_are_told() -> None:
    """A leak also under other punctuation, case, kinds of spaces and Unicode composition; five words are none."""
    question = unicodedata.normalize("NFD", "Prý se „NOVELA se na smlouvu, uzavřenou\u00a0v květnu“ nevztahuje?")
    assert problems(case_with(question=question), None) == [
        "The question says 'novela se na smlouvu uzavřenou v květnu', as M2 does; 6 words in a row of a must_contain are a leak."
    ]
    assert problems(case_with(question="Platí novela se na smlouvu uzavřenou?"), None) == []


def test_without_a_judge_only_leaks_are_looked_for() -> None:
    assert problems(case_with(), None) == []


def test_no_question_of_the_set_leaks() -> None:
    assert [(case.id, told) for case in legal.cases() for told in problems(case, None)] == []


words = st.lists(st.sampled_from("abc"), max_size=14)


@given(words, words)
def test_shared_runs_as_a_naive_search_finds_them(text: list[str], statement: list[str]) -> None:
    """Every window of six words is tried against the text as a string."""
    padded = f" {' '.join(text)} "
    naive = any(f" {' '.join(statement[at : at + 6])} " in padded for at in range(len(statement) - 5))
    found = shared_run(", ".join(text), " – ".join(statement))
    assert (found is not None) == naive
    assert found is None or all(
        f" {' '.join(found.split()[at : at + 6])} " in padded for at in range(len(found.split()) - 5)
    )
