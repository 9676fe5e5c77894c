"""The card of a set by a set counted by hand: counts, facts, limits, errata, both languages (G-8, G-10, G-13, D-20)."""

import datetime as dt
import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest

from profiles.report.cards import Key, SetCard, blocks_of, facts, render_card, tables, told
from profiles.report.chapters import limits_of
from profiles.report.texts import read_texts
from schemas.edition import Edition
from schemas.errata import Erratum

CASES = [
    ("cs", "public", "text", "classic"), ("en", "public", "text", "classic"), ("cs", "public", "photo", "classic"),
    ("en", "public", "photo", "ledger"), ("cs", "private", "text", "ledger"), ("en", "private", "text", "ledger"),
]  # fmt: skip
"""Language, split, level, layout."""

ERRATUM = Erratum.model_validate({
    "date": dt.date(2026, 10, 2), "suite": "invoices", "part": "set", "wrong": {"cs": "Den splatnosti <b>.", "en": "The due date <b>."},
    "changed": {"cs": "Opraven.", "en": "Mended."}, "from": "0.9", "to": "1.0",
})  # fmt: skip


def card(**other: Any) -> SetCard:
    counts: Counter[Key] = Counter()
    for language, split, level, layout in CASES:
        for dimension, group in (("all", "all"), ("level", level), ("layout", layout), ("variant", "ordinary")):
            counts[dimension, group, split, language] += 1
    edition = Edition(
        suite="invoices", id="v1.0-s7-n3-p0011", set_version="1.0", seed=7, size=3, private_hash="0011aabb"
    )
    base: dict[str, Any] = {
        "edition": edition, "is_generated": True, "counts": counts, "recipe_hash": "r" * 64, "cases_digest": "c" * 64,
        "versions": {"en": "p2", "cs": "p1"}, "limits": limits_of("invoices"), "errata": [ERRATUM],
        "about": {"cs": "## Nadpis\n\n**Náhodné** v `.example`.", "en": ""},
    }  # fmt: skip
    return SetCard(**(base | other))


def test_counts_by_hand() -> None:
    """Columns: public Czech, public English, private Czech, private English, all. The only variant is not worth a table."""
    found = {t.dimension: {heading.en: list(cells) for heading, cells in t.lines} for t in tables(card())}
    assert found == {
        "level": {"text": [1, 1, 1, 1, 4], "photo": [1, 1, 0, 0, 2], "total": [2, 2, 1, 1, 6]},
        "layout": {"classic": [2, 1, 0, 0, 3], "ledger": [0, 1, 1, 1, 3], "total": [2, 2, 1, 1, 6]},
    }
    assert [c.en for c in tables(card())[0].columns] == [
        "public, Czech", "public, English", "private, Czech", "private, English", "total"
    ]  # fmt: skip
    assert card().n_cases == 6


def test_an_authored_set_is_counted_by_area_and_state() -> None:
    counts: dict[Key, int] = {
        ("all", "all", "public", "cs"): 5, ("variant", "tax", "public", "cs"): 5, ("area", "tax", "public", "cs"): 2,
        ("area", "civil", "public", "cs"): 3, ("category", "deadline", "public", "cs"): 5, ("state", "draft", "public", "cs"): 5,
    }  # fmt: skip
    made = card(counts=counts, is_generated=False)
    found = {t.dimension: {heading.cs: list(cells) for heading, cells in t.lines} for t in tables(made)}
    assert found["area"] == {"občanské právo": [3, 3], "daňové právo": [2, 2], "celkem": [5, 5]}
    assert list(found) == ["area", "state"]
    assert "Semínko" not in [key.cs for key, _ in facts(made)]
    assert "tajného" not in render_card(made, "cs")


def test_a_set_without_groups_has_its_whole() -> None:
    made = card(counts={("all", "all", "public", "cs"): 4, ("all", "all", "public", "de"): 4})
    assert [(t.dimension, [list(cells) for _, cells in t.lines]) for t in tables(made)] == [("all", [[4, 4, 8]])]


class Words(HTMLParser):
    """The text of a page, its language and its ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.lang, self.open = "", "", list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.lang = dict(attrs).get("lang") or self.lang if tag == "html" else self.lang
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += "" if self.open[-1:] == ["style"] else data


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_the_page_says_all_of_it_in_one_language(lang: Any) -> None:
    page = render_card(card(), lang)
    found = Words(page)
    assert (found.open, found.lang) == ([], lang)
    plain = re.sub(r"\s+", " ", found.text)
    texts = read_texts(lang)
    for value in ("v1.0-s7-n3-p0011", "r" * 64, "c" * 64, "0011aabb", "cs p1, en p2", "0.9 → 1.0"):
        assert value in plain
    for key in limits_of("invoices"):
        assert re.sub(r"\s+", " ", str(texts[f"limits.{key}"])) in plain
    assert getattr(ERRATUM.wrong, lang) in plain, "escaped, so the mark is text"
    other = read_texts("en" if lang == "cs" else "cs")
    assert other["card.limits"] not in plain
    assert ("Náhodné v .example." in plain) is (lang == "cs")
    assert 'src="http' not in page


def test_without_errata_it_says_so() -> None:
    assert read_texts("cs")["card.no_errata"][:14] in render_card(card(errata=[]), "cs")


def test_the_terminal_has_the_same_numbers() -> None:
    words = told(card(), "en")
    lines = {line[0]: line[1:] for line in words.tables[0][2]}
    assert lines["photo"] == ["1", "1", "0", "0", "2"]
    assert lines["total"] == ["2", "2", "1", "1", "6"]
    assert words.lists[1][1] == ["2026-10-02, the set 0.9 → 1.0: The due date <b>. Mended."]


def test_blocks_keep_strong_words() -> None:
    assert blocks_of("# H\n\nA **b** c\nd", "en") == [[("A ", False), ("b", True), (" c d", False)]]
