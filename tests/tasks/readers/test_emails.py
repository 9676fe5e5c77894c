"""The reader of e-mails against messages and answers written by hand, and against what must not stop it (D-9)."""

from datetime import date
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import yaml
from email_support import cases

from schemas.emails import FIELDS
from schemas.fields import answer_schema
from tasks.readers.due import read_deadline
from tasks.readers.emails import read_email

HERE = Path(__file__).parent
READERS = HERE.parents[2] / "tasks" / "readers"


@cache
def examples(language):
    return yaml.safe_load((HERE / f"emails.{language}.yaml").read_text("utf-8"))


EXAMPLES = [
    pytest.param(language, example["text"], example["answer"], id=f"{language}: {example['name']}")
    for language in ("cs", "en")
    for example in examples(language)
]


@pytest.mark.parametrize(("language", "text", "answer"), EXAMPLES)
def test_the_hand_written_answer(language, text, answer):
    assert read_email(text, language) == answer
    assert read_email(text.replace("\n", "\r\n"), language) == answer


@pytest.mark.parametrize(
    ("language", "sent", "text", "meant"),
    [
        ("cs", "2024-03-08", "Vyřiďte to do pátku.", "2024-03-15"),
        ("cs", "2024-03-06", "Vyřiďte to nejpozději ve čtvrtek 21. března.", "2024-03-21"),
        ("cs", "2024-02-10", "Ozvěte se do konce měsíce.", "2024-02-29"),
        ("cs", "2024-12-05", "Ozvěte se do konce příštího měsíce.", "2025-01-31"),
        ("cs", "2024-12-31", "Ozvěte se do zítřka.", "2025-01-01"),
        ("cs", "2024-12-20", "Pošlete to do 14 dnů.", "2025-01-03"),
        ("cs", "2024-12-20", "Pošlete to nejpozději za dva týdny.", "2025-01-03"),
        ("cs", "2024-12-20", "Zboží dorazilo 12. 12. 2024, zaplaťte do 5. 1.", "2025-01-05"),
        ("cs", "2024-06-03", "Stihněte to do konce týdne.", "2024-06-07"),
        ("cs", "2024-06-03", "Zboží dorazilo v pátek.", None),
        ("en", "2024-03-08", "Please do it by Friday.", "2024-03-15"),
        ("en", "2024-02-10", "Let us know by the end of the month.", "2024-02-29"),
        ("en", "2024-02-10", "Let us know by the end of next month.", "2024-03-31"),
        ("en", "2024-12-20", "Reply within two weeks.", "2025-01-03"),
        ("en", "2024-12-20", "Reply no later than 1/5.", "2025-01-05"),
        ("en", "2024-12-20", "Reply by Jan 5, 2025 at the latest.", "2025-01-05"),
        ("en", "2024-06-03", "We need this today.", "2024-06-03"),
        ("en", "2024-06-03", "It came on May 2, 2024.", None),
    ],
)
def test_deadlines_are_counted_by_the_prompt(language, sent, text, meant):
    words = yaml.safe_load((READERS / f"emails.{language}.yaml").read_text("utf-8"))
    found = read_deadline(text, date.fromisoformat(sent), language, words)
    assert (found.isoformat() if found else None) == meant


@pytest.mark.parametrize(
    "text", ["", "\n", "From:", "Od: \nKomu: \n\n", "> > >", "0" * 5000, "č. 1 2 3 Kč $ € 31. 2. 2024"]
)
@pytest.mark.parametrize("language", ["cs", "en"])
def test_any_text_gives_an_answer_in_the_form(language, text):
    jsonschema.validate(read_email(text, language), answer_schema(FIELDS, language))


def test_generated_emails_give_answers_in_the_form():
    for case in cases(30, 7):
        jsonschema.validate(read_email(case.text, case.language), answer_schema(FIELDS, case.language))


def test_the_reader_knows_nothing_of_the_generator():
    """No word of the generator is read by it: neither a module nor a vocabulary."""
    for file in ("emails.py", "due.py", "letter.py"):
        assert "datasets" not in (READERS / file).read_text("utf-8")
