"""Grades of verdicts and reasons against a table written by hand (J-2, J-6, G-6)."""

import json

import pytest

from grading.jury import atomic, fault_of, holistic
from schemas.answer import BlindAnswer
from schemas.grade import Exam


def exam(reply: str) -> Exam:
    answer = BlindAnswer(case_id="jury-cs-x", trial=1, status="ok", replies=(reply,))
    return Exam(truth={"since": None}, language="cs", answer=answer)


def ballot(**said: object) -> str:
    return json.dumps({"verdict": "UMÍ", "reason": "Zvládá to.", "since": "2023-03", **said}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("reply", "verdict", "since", "reason", "structure"),
    [
        (ballot(), "UMÍ 1/1 None", "given 2023-03", "one_sentence 1 None", "json"),
        (f"Zde je:\n```json\n{ballot(verdict='NEUMÍ')}\n```", "NEUMÍ 1/1 None", "none None", "one_sentence 1 None", "embedded"),
        (ballot(since="brzy"), "UMÍ 1/1 None", "odd None", "one_sentence 1 None", "json"),
        ("NEROZHODNUTO", "NEROZHODNUTO 1/1 None", "none None", "no_reason 0 no_reason", "word"),
        (ballot(reason="Jsem [model] a zvládám to."), "UMÍ 1/1 None", "given 2023-03", "names_juror 0 names_juror", "json"),
        (ballot(reason="Ano. A dobře."), "UMÍ 1/1 None", "given 2023-03", "not_one_sentence 0 not_one_sentence", "json"),
        (ballot(verdict="ANO"), "none 0/1 no_verdict", "none None", "no_reason 0 no_reason", "json"),
        ("Neodpovím.", "none 0/1 no_verdict", "none None", "no_reason 0 no_reason", "none"),
    ],
)  # fmt: skip
def test_by_hand(reply: str, verdict: str, since: str, reason: str, structure: str) -> None:
    one, two = atomic(exam(reply))
    assert f"{one.label} {one.points:.0f}/{one.max_points:.0f} {one.error}" == verdict
    assert (f"{two.label} {two.given}", two.max_points) == (since, 0)
    whole, form = holistic(exam(reply))
    assert f"{whole.label} {whole.points:.0f} {whole.error}" == reason
    assert (form.label, form.max_points) == (structure, 0)


@pytest.mark.parametrize(
    "sentence",
    [
        "Zvládá to.",
        "Zvládá to",
        "Od 1. ledna 2024 to umí, viz čl. 5 odst. 2 písm. a) zákona č. 89/2012 Sb.",
        "Např. Pražský model ve 20. století neexistoval.",
        "Společnost Novák s. r. o. Praha to nabízí.",
        "V testu prof. Nováka uspěl.",
        "Je to 3.14 krát lepší (viz U.S. Supreme Court).",
        "Umí to i J. Novák?",
    ],
)
def test_one_sentence_is_one(sentence: str) -> None:
    assert fault_of(sentence) is None


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("Zvládá to. Ale ne vždy.", "not_one_sentence"),
        ("Opravdu? Ano!", "not_one_sentence"),
        ("Umí to od roku 2024. Předtím neuměl.", "not_one_sentence"),
        ("Řekl: „Umím to.“ Pak skončil.", "not_one_sentence"),
        ("a" * 501, "not_one_sentence"),
        ("Říká to [model].", "names_juror"),
        ("[model] to umí. Ostatní ne.", "names_juror"),
        ("", "no_reason"),
        (None, "no_reason"),
    ],
)
def test_faults_of_reasons(reason: str | None, fault: str) -> None:
    assert fault_of(reason) == fault


def test_no_verdict_earns_more_than_another() -> None:
    points = {sum(v.points for v in atomic(exam(ballot(verdict=word)))) for word in ("UMÍ", "NEUMÍ", "NEROZHODNUTO")}
    assert points == {1}
