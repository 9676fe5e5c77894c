"""The parallel corpus of the language tax (D-18): one content in six languages, each in its own typography."""

import re
import unicodedata
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import TypedDict

import pytest
import yaml

import datasets

LANGUAGES = ("cs", "de", "fr", "es", "pl", "en")
FOLDER = Path(datasets.__file__).parent / "paragraphs"
NBSP = "\u00a0"


class Paragraph(TypedDict):
    """One paragraph as it stands in a file."""

    id: str
    topic: str
    text: str


class Corpus(TypedDict):
    """One file of the corpus."""

    version: str
    language: str
    paragraphs: list[Paragraph]


def _load(language: str) -> Corpus:
    corpus: Corpus = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    return corpus


CORPORA = {language: _load(language) for language in LANGUAGES}
TEXTS = {language: [p["text"] for p in CORPORA[language]["paragraphs"]] for language in LANGUAGES}
IDS = [f"p{n:02}" for n in range(1, 51)]

ABBREVIATIONS = {
    "cs": ("č.", "např."),
    "de": ("Nr.", "z. B."),
    "fr": (),
    "es": ("n.º", "p. ej."),
    "pl": ("m.in.", "godz."),
    "en": ("No.",),
}
"""Abbreviations that never end a sentence here. `r.` (pl) and `MwSt.` (de) may, so they are not in the list."""

_END = re.compile(r"(?<=[.!?])[”“»]? (?=[„“«¿¡]?[A-ZÀ-ÖØ-ÞĀ-Ž])")


def _sentences(text: str, language: str) -> list[str]:
    """Cut at an end mark, an ordinary space and a capital, unless the text so far ends in an abbreviation.

    A no-break space never follows a sentence: it keeps `8. März` and `č. 7` together.
    """
    found, start = [], 0
    for match in _END.finditer(text):
        piece = text[start : match.start()]
        if not piece.replace(NBSP, " ").endswith(tuple(f" {short}" for short in ABBREVIATIONS[language])):
            found.append(piece)
            start = match.end()
    return [*found, text[start:]]


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("cs", "Faktura č. 7 přišla 8. března. Dvě skříně, např. Ta první, chybí.", 2),
        ("de", f"Das kostet 5 € ohne MwSt. Wir liefern z.{NBSP}B. Karton Nr. 3 am 8.{NBSP}März.", 2),
        ("fr", f"Cela vous convient-il{NBSP}? Dans le cas contraire, écrivez-nous.", 2),
        ("es", "¿Le viene bien? Si no, p. ej. Por enfermedad, avise. ¡Gracias!", 3),
        ("pl", "Termin mija 14 stycznia 2028 r. Brakuje m.in. Kluczy do godz. 11:30.", 2),
        ("en", "Order No. 7 arrived. It was marked “Checked.” Thank you!", 3),
    ],
)
def test_splitter_agrees_with_counts_made_by_hand(language: str, text: str, count: int) -> None:
    """The splitter is measured on its own before it judges the corpus."""
    assert len(_sentences(text, language)) == count


_NUMBER = {
    "cs": (f"{NBSP}", ","),
    "de": (r"\.", ","),
    "fr": (f"{NBSP}", ","),
    "es": (f"{NBSP}", ","),
    "pl": (f"{NBSP}", ","),
    "en": (",", r"\."),
}
"""Separator of thousands and of decimals, as regular expressions."""


def _numbers(text: str, language: str) -> Counter[Decimal]:
    """Every number written in digits, read by the language's separators; hours and minutes count as two numbers."""
    group, point = _NUMBER[language]
    found = re.findall(rf"\d{{1,3}}(?:{group}\d{{3}})+(?:{point}\d+)?(?!\d)|\d+(?:{point}\d+)?", text)
    return Counter(Decimal(re.sub(point, ".", re.sub(group, "", number))) for number in found)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cs", f"12{NBSP}980,50{NBSP}€ v 7:30, č.{NBSP}48213"),
        ("de", f"12.980,50{NBSP}€ um 7:30{NBSP}Uhr, Nr.{NBSP}48213."),
        ("fr", f"12{NBSP}980,50{NBSP}€ à 7{NBSP}h{NBSP}30, n°{NBSP}48213"),
        ("es", f"12{NBSP}980,50{NBSP}€ a las 7:30, n.º{NBSP}48213."),
        ("pl", f"12{NBSP}980,50{NBSP}€ o 7:30, nr{NBSP}48213"),
        ("en", f"€12,980.50 at 7:30, No.{NBSP}48213."),
    ],
)
def test_numbers_are_read_by_the_conventions_of_the_language(language: str, text: str) -> None:
    """The same four numbers, written in six ways."""
    expected = [Decimal("12980.5"), Decimal(7), Decimal(30), Decimal(48213)]
    assert _numbers(text, language) == Counter(expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_fifty_paragraphs_in_the_same_order(language: str) -> None:
    """D-18: 50 paragraphs; the place, the id and the topic tie the six versions together."""
    corpus = CORPORA[language]
    assert corpus["version"] == "1.0"
    assert corpus["language"] == language
    assert [p["id"] for p in corpus["paragraphs"]] == IDS
    topics = [p["topic"] for p in corpus["paragraphs"]]
    assert topics == [p["topic"] for p in CORPORA["en"]["paragraphs"]]
    assert len(set(topics)) == 50
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", topic) for topic in topics)


@pytest.mark.parametrize("place", range(50), ids=IDS)
def test_versions_have_as_many_sentences(place: int) -> None:
    """Sentence by sentence the six versions say the same."""
    counts = {language: len(_sentences(TEXTS[language][place], language)) for language in LANGUAGES}
    assert set(counts.values()) == {counts["en"]}, counts
    assert counts["en"] >= 4


@pytest.mark.parametrize("place", range(50), ids=IDS)
def test_versions_have_the_same_numbers(place: int) -> None:
    """Dates, amounts and quantities are equal once the separators are read."""
    numbers = {language: _numbers(TEXTS[language][place], language) for language in LANGUAGES}
    for language in LANGUAGES:
        assert numbers[language] == numbers["en"], language


ALPHABETS = {
    "cs": "áčďéěíňóřšťúůýž",
    "de": "äöüß",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "es": "áéíñóúü",
    "pl": "ąćęłńóśźż",
    "en": "",
}
TELLTALE = {"cs": "ěščřž", "de": "äöüß", "fr": "éèàç", "es": "ñ¿¡", "pl": "ąęłżź", "en": ""}
SIGNS = set(" .,:;!?-–%/()@+") | {NBSP}
OWN_SIGNS = {
    "cs": "„“€²",
    "de": "„“€²",
    "fr": "«»’°€²",
    "es": "«»¿¡º€²",
    "pl": "„”–€²",
    "en": "“”’€²",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_and_signs_belong_to_the_language(language: str) -> None:
    """No letter or sign of another language leaks in, and the telling ones of the own language occur."""
    whole = "".join(TEXTS[language])
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789" + ALPHABETS[language] + OWN_SIGNS[language]) | SIGNS
    assert set(whole.lower()) - allowed == set()
    assert set(TELLTALE[language]) - set(whole.lower()) == set()


QUOTED = {
    "cs": "„[^„“]+“",
    "de": "„[^„“]+“",
    "fr": f"«{NBSP}[^«»]+{NBSP}»",
    "es": "«[^«»]+»",
    "pl": "„[^„”]+”",
    "en": "“[^“”]+”",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotes_are_typographic_pairs(language: str) -> None:
    """Every quotation stands in the language's own pair, as often as in English, and none is left over."""
    for text, english in zip(TEXTS[language], TEXTS["en"], strict=True):
        assert len(re.findall(QUOTED[language], text)) == len(re.findall(QUOTED["en"], english)), text
        assert not set(re.sub(QUOTED[language], "", text)) & set("„“”«»\"'"), text
    assert sum(len(re.findall(QUOTED[language], text)) for text in TEXTS[language]) >= 6


@pytest.mark.parametrize("place", range(50), ids=IDS)
def test_questions_and_exclamations_are_the_same(place: int) -> None:
    """A question stays a question in all six versions, and Spanish opens what it closes."""
    for language in LANGUAGES:
        text = TEXTS[language][place]
        for mark in "?!":
            assert text.count(mark) == TEXTS["en"][place].count(mark), language
    spanish = TEXTS["es"][place]
    assert (spanish.count("¿"), spanish.count("¡")) == (spanish.count("?"), spanish.count("!"))


BREAKABLE = {
    "all": r"\d (?:€|Kč|CZK|PLN|%|kg\b|km\b|m\b|m²|kWh\b)",
    "cs": r"(?<![^\W\d_])[KkSsVvZzOoUuAaIi] |č\. \d|\d\. (?:led|úno|bře|dub|kvě|čer|srp|zář|říj|lis|pro)|\d \d|\d%|\d{4}\u00a0[€Kk]",
    "de": r"Nr\. \d|z\. ?B\.|\d Uhr|\d\. (?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)|\d \d|\d%|\d{4}\u00a0[€Kk]",
    "fr": r"(?<!\u00a0)[;:!?»]|«(?!\u00a0)|n° \d|\d h\b|\bh \d|\d \d|\d%|\d{4}\u00a0[€Kk]",
    "es": r"n\.º \d|\d \d|\d%|[«¿¡]\s|\s[»?!]|(?<![\d\u00a0])\d\u00a0\d{3}(?![\u00a0\d]*\d)",
    "pl": r"(?<![^\W\d_])[AaIiOoUuWwZz] |\bnr \d|\d r\.|\d \d|\d\s%|(?<![\d\u00a0])\d\u00a0\d{3}(?![\u00a0\d]*\d)",
    "en": r"No\. \d|(?:CZK|PLN) \d|€\s|\d \d|\d\s%",
}
"""Places where the language asks for a no-break space, or for none, and something else is written."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_follow_the_typography_of_the_language(language: str) -> None:
    """No-break spaces stand where the language wants them; no double or trailing space anywhere."""
    for text in TEXTS[language]:
        for pattern in (BREAKABLE["all"], BREAKABLE[language], r"\s\s|^\s|\s$|\n"):
            assert re.search(pattern, text) is None, (pattern, text)


def test_every_rule_of_typography_finds_a_spoilt_text() -> None:
    """A hand-made fault for each language; a rule that finds nothing would judge nothing."""
    spoilt = {
        "all": "za 5 €",
        "cs": "sklad v Brně",
        "de": "am 8. März",
        "fr": "Cela convient ?",
        "es": "n.º 7",
        "pl": "dom i ogród",
        "en": "CZK 500",
    }
    assert all(re.search(BREAKABLE[language], text) for language, text in spoilt.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_and_amounts_stand_in_the_form_of_the_language(language: str) -> None:
    """A date and an amount (p01), a number above ten thousand (p15) and a rate (p11), written out by hand."""
    form = {
        "cs": (f"8.{NBSP}března 2027", f"34,50{NBSP}€", f"86{NBSP}000", f"60{NBSP}%"),
        "de": (f"8.{NBSP}März 2027", f"34,50{NBSP}€", "86.000", f"60{NBSP}%"),
        "fr": (f"8{NBSP}mars 2027", f"34,50{NBSP}€", f"86{NBSP}000", f"60{NBSP}%"),
        "es": ("8 de marzo de 2027", f"34,50{NBSP}€", f"86{NBSP}000", f"60{NBSP}%"),
        "pl": (f"8{NBSP}marca 2027{NBSP}r.", f"34,50{NBSP}€", f"86{NBSP}000", "60%"),
        "en": ("8 March 2027", "€34.50", "86,000", "60%"),
    }
    date, amount, thousands, rate = form[language]
    texts = dict(zip(IDS, TEXTS[language], strict=True))
    assert date in texts["p01"]
    assert amount in texts["p01"]
    assert thousands in texts["p15"]
    assert rate in texts["p11"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_composed_and_distinct(language: str) -> None:
    """NFC, and no run of eight words shared by two paragraphs (or twice in one)."""
    seen: dict[tuple[str, ...], str] = {}
    for name, text in zip(IDS, TEXTS[language], strict=True):
        assert unicodedata.is_normalized("NFC", text)
        words = re.findall(r"[\w’]+", text.lower())
        for run in zip(*(words[n:] for n in range(8)), strict=False):
            assert run not in seen, (run, seen.get(run), name)
            seen[run] = name


@pytest.mark.parametrize("place", range(50), ids=IDS)
def test_paragraphs_are_long_enough_and_alike(place: int) -> None:
    """60 to 110 words and 300 characters in English; a version far shorter or longer has lost or gained a thought."""
    english = TEXTS["en"][place]
    assert 60 <= len(english.split()) <= 110
    assert len(english) >= 300
    for language in LANGUAGES:
        assert 0.75 <= len(TEXTS[language][place]) / len(english) <= 1.5, language


@pytest.mark.parametrize("language", LANGUAGES)
def test_addresses_are_reserved_and_shared(language: str) -> None:
    """E-mail stands only in the reserved domain .example, the same in all six versions."""
    for text, english in zip(TEXTS[language], TEXTS["en"], strict=True):
        found = re.findall(r"\S+@[\w.-]*\w", text)
        assert found == re.findall(r"\S+@[\w.-]*\w", english)
        assert all(address.endswith(".example") for address in found)
