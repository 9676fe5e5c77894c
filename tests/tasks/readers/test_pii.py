"""The reader of personal data against texts and answers written by hand, and what must not change an answer (D-10, D-11)."""

import unicodedata
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.exchange import DocumentLanguage
from schemas.fields import answer_schema
from schemas.pii import FIELDS
from tasks.readers.pii import read_pii

HERE = Path(__file__).parent
EXAMPLES = [
    pytest.param(language, example["text"], example["answer"], id=f"{language}: {example['name']}")
    for language in ("cs", "en")
    for example in yaml.safe_load((HERE / f"pii.{language}.yaml").read_text("utf-8"))
]


@pytest.mark.parametrize(("language", "text", "answer"), EXAMPLES)
def test_the_hand_written_answer(language: DocumentLanguage, text: str, answer: dict[str, Any]) -> None:
    assert read_pii(text, language) == answer


@pytest.mark.parametrize(("language", "text", "answer"), EXAMPLES)
def test_kinds_of_spaces_and_line_ends_are_only_format(
    language: DocumentLanguage, text: str, answer: dict[str, Any]
) -> None:
    assert read_pii(text.replace(" ", "\u00a0").replace("\n", "\r\n"), language) == answer
    composed = read_pii(unicodedata.normalize("NFD", text), language)
    assert {f: [unicodedata.normalize("NFC", v) for v in vs] for f, vs in composed.items()} == answer


@pytest.mark.parametrize("language", ["cs", "en"])
def test_an_empty_text_has_seven_empty_lists(language: DocumentLanguage) -> None:
    assert read_pii("", language) == {field.name: [] for field in FIELDS}


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="aÁb 0123/-.,@:()\n\u00a0Kč", max_size=120), st.sampled_from(["cs", "en"]))
def test_any_text_is_answered_by_the_schema(text: str, language: DocumentLanguage) -> None:
    jsonschema.validate(read_pii(text, language), answer_schema(FIELDS, language))


def test_the_rules_know_no_vocabulary_of_the_generator() -> None:
    """Honest baselines are written from the prompt: no name, firm, mailbox host or street of the set stands in their words."""
    for language in ("cs", "en"):
        people = (HERE.parents[2] / "datasets" / "synth" / "vocab" / "pii" / f"people.{language}.yaml").read_text(
            "utf-8"
        )
        names = {name for group in ("men", "women", "surnames") for name in _flat(yaml.safe_load(people)[group])}
        rules = yaml.safe_load((HERE.parents[2] / "tasks" / "readers" / f"pii.{language}.yaml").read_text("utf-8"))
        assert len(names) > 90
        assert not names & {word for words in rules.values() for word in words}


def _flat(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [name for inner in value for name in _flat(inner)]
