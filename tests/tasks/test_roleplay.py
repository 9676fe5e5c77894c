"""The role-play through the stages: resumed at the missing turn, judged blind, counted without a judge, and L recounted from the labels.

Oracles: the ledger of a gateway in a process of its own (what was asked and paid), DuckDB over the stored labels, tables by hand.
"""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Any

import duckdb
import httpx
import pytest
import yaml
from gateway_scenarios import SCENARIOS, Asked, Told, answer
from gateway_stub import Gateway, gateway_process
from pipeline_support import assert_sound, children, in_child, run_stages, stable_rows
from playwright.sync_api import Browser, Page
from report_support import a_browser
from roleplay_support import CONTROL_TURNS, case_ids, entry, judge, player, systems, turn_of

from datasets import roleplay
from datasets.systems import SYSTEMS_FILE, load_systems
from schemas.exchange import Message, Request
from tasks import throttle
from tasks.choose import find_system
from tasks.clients.controls import ControlsClient
from tasks.estimate import estimate
from tasks.publish import leaderboard, publish_report
from tasks.runs import Order, OrderPart, problems_of

TURNS = 14
QUICK = Random(5).sample(range(TURNS), 2)
MOMENTS = [moment if moment in QUICK else pytest.param(moment, marks=pytest.mark.slow) for moment in range(TURNS)]
"""Turns during which a run is killed: each of the 14, of which the quick tests take two that a seed draws."""


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway() as running:
        yield running


@pytest.fixture(autouse=True)
def fresh(gateway: Gateway) -> None:
    gateway.reset()
    throttle._THROTTLES.clear()


def ledger(url: str) -> dict[str, Any]:
    told: dict[str, Any] = httpx.get(f"{url}/ledger".replace("/v1", "")).json()
    return told


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_anywhere_the_next_run_goes_on_at_the_missing_turn(moment: int, tmp_path: Path) -> None:
    """Killed in this turn of both conversations; then run to the end: all turns are asked, none is paid twice but the one in flight.

    The two conversations take turns, since one call goes out at a time; which of them is being answered a seed decides.
    """
    n_cases = 2
    with gateway_process(latency_ms=30) as url:
        system = entry("gateway", url, options={"url": url, "model": "stub/prose"}, limits={"at_once": 1})
        (tmp_path / "systems.yaml").write_text(yaml.safe_dump([system]), encoding="utf-8")
        environment = {"ZKUSEBNA_SYSTEMS_FILE": str(tmp_path / "systems.yaml")}
        arguments = {"suite": "roleplay", "systems": ["gateway"], "size": n_cases}

        def start() -> Any:
            child = children.Process(
                target=in_child, args=(str(tmp_path / "store"), environment, arguments, str(tmp_path / "steps"))
            )
            child.start()
            return child

        wanted = n_cases * moment + Random(moment).randrange(n_cases)
        child = start()
        while child.is_alive() and ledger(url)["answered"] < wanted:
            time.sleep(0.002)
        child.kill()
        child.join()
        assert child.exitcode == -SIGKILL
        assert_sound(tmp_path / "store")
        before = ledger(url)["answered"]
        again = start()
        again.join()
        assert again.exitcode == 0
        told = ledger(url)
    assert told["distinct_answered"] == n_cases * TURNS
    assert told["answered_twice"] <= 1, "one call at a time was in flight"
    assert told["answered"] - before <= n_cases * TURNS - before + 1
    rows = stable_rows(tmp_path / "store")
    assert {len(row["replies"]) for row in rows["answers"]} == {TURNS}
    turns = sorted((call["case_id"], call["turn"]) for call in rows["calls"])
    assert len(set(turns)) == n_cases * TURNS
    whole = [(case, turn) for case in case_ids()[:n_cases] for turn in range(1, TURNS + 1)]
    assert sorted(set(turns)) == sorted(whole)


def test_what_goes_out_is_what_the_method_says(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-1, R-10: temperature 1.0, no system prompt, 24,000 tokens or the model's own limit, the transcript as it grew; a rerun asks nothing."""
    systems(gateway, tmp_path, monkeypatch, {"play": player()})
    own = yaml.safe_load((tmp_path / "systems.yaml").read_text(encoding="utf-8"))
    own.append(
        {
            **entry("small", gateway.url, limits={"max_tokens": 8000}),
            "options": {"url": gateway.url, "model": "stub/play"},
        }
    )
    (tmp_path / "systems.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    run_stages(str(tmp_path / "s"), "roleplay", ["play", "small"], 1)
    assert len(gateway.asked) == 2 * TURNS
    for asked in gateway.asked:
        messages = asked.request["messages"]
        assert asked.request["temperature"] == 1.0
        assert [m["role"] for m in messages] == [("user", "assistant")[n % 2] for n in range(len(messages))]
        assert [m["content"] for m in messages[1::2]] == list(CONTROL_TURNS[: turn_of(asked)])
        assert not re.search(r"expects|false_memory|Selhání|Návnada", str(messages))
    assert {a.request["max_tokens"] for a in gateway.asked} == {24_000, 8_000}
    run_stages(str(tmp_path / "s"), "roleplay", ["play", "small"], 1)
    assert len(gateway.asked) == 2 * TURNS
    forecast = estimate(str(tmp_path / "s"), ["roleplay"], ["play", "small"], 1, 7, None, False, ())
    told = [
        (line.system, line.cached, line.to_ask)
        for line in forecast
        if line.role == "system" and line.system != "controls"
    ]
    assert told == [("play", TURNS, 0), ("small", TURNS, 0)]


def test_a_cut_off_turn_stays_and_the_conversation_goes_on(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M-6: turns 3 and 7 are cut; the next message sees them; the number is counted, and the run is complete."""

    def says(asked: Asked) -> Told:
        turn = turn_of(asked)
        return answer(asked, CONTROL_TURNS[turn], "length" if turn in (3, 7) else "stop")

    systems(gateway, tmp_path, monkeypatch, {"play": says})
    run_stages(str(tmp_path / "s"), "roleplay", ["play"], 1)
    rows = stable_rows(tmp_path / "s")
    [row] = rows["answers"]
    assert (row["status"], row["truncated_turns"], len(row["replies"])) == ("ok", [4, 8], TURNS)
    [cut] = [g for g in rows["grades"] if g["item"] == "cut_off"]
    assert (cut["points"], cut["given"]) == (2, "3, 7")
    [profile] = rows["profiles"]
    assert profile["structure"] == "complete"


def test_extreme_runs_are_asked_again_and_the_first_complete_one_is_compared(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M-6: filtered at message 4, then an ended scene, then a whole run; the table of filters says where."""

    def says(asked: Asked) -> Told:
        turn = turn_of(asked)
        if asked.nth == 1 and turn == 4:
            return SCENARIOS["filter"](asked)
        if asked.nth == 2 and turn == 4:
            return answer(asked, "Bárta zhasl.\n\nKONEC HRY")
        return answer(asked, CONTROL_TURNS[turn])

    systems(gateway, tmp_path, monkeypatch, {"play": says})
    run_stages(str(tmp_path / "s"), "roleplay", ["play"], 1)
    rows = stable_rows(tmp_path / "s")
    assert [(r["trial"], r["status"], len(r["replies"])) for r in rows["answers"]] == [
        (1, "filtered", 4), (2, "ok", TURNS), (3, "ok", TURNS),
    ]  # fmt: skip
    assert [p["structure"] for p in rows["profiles"]] == ["extreme", "extreme", "complete"]
    page = publish_report(str(tmp_path / "s")).with_name("suite-roleplay.html").read_text(encoding="utf-8")
    assert "2\u00a0/\u00a03" in page
    assert 'id="roleplay-play_filters"' in page
    [edition] = {row["edition"] for row in rows["cases"]}
    [line] = leaderboard(str(tmp_path / "s"), "roleplay", edition, ["play"]).rows
    assert (line["extreme"], line["runs"], line["T"]) == ("2 of 3", "1", "not judged")


EVENTS = [
    ("letter_burnt", 10),
    ("world_event", 5),
    ("world_event", 6),
    ("character_act", 4),
    ("out_of_play", 0),
    ("plays_user", 3),
]
"""What one judge labels; the other one also invents a quote."""


def recount(root: Path) -> dict[tuple[str, str, str, str], float]:
    """L from the stored labels by SQL alone: by system, case, judge and axis; nothing of the code that reads them is used."""
    files = str(root / "tables" / "grades" / "suite=roleplay" / "**" / "*.parquet")
    found = duckdb.sql(f"""
        WITH labels AS (
            SELECT system_id, case_id, trial, judge_id, split_part(item, '@', 1) AS axis, label
            FROM read_parquet('{files}', hive_partitioning = false, union_by_name = true)
            WHERE contains(item, '@') AND error IS NULL
        ), judges AS (SELECT DISTINCT system_id, case_id, trial, judge_id FROM labels), axes AS (
            SELECT unnest(['L3', 'L4', 'L6', 'L7', 'L8', 'L2', 'played', 'annulled', 'not_reached']) AS axis
        )
        SELECT j.system_id, j.case_id, j.judge_id, a.axis,
            count(*) FILTER (WHERE CASE WHEN l.axis = 'L1' THEN l.label ELSE l.axis END = a.axis) AS n
        FROM judges j CROSS JOIN axes a
        JOIN labels l ON (l.system_id, l.case_id, l.trial, l.judge_id) = (j.system_id, j.case_id, j.trial, j.judge_id)
        GROUP BY ALL
    """).fetchall()
    return {(system, case, who, axis): float(n) for system, case, who, axis, n in found}


METRIC_OF = {
    "played": "l1_played", "annulled": "l1_annulled", "not_reached": "l1_not_reached", "L2": "l2_burnt", "L3": "l3_own_events",
    "L4": "l4_others_act", "L6": "l6_out_of_play", "L7": "l7_kindness", "L8": "l8_plays_user",
}  # fmt: skip


@pytest.fixture(scope="module")
def judged(gateway: Gateway, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two systems, one of which names itself, in two cases by two judges; controls graded by one of them."""
    tmp_path = tmp_path_factory.mktemp("judged")
    with pytest.MonkeyPatch.context() as patch:
        gateway.reset()
        named = (*CONTROL_TURNS[:6], "Jsem Zirkonia a hraju dál.", *CONTROL_TURNS[7:])
        plays = {"zirkonia": player(named), "other": player(CONTROL_TURNS[::-1])}
        judges = {
            "first": judge({"T3": 1, "R2": 0, "T7": 0}, {4: "annulled"}, EVENTS),
            "second": judge({"T3": 1, "T5": 0}, {}, EVENTS[:3], quote=None),
            "inventor": judge(quote=lambda item, at: "tohle v přepisu nikde nestojí"),
        }
        systems(gateway, tmp_path, patch, plays, judges)
        run_stages(str(tmp_path / "s"), "roleplay", ["zirkonia", "other"], 2, judges=["first", "second", "inventor"])
        run_stages(str(tmp_path / "s"), "roleplay", ["controls"], 2, judges=["first"])
        asked = [a.body.decode() for a in gateway.asked if "stub/first" in a.body.decode()]
        (tmp_path / "asked.txt").write_text("\n".join(asked), encoding="utf-8")
        publish_report(str(tmp_path / "s"))
        yield tmp_path


def test_l_recounted_by_an_independent_query_is_what_the_report_shows(judged: Path) -> None:
    """R-7: every count of every judge in `tendencies` of single cases, and the cells of the page that are made of them."""
    counted = recount(judged / "s")
    rows = stable_rows(judged / "s")["tendencies"]
    shown = {
        (r["system_id"], r["group_name"], r["judge_id"], r["metric"]): r["value"]
        for r in rows
        if r["dimension"] == "case"
    }
    compared = 0
    for (system, case, who, axis), n in counted.items():
        if system == "controls":
            continue
        value = shown[system, case, who, METRIC_OF[axis]]
        if who == "inventor" and value is None:
            assert n == 0
            continue
        assert value == (float(n > 0) if axis == "L2" else n), (system, case, who, axis)
        compared += 1
    assert compared >= 2 * 2 * 2 * len(METRIC_OF)
    assert counted["other", "keeper-cs", "first", "L3"] == 2
    assert counted["other", "keeper-cs", "first", "annulled"] == 1
    page = (judged / "s" / "report" / "suite-roleplay.html").read_text(encoding="utf-8")
    for who in ("first", "second"):
        for language in ("cs", "en"):
            table = page.partition(f'id="roleplay-axis-{who}-{language}"')[2].partition("</table>")[0]
            for system in ("zirkonia", "other"):
                line = re.search(rf"<tr><th scope=\"row\">{system}</th>(.*?)</tr>", table, re.DOTALL)
                assert line is not None
                cells = [float(x) for x in re.findall(r'<span class="value">([\d.]+)</span>', line[1])]
                case = f"keeper-{language}"
                wanted = [
                    counted[system, case, who, axis] for axis in ("played", "annulled", "not_reached", "L2", "L3", "L4")
                ]
                assert cells[:6] == wanted
                assert cells[7:] == [counted[system, case, who, axis] for axis in ("L6", "L7", "L8")]


def test_judges_read_nothing_that_names_the_player(judged: Path) -> None:
    """G-6: the name of the system stands in no request to a judge, also where the model says it; marked and counted."""
    asked = (judged / "asked.txt").read_text(encoding="utf-8").casefold()
    assert asked
    assert "zirkonia" not in asked
    grades = stable_rows(judged / "s")["grades"]
    assert {g["system_id"] for g in grades if g["item"] == "self_identified"} == {"zirkonia"}


def test_a_judge_that_invents_quotes_is_ungrounded_everywhere(judged: Path) -> None:
    """G-7: asked once more, then nothing that it said counts; its columns read as not judged, never 0."""
    grades = [g for g in stable_rows(judged / "s")["grades"] if g["judge_id"] == "inventor"]
    assert {g["error"] for g in grades if g["item"] != "events"} == {"ungrounded"}
    assert {g["max_points"] for g in grades} == {0}
    scores = [s for p in stable_rows(judged / "s")["profiles"] for s in p["scores"] if s["judge_id"] == "inventor"]
    assert not {s["metric"] for s in scores} & {"sieve", "presence", "l1_played"}
    assert all(s["value"] > 0 for s in scores if s["metric"] == "left_out")


def test_controls_go_the_way_of_any_run_and_make_fitness(judged: Path) -> None:
    """S-5: by turn from the files; a judge that gives full points to everybody is right about those that hold alone."""
    rows = stable_rows(judged / "s")
    answers = [a for a in rows["answers"] if a["system_id"] == "controls"]
    expected = {case: found for case, found in roleplay.controls().items() if case in case_ids()[:2]}
    assert [(a["case_id"], a["trial"]) for a in answers] == [
        (c, n) for c in sorted(expected) for n in range(1, len(expected[c]) + 1)
    ]
    for a in answers:
        assert a["replies"] == list(expected[a["case_id"]][a["trial"] - 1].turns)
    fit = {
        (r["dimension"], r["group_name"], r["metric"]): r for r in rows["tendencies"] if r["system_id"] == "controls"
    }
    whole = fit["overall", "all", "control_right_holistic"]
    n = sum(map(len, expected.values()))
    given = {"R1": 2, "R2": 0, "R3": 2, "R4": 2, "R5": 2, "R6": 2}
    hits = [[abs(c.expected.R[i] - p) <= 1 for i, p in given.items()] for found in expected.values() for c in found]
    near = sum(sum(of_one) >= 5 for of_one in hits)  # 80 % of six
    assert (whole["n_items"], whole["value"]) == (n, pytest.approx(near / n))
    page = (judged / "s" / "report" / "suite-roleplay.html").read_text(encoding="utf-8")
    assert "run-controls" not in page


def test_the_card_links_quotes_and_transcript_both_ways(judged: Path) -> None:
    """Every link of the chapter leads somewhere; a quoted place of an answer leads to a grade whose quote leads back to that answer."""
    page = (judged / "s" / "report" / "suite-roleplay.html").read_text(encoding="utf-8")
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= ids
    marks = re.findall(r'<mark><a href="#(run-other-keeper-cs-1-first-T\d+)">', page)
    assert marks
    for target in marks:
        row = page.partition(f'<tr id="{target}">')[2].partition("</tr>")[0]
        back = re.search(r'href="#(run-other-keeper-cs-1-a\d+)"', row)
        assert back is not None
        transcript = page.partition(f'id="{back[1]}"')[2].partition("<h5")[0]
        assert f'href="#{target}"' in transcript


@pytest.fixture
def browser() -> Iterator[Browser]:
    """One a test and not one a file: the loop that it runs on would be in the way of tests that run one of their own."""
    with a_browser() as found:
        yield found


def test_a_click_leads_from_the_quote_to_the_grade_and_back(judged: Path, browser: Browser) -> None:
    """In a browser, both ways, by every kind of link: excerpt to grade, quote of a grade to its answer, marked words to their grade.

    A closed card opens for whoever comes from outside; what was clicked leads to what is then in view.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((judged / "s" / "report" / "suite-roleplay.html").as_uri())
    run = "run-other-keeper-cs-1"
    assert not page.locator(f"#{run}").evaluate("d => d.open")
    excerpt = page.locator(f"section:has(> #roleplay-play_excerpts) figcaption a[href^='#{run}-']").first
    target = str(excerpt.get_attribute("href"))
    excerpt.click()
    assert page.locator(f"#{run}").evaluate("d => d.open")
    assert in_view(page, target)

    row = f"#{run}-first-T7"
    quote = page.locator(f"{row} q a").first
    said, place = quote.inner_text(), str(quote.get_attribute("href"))
    quote.click()
    assert in_view(page, place)
    assert place == f"#{run}-a7"
    answer_shown = page.locator(f"{place} + pre")
    assert said in answer_shown.inner_text()
    marked = answer_shown.locator("mark a").first
    back = str(marked.get_attribute("href"))
    words = marked.inner_text()
    marked.click()
    assert in_view(page, back)
    assert page.locator(back).locator("q").first.inner_text() == words
    page.close()


def in_view(page: Page, target: str) -> bool:
    """Whether the element of a link is on the screen, and the address says so; scrolling is given its time."""
    assert page.url.endswith(target)
    page.wait_for_function(
        """(id) => { const r = document.querySelector(id).getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.top < innerHeight; }""",
        arg=target.replace(".", "\\."),
    )
    return True


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("lang", ["cs", "en"])
def test_the_chapter_fits_the_screen_in_both_languages(width: int, lang: str, judged: Path, browser: Browser) -> None:
    """Nothing is wider than the screen, nothing is cut off in a table that cannot be scrolled, and no word is in the other language.

    Names of items are those of the page's language, whatever the language of the run.
    """
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((judged / "s" / "report" / "suite-roleplay.html").as_uri())
    if page.evaluate("document.documentElement.lang") != lang:
        page.locator("#switch").click()
    page.evaluate("for (const d of document.querySelectorAll('.play-runs details')) d.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = """() => [...document.querySelectorAll("[data-suite=roleplay] *")].filter(e =>
        e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "hidden" && e.clientWidth > 1).length"""
    assert page.evaluate(cut) == 0
    names = page.locator(
        "#run-other-keeper-cs-1-grades ~ tbody th, #run-other-keeper-en-1-grades ~ tbody th"
    ).all_inner_texts()
    told = {"cs": ("Falešná vzpomínka", "The false memory"), "en": ("The false memory", "Falešná vzpomínka")}[lang]
    assert any(told[0] in one for one in names)
    assert not any(told[1] in one for one in names)
    standing = page.locator("section:has(> #roleplay-play_standing)").inner_text()
    assert ("medián" in standing, "median" in standing) == (lang == "cs", lang == "en")
    page.close()


def test_the_chapter_shows_every_judge_and_their_median(judged: Path) -> None:
    """G-5: T of 24 is 21 by one judge (T7 failed, T3 partly) and 21 by the other (T5 failed, T3 partly); one that is unusable counts nowhere."""
    page = (judged / "s" / "report" / "suite-roleplay.html").read_text(encoding="utf-8")
    table = unescape(page.partition('id="roleplay-together-cs"')[2].partition("</table>")[0])
    row = re.search(r"<th scope=\"row\">other</th>(.*?)</tr>", table, re.DOTALL)
    assert row is not None
    assert "87.5%" in row[1]
    assert "first\u00a087.5%, second\u00a087.5%" in row[1]
    assert "inventor" not in row[1]
    for who in ("first", "second", "inventor"):
        assert f'id="roleplay-{who}"' in page


def test_contested_grades_and_excerpts_stand_on_the_page(judged: Path) -> None:
    page = (judged / "s" / "report" / "suite-roleplay.html").read_text(encoding="utf-8")
    disputed = page.partition('id="roleplay-play_disputed"')[2].partition("<section")[0]
    items = re.findall(r"<li>(?:<span[^>]*>)?(T\d+)", disputed)
    assert items[:2] == ["T5", "T7"]
    assert "T3" not in items
    weak = page.partition('id="roleplay-play_excerpts"')[2].partition("</section>")[0]
    embarrassing = weak.partition("<h4>")[2].partition("<h4>")[2]
    assert "L8 / 1" in embarrassing
    assert "T7" not in embarrassing  # the judges are two points apart


def test_the_words_are_published(judged: Path) -> None:
    """R-13: opening, messages, anchors and prompts stand on the page word for word."""
    page = unescape((judged / "s" / "report" / "suite-roleplay.html").read_text(encoding="utf-8"))
    for scenario in roleplay.scenarios()[:2]:
        assert scenario.opening in page
        for message in scenario.messages:
            assert message.text in page
            assert message.expects in page
    for rubric in roleplay.play().rubrics.values():
        for item in (*rubric.items, *rubric.bonuses):
            assert all(anchor.text in page for anchor in item.anchors)


def test_a_recorded_run_is_graded_turn_by_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run made elsewhere, a reply a turn; one that is too short is told with file and line, and nothing of it is graded as if it ended so."""
    known = roleplay.controls()["keeper-cs"][0].turns
    lines = [{"case_id": "keeper-cs", "replies": known}, {"case_id": "keeper-en", "replies": known[:9]}]
    file = tmp_path / "played.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    recorded = {"acme": str(file)}
    monkeypatch.setattr("pipeline_support.find_system", lambda name: find_system(name, recorded))
    done = run_stages(str(tmp_path / "s"), "roleplay", ["acme"], 2)
    rows = stable_rows(tmp_path / "s")
    assert [(a["case_id"], tuple(a["replies"])) for a in rows["answers"]] == [("keeper-cs", known)]
    assert {g["item"]: g["points"] for g in rows["grades"]}["turns"] == TURNS
    part = OrderPart(suite="roleplay", size=2, systems=("acme",), left_out={})
    order = Order(run_id="r1", seed=7, parts=(part,))
    assert problems_of(str(tmp_path / "s"), order, done, recorded) == [
        "acme: line 2 of played.jsonl is left out: of 'keeper-en' 14 replies were expected, one a turn, not 9; "
        "a run that ended early ends with an empty reply"
    ]


def test_a_control_transcript_has_no_turn_beyond_its_last() -> None:
    system = load_systems(SYSTEMS_FILE)["controls"]
    assert "roleplay" in system.suites
    client = ControlsClient(system)
    assert client.trials(case_ids()[0]) == len(roleplay.controls()[case_ids()[0]])
    request = Request(
        system_id="controls", suite="roleplay", case_id=case_ids()[0], language="cs",
        messages=(Message(role="user", text="x"), Message(role="assistant", text="y")) * TURNS + (Message(role="user", text="x"),),
    )  # fmt: skip
    reply = asyncio.run(client.complete(request))
    assert (reply.status, reply.fault) == ("api_error", "request")
    assert "has 14 turns, none for turn 15" in (reply.error or "")


def test_on_a_fresh_machine_the_counted_parts_of_controls_are_real(tmp_path: Path) -> None:
    """Without any model: turns and repetition of the control transcripts, no number of T, R or L, a page and a board that say so."""
    root = str(tmp_path / "s")
    run_stages(root, "roleplay", ["controls"], 2)
    rows = stable_rows(root)
    assert {g["item"] for g in rows["grades"]} == {"turns", "cut_off", "coins", "L5"}
    by_trial = {(g["case_id"], g["trial"]): g["points"] for g in rows["grades"] if g["item"] == "L5"}
    for case_id in {case for case, _ in by_trial}:
        for trial, control in enumerate(roleplay.controls()[case_id], start=1):
            assert by_trial[case_id, trial] == control.expected.L.L5
    assert not {r["metric"] for r in rows["tendencies"] if r["value"] is not None} & {
        "sieve",
        "presence",
        "l1_played",
        "l2_burnt",
    }
    [edition] = {row["edition"] for row in rows["cases"]}
    told = leaderboard(root, "roleplay", edition, ["controls"]).rows
    assert told
    assert {line["T"] for line in told} == {"–"}
    page = publish_report(root).with_name("suite-roleplay.html").read_text(encoding="utf-8")
    assert 'id="roleplay-controls"' in page
    assert "run-controls" not in page
