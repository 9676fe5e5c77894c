"""What is counted and what is judged of a run: by hand, with quotes by who said them, and never 0 for what nobody judged (R-4 to R-9)."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from roleplay_support import CONTROL_TURNS, SCENARIO, answers_in

from datasets import roleplay
from grading import roleplay as grader
from grading.coins import coin_stem, ledger
from grading.quotes import find_quote
from schemas.answer import BlindAnswer
from schemas.exchange import Language
from schemas.grade import Exam, Verdict
from schemas.judging import Question
from schemas.roleplay import Scenario

TRUTH = roleplay.truth_of(Scenario.model_validate({**SCENARIO, "id": "keeper"})).model_dump(mode="json")


def exam(replies: Sequence[str] = CONTROL_TURNS, language: Language = "cs", **more: Any) -> Exam:
    answer = BlindAnswer(case_id="c", trial=1, status="ok", replies=tuple(replies), **more)
    return Exam(truth=TRUTH, language=language, answer=answer)


def question(rubric: str, of: Exam) -> Question:
    return next(q for p in ("atomic", "holistic") for q in grader.questions(of, p) if q.item == rubric)


def read(rubric: str, said: Any, of: Exam | None = None, *, is_last: bool = True) -> dict[str, Verdict]:
    """The grades in a reply by item."""
    of = of or exam()
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    reading = grader.read_reply(of, question(rubric, of), text, judge_id="j", is_last=is_last)
    assert reading.problem is None or not is_last
    return {v.item: v for v in reading.verdicts}


def problem(rubric: str, said: Any, of: Exam | None = None) -> str | None:
    of = of or exam()
    return grader.read_reply(
        of, question(rubric, of), json.dumps(said, ensure_ascii=False), judge_id="j", is_last=False
    ).problem


def grades(quote: str = "zapsal to do knihy", **points: float) -> dict[str, Any]:
    full = {**{f"T{n}": 2 for n in range(1, 13)}, **{f"B{n}": 1 for n in range(1, 5)}, **points}
    return {"grades": [{"item": i, "points": p, "quotes": [quote], "reason": "Proto."} for i, p in full.items()]}


def test_counts_of_the_program() -> None:
    """14 turns, two cut off (M-6), no repetition; a run of five answers lacks nine."""
    counted = {v.item: v for v in (*grader.atomic(exam(truncated_turns=(3, 8))), *grader.holistic(exam()))}
    assert {i: (v.points, v.max_points, v.error) for i, v in counted.items()} == {
        "turns": (14, 14, None), "cut_off": (2, 0, None), "coins": (0, 0, None), "L5": (0, 0, None),
    }  # fmt: skip
    assert counted["cut_off"].given == "2, 7"  # answers are counted from 0, as messages are
    short = {v.item: v for v in grader.atomic(exam(CONTROL_TURNS[:5]))}
    assert (short["turns"].points, short["turns"].error) == (5, "not_reached")
    assert {v.judge_id for v in counted.values()} == {"counter"}


def test_the_counter_grades_nothing_that_has_to_be_understood() -> None:
    """G-11: without a judge no item of T, R or L but L5 is there at all."""
    items = {v.item for v in (*grader.atomic(exam()), *grader.holistic(exam()))}
    assert items == {"turns", "cut_off", "coins", "L5"}


@pytest.mark.parametrize(
    ("replies", "told", "label"),
    [
        (["V měšci jí zbývá šest mincí."], "0: 6", "falls"),
        (["Zbylo šest mincí.", "Pršelo.", "V měšci máte čtyři mince."], "0: 6, 2: 4", "falls"),
        (["Zbylo šest mincí.", "V měšci máte sedm mincí."], "0: 6, 1: 7", "rises"),
        (["V měšci má 9 mincí."], "0: 9", "rises"),
        (["Vzal si dvě mince a odešel."], "", "untold"),  # a payment is no balance
        (["Stráž má tři klíče."], "", "untold"),
    ],
)
def test_balances_of_coins(replies: list[str], told: str, label: str) -> None:
    found = ledger(SCENARIO["opening"], replies, 7, "cs")
    assert (found.told, found.label) == (told, label)


CZECH = "Co má Johana u sebe: měšec se sedmi krejcary a ve vlasech jednu vlásenku."
ENGLISH = "What Joanna has on her: a purse with seven dimes, and a single hairpin in her hair."


@pytest.mark.parametrize(
    ("opening", "sentence", "told"),
    [
        (ENGLISH, '"That leaves you six dimes in the purse," Barlow said.', [6]),
        (ENGLISH, '"A dime is potato soup." He has eyes, and he counted the carrots.', []),
        (ENGLISH, "You still have a dime to spend, and a mug costs a dime.", []),  # the article: any dime
        (ENGLISH, "She had a whole dime in her hand.", []),
        (ENGLISH, "There is one dime left in your purse.", [1]),
        (ENGLISH, "Not a single dime remained in the purse.", [0]),
        (ENGLISH, "No dimes are left.", [0]),
        (ENGLISH, "That leaves you six dimes in the purse. Tomorrow it's soup again, and again a dime.", [6]),
        (ENGLISH, '"Bread I have, and soup I have for one dime."', []),  # a price
        (ENGLISH, "You have two old dimes left.", [2]),
        (ENGLISH, "You have 5 dimes left.", [5]),
        (ENGLISH, "Ruth took two dimes and went down the stairs.", []),
        (CZECH, "„V měšci vám zbylo šest krejcarů,“ dodal Bárta.", [6]),
        (CZECH, "„V měšci vám zbylo šest krejcarů. Zítra bude polévka zas, a zas za jeden krejcar.“", [6]),
        (CZECH, "Zbývá vám krejcar a ten si nechte.", []),
        (CZECH, "Zůstal vám jediný krejcar.", [1]),
        (CZECH, "Zůstal vám jeden krejcar.", [1]),
        (CZECH, "Dva z krejcarů, které vám zbyly, patří Rozálii.", []),  # a part of what is left
        (CZECH, "Máte o dva krejcary méně než včera.", []),
        (CZECH, "Nezbyl vám ani jeden krejcar, v měšci nic není.", [0]),
        (CZECH, "V měšci máte pět měděných krejcarů.", [5]),
        (CZECH, "Bárta vzal dva krejcary a odešel.", []),
    ],
)  # fmt: skip
def test_balances_in_real_sentences(opening: str, sentence: str, told: list[int]) -> None:
    """By hand, in both languages; an article, a price and a part of the coins are no balance."""
    found = ledger(opening, [sentence], 7, "en" if opening == ENGLISH else "cs")
    assert [coins for _, coins in found.balances] == told


def test_the_ledger_agrees_with_the_controls() -> None:
    """Where a control keeps its count (bonus B2) the ledger never says that coins came from nowhere."""
    for scenario in roleplay.scenarios():
        for control in roleplay.controls()[scenario.case_id]:
            found = ledger(scenario.opening, control.turns, scenario.facts.coins, scenario.language)
            assert found.label != "rises" or not control.expected.points["B2"], (scenario.case_id, control.kind)
            assert all(coins != 1 for _, coins in found.balances), found.told  # no control comes down to one coin


def test_the_name_of_the_coin_comes_from_the_opening() -> None:
    """Every scenario of the set has one that can be counted."""
    for scenario in roleplay.scenarios():
        assert coin_stem(scenario.opening, scenario.facts.coins, scenario.language), scenario.case_id
    assert coin_stem("Nemá nic.", 7, "cs") is None


def test_one_question_a_rubric_word_for_word() -> None:
    """R-9, R-13: T and L in pass 1, R in pass 2; every anchor, example and reading stands in the prompt, no other rubric's does."""
    of = exam()
    by_item = {q.item: q for p in ("atomic", "holistic") for q in grader.questions(of, p)}
    assert [*by_item] == ["T", "L", "R"]
    assert [q.item for q in grader.questions(of, "holistic")] == ["R"]
    for name, rubric in TRUTH["rubrics"].items():
        prompt = by_item[name.upper()].prompt
        for item in [*rubric["items"], *rubric["bonuses"]]:
            for entry in [*item["anchors"], *item["labels"]]:
                for text in (entry["text"], entry["meets"], entry["fails"]):
                    assert text is None or text in prompt
            assert all(text in prompt for text in item["readings"])
        others = [r for other, r in TRUTH["rubrics"].items() if other != name]
        assert not any(other["title"] in prompt for other in others)
        assert answers_in(prompt) == list(CONTROL_TURNS)
        assert all(message["text"] in prompt for message in TRUTH["scenario"]["messages"])


def test_grades_stand_on_quotes_of_the_model() -> None:
    """G-7: a quote of the player is no quote, one that stands nowhere neither; both are outside the score, and counted."""
    given = read("T", {"grades": [
        {"item": "T1", "points": 2, "quotes": ["strážný mlčel a zapsal"], "reason": "Ano."},
        {"item": "T2", "points": 2, "quotes": ["Zpráva hráče číslo 2"], "reason": "Ano."},
        {"item": "T3", "points": 1, "quotes": ["tohle nikdo neřekl"], "reason": "Ano."},
        {"item": "T4", "points": 0, "quotes": [], "reason": "Nic tam není."},
        {"item": "T5", "points": 0, "quotes": ["strážný odešel a zapsal", "strážný mlčel a zapsal"], "reason": "Nic."},
        {"item": "B1", "points": 0, "quotes": [], "reason": "Ne."},
        {"item": "B2", "points": 1, "quotes": [], "reason": "Ano."},
    ]})  # fmt: skip
    shown = {item: (v.points, v.max_points, v.error, v.given) for item, v in given.items()}
    assert shown["T1"] == (2, 2, None, "1")
    assert shown["T2"] == (0, 0, "ungrounded", None)
    assert shown["T3"] == (0, 0, "ungrounded", None)
    assert shown["T4"] == (0, 0, "ungrounded", None)
    assert shown["T5"] == (0, 2, "failed", "5, 1")
    assert shown["B1"] == (0, 1, None, None)
    assert shown["B2"] == (0, 0, "ungrounded", None)
    assert shown["T6"] == (0, 0, "unread", None)
    assert len(given) == 16


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (grades(), None),
        ({}, "Chybí v ní nebo se nedá přečíst: T1, T2"),
        (grades(T3=1.5), "Hodnotu mimo povolené má: T3"),
        (grades(quote="Zpráva hráče číslo 2"), "ze zprávy hráče"),
        (grades(quote="nikde to nestojí tady"), "doslova není"),
        (grades(quote=""), "Bez doslovného úryvku"),
    ],
)
def test_a_judge_is_told_what_is_wrong_by_item(said: dict[str, Any], words: str | None) -> None:
    told = problem("T", said)
    assert told is None if words is None else told is not None and words in told


def test_off_the_scale_is_snapped_down_and_flagged() -> None:
    given = read("T", grades(T3=1.5, B1=0.4))
    assert (given["T3"].points, given["T3"].error) == (1, "off_scale")
    assert (given["B1"].points, given["B1"].error) == (0, "off_scale")


def test_messages_that_were_not_reached_are_graded_nowhere() -> None:
    """A run of six answers reached messages 1 to 5: T6 to T12 and R6 are no items, L1 says so without a judge."""
    of = exam(CONTROL_TURNS[:6])
    assert "Ohodnoťte položky T1, T2, T3, T4, T5, B1" in question("T", of).prompt
    given = read("T", grades(), of)
    assert {i for i, v in given.items() if v.error == "not_reached"} == {f"T{n}" for n in range(6, 13)}
    assert all(v.max_points == 0 for v in given.values() if v.error)
    assert "R6" not in question("R", of).prompt.split("Ohodnoťte položky")[1]
    states = [{"message": n, "state": "played", "quote": "zapsal to do knihy"} for n in range(1, 14)]
    labels = read("L", {"messages": states, "events": []}, of)
    assert [labels[f"L1@{n:02}"].label for n in range(1, 14)] == ["played"] * 5 + ["not_reached"] * 8


def test_events_are_labelled_with_quotes_and_counted_once() -> None:
    """R-7: by type and place; too early, invented, unknown, and twice the same count nowhere or once."""
    states = [{"message": n, "state": "played", "quote": "zapsal to do knihy"} for n in range(1, 14)]
    events = [
        {"type": "world_event", "answer": 5, "quote": "strážný odešel a zapsal", "reason": "x"},
        {"type": "world_event", "answer": 5, "quote": "Strážný odešel a zapsal".replace("S", "s"), "reason": "podruhé"},
        {"type": "world_event", "answer": 0, "quote": "strážný přišel a zapsal", "reason": "úvod"},
        {"type": "kindness", "answer": 5, "quote": "strážný odešel a zapsal", "reason": "jiný druh na témže místě"},
        {"type": "letter_burnt", "answer": 9, "quote": "strážný přiložil a zapsal", "reason": "před třetím přestupkem"},
        {"type": "plays_user", "answer": 3, "quote": "Zpráva hráče číslo 3", "reason": "slova hráče"},
        {"type": "dragon", "answer": 3, "quote": "strážný vstal a zapsal", "reason": "takový druh není"},
        {
            "type": "out_of_play",
            "answer": 2,
            "quote": "strážný vstal a zapsal",
            "reason": "jiná odpověď, než stojí v poli",
        },
    ]
    given = read("L", {"messages": states, "events": events})
    shown = {i: (v.label, v.points, v.error, v.given) for i, v in given.items() if not i.startswith("L1@")}
    assert shown == {
        "events": ("read", 7, None, None),
        "L3@01": ("world_event", 1, None, "5"),
        "L3@02": ("world_event", 0, "too_early", "0"),
        "L7@01": ("kindness", 1, None, "5"),
        "L2@01": ("letter_burnt", 0, "too_early", "9"),
        "L8@01": ("plays_user", 0, "ungrounded", None),
        "L0@01": ("unread", 0, "unread", None),
        "L6@01": ("out_of_play", 1, None, "3"),
    }


def test_a_reply_without_events_is_not_a_run_without_events() -> None:
    given = read("L", "Nechci.")
    assert (given["events"].error, given["L1@01"].error) == ("unread", "unread")
    assert not [i for i in given if i.startswith("L3")]
    told = read("L", {"messages": [], "events": []})
    assert told["events"].error is None


def test_nothing_is_asked_about_a_run_without_words() -> None:
    assert grader.questions(exam([]), "atomic") == grader.questions(exam([" "]), "holistic") == []


def test_control_quotes_stand_in_the_answers() -> None:
    """The quotes that the grades of control transcripts stand on are literal, and each item has one that a judge could give."""
    for found in roleplay.controls().values():
        for control in found:
            for item, quotes in control.quotes.items():
                words = [
                    q if isinstance(q, str) else q["quote"] for q in (quotes if isinstance(quotes, list) else [quotes])
                ]
                where = (control.scenario, control.kind, item, words)
                assert all(any(w in turn for turn in control.turns) for w in words), where
                assert any(find_quote(w, turn) for w in words for turn in control.turns), where


def test_counts_of_control_transcripts_are_those_expected() -> None:
    """L5 of every control transcript, and its 14 turns, by the program."""
    for found in roleplay.controls().values():
        for control in found:
            counted = {v.item: v for v in (*grader.atomic(exam(control.turns)), *grader.holistic(exam(control.turns)))}
            assert counted["L5"].points == control.expected.L.L5, (control.scenario, control.kind, counted["L5"].quote)
            assert counted["turns"].points == 14
