"""Replies of jurors, and what a person reads in them (J-2, J-4)."""

import json
import unicodedata

import pytest

from schemas.ballot import read_ballot

GOOD = '{"verdict": "UMÍ", "reason": "Zvládá to.", "since": "2023-03"}'


@pytest.mark.parametrize(
    ("reply", "verdict", "structure"),
    [
        (GOOD, "UMÍ", "json"),
        (f"```json\n{GOOD}\n```", "UMÍ", "fenced"),
        (f"Po zvážení všech okolností:\n{GOOD}\nTo je můj verdikt.", "UMÍ", "embedded"),
        (f"[{GOOD}]", "UMÍ", "embedded"),
        ('{"verdict": "neumí.", "reason": "Ne."}', "NEUMÍ", "json"),
        ('{"verdict": "UMI"}', "UMÍ", "json"),
        (unicodedata.normalize("NFD", GOOD), "UMÍ", "json"),
        ('{"verdict": " Nerozhodnuto ", "jistota": 0.5}', "NEROZHODNUTO", "json"),
        ("UMÍ", "UMÍ", "word"),
        ("„Neumí.“", "NEUMÍ", "word"),
        ("**NEROZHODNUTO**\n", "NEROZHODNUTO", "word"),
        ("", None, "none"),
        ("UMÍ a NEUMÍ", None, "none"),
        ("Spíš UMÍ.", None, "none"),
        ("NEUMÍM", None, "none"),
        ('{"verdict": "MOŽNÁ"}', None, "json"),
        ('{"verdict": ["UMÍ"]}', None, "json"),
        ('{"verdict": "UMÍ", "verdict": "NEUMÍ"}', None, "none"),
        (f'{GOOD} {{"verdict": "NEUMÍ"}}', None, "none"),
        ('{"reason": "Ano, UMÍ."}', None, "json"),
        (GOOD[:-1], None, "none"),
        ("null", None, "none"),
    ],
)  # fmt: skip
def test_the_verdict_as_a_person_reads_it(reply: str, verdict: str | None, structure: str) -> None:
    found = read_ballot(reply)
    assert (found.verdict, found.structure) == (verdict, structure)
    assert (found.problem is None) == (verdict is not None)


@pytest.mark.parametrize(
    ("verdict", "since", "expected", "is_odd"),
    [
        ("UMÍ", "2023-03", "2023-03", False),
        ("UMÍ", "2023-3", "2023-03", False),
        ("UMÍ", "2023-03-14", "2023-03", False),
        ("UMÍ", "2023/11", "2023-11", False),
        ("UMÍ", None, None, False),
        ("UMÍ", "", None, False),
        ("UMÍ", "2023", None, True),
        ("UMÍ", "2023-13", None, True),
        ("UMÍ", "0823-01", None, True),
        ("UMÍ", "březen 2023", None, True),
        ("UMÍ", 2023, None, True),
        ("NEUMÍ", "2023-03", None, False),
    ],
)
def test_a_month_never_spoils_a_verdict(verdict: str, since: object, expected: str | None, is_odd: bool) -> None:
    found = read_ballot(json.dumps({"verdict": verdict, "reason": "Proto.", "since": since}))
    assert (found.verdict, found.since, found.odd_since) == (verdict, expected, is_odd)


def test_the_reason_comes_in_one_line() -> None:
    assert read_ballot('{"verdict": "UMÍ", "reason": " Jde\\n to.\\u00a0"}').reason == "Jde to."
    assert read_ballot('{"verdict": "UMÍ", "reason": 3}').reason is None
