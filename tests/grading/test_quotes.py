"""Quotes stand literally (G-7); the oracle is a table written by hand, and noise that the tests make themselves."""

import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grading.quotes import find_quote, find_quote_of
from schemas.exchange import Message

TEXT = (
    "Zkušební doba sjednaná před 1. 6. 2025 se řídí „dosavadní úpravou“ – činí tedy nejvýše tři měsíce.\n\n"
    "Zaměstnavatel **nemůže** zkušební dobu prodloužit… Neplatí, že by stačil souhlas; pokuta je 15\u00a0000\u00a0Kč."
)

TABLE = [
    ("činí tedy nejvýše tři měsíce", True),
    ("činí tedy nejvýše tři měsíce.", True),
    ('"činí tedy nejvýše tři měsíce"', True),
    ("„činí tedy nejvýše tři měsíce“", True),
    ("  činí\ttedy\nnejvýše  tři měsíce ", True),
    ('řídí "dosavadní úpravou" - činí tedy', True),
    ("řídí 'dosavadní úpravou' — činí tedy", True),
    ("řídí «dosavadní úpravou» − činí tedy", True),
    ("řídí dosavadní úpravou – činí tedy", False),  # marks inside are content
    (unicodedata.normalize("NFD", "činí tedy nejvýše tři měsíce"), True),
    ("pokuta je 15 000 Kč", True),
    ("pokuta je 15\u202f000 Kč.", True),
    ("pokuta je 15000 Kč", False),
    ("Zaměstnavatel nemůže zkušební dobu prodloužit", True),
    ("Zaměstnavatel **nemůže** zkušební dobu", True),
    ("dobu prodloužit... Neplatí, že", True),
    ("tři měsíce. Zaměstnavatel nemůže", True),  # a paragraph's end is white space
    ("Zkušební doba … činí tedy nejvýše tři měsíce", True),
    ("Zkušební doba [...] nejvýše tři měsíce […] zkušební dobu prodloužit", True),
    ("Zkušební doba (…) pokuta je", True),
    ("…činí tedy nejvýše tři měsíce…", True),
    ("zkušební dobu prodloužit … Zkušební doba sjednaná", False),  # order
    ("Zkušební doba … nejvýše pět měsíců", False),
    ("Zkušební doba … je … 15 000 Kč", False),  # parts of a letter match anywhere
    ("nejvýše čtyři měsíce", False),
    ("platí, že by stačil souhlas", False),  # the border of a word
    ("že by stačil souhla", False),
    ("cini tedy nejvyse tri mesice", False),  # diacritics are content
    ("Činí tedy nejvýše tři měsíce", False),  # letter case is content
    ("tři měsíce", False),  # two words
    ("je 15 000", False),  # nine characters
    ("", False),
    ("…", False),
    ("„“", False),
]  # fmt: skip


def test_the_table_has_twelve_wrong_quotes_at_least() -> None:
    assert sum(not is_right for _, is_right in TABLE) >= 12


@pytest.mark.parametrize(("quote", "expected"), TABLE)
def test_table(quote: str, expected: bool) -> None:
    assert find_quote(quote, TEXT) is expected


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("Nevím.", "Nevím.", True),  # the text is no longer
        ("Nevím", "Nevím.", False),
        ("Ano, můžete.", "Ano, můžete.", True),
        ("Ano, nesmíte.", "Ano, můžete.", False),
        ("a", "", False),
        ("", "", False),
        ("plocha 20 m² stačí", "plocha 20 m2 stačí", False),  # a superscript is content
        ("finále ﬁnanční soudy", "ﬁnále finanční soudy", True),
        ("it’s not the rule", "it's not the rule", True),
        ("lhů\u00adta běží tři roky", "lhůta běží tři roky", True),
        ("Ｌhůta běží tři roky", "Lhůta běží tři roky", True),
        ("od 1. do 5. května", "od 1.\u2009do 5.\u2009května", True),
        ("lhůta 5–7 dnů běží", "lhůta 5-7 dnů běží", True),
        ("lhůta 5–7 dnů běží", "lhůta 57 dnů běží", False),
    ],
)
def test_other_texts(quote: str, text: str, expected: bool) -> None:
    assert find_quote(quote, text) is expected


TURNS = (
    Message(role="user", text="Dopis leží pod kamenem u brány, zeptej se strážce."),
    Message(role="assistant", text="Strážce ti beze slova otevře starou bránu."),
    Message(role="user", text="Strážce ti beze slova otevře starou bránu? Dobře, vejdu."),
)


@pytest.mark.parametrize(
    ("quote", "speaker", "expected"),
    [
        ("otevře starou bránu", "assistant", "found"),
        ("otevře starou bránu?", "user", "found"),
        ("leží pod kamenem", "assistant", "wrong_speaker"),
        ("leží pod kamenem", "user", "found"),
        ("leží pod stromem", "user", "absent"),
        ("pod kamenem … starou bránu", "user", "absent"),  # never across turns
        ("Dobře, vejdu.", "user", "absent"),  # too short
    ],
)
def test_speakers(quote: str, speaker: str, expected: str) -> None:
    assert find_quote_of(quote, TURNS, speaker) == expected


_SENTENCE = "zkušební doba činí „nejvýše“ tři měsíce, nikoli – šest; § 35 zákoníku práce Příliš žluťoučký kůň"
WORDS = st.lists(st.sampled_from(_SENTENCE.split()), min_size=4, max_size=30)
_NOISE = {
    " ": [" ", "  ", "\n", "\u00a0", "\u202f", "\t"],
    "„": ['"', "“", "«", "'"],
    "“": ['"', "”", "»", "'"],
    "–": ["-", "—", "−", "\u2011"],
}


@settings(deadline=None)
@given(WORDS, st.data())
def test_a_noised_part_is_found(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 3))
    last = data.draw(st.integers(first + 3, len(words)))
    quote = " ".join(words[first:last])
    assume(len(quote.strip(" „“")) >= 12)
    noised = "".join(data.draw(st.sampled_from(_NOISE[c])) if c in _NOISE else c for c in quote)
    if data.draw(st.booleans()):
        noised = unicodedata.normalize("NFD", noised)
    assert find_quote(noised, " ".join(words))


@settings(deadline=None)
@given(WORDS, st.data())
def test_a_changed_word_is_not_found(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 3))
    part = words[first : first + 6]
    part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.sampled_from(["jinak", "tří", "nečiní", "36"]))
    assert not find_quote(" ".join(part), " ".join(words))


@settings(deadline=None)
@given(st.text(), st.text())
def test_never_raises(quote: str, text: str) -> None:
    assert find_quote(quote, text) in (True, False)
