"""The jury's chapter in a real browser: states, months, log, flips and audience by hand; no juror in the file (J-3 to J-7, G-9, G-10)."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from report_support import LOW_CONTRAST, tendency_row

from profiles.claims import overview
from profiles.report.chapters import chapter_of, jury
from profiles.report.jury_log import log_of, reasons_of
from profiles.report.material import Section
from profiles.report.page import render
from schemas.jury import ClaimSet, Counts
from schemas.vote import AudienceVote, Check, Vote

U, N, X = "UMÍ", "NEUMÍ", "NEROZHODNUTO"
FIELDS = [("law", "Právo", "Law"), ("art", "Umění", "Art"), ("void", "Nic", "Nothing")]
CLAIMS = ClaimSet.model_validate({
    "version": "1.2",
    "fields": [{"id": i, "cs": cs, "en": en} for i, cs, en in FIELDS],
    "claims": [
        {"id": i, "field": f, "cs": f"Umí AI {i}?", "en": f"Can AI {i}?", "measure_cs": f"Zvládne {i}.", "measure_en": f"It does {i}.", "since": s}
        for i, f, s in (("one", "law", None), ("two", "law", None), ("three", "art", "2022-05"), ("four", "art", None))
    ],
})  # fmt: skip

History = list[tuple[str, str, list[str], dict[str, Any]]]
"""Checks in the order of time: day, claim, verdicts, and what is different."""

HISTORY: History = [
    ("2026-03-01", "one", [U] * 5, {"months": ["2024-01"]}),
    ("2026-03-02", "two", [U, N, U, X, U, U], {"months": ["2024-05", "2022-11", "2023-03", "2023-01"]}),
    ("2026-03-03", "one", [N] * 3, {}),
    ("2026-03-04", "one", [N] * 7, {"prompt_version": "p2"}),
    ("2026-04-05", "one", [N] * 10, {"source": "recorded"}),
    ("2026-04-06", "three", [U, U], {"months": [None], "reasons": [None, "Jsem Vajgar 0."]}),
    ("2026-04-07", "gone", [U] * 3, {}),
]
METHOD = {
    "cs": "## Porota\n\n**Los.** Losuje se <tajně> s klíčem\nz čísla.\n\nDruhý odstavec.",
    "en": "## The jury\n\n**Draw.** By a secret key.\n\nSecond.",
}


def record(history: History, *, is_small_pool: bool = False) -> tuple[list[Check], list[Vote]]:
    checks, votes = [], []
    for number, (day, claim, verdicts, changed) in enumerate(history, start=1):
        place: dict[str, Any] = {
            "suite": "jury", "edition": "ever", "claim_id": claim, "check_id": f"c{number:06}", "language": "cs", "source": "panel",
            "panel_size": 5, "is_incomplete": len(verdicts) < 3, "checked_at": dt.datetime.fromisoformat(f"{day}T14:35:00+00:00"),
            "prompt_version": "p1", "set_version": "1.2", "run_id": "run-sentinel",
        } | {k: v for k, v in changed.items() if k in Check.model_fields and k != "is_small_pool"}  # fmt: skip
        counts = Counts.of(verdicts).model_dump()
        is_small = changed.get("is_small_pool", is_small_pool and number == len(history))
        checks.append(Check(**place, **counts, jurors=len(verdicts), is_small_pool=is_small))
        months = iter(changed.get("months", [None]) * 9)
        reasons = changed.get("reasons") or [f"Důvod <{n}> k {claim}." for n in range(len(verdicts))]
        votes += [
            Vote(
                **place, system_id=f"juror-{n}", vendor=f"Vajgar {n}", family=f"kmen{n}", place=n + 1, verdict=verdict, reason=reasons[n],
                is_withheld=False, since=next(months) if verdict == U else None, text="raw-sentinel", pool=[], key_mark="mark-sentinel",
                request_hash="hash-sentinel",
            )
            for n, verdict in enumerate(verdicts)
        ]  # fmt: skip
    return checks, votes


def section(
    history: History = HISTORY, heard: tuple[tuple[str, int, int], ...] = (), *, is_small_pool: bool = False
) -> Section:
    now = dt.datetime(2026, 4, 8, tzinfo=dt.UTC)
    audience = [
        AudienceVote(suite="jury", edition="ever", claim_id=c, source="web", yes=y, no=n, imported_at=now)
        for c, y, n in heard
    ]
    view = overview(CLAIMS, *record(history, is_small_pool=is_small_pool), audience)
    rows = (tendency_row("panel", "claims_able", 1.0, suite="jury", rubric_version="jury-9"),)
    return Section("jury", "e7", rows, {}, overview=view, method=METHOD)


HEARD = (("two", 90, 10), ("three", 120, 340), ("one", 1, 9))


def opened(browser: Browser, folder: Path, shown: Section, anchor: str = "") -> Page:
    file = folder / "page.html"
    file.write_text(render([shown]), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.goto(file.as_uri() + anchor)
    return page


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    found = opened(browser, tmp_path, section(heard=HEARD, is_small_pool=True))
    yield found
    found.close()


def words(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).first.inner_text().split())


def claim(page: Page, word: str) -> str:
    """All of one claim, opened."""
    page.locator(f"#jury-{word}").evaluate("d => { d.open = true; }")
    return words(page, f"#jury-{word}")


def test_states_by_field_are_counted_and_a_claim_never_checked_is_no_disputed_one(page: Page) -> None:
    """By hand: one 5:20, two 4:1 and one undecided, three 2:0, four nothing; a field without claims has no line."""
    lines = [" ".join(x.split()) for x in page.locator("table:has(#jury-states) tbody tr").all_inner_texts()]
    assert lines == [
        "všechny obory 1 1 1 1 33 6. 4. 2026",
        "Právo 0 1 1 0 31 5. 4. 2026",
        "Umění 1 0 0 1 2 6. 4. 2026",
    ]
    said = words(page, "main")
    assert "Sada: 4 tvrzení, z toho posouzeno 3. Dosud: 7 kontrol, 36 verdiktů." in said
    assert "Porota zatím neposuzovala: 1 tvrzení." in said
    assert "Mimo tuto stránku: 3 verdikty o tvrzeních, která už v sadě nejsou." in said
    assert "jmenují model nebo výrobce: 1." in said


def test_the_line_of_a_claim_has_state_share_interval_verdicts_month_and_last_check(page: Page) -> None:
    """J-3 by hand; the ends of Wilson's intervals from scipy.stats.binomtest."""
    order = [x.get_attribute("id") for x in page.locator(".claim").all()]
    assert order == ["jury-two", "jury-one", "jury-three", "jury-four"]
    line = {word: words(page, f"#jury-{word} > summary") for word in ("one", "two", "three", "four")}
    assert line["two"] == (
        "≈ SPORNÉ 66 % UMÍ 30,0–90,3 % Umí AI two? 6 verdiktů odkdy podle verdiktů UMÍ: leden 2023 (listopad 2022 až květen 2024)"
        " poslední kontrola 2. 3. 2026 publikum soudí jinak"
    )
    assert line["one"] == "✗ NEUMÍ 80 % 60,9–91,1 % Umí AI one? 25 verdiktů poslední kontrola 5. 4. 2026"
    assert line["three"] == (
        "✓ UMÍ 100 % 34,2–100,0 % Umí AI three? 2 verdikty poslední kontrola 6. 4. 2026 publikum soudí jinak"
    )
    assert line["four"] == "· neposouzeno Umí AI four? Tohle tvrzení porota ještě neposuzovala."


def test_a_claim_holds_measure_counts_months_audience_and_reasons_without_jurors(page: Page) -> None:
    two, three = claim(page, "two"), claim(page, "three")
    assert "Co by znamenalo, že to umí: Zvládne two." in two
    assert "6 verdiktů: 4× UMÍ, 1× NEROZHODNUTO, 1× NEUMÍ." in two
    assert (
        "medián leden 2023, nejdříve listopad 2022, nejpozději květen 2024. Měsíc uvádějí verdikty UMÍ: 4 z 4." in two
    )
    assert "Publikum: 90 % hlasů (82,6–94,5 %) říká, že to AI umí; 90 z 100." in two
    reasons = [" ".join(x.split()) for x in page.locator("#jury-two .reasons li").all_inner_texts()]
    assert reasons == [
        "✓ UMÍ Důvod <0> k two.", "✓ UMÍ Důvod <2> k two.", "✓ UMÍ Důvod <4> k two.", "✓ UMÍ Důvod <5> k two.",
        "≈ NEROZHODNUTO Důvod <3> k two.", "✗ NEUMÍ Důvod <1> k two.",
    ]  # fmt: skip
    assert "žádný verdikt měsíc neuvádí. Redakce zná měsíc: květen 2022." in three
    assert "✓ UMÍ bez důvodu ✓ UMÍ důvod neuvádíme, jmenuje model nebo výrobce" in three
    assert "Publikum: zatím žádné hlasy." in claim(page, "four")
    assert page.locator("#jury-four table").count() == 0


def test_the_log_stands_at_the_end_of_the_claim_newest_first(page: Page) -> None:
    """J-4: 5:0, 5:3, 5:10, 5:20; an incomplete panel is marked."""
    claim(page, "one")
    lines = [" ".join(x.split()) for x in page.locator("#jury-one .log tbody tr").all_inner_texts()]
    assert lines == [
        "5. 4. 2026 převzaté verdikty 10 z 5 0 0 10 ✗ NEUMÍ 80 % 1.2, p1 (čeština)",
        "4. 3. 2026 7 z 5 0 0 7 ≈ SPORNÉ 66 % 1.2, p2 (čeština)",
        "3. 3. 2026 3 z 5 0 0 3 ≈ SPORNÉ 62 % 1.2, p1 (čeština)",
        "1. 3. 2026 5 z 5 5 0 0 ✓ UMÍ 100 % 1.2, p1 (čeština)",
    ]
    assert page.locator("#jury-one .inside > :last-child .log").count() == 1
    assert "6. 4. 2026 neúplná porota 2 z 5 2 0 0 ✓ UMÍ 100 %" in claim(page, "three")


def test_a_long_log_is_folded_by_month_and_old_reasons_are_told() -> None:
    """Five checks, of which two stand alone: 5:0 on 1 March, 3 and 7 against on the 3rd and 4th, as the table above."""
    found = section([*HISTORY, ("2026-04-09", "one", [X], {})]).overview
    assert found is not None
    checks = found.claims[0].checks
    lines = log_of(checks, most=2)
    told = [
        (x.when.en, *(v.en for v in (x.jurors, x.able, x.undecided, x.unable)), x.state, x.percent and x.percent.en)
        for x in lines
    ]
    assert told == [
        ("9\u00a0Apr\u00a02026", "1 of 5", "0", "1", "0", "disputed", "76%"),
        ("5\u00a0Apr\u00a02026", "10 of 5", "0", "0", "10", "unable", "80%"),
        ("March\u00a02026, 3\u00a0checks", "15 of 15", "5", "0", "10", "disputed", "66%"),
    ]
    assert [[m.en for m in x.marks] for x in lines] == [["incomplete panel"], ["verdicts made elsewhere"], []]
    assert [v.en for v in lines[2].versions] == ["1.2, p1 (Czech)", "1.2, p2 (Czech)"]
    assert len(log_of(checks)) == 5
    assert len(log_of(checks, most=0)) == 2
    assert [r.heading.en for r in reasons_of(checks, most=2)] == [
        "Check of 9\u00a0Apr\u00a02026", "Check of 5\u00a0Apr\u00a02026",
    ]  # fmt: skip


def test_flips_are_listed_newest_first_and_a_reversal_is_told(page: Page) -> None:
    lines = [" ".join(x.split()) for x in page.locator("ul.flips li").all_inner_texts()]
    assert lines == ["5. 4. 2026: SPORNÉ → NEUMÍ · obrat Umí AI one?", "3. 3. 2026: UMÍ → SPORNÉ Umí AI one?"]
    assert "Zvraty 5. 4. 2026: SPORNÉ → NEUMÍ · obrat 3. 3. 2026: UMÍ → SPORNÉ" in claim(page, "one")


def test_where_the_audience_differs_is_a_list_of_its_own(page: Page) -> None:
    """J-5: 10 % agree with NEUMÍ; 90 % on a disputed one and 26 % on UMÍ do not."""
    lines = [" ".join(x.split()) for x in page.locator("table:has(#jury-differing) tbody tr").all_inner_texts()]
    assert lines == [
        "Umí AI two? ≈ SPORNÉ 66 % UMÍ 6 verdiktů 90 % UMÍ 82,6–94,5 % 90 z 100 hlasů",
        "Umí AI three? ✓ UMÍ 100 % 2 verdikty 26 % UMÍ 22,3–30,3 % 120 z 460 hlasů",
    ]
    page.locator("table:has(#jury-differing) a").last.click()
    page.locator("#jury-three .log").wait_for(state="visible")


def test_the_filter_shows_one_state_and_a_link_brings_a_hidden_claim_back(page: Page) -> None:
    def visible() -> list[str | None]:
        return [c.get_attribute("id") for c in page.locator(".claim").all() if c.is_visible()]

    labels = [" ".join(x.split()) for x in page.locator(".claims .filter label").all_inner_texts()]
    assert labels == [
        "všechna (4)", "UMÍ (1)", "SPORNÉ (1)", "NEUMÍ (1)", "neposouzeno (1)", "jen kde publikum soudí jinak (2)",
    ]  # fmt: skip
    page.get_by_role("radio", name="NEUMÍ (1)", exact=True).check()
    assert visible() == ["jury-one"]
    assert page.locator(".claims .field:visible").count() == 1
    assert page.locator(".claims output").inner_text() == "1"
    page.get_by_role("checkbox", name="jen kde publikum soudí jinak").check()
    assert visible() == []
    assert page.locator(".claims .none-left").is_visible()
    page.locator("ul.flips a").first.click()
    page.locator("#jury-one .log").wait_for(state="visible")  # `hashchange` comes later than the click
    assert len(visible()) == 4
    page.get_by_role("radio", name="neposouzeno").check()
    assert visible() == ["jury-four"]


def test_a_small_pool_is_warned_of_and_a_large_one_is_not(page: Page, browser: Browser, tmp_path: Path) -> None:
    """J-7."""
    assert "méně než osmi modelů" in words(page, ".small-pool")
    other = opened(browser, tmp_path, section())
    assert other.locator(".small-pool").count() == 0
    assert "Hlasy publika zatím nejsou." in words(other, "main")
    assert "Publikum se vybírá samo" not in words(other, "main")
    assert other.locator(".claims [type=checkbox]").count() == 0
    other.close()


def test_each_check_from_a_small_pool_is_marked_in_the_log(browser: Browser, tmp_path: Path) -> None:
    """J-7: the third check alone; a later panel from a large pool takes the warning away, the mark of the check stays, in both languages."""
    history = [(d, c, v, {**more, "is_small_pool": d == "2026-03-03"}) for d, c, v, more in HISTORY]
    found = opened(browser, tmp_path, section(history))
    claim(found, "one")
    lines = [" ".join(x.split()) for x in found.locator("#jury-one .log tbody th").all_inner_texts()]
    assert lines == ["5. 4. 2026 převzaté verdikty", "4. 3. 2026", "3. 3. 2026 z méně než osmi modelů", "1. 3. 2026"]
    assert found.locator(".small-pool").count() == 0
    found.click("#switch")
    assert "3 Mar 2026 from fewer than eight models" in words(found, "#jury-one .log tbody")
    found.close()


def test_small_pools_of_a_folded_month_are_counted() -> None:
    history = [(d, c, v, {**more, "is_small_pool": d < "2026-03-04"}) for d, c, v, more in HISTORY]
    found = section(history).overview
    assert found is not None
    (*_, march) = log_of(found.claims[0].checks, most=1)
    assert [m.en for m in march.marks] == ["from fewer than eight models 2×"]


def test_a_record_without_a_run_has_a_stamp_without_graders(browser: Browser, tmp_path: Path) -> None:
    """G-9: what nobody ran names no edition and no version of graders."""
    found = opened(browser, tmp_path, replace(section(), rows=(), edition="ever"))
    assert {" ".join(s.split()) for s in found.locator(".stamp").all_inner_texts()} == {
        "Kontroly 1. 3. 2026 až 7. 4. 2026, převzaté záznamy bez vlastního běhu, sada 1.2, zadání p1, p2."
    }
    found.close()


def test_the_method_stands_word_for_word_in_the_language_of_the_page(page: Page) -> None:
    assert words(page, ".method") == "Jak porota rozhoduje Los. Losuje se <tajně> s klíčem z čísla. Druhý odstavec."
    page.click("#switch")
    assert words(page, ".method") == "How the jury decides Draw. By a secret key. Second."


def test_dates_and_versions_stand_under_everything_and_limits_at_the_end(page: Page) -> None:
    """G-9, G-10."""
    stamps = {" ".join(s.split()) for s in page.locator(".stamp").all_inner_texts()}
    assert stamps == {"Kontroly 1. 3. 2026 až 7. 4. 2026, edice e7, sada 1.2, zadání p1, p2, hodnocení jury-9."}
    assert page.locator(".stamp").count() == 4
    limits = words(page, ".limits")
    for told in ("názor modelů", "ne pravděpodobnost", "momentka", "odhad modelů", "jsou to návrhy", "vybírá samo"):
        assert told in limits
    assert "koupit" in limits
    assert "Všechny doklady jsou umělé" not in limits


def test_it_reads_in_english_too(page: Page) -> None:
    page.click("#switch")
    line = words(page, "#jury-two > summary")
    assert line == (
        "≈ SPORNÉ (disputed) 66% can 30.0–90.3% Can AI two? 6 verdicts since, by verdicts UMÍ: January 2023"
        " (November 2022 to May 2024) last check 2 Mar 2026 the audience differs"
    )
    whole = words(page, "body")
    assert "Not judged by the jury yet: 1 claim." in whole
    assert not re.search(r"verdikt|kontrol|tvrzení|publik", whole)


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_sticks_out_and_every_heading_of_the_contents_is_there(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for link in page.locator("nav a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_aa_in_both_schemes(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(LOW_CONTRAST) == []


def test_without_scripts_all_claims_stand_there(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(render([section()]), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert not page.locator(".claims .filter").is_visible()
    assert all(one.is_visible() for one in page.locator(".claim").all())
    page.locator("#jury-one > summary").click()
    assert page.locator("#jury-one .log").is_visible()
    context.close()


def test_an_empty_record_is_told_and_a_section_without_one_is_an_error(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, section([]))
    assert words(page, ".stamp") == "Kontroly zatím žádné, edice e7, sada 1.2, zadání –, hodnocení jury-9."
    assert page.locator(".claim[data-state=never]").count() == 4
    assert "Žádný stav se zatím nezměnil." in words(page, "main")
    page.close()
    with pytest.raises(ValueError, match=r"section 'jury': the overview of the jury was expected, it holds None"):
        chapter_of(replace(section(), overview=None))


def test_nothing_in_the_file_lets_a_juror_be_recognised() -> None:
    """J-6: no juror, vendor, family, check, run, hash, key, reply or time of day, shown or not."""
    file = render([section(heard=HEARD, is_small_pool=True)])
    places = ("juror-", "Vajgar", "kmen", "sentinel", "c0000", "14:35", "latency", "USD", "token")
    assert [word for word in places if word.casefold() in file.casefold().split("<script>")[0]] == []


def test_the_pieces_of_a_paragraph_keep_all_its_words() -> None:
    assert jury.method_of("# H\n\na **b** c\n\n**d**", "en") == [
        [("a ", False), ("b", True), (" c", False)],
        [("d", True)],
    ]
