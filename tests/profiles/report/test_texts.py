"""Both languages are complete, with the same gaps to fill and a name for every closed list (G-9, D-13)."""

import re
import string
from pathlib import Path
from typing import get_args

import pytest

from profiles.report import texts
from profiles.report.texts import Both, count, name, order_of, read_texts, text
from schemas.field_errors import FIELD_ERRORS
from schemas.invoices import FIELDS, VARIANTS
from schemas.profile import Profile
from schemas.status import GRADED, STATUSES
from tasks.suites import SUITES

NBSP = "\u00a0"


def _gaps(written: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(written) if field}


def test_every_key_is_in_both_languages_with_the_same_gaps() -> None:
    cs, en = read_texts("cs"), read_texts("en")
    assert cs.keys() == en.keys()
    assert all(_gaps(str(cs[key])) == _gaps(str(en[key])) for key in cs)
    assert all(str(value).strip() for value in (*cs.values(), *en.values()))


def test_counted_words_have_three_czech_forms_and_two_english_ones() -> None:
    for lang, forms in (("cs", 3), ("en", 2)):
        lists = {k: v for k, v in read_texts(lang).items() if k.startswith("counted.")}
        assert lists
        assert {len(v) for v in lists.values()} == {forms}


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("field", [f.name for f in FIELDS] + ["answer"]),
        ("error", [*FIELD_ERRORS, "invented"]),
        ("variant", VARIANTS),
        ("language", get_args(Profile.model_fields["language"].annotation)),
        ("reason", [s for s in STATUSES if s not in GRADED] + ["takes_no_image", "takes_no_text", "not_asked"]),
        ("told", [s for s in STATUSES if s not in GRADED] + ["takes_no_image", "takes_no_text", "not_asked"]),
        ("note", ["no_documents", "fewer_than_5_private", "complementary_private", "no_overhead", "no_paragraphs"]),
        ("suite", sorted(SUITES)),
        ("lead", sorted(SUITES)),
        ("against", ["above", "below", "open"]),
        ("level", ["text", "image", "scan", "photo"]),
    ],
)
def test_every_word_of_a_closed_list_has_a_name(kind: str, words: list[str]) -> None:
    assert all(f"{kind}.{word}" in read_texts("cs") for word in words)


def _forget() -> None:
    """Have the files of texts read again."""
    read_texts.cache_clear()
    texts._texts_of.cache_clear()


def test_a_suite_brings_texts_of_its_own_that_replace_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "texts.cs.yaml").write_text("a: {b: první}", encoding="utf-8")
    (tmp_path / "texts.tax.cs.yaml").write_text("a: {c: druhý}", encoding="utf-8")
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    _forget()
    assert read_texts("cs") == {"a.b": "první", "a.c": "druhý"}
    (tmp_path / "texts.tax.cs.yaml").write_text("a: {b: jiný}", encoding="utf-8")
    _forget()
    with pytest.raises(ValueError, match=r"texts\.tax\.cs\.yaml: the text 'a\.b' stands in another file already"):
        read_texts("cs")
    _forget()


def test_a_word_without_a_name_stands_as_it_is() -> None:
    assert name("layout", "brand-new") == Both("brand-new", "brand-new")


def test_an_unknown_key_names_itself_and_the_language() -> None:
    with pytest.raises(KeyError, match=r"texts\.cs\.yaml has no text 'no\.such'"):
        text("no.such")


@pytest.mark.parametrize(
    ("n", "cs", "en"),
    [
        (0, "0 dokumentů", "0 documents"),
        (1, "1 dokument", "1 document"),
        (2, "2 dokumenty", "2 documents"),
        (4, "4 dokumenty", "4 documents"),
        (5, "5 dokumentů", "5 documents"),
        (22, "22 dokumentů", "22 documents"),
        (1500, "1 500 dokumentů", "1,500 documents"),
    ],
)
def test_counted_nouns(n: int, cs: str, en: str) -> None:
    found = count("counted.documents", n)
    assert (found.cs.replace(NBSP, " "), found.en.replace(NBSP, " ")) == (cs, en)
    assert " " not in found.cs


def test_words_come_in_the_order_of_the_texts() -> None:
    assert order_of("level", ["zoo", "photo", "text", "image", "text"]) == ["text", "image", "photo", "zoo"]


def test_a_field_that_suites_share_comes_after_those_of_the_suite() -> None:
    """Currency is a field of invoices too; among the fields of e-mails it is not the first."""
    assert order_of("field", ["currency", "amount", "category", "deadline"]) == [
        "category",
        "amount",
        "deadline",
        "currency",
    ]
    assert order_of("field", ["account", "currency", "total", "supplier"]) == [
        "supplier",
        "total",
        "currency",
        "account",
    ]
    assert order_of("error", ["invented_value", "wrong_value", "missing"]) == [
        "missing",
        "wrong_value",
        "invented_value",
    ]


def test_czech_typography_holds_short_words_and_units_together() -> None:
    assert (
        texts.typeset("s daní a k tomu 95 % v součtu", "cs")
        == f"s{NBSP}daní a{NBSP}k{NBSP}tomu 95{NBSP}% v{NBSP}součtu"
    )
    assert texts.typeset("a dog", "en") == "a dog"


def test_quotation_marks_are_those_of_the_language() -> None:
    cs, en = (" ".join(map(str, read_texts(lang).values())) for lang in ("cs", "en"))
    assert '"' not in cs + en
    assert len(re.findall("„", cs)) == len(re.findall("“", cs)) > 0
    assert len(re.findall("“", en)) == len(re.findall("”", en)) > 0
    assert "„" not in en


def test_a_text_in_both_languages_is_escaped_and_has_no_single_form() -> None:
    assert Both("<a>", "<a>").__html__() == "&lt;a&gt;"
    assert Both("<a>", "b").__html__() == (
        '<span class="l-cs" lang="cs">&lt;a&gt;</span><span class="l-en" lang="en">b</span>'
    )
    with pytest.raises(TypeError):
        str(Both("a", "b"))
