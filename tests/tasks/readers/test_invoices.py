"""The reader of invoices against texts and answers written by hand, and what must not change an answer (D-6, D-7, D-11)."""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.exchange import DocumentLanguage
from schemas.fields import answer_schema
from schemas.invoices import FIELDS
from tasks.readers.invoices import read_invoice

HERE = Path(__file__).parent


@cache
def examples(language: DocumentLanguage) -> list[dict[str, Any]]:
    return list(yaml.safe_load((HERE / f"invoices.{language}.yaml").read_text("utf-8")))


EXAMPLES = [
    pytest.param(language, example["text"], example["answer"], id=f"{language}: {example['name']}")
    for language in ("cs", "en")
    for example in examples(language)
]


@pytest.mark.parametrize(("language", "text", "answer"), EXAMPLES)
def test_the_hand_written_answer(language: DocumentLanguage, text: str, answer: dict[str, Any]) -> None:
    assert read_invoice(text, language) == answer


@pytest.mark.parametrize(("language", "text", "answer"), EXAMPLES)
def test_kinds_of_spaces_line_ends_and_composition_are_only_format(
    language: DocumentLanguage, text: str, answer: dict[str, Any]
) -> None:
    """D-11: NFD and NBSP are format; a text layer ends its lines with CR LF."""
    written = unicodedata.normalize("NFD", text).replace(" ", "\u00a0").replace("\n", "\r\n\r\n")
    assert read_invoice(written, language) == answer


@pytest.mark.parametrize("example", examples("cs"), ids=lambda example: str(example["name"]))
def test_lost_diacritics_cost_only_the_suppliers_name(example: dict[str, Any]) -> None:
    """What OCR does to Czech: labels are still known, and a name without diacritics is another name (D-11)."""
    plain = "".join(unicodedata.normalize("NFD", char)[0] for char in example["text"])
    answer = read_invoice(plain, "cs")
    name = "".join(unicodedata.normalize("NFD", char)[0] for char in example["answer"]["supplier"])
    assert answer == {**example["answer"], "supplier": name}


@pytest.mark.parametrize("language", ["cs", "en"])
def test_an_empty_page_has_every_field_of_the_language_and_no_value(language: DocumentLanguage) -> None:
    names = [field.name for field in FIELDS if language in field.languages]
    assert read_invoice("", language) == dict.fromkeys(names)
    assert ("tax_id" in names) == ("tax_point_date" in names) == (language == "cs")


CZECH_PIECES = (
    "Dodavatel",
    "Odběratel:",
    "IČO",
    "DIČ CZ",
    "12345678",
    "21 %",
    "−1 210,00 Kč",
    "Celkem",
    "Základ",
    "DPH",
    "a.s.",
)
AMERICAN_PIECES = ("Bill to", "From", "Total", "$", "(1,210.00)", "03/41/2024", "Invoice #", "EIN", "Account", "LLC")
PIECES = (*CZECH_PIECES, *AMERICAN_PIECES, "1. 3. 2024", "99. 99. 2024", "Faktura č.", "/", "-", "0", ",", "\n")
pieces = st.sampled_from(PIECES)


@settings(deadline=None)
@given(st.lists(st.one_of(pieces, st.text(max_size=8)), max_size=40).map(" ".join), st.sampled_from(["cs", "en"]))
def test_any_text_gives_an_answer_of_the_asked_form(text: str, language: DocumentLanguage) -> None:
    jsonschema.validate(read_invoice(text, language), answer_schema(FIELDS, language))


def test_the_examples_hold_every_variant() -> None:
    """D-7, in both languages where the variant exists."""
    for language, fewest in (("cs", 8), ("en", 6)):
        texts = "\n".join(example["text"] for example in examples("cs" if language == "cs" else "en")).lower()
        wanted = {
            "cs": ["nejsem plátce dph", "zálohová faktura", "dobropis", "měna: eur", "daňový doklad"],
            "en": ["deposit invoice", "credit memo", "currency: eur", "sales tax"],
        }[language]
        assert [word for word in wanted if word not in texts] == []
        assert len(examples("cs" if language == "cs" else "en")) >= fewest


def test_the_total_is_no_amount_of_an_item_under_the_same_word() -> None:
    text = "Popis Základ DPH Celkem\nStůl 1 000,00 210,00 1 210,00\nŽidle 100,00 21,00 121,00\nCelkem 1 331,00 Kč"
    assert read_invoice(text, "cs")["total"] == "1331.00"


def test_the_number_of_the_original_document_is_never_the_documents() -> None:
    text = "Dobropis č. D1\nPůvodní doklad: F1\nFaktura č.: F1"
    assert read_invoice(text, "cs")["document_number"] == "D1"
