"""The plot: text stays text, colours are the page's, ids fit one page, the same rows give the same bytes."""

import re
from xml.etree import ElementTree

from profiles.report.plot import Band, Dot, draw
from profiles.report.texts import Both
from schemas.tendency import Tendency


def _row(value: float, low: float, high: float) -> Tendency:
    return Tendency(
        suite="invoices", edition="e", system_id="a", split="public", dimension="overall", group_name="all",
        metric="field_accuracy", value=value, low=low, high=high, method="wilson", n_documents=9, n_items=9, n_left_out=0,
        note=None, seed=1, set_version="1", prompt_version="1", rubric_version="1", run_id="r", run_date="2026-01-01",
    )  # fmt: skip


BANDS = [
    Band("first & best", (Dot(Both("celkem", "all"), _row(0.97, 0.96, 0.98)),)),
    Band(
        "second", (Dot(Both("celkem", "all"), _row(0.62, 0.55, 0.7)), Dot(Both("česky", "Czech"), _row(0.6, 0.5, 0.7)))
    ),
]


def _texts(svg: str) -> list[str]:
    return [
        t.text or "" for t in ElementTree.fromstring(svg.replace("xlink:href", "href")).iter() if t.tag.endswith("text")
    ]


def test_text_stays_text_in_each_language() -> None:
    cs, en = (draw(BANDS, lang, f"x-{lang}") for lang in ("cs", "en"))
    assert {"first & best", "second", "celkem", "česky", "97,0\u00a0%", "62,0\u00a0%", "laťka 95\u00a0%"} <= set(
        _texts(cs)
    )
    assert {"all", "Czech", "97.0%", "95% bar"} <= set(_texts(en))


def test_colours_are_variables_of_the_page() -> None:
    svg = draw(BANDS, "cs", "x")
    assert not re.search(r"#[0-9a-f]{6}", svg.replace("#x-", ""))
    assert {"var(--ink)", "var(--soft)", "var(--rule)", "var(--accent)"} <= set(re.findall(r"var\(--\w+\)", svg))


def test_ids_begin_with_the_slug_and_references_hold() -> None:
    svg = draw(BANDS, "cs", "mine")
    ids = re.findall(r'\bid="([^"]+)"', svg)
    used = re.findall(r'(?:href="#|url\(#)([^")]+)', svg)
    assert len(ids) == len(set(ids)) > 0
    assert all(i.startswith("mine-") for i in ids)
    assert set(used) <= set(ids)


def test_the_same_rows_give_the_same_bytes() -> None:
    assert draw(BANDS, "cs", "x") == draw(BANDS, "cs", "x")


def test_the_bar_and_the_marks_lie_on_one_scale() -> None:
    """A share of 95 % would lie on the dashed line: the marks' positions are linear in the share."""
    at = Band("s", tuple(Dot(Both("a", "a"), _row(v, v, v)) for v in (0.9, 0.95)))
    svg = draw([at], "cs", "x")
    dashed = re.search(r'd="M ([\d.]+) [\d.]+ L? ?([\d.]+)?[^"]*"[^>]*stroke-dasharray', svg)
    marks = [float(x) for x in re.findall(r'<use xlink:href="[^"]+" x="([\d.]+)"', svg)]
    assert dashed
    assert any(abs(float(dashed[1]) - x) < 0.1 for x in marks)


def test_many_systems_get_one_line_each() -> None:
    many = [Band(f"system {n}", BANDS[1].dots) for n in range(5)]
    found = _texts(draw(many, "en", "x"))
    assert [t for t in found if t.startswith("system")] == [f"system {n}" for n in range(5)]
    assert found.count("62.0%") == 5
    assert "Czech" not in found
