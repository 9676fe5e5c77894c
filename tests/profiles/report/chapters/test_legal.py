"""The legal chapter in a real browser: fitness beside every number, drafts apart, cases rule by rule, both languages (L-4, S-5, G-10)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from legal_grades import MARKS, always_first, folded, make_case, model, read, references, rules, truth, whole
from playwright.sync_api import Browser, Page

from profiles.legal_board import board
from profiles.legal_fold import METRICS
from profiles.legal_path import ERRORS
from profiles.report.chapters import chapter_of
from profiles.report.chapters.legal import LIMITS
from profiles.report.law_tables import OF_JUDGE, WHY
from profiles.report.law_versions import change_of
from profiles.report.material import Older, Reply, Section, ShownCase
from profiles.report.page import render
from profiles.report.texts import read_texts
from schemas.case import Case
from schemas.grade import Grade
from schemas.legal import Area, Category, ControlKind, MetaTask, State
from schemas.profile import Profile
from schemas.system import System
from schemas.tendency import Tendency

RULES = {1: "M:11 N:1 B:1", 2: "M:11 N:1 B:0", 3: "M:10 N:1 B:1", 4: "M:01 N:1 B:0", 5: "M:00 N:0 B:0"}
KINDS = {"right": 1.0, "partly": 0.5, "foil": 0.0}
TEXT = "Platí to jen <někdy>."


def system(word: str, name: str, family: str = "f", vendor: str = "Acme") -> System:
    return System(id=word, name=name, vendor=vendor, family=family, client="recorded", suites=(), inputs=("text",))


SYSTEMS = {
    "alfa-1": system("alfa-1", "Alfa 1"),
    "alfa-2": system("alfa-2", "Alfa 2"),
    "beta": system("beta", "Beta", "b", "Other"),
    "known": system("known", "Known answers", "known", "ours"),
}


def cases(n: int, state: str) -> list[Case]:
    return [make_case(f"pripad-{x}", of=truth(), state=state, area="tax" if x % 2 else "civil") for x in range(n)]


def grades_of(name: str, case: Case) -> list[Grade]:
    at: dict[str, Any] = {"case_id": case.case_id, "system_id": name}
    told = "M:00 N:0 B:0" if name == "alfa-1" else "M:11 N:1 B:1"
    by_rules = [g if g.item != "M1" else g.model_copy(update={"quote": "jen <někdy>"}) for g in rules(told, **at)]
    own = model(told, "j1", same=name != "beta", of_answer=at)
    return [
        *by_rules,
        *references("1h", **at),
        *whole(0.5, 0.5, complete=1, **at),
        *own,
        *always_first(told, "j2", **at),
    ]


def answers(name: str, asked: list[Case]) -> list[Profile]:
    return [read(grades_of(name, c), c, system=name, text=TEXT) for c in asked]


def known(asked: list[Case]) -> list[Profile]:
    """The mechanical judge and j1 are right about all, j2 flips."""
    made = []
    for case in asked:
        for trial, told in RULES.items():
            at: dict[str, Any] = {"case_id": case.case_id, "trial": trial, "system_id": "known"}
            verdict = KINDS[MARKS[str(trial)]["kind"]]
            grades = [*rules(told, **at), *references("11", **at), *whole(verdict, 0.1, **at)]
            grades += [*model(told, "j1", of_answer=at, verdict=(verdict, verdict)), *always_first(told, "j2", **at)]
            made.append(read(grades, case, is_control=True, trial=trial, system="known"))
    return made


def rows_of(n: int, state: str, *names: str, with_known: bool = True) -> list[Tendency]:
    asked = cases(n, state)
    found = [row for name in names for row in folded(answers(name, asked), system_id=name)]
    return found + (folded(known(asked), system_id="known") if with_known else [])


def section(state: str = "draft", *, with_known: bool = True) -> Section:
    asked = cases(12, state)
    names = ("alfa-1", "alfa-2", "beta")
    shown = [
        ShownCase(
            c,
            None,
            {s: Reply(read(grades_of(s, c), c, system=s, text=TEXT), tuple(grades_of(s, c)), TEXT) for s in names},
        )
        for c in asked[:2]
    ]
    older = Older("e0", tuple(rows_of(12, state, "alfa-1", with_known=False)))
    rows = tuple(rows_of(12, state, *names, with_known=with_known))
    prompts = {"legal/rule.cs.md": "Posuzujete {{ answer }}."}
    return Section("legal", "e1", rows, SYSTEMS, tuple(shown), 12, older=(older,), prompts=prompts)


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    file = tmp_path_factory.mktemp("legal") / "page.html"
    file.write_text(render([section()]), encoding="utf-8")
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    opened.goto(file.as_uri())
    yield opened
    opened.close()


def words(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).first.inner_text().split())


def test_drafts_stand_apart_and_say_so(page: Page) -> None:
    assert words(page, "#legal-law_draft") == "Návrhy – neprošlo kontrolou právníka"
    assert "Žádný případ zatím právník neschválil, pořadí tedy není." in words(
        page, "section:has(> #legal-law_approved)"
    )
    assert page.locator(".law-approved").count() == 0


def test_fitness_stands_beside_every_number(page: Page) -> None:
    """60 of 60 known answers: Wilson from 94.0 %; a judge that flips has 0 of 60 in pass 2."""
    table = words(page, "table:has(#legal-fitness)")
    assert "Mechanický posuzovatel 100,0 % 94,0–100,0 %, 60 známých odpovědí způsobilý" in table
    assert (
        "j2 100,0 % 94,0–100,0 %, 60 známých odpovědí způsobilý ≈ 0,0 % ✗ nerozhodné 0,0–6,0 %, 60 známých odpovědí"
        in table
    )
    assert "Všechny modely" not in table
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    by_kind = words(page, "table:has(#legal-fitness-by)")
    assert "j1, pravidlo po pravidle 100,0 % 86,2–100,0 %, 24 známých odpovědí" in by_kind  # two right ones a case
    assert "případů" not in by_kind
    for judge in ("signals", "j1"):
        cells = page.locator(f"table:has(#legal-draft-{judge}-standing) tbody td")
        told = [" ".join(text.split()) for text in cells.all_inner_texts()]
        assert len(told) == 12
        assert all("známé odpovědi správně: 100,0 %" in text for text in told), told


def test_what_an_unfit_judge_produced_is_seen_at_a_glance(page: Page) -> None:
    """j2 is fit rule by rule; as a whole it decided nothing, and nothing that it says of the whole is decisive."""
    standing = page.locator("table:has(#legal-draft-j2-standing) tbody tr").first
    told = [" ".join(text.split()) for text in standing.locator("td").all_inner_texts()]
    assert told[2] == "posuzovatel o ničem nerozhodl"
    assert "nerozhodné" not in told[0]
    together = page.locator("table:has(#legal-draft-judges-standing) tbody tr").first.locator("td.undecided")
    assert together.count() == 2
    assert "≈" in together.first.inner_text()
    assert "nerozhodné" in together.first.inner_text()


def test_judges_of_the_same_vendor_are_marked_and_left_out_beside(page: Page) -> None:
    with_own = words(page, "table:has(#legal-draft-j1-standing) tbody")
    assert "Alfa 2 (posuzovatel je od téhož výrobce)" in with_own
    assert "Beta (posuzovatel je od téhož výrobce)" not in with_own
    assert "(posuzovatel" not in words(page, "table:has(#legal-draft-other_vendors-standing) tbody")
    assert "Known answers" not in words(page, "main section.law-draft")


def test_versions_side_by_side(page: Page) -> None:
    """Alfa 1 misses everything, Alfa 2 nothing: better, and fewer misses are better too; nothing changed since the older edition."""
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    family = page.locator("table:has(#legal-alfa-1-alfa-2)")
    told = [" ".join(text.split()) for text in family.locator("tbody tr").all_inner_texts()]
    assert any(
        t.startswith("Souhrn podle pravidel, návrh Mechanický posuzovatel") and t.endswith("▲ lepší") for t in told
    )
    assert any(t.startswith("Chybí rozhodující výjimka, daňové právo") and t.endswith("▲ lepší") for t in told)
    assert not any(t.endswith("▼ horší") for t in told)
    older = page.locator("table:has(#legal-alfa-1-e0) tbody tr")
    assert older.count() > 0
    assert not any("▲" in text or "▼" in text for text in older.all_inner_texts())


def test_agreement_is_told_where_there_are_two_judges(page: Page) -> None:
    """All three grade every rule alike."""
    told = words(page, "section:has(> #legal-law_agreement)")
    assert "Krippendorffova alfa přes pravidla: 1,00" in told
    assert "j1 a j2 24 1,00" in told


def test_cases_show_question_reference_foil_answer_and_quotes(page: Page) -> None:
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    case = words(page, "#pripad-0")
    for told in (
        "Platí to?",
        "Ne, jen někdy.",
        "Ano, vždy.",
        TEXT,
        "M1 · musí zaznít · rozhodující výjimka",
        "Pravidlo M1.",
    ):
        assert told in case
    assert page.locator("#pripad-0 q").first.inner_text().strip('„“”"') == "jen <někdy>"
    assert "M1, rozhodující výjimka – mělo zaznít: Pravidlo M1." in case
    assert "1 / 0 (podle pořadí)" in case
    assert "✗ neuvedeno" not in case


def test_limits_prompts_and_stamps(page: Page) -> None:
    """G-9, G-10."""
    limits = words(page, "section.limits")
    for told in ("jen pro české právo", "sepisování smluv, vedení sporů ani právní prověrky", "není právní rada"):
        assert told in limits
    assert "Posuzujete {{ answer }}." in page.locator("section:has(> #legal-law_prompts) pre").all_inner_texts()[0]
    stamps = {" ".join(s.split()) for s in page.locator(".stamp").all_inner_texts()}
    assert stamps == {"Běh 5. 11. 2026, edice e1, sada 1.0, zadání p1, hodnocení g1."}


def test_every_heading_of_the_contents_is_there_and_nothing_overflows(page: Page) -> None:
    for link in page.locator("nav a").all():
        assert page.locator(f'[id="{str(link.get_attribute("href"))[1:]}"]').count() == 1
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1200, "height": 900})


def test_it_reads_in_english_too(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(render([section("approved", with_known=False)]), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.click("#switch")
    whole_page = words(page, "main")
    assert "Only cases approved by a lawyer stand here." in whole_page
    assert "not reviewed by a lawyer" not in whole_page.lower()
    assert "No judge has graded a known answer yet, so no number below is decisive." in whole_page
    assert "✗ not decisive" in whole_page
    assert "undecided" in page.content()
    page.close()


def test_the_board_tells_the_same_and_no_control() -> None:
    rows = rows_of(12, "draft", "alfa-1", "alfa-2")
    found = board(rows, ["alfa-1", "alfa-2", "known"])
    assert {line["system"] for line in found.rows} == {"alfa-1", "alfa-2"}
    by_judge = {(line["system"], line["judge"]): line for line in found.rows}
    first = by_judge["alfa-1", "signals"]
    assert (first["part"], first["controls"], first["cases"]) == (
        "not reviewed by a lawyer",
        "100.0% (94.0–100.0%)",
        "12 of 12",
    )
    assert "not decisive" not in first["by rules"]
    assert "not decisive" in by_judge["alfa-1", "judges (same vendor)"]["as a whole"]
    assert [line["system"] for line in found.rows][:2] == ["alfa-2", "alfa-1"]
    assert all(set(found.shown[0]) <= line.keys() for line in found.rows)


def test_a_change_is_one_where_the_intervals_do_not_meet() -> None:
    rows = rows_of(12, "draft", "alfa-1", with_known=False)
    base = next(r for r in rows if r.metric == "correctness")
    low, high = (base.model_copy(update={"low": a, "high": b, "value": a}) for a, b in ((0.1, 0.2), (0.21, 0.3)))
    assert (change_of(low, high), change_of(high, low), change_of(low, low)) == ("better", "worse", "open")
    bad = [r.model_copy(update={"metric": "key_missed"}) for r in (low, high)]
    assert change_of(*bad) == "worse"


def test_a_private_case_never_comes_to_the_page() -> None:
    made = section()
    secret = ShownCase(made.cases[0].case.model_copy(update={"split": "private"}), None, {})
    with pytest.raises(ValueError, match="'private' came to the report"):
        chapter_of(Section("legal", "e1", made.rows, SYSTEMS, (secret,), 1))


def test_a_system_without_an_answer_says_why() -> None:
    """G-11: not asked is told, and no rule of it stands there."""
    shown = ShownCase(cases(1, "draft")[0], None, {})
    view = chapter_of(Section("legal", "e1", section().rows, SYSTEMS, (shown,), 1)).view
    (case,) = view.cases
    assert [(said.status is not None, said.lines) for said in case.said] == [(True, ())] * 3


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("area", get_args(Area)),
        ("category", get_args(Category)),
        ("meta_task", get_args(MetaTask)),
        ("state", get_args(State)),
        ("control_kind", get_args(ControlKind)),
        ("part", [f"law_{state}" for state in get_args(State)]),
        ("law.state", get_args(State)),
        ("law.metric", [*METRICS.values(), *OF_JUDGE]),
        ("law.error", ERRORS),
        ("law.path", ERRORS),
        ("law.left_out", WHY),
        ("law.fitness", ["beside_fit", "beside_unfit", "beside_no_controls_for_both", "no_controls"]),
        ("note", ["no_cases", "nothing_decided"]),
        (
            "label",
            [
                "fulfilled",
                "missed",
                "avoided",
                "violated",
                "given",
                "absent",
                "right",
                "incomplete",
                "partly",
                "wrong",
                "none",
            ],
        ),
        ("limits", LIMITS),
    ],
)
def test_every_word_of_a_closed_list_has_a_name(kind: str, words: Sequence[str]) -> None:
    assert not [word for word in words if f"{kind}.{word}" not in read_texts("cs")]
