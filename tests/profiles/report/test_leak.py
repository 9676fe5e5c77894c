"""What the check finds and what it lets pass (G-8)."""

import html
from random import Random

import pytest

from profiles.report.leak import Finder, PrivateCase, ReportLeak, check, values_of

CASE = PrivateCase("invoices-cs-0003", "ZKUSEBNA-CANARY-abc", ("Mlýn & Syn, s.r.o.", "2024-05-13", "short"))


@pytest.mark.parametrize(
    "page",
    [
        "<p>invoices-cs-0003</p>",
        '<p id="invoices-cs-0003-fields">',
        "<p>ZKUSEBNA-CANARY-abc</p>",
        "<p>ZKUSEBNA-CANARY-of another</p>",
        f"<p>{html.escape('Mlýn & Syn, s.r.o.')}</p>",
        "<script>const x = 'Mlýn & Syn, s.r.o.'</script>",
        "<td>2024-05-13</td>",
    ],
)
def test_private_texts_are_found(page: str) -> None:
    with pytest.raises(ReportLeak) as caught:
        check(page, [CASE], [])
    assert "Mlýn" not in str(caught.value)


@pytest.mark.parametrize(
    "page",
    [
        "<p>invoices-cs-00031 and invoices-cs-0002</p>",
        "<p>short</p>",
        "<p>12024-05-13</p>",
        '<img src="data:image/png;base64,AAAAinvoicescs0003AAAA">',
        "<p>Mlýn a syn</p>",
    ],
)
def test_other_texts_pass(page: str) -> None:
    check(page, [CASE], [])


def test_a_value_that_is_public_too_is_no_leak() -> None:
    check("<p>2024-05-13</p>", [CASE], ['{"issue_date": "2024-05-13"}'])
    with pytest.raises(ReportLeak):
        check("<p>2024-05-13</p>", [CASE], ["92024-05-131"])


def test_a_number_in_a_picture_is_no_leak() -> None:
    case = PrivateCase("c", None, ("12345678",))
    check('<img src="data:image/png;base64,QUJD12345678==">', [case], [])
    with pytest.raises(ReportLeak):
        check('<img src="data:image/png;base64,QUJD"><p>12345678</p>', [case], [])


def test_values_of_a_truth_include_those_of_maps_and_lists() -> None:
    assert values_of({"a": [{"b": "x"}, 3], "c": None, "d": True}) == ["x", "3"]


def test_labels_of_both_languages_side_by_side_are_no_row_of_words() -> None:
    """A private document with labels in two languages holds the same words in a row; a page shows one language at a time."""
    case = PrivateCase("invoices-cs-0003", "ZKUSEBNA-CANARY-abc", (), ("Datum vystavení / Date of issue",))
    page = '<p><span class="l-cs" lang="cs">Datum vystavení</span><span class="l-en" lang="en">Date of issue</span></p>'
    check(page, [case], [])
    with pytest.raises(ReportLeak):
        check("<p>Datum vystavení <b>date</b> of issue</p>", [case], [])


def test_strings_are_found_as_a_plain_search_finds_them() -> None:
    """Against `str.find` for each string by itself, over texts of few letters, so that strings overlap and touch."""
    draw = Random(8)
    hits = 0
    for _ in range(400):
        words = {kind: {"".join(draw.choices("ab č_1.\n-", k=draw.randint(7, 11))) for _ in range(4)} for kind in "ov"}
        parts = [*(w for some in words.values() for w in some), *"ab č_1.\n-"]
        text = "".join(draw.choices(parts, k=40))
        finder = Finder()
        for kind, some in words.items():
            finder.add(some, kind)
        expected = sorted((w, kind) for kind, some in words.items() for w in some for _ in places(text, w))
        assert sorted(finder.found(text)) == expected
        hits += len(expected)
    assert hits > 1000


def places(text: str, word: str) -> list[int]:
    """Where a string of eight characters or more stands with no letter or digit beside it."""
    found, at = [], text.find(word)
    while at >= 0 and len(word) >= 8:
        around = text[at - 1 : at] if at else "", text[at + len(word) : at + len(word) + 1]
        found += [] if any(c.isalnum() for c in around) else [at]
        at = text.find(word, at + 1)
    return found
