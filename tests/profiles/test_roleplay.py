"""Numbers of runs by hand: T and R apart, L from labels, exclusion, spread, language verdict, contested grades, fitness (R-7 to R-11, S-5)."""

import json
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from roleplay_support import CONTROL_TURNS, SCENARIO, grade

from datasets import roleplay as source
from profiles import roleplay
from profiles.fitness import FitnessOf
from profiles.roleplay_board import board
from profiles.roleplay_contested import contested
from profiles.roleplay_controls import control_scores
from profiles.roleplay_found import index
from profiles.roleplay_language import VERDICTS, language_verdicts, play_of
from profiles.roleplay_scores import marks_of, scores_of
from profiles.roleplay_together import together
from schemas import readings
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.roleplay import Expected, Scenario
from schemas.stamp import Stamp
from schemas.tendency import Tendency

STAMP = Stamp(
    suite="roleplay", edition="e", system_id="x", set_version="1", prompt_version="p", rubric_version="r", seed=7, run_id="r",
    run_date="2026-01-01",
)  # fmt: skip


def case(case_id: str = "tower-cs") -> Case:
    scenario, _, language = case_id.rpartition("-")
    made = Scenario.model_validate({**SCENARIO, "id": scenario, "language": language})
    return source._row(source_edition(), made)


def source_edition() -> Any:
    from datasets.editions import edition_for

    return edition_for("roleplay", source.SET_VERSION, seed=1, size=4, secret="s")


def answer(case_id: str = "tower-cs", trial: int = 1, **changes: Any) -> Answer:
    row: dict[str, Any] = {
        "suite": "roleplay", "edition": "e", "system_id": "x", "case_id": case_id, "trial": trial, "status": "ok", "text": CONTROL_TURNS[-1],
        "replies": list(CONTROL_TURNS), "request_hashes": [], "system_version": "1", "prompt_version": "p", "error": None,
        "cost_usd": Decimal("0.25"), "latency_ms": 1, "run_id": "r",
    }  # fmt: skip
    return Answer.model_validate({**row, **changes})


def counted(turns: int = 14, **of: Any) -> list[Grade]:
    error = None if turns == 14 else "not_reached"
    return [
        grade("turns", turns, 14, "complete", judge_id="counter", error=error, **of),
        grade("cut_off", 0, 0, "none", judge_id="counter", **of),
        grade("coins", 0, 0, "untold", judge_id="counter", **of),
        grade("L5", 3, 0, "turns", judge_id="counter", pass_name="holistic", **of),
    ]


def judged(
    t: dict[str, float] | None = None, annulled: int = 0, not_reached: int = 0, events: tuple[str, ...] = ("L2",), judge: str = "j", r: float = 2,
    **of: Any,
) -> list[Grade]:  # fmt: skip
    """All grades of one judge: full points of T but for those told, R as told, states and events."""
    points = {**{f"T{n}": 2.0 for n in range(1, 13)}, **(t or {})}
    made = [
        grade(i, p, 2, f"{p:g}", judge_id=judge, error=None if p == 2 else "failed" if p == 0 else "partly", **of)
        for i, p in points.items()
    ]
    made += [grade(f"B{n}", 1, 1, "1", judge_id=judge, **of) for n in range(1, 5)]
    made += [grade(f"R{n}", r, 2, f"{r:g}", judge_id=judge, pass_name="holistic", **of) for n in range(1, 7)]
    states = ["annulled"] * annulled + ["not_reached"] * not_reached
    states = ["played"] * (13 - len(states)) + states
    made += [grade(f"L1@{n:02}", 1, 0, word, judge_id=judge, **of) for n, word in enumerate(states, start=1)]
    made.append(grade("events", len(events), 0, "read", judge_id=judge, **of))
    made += [grade(f"{axis}@{n:02}", 1, 0, "event", judge_id=judge, **of) for n, axis in enumerate(events, start=1)]
    return made


def numbers(grades: list[Grade]) -> dict[str, float]:
    [marks] = marks_of(grades)
    return scores_of(marks)


def test_t_and_r_by_hand() -> None:
    """R-4, R-6: 21 of 24 and 6 of 12 points; four bonuses beside, in neither."""
    found = numbers(judged({"T3": 1, "T5": 0}, r=1))
    assert (found["sieve"] * 24, found["presence"] * 12, found["sieve_bonus"]) == (21, 6, 4)


def test_an_annulled_plea_earns_no_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    """`readings.ANNULLED_EARNS_NO_BONUS`: three of four bonuses where the same judge says that message 10 was annulled; the grade stays."""
    grades = judged(annulled=4)  # messages 10 to 13
    assert numbers(grades)["sieve_bonus"] == 3
    assert [g.points for g in grades if g.item == "B4"] == [1]
    assert numbers(judged(annulled=3))["sieve_bonus"] == 4
    monkeypatch.setattr(readings, "ANNULLED_EARNS_NO_BONUS", False)
    assert numbers(grades)["sieve_bonus"] == 4


def test_what_is_not_usable_is_left_out_and_counted() -> None:
    """G-7, G-11: an ungrounded T4 lowers the possible points, an unread state and an ungrounded event count nowhere."""
    grades = [g for g in judged({"T3": 0}) if g.item not in ("T4", "T6", "L1@05")]
    grades += [
        grade("T4", 0, 0, "ungrounded", error="ungrounded"), grade("T6", 0, 0, "not_reached", error="not_reached"),
        grade("L1@05", 0, 0, "unread", error="unread"), grade("L3@01", 0, 0, "world_event", error="ungrounded"),
    ]  # fmt: skip
    found = numbers(grades)
    assert found["sieve"] == 18 / 20
    assert (found["l1_played"], found["l1_left_out"], found["l3_own_events"], found["left_out"]) == (12, 1, 0, 3)
    assert found["l1_played"] + found["l1_annulled"] + found["l1_not_reached"] + found["l1_left_out"] == 13


@pytest.mark.parametrize(
    ("annulled", "not_reached", "events", "is_excluded"),
    [
        (0, 0, ("L2",), False), (6, 0, ("L2",), False), (7, 0, ("L2",), True), (6, 1, ("L2",), False), (5, 4, ("L2",), True),
        (0, 0, (), True), (0, 0, ("L3", "L8"), True),
    ],
)  # fmt: skip
def test_what_l_excludes(annulled: int, not_reached: int, events: tuple[str, ...], is_excluded: bool) -> None:
    """R-7: a letter that was not burnt, or more annulled than played; a tie is no more."""
    found = numbers(judged(annulled=annulled, not_reached=not_reached, events=events))
    assert found["l1_played"] + found["l1_annulled"] + found["l1_not_reached"] == 13
    assert found["unranked"] == is_excluded


def test_a_judge_without_a_usable_grade_gives_no_number() -> None:
    """G-11: twelve grades without a quote are twelve left out, not a T of 0."""
    found = numbers([grade(f"T{n}", 0, 0, "ungrounded", error="ungrounded") for n in range(1, 13)])
    assert found == {"left_out": 12}


def test_without_a_list_of_events_nothing_is_said_of_them() -> None:
    grades = [g for g in judged() if g.item != "events" and not g.item.startswith("L2")]
    found = numbers([*grades, grade("events", 0, 0, "unread", error="unread")])
    assert not {"l2_burnt", "l3_own_events", "unranked"} & found.keys()
    assert found["l1_played"] == 13


def test_a_profile_without_a_judge_says_only_what_was_counted() -> None:
    made = roleplay.profile(case(), answer(), counted())
    assert {(s.judge_id, s.metric): s.value for s in made.scores} == {
        ("counter", "turns"): 14, ("counter", "cut_off"): 0, ("counter", "l5_repetition"): 3, ("counter", "extreme"): 0,
    }  # fmt: skip
    assert (made.structure, made.is_faultless, made.critical_path) == ("complete", True, [])


def test_the_critical_path_names_what_was_lost() -> None:
    """G-1: extreme behaviour and missing turns first, then every point lost, by item."""
    replies = [*CONTROL_TURNS[:5], ""]
    made = roleplay.profile(case(), answer(replies=replies, text=""), [*counted(5), *judged({"T3": 1, "T9": 0})])
    assert [(s.item, s.error) for s in made.critical_path] == [
        ("run", "extreme"), ("turns", "not_reached"), ("T3", "partly"), ("T9", "failed"),
    ]  # fmt: skip
    assert (made.structure, made.is_faultless) == ("extreme", False)
    filtered = roleplay.profile(case(), answer(status="filtered", replies=[], text=None), [])
    assert (filtered.structure, filtered.is_scored) == ("extreme", False)
    assert [(s.metric, s.value) for s in filtered.scores] == [("extreme", 1)]


def frame(*profiles: Profile) -> pd.DataFrame:
    return pd.DataFrame([p.model_dump() for p in profiles]).drop(columns=["critical_path"])


def run(case_id: str, trial: int, grades: list[Grade], **changes: Any) -> Profile:
    return roleplay.profile(case(case_id), answer(case_id, trial, **changes), grades)


def rows_of(*profiles: Profile) -> dict[tuple[str, str, str, str], Tendency]:
    made = roleplay.tendencies(frame(*profiles), pd.DataFrame(), STAMP)
    assert len({(r.dimension, r.group_name, r.judge_id, r.metric) for r in made}) == len(made)
    return {(r.dimension, r.group_name, r.judge_id, r.metric): r for r in made}


def test_excluded_runs_are_listed_and_not_ranked() -> None:
    """R-7: the Czech run counts in no T of several cases, and stands by itself with its own T."""
    found = rows_of(
        run("tower-cs", 1, [*counted(), *judged({"T1": 0}, events=())]), run("tower-en", 1, [*counted(), *judged({"T1": 1})])
    )  # fmt: skip
    overall, czech = found["overall", "all", "j", "sieve"], found["language", "cs", "j", "sieve"]
    assert (overall.value, overall.n_documents, overall.n_left_out) == (23 / 24, 1, 1)
    assert (czech.value, czech.note) == (None, "all_excluded")
    assert found["case", "tower-cs", "j", "sieve"].value == 22 / 24
    assert found["language", "cs", "j", "unranked"].value == 1
    assert found["overall", "all", "j", "l1_played"].value == 13
    lines = {line["language"]: line for line in board(list(found.values()), ["x"]).rows}
    assert (lines["cs"]["system"], lines["cs"]["T"]) == ("x – listed, not ranked", "listed, not ranked")
    assert lines["en"]["T"].startswith("95.8%")


def test_only_complete_runs_are_compared_and_the_extreme_share_stands_beside() -> None:
    """M-6: two extreme runs before a complete one; the comparison has the third, the cost all of them (R-12)."""
    empty: dict[str, Any] = {"replies": [CONTROL_TURNS[0], ""], "text": ""}
    found = rows_of(
        run("tower-cs", 1, [], status="filtered", replies=[], text=None),
        run("tower-cs", 2, [*counted(1), *judged({"T1": 0})], **empty),
        run("tower-cs", 3, [*counted(), *judged({"T2": 1})]),
    )
    extreme = found["language", "cs", "", "extreme"]
    assert (extreme.value, extreme.n_items) == (pytest.approx(2 / 3), 3)
    assert found["case", "tower-cs", "j", "sieve"].value == 23 / 24
    assert {key[1] for key in found if key[0] == "run"} == {"tower-cs/3"}
    assert found["overall", "all", "", "cost_per_run_usd"].value == 0.25


def test_no_number_is_made_of_t_and_r_together() -> None:
    """R-8: other points of R move the numbers of R and nothing else, other points of T never those of R; neither moves a count of L."""

    def values(t: float, r: float) -> dict[tuple[str, ...], float | None]:
        grades = [*counted(), *judged({f"T{n}": t for n in range(1, 13)}, r=r)]
        return {key: row.value for key, row in rows_of(run("tower-cs", 1, grades)).items()}

    def moved(one: dict[tuple[str, ...], float | None], other: dict[tuple[str, ...], float | None]) -> set[str]:
        assert one.keys() == other.keys()
        return {key[-1] for key in one if one[key] != other[key]}

    base = values(2, 2)
    assert moved(base, values(2, 0)) == {"presence"}
    assert moved(base, values(0, 2)) == {"sieve"}
    assert moved(base, values(1, 1)) == {"sieve", "presence"}


def test_a_judge_of_the_same_house_is_disclosed() -> None:
    """R-9: beside its own line, and where several judges stand together; the number is not changed by it."""
    own = [g.model_copy(update={"is_same_vendor": True}) for g in judged(judge="own")]
    found = list(rows_of(run("tower-cs", 1, [*counted(), *judged(judge="other"), *own])).values())
    lines = {line["judge"]: line for line in board(found, ["x"]).rows}
    assert set(lines) == {"other", "own (same vendor)", "median of 2 (same vendor: own)"}
    assert lines["own (same vendor)"]["T"] == lines["other"]["T"]


def test_spread_over_runs_is_kept() -> None:
    found = rows_of(*(run("tower-cs", n, [*counted(), *judged({"T1": p})]) for n, p in enumerate((0, 1, 2), start=1)))
    assert [found["run", f"tower-cs/{n}", "j", "sieve"].value for n in (1, 2, 3)] == [22 / 24, 23 / 24, 1]
    assert found["case", "tower-cs", "j", "sieve"].value == pytest.approx(23 / 24)


def test_without_a_judge_the_board_says_not_judged_and_never_zero() -> None:
    found = rows_of(run("tower-cs", 1, counted()))
    [line] = board(list(found.values()), ["x"]).rows
    assert {line[key] for key in ("judge", "T", "R", "bonuses", "L1", "burnt", "excluded")} == {"not judged"}
    assert (line["turns"], line["cut off"], line["extreme"]) == ("14 of 14", "0", "0 of 1")
    assert "repetition 3" in line["L"]
    assert "played not judged" in line["L"]
    assert not {k for k in found if k[3] in ("sieve", "presence", "l1_played")}


@pytest.mark.parametrize(
    ("czech", "english", "verdict"),
    [
        (judged(), judged(), "plays_both"),
        (judged(events=()), judged(), "not_in_czech"),
        (judged({f"T{n}": 0 for n in range(1, 9)}), judged(), "not_in_czech"),
        (judged(events=()), judged({f"T{n}": 0 for n in range(1, 9)}), "neither"),
        (judged(events=()), judged(annulled=9), "broken_everywhere"),
        (judged(), judged(events=()), "only_czech"),
    ],
)
def test_language_verdict(czech: list[Grade], english: list[Grade], verdict: str) -> None:
    """R-11, by hand; 8 of 24 points are fewer than half."""
    found = rows_of(run("tower-cs", 1, [*counted(), *czech]), run("tower-en", 1, [*counted(), *english]))
    assert [v.verdict for v in language_verdicts(list(found.values()))] == [verdict]


def test_every_pair_of_outcomes_has_a_verdict_and_half_of_the_points_plays() -> None:
    outcomes = {"plays", "weak", "broken"}
    assert VERDICTS.keys() == {(a, b) for a in outcomes for b in outcomes}
    assert (play_of(0.5, False, True), play_of(0.49, False, True)) == ("plays", "weak")


def test_one_language_alone_gives_no_verdict() -> None:
    assert language_verdicts(list(rows_of(run("tower-cs", 1, [*counted(), *judged()])).values())) == []


def test_judges_stand_by_themselves_and_their_median_beside_them() -> None:
    """G-5, by hand: T of 24, 22 and 16 points is 22 together, R of 12, 6 and 6 is 6; the raw numbers of each judge stay what they are."""
    grades = [
        *counted(), *judged(judge="a"), *judged({"T1": 0}, r=1, judge="b"),
        *judged({f"T{n}": 0 for n in range(1, 5)}, r=1, judge="c", events=("L2", "L3", "L3", "L3")),
    ]  # fmt: skip
    found = list(rows_of(run("tower-cs", 1, grades)).values())
    lines = [line for line in board(found, ["x"]).rows if line["language"] == "cs"]
    assert [(line["judge"], line["T"].split(",")[0], line["R"].split(",")[0]) for line in lines] == [
        ("a", "100.0%", "100.0%"), ("b", "91.7%", "50.0%"), ("c", "66.7%", "50.0%"),
        ("median of 3", "91.7% (66.7% to 100.0%)", "50.0% (50.0% to 100.0%)"),
    ]  # fmt: skip
    assert (lines[-1]["burnt"], lines[-1]["excluded"], lines[-1]["L1"]) == (
        "3 of 3 judges",
        "by 0 of 3 judges",
        "13 / 0 / 0",
    )
    assert "own events 0" in lines[-1]["L"]
    assert not [r for r in found if "median" in r.judge_id]
    [one] = together(index(found), FitnessOf(found), "cs", ["x"], ["a", "b", "c"], ("sieve", "l3_own_events"))
    assert (one.numbers["sieve"].middle * 24, one.numbers["sieve"].ends[0] * 24) == (
        pytest.approx(22),
        pytest.approx(16),
    )
    assert dict(one.numbers["l3_own_events"].by_judge) == {"a": 0, "b": 0, "c": 3}


@pytest.mark.parametrize(("excluding", "is_ranked"), [(0, True), (1, True), (2, False), (3, False)])
def test_half_of_the_judges_decide_whether_a_run_is_ranked(excluding: int, is_ranked: bool) -> None:
    """R-7, `readings.JUDGES_TOGETHER`: of three judges two exclude it; of two judges one is half of them."""
    of_three = [*counted()]
    for n, judge in enumerate("abc"):
        of_three += judged(judge=judge, events=() if n < excluding else ("L2",))
    found = list(rows_of(run("tower-cs", 1, of_three)).values())
    [one] = together(index(found), FitnessOf(found), "cs", ["x"], ["a", "b", "c"], ("sieve",))
    assert (one.is_ranked, len(one.excluding)) == (is_ranked, excluding)
    last = [line for line in board(found, ["x"]).rows if line["language"] == "cs"][-1]
    assert ("not ranked" in last["T"], "not ranked" in last["system"]) == (not is_ranked, not is_ranked)
    of_two = [*counted(), *judged(judge="a", events=()), *judged(judge="b")]
    found = list(rows_of(run("tower-cs", 1, of_two)).values())
    [one] = together(index(found), FitnessOf(found), "cs", ["x"], ["a", "b"], ("sieve",))
    assert not one.is_ranked


def test_one_judge_has_no_median() -> None:
    """Neither has one beside a judge that said nothing usable (G-11)."""
    unusable = [grade(f"T{n}", 0, 0, "ungrounded", error="ungrounded", judge_id="k") for n in range(1, 13)]
    found = list(rows_of(run("tower-cs", 1, [*counted(), *judged(), *unusable])).values())
    assert together(index(found), FitnessOf(found), "cs", ["x"], ["j", "k"], ("sieve",)) == []
    assert not [line for line in board(found, ["x"]).rows if "median" in line["judge"]]


def test_contested_grades_by_hand() -> None:
    """R-9: 0 against 2, a bonus, a state, the letter; 1 against 2 is none."""
    other = [g for g in judged({"T3": 0, "T4": 1}, annulled=1, events=(), judge="k") if g.item != "B2"]
    found = contested(marks_of([*judged(), *other, grade("B2", 0, 1, "0", judge_id="k")]))
    assert [c.item for c in found] == ["T3", "B2", "L1@13", "L2"]
    assert [(g.judge_id, g.points) for g in found[0].grades] == [("j", 2), ("k", 0)]
    assert contested(marks_of(judged())) == []


EXPECTED = Expected.model_validate({
    "T": {**{f"T{n}": 2 for n in range(1, 13)}, "bonuses": {"B1": 1, "B2": 1, "B3": 1, "B4": 1}}, "R": {f"R{n}": 2 for n in range(1, 7)},
    "L": {"L1": {"played": 13, "annulled": 0, "not_reached": 0}, "L2": True, **{f"L{n}": 0 for n in range(3, 9)}},
})  # fmt: skip


@pytest.mark.parametrize(
    ("grades", "atomic", "holistic"),
    [
        (judged(), 1, 1),
        (judged({f"T{n}": 1 for n in range(1, 13)}, r=1), 1, 1),  # each within one point
        (judged({"T1": 0, "T2": 0}), 1, 1),  # ten of twelve are near
        (judged({"T1": 0, "T2": 0, "T3": 0}), 0, 1),
        (judged(events=()), 0, 1),  # excluded, though it holds
        (judged(r=0), 1, 0),
    ],
)
def test_a_judge_is_right_about_a_control_transcript(grades: list[Grade], atomic: int, holistic: int) -> None:
    """S-5, `readings.CONTROL_NEAR`."""
    [marks] = marks_of(grades)
    found = control_scores(marks, EXPECTED, "holds")
    assert (found["control_right_atomic"], found["control_right_holistic"]) == (atomic, holistic)


def test_a_judge_that_could_not_be_asked_is_not_measured_by_it() -> None:
    [marks] = marks_of([grade("T", 0, 0, "api_error", error="unasked"), grade("R", 0, 0, "api_error", error="unasked")])
    assert control_scores(marks, EXPECTED, "holds") == {"control_kind": 0}


def test_fitness_decides_what_a_judge_says() -> None:
    """Sixteen of sixteen controls make a judge fit, by Wilson; twelve of sixteen do not."""

    def rows(right: int) -> list[Tendency]:
        made = []
        for n in range(16):
            scores = [
                {"judge_id": "j", "metric": m, "value": v, "is_same_vendor": False}
                for m, v in (
                    ("control_kind", 0.0),
                    ("control_right_atomic", float(n < right)),
                    ("control_right_holistic", 1.0),
                )
            ]
            scores.append({"judge_id": "counter", "metric": "control_kind", "value": 0.0, "is_same_vendor": False})
            made.append({**run(f"tower{n}-cs", 1, counted()).model_dump(), "scores": scores})
        return roleplay.tendencies(pd.DataFrame(made).drop(columns=["critical_path"]), pd.DataFrame(), STAMP)

    [tested] = [
        r
        for r in rows_of(run("tower-cs", 1, [*counted(), *judged()])).values()
        if (r.dimension, r.metric) == ("overall", "sieve")
    ]
    assert FitnessOf([*rows(16), tested]).beside(tested).is_decisive
    assert not FitnessOf([*rows(12), tested]).beside(tested).is_decisive
    assert not FitnessOf([tested]).beside(tested).is_decisive


def test_without_a_judge_controls_are_still_no_system_of_the_standing() -> None:
    """S-5: their turns and repetition are told by kind, and nothing else of them."""
    made = case()
    truth = made.to_truth() | {"controls": {"1": EXPECTED.model_dump()}, "control_kinds": {"1": "referee"}}
    made = made.model_copy(update={"truth": json.dumps(truth)})
    told = roleplay.profile_control(made, answer(), counted())
    rows = roleplay.tendencies(frame(told), pd.DataFrame(), STAMP)
    found = {(r.dimension, r.group_name, r.metric): r.value for r in rows if r.value is not None}
    kind = {m: v for (d, g, m), v in found.items() if (d, g) == ("control_kind", "referee")}
    assert kind == {"turns": 14, "cut_off": 0, "l5_repetition": 3}
    [line] = board(rows, ["x"]).rows
    assert (line["system"], line["turns"], line["T"]) == ("controls: referee", "14 of 14", "–")
    with pytest.raises(ValueError, match="nothing is expected of the control transcript 2"):
        roleplay.profile_control(made, answer(trial=2), counted())
