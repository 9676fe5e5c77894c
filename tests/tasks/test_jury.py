"""The jury sits at a stub gateway: nine models of eight vendors, forty claims, every verdict once (J-1 to J-7, M-4)."""

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from gateway_stub import Gateway
from jury_support import VENDORS, build, entry, hear, pool_file, sit

from datasets import checks as records
from datasets.store import Store
from datasets.tables import Place, read, rows_of
from schemas.answer import Answer
from schemas.call import Call
from schemas.errors import BudgetError, StageError, UsageError
from schemas.jury import PANEL, SUITE, Counts, state
from schemas.tendency import Tendency
from tasks import attempts, budget, jury, throttle
from tasks.choose import choose_systems
from tasks.jury import hear_checks, longest_unchecked, plan_sitting
from tasks.jury_audit import audit, read_overview
from tasks.publish import leaderboard

MODELS = ("umi", "umi-fenced", "umi-word", "umi-named", "neumi", "mozna-once", "nerozhodnuto", "umi", "neumi")
SAYS = {
    "umi": "UMÍ",
    "umi-fenced": "UMÍ",
    "umi-word": "UMÍ",
    "umi-named": "UMÍ",
    "neumi": "NEUMÍ",
    "mozna-once": "NEUMÍ",
}
SAYS["nerozhodnuto"] = "NEROZHODNUTO"


@pytest.fixture(scope="module")
def running() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def gateway(running: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    running.reset()
    throttle._THROTTLES.clear()
    budget._BUDGETS.clear()
    monkeypatch.setattr(attempts, "LONGEST_WAIT_S", 0.02)
    return running


@pytest.fixture
def root(tmp_path: Path) -> str:
    return str(tmp_path / "store")


def pool(gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *models: str) -> None:
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(pool_file(tmp_path, gateway.url, models)))


def ledger(gateway: Gateway) -> dict[str, Any]:
    return gateway.server.ledger.shown()


def calls_of(store: Store) -> list[Call]:
    """All sealed calls of all jurors."""
    found = []
    for name in store.names("manifests/calls", ".json"):
        suite, edition, system = (step.split("=", 1)[1] for step in name.removesuffix(".json").split("/")[-3:])
        found += rows_of(Call, read(store, Call, Place(suite=suite, edition=edition, system=system)))
    return found


def test_forty_claims_are_checked_each_verdict_once_and_no_call_is_paid_twice(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    pool(gateway, tmp_path, monkeypatch, *MODELS)
    outcomes = sit(root, 40, "r1")
    store = Store.open(root)
    votes, checks = records.read_votes(store), records.read_checks(store)
    assert len(checks) == 40
    assert len(votes) == 200
    model = {f"sentinel-{n}": name for n, name in enumerate(MODELS)}
    for check in checks:
        mine = [v for v in votes if v.check_id == check.check_id]
        assert len({v.vendor for v in mine}) == len({v.family for v in mine}) == len(mine) == 5 == check.jurors
        assert all(v.verdict == SAYS[model[v.system_id]] for v in mine)
        assert Counts.of(v.verdict for v in mine) == Counts(
            able=check.able, unable=check.unable, undecided=check.undecided
        )
        assert not check.is_incomplete
        assert not check.is_small_pool
    assert ledger(gateway)["answered_twice"] == 0
    assert ledger(gateway)["answered"] == len(calls_of(store)) == outcomes[0].counts["calls"]
    twice = sum(model[v.system_id] == "mozna-once" for v in votes)
    assert ledger(gateway)["answered"] == 200 + twice
    answers = rows_of(Answer, read(store, Answer, outcomes[0].place))
    assert len(answers) == 200
    rows = rows_of(Tendency, read(store, Tendency, outcomes[-1].place))
    for claim in {c.claim_id for c in checks}:
        told = {r.metric: r.value for r in rows if (r.dimension, r.group_name) == ("claim", claim)}
        found = Counts.of(v.verdict for v in votes if v.claim_id == claim)
        assert [told[f"votes_{n}"] for n in ("able", "unable", "undecided")] == list(found.model_dump().values())
        line = next(x for x in leaderboard(root, SUITE, outcomes[0].place.edition, [PANEL]).rows if x["claim"] == claim)
        assert line["state"] == state(found).state
    again = sit(root, 40, "r1")
    assert [o.made for o in again] == [0, 0, 0, 0]
    assert ledger(gateway)["requests"] == 200 + twice
    assert records.read_votes(store) == votes


def test_a_second_sitting_asks_anew_and_its_verdicts_are_added(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-3, J-4: the state is that of all verdicts ever; the same day, claim and juror are another check and another call."""
    pool(gateway, tmp_path, monkeypatch, *MODELS)
    for number in range(3):
        hear(root, 2, f"r{number}", size=2)
    votes = records.read_votes(Store.open(root))
    assert Counter(v.claim_id for v in votes) == dict.fromkeys({v.claim_id for v in votes}, 15)
    assert len({v.request_hash for v in votes}) == 30
    assert ledger(gateway)["answered"] == len(calls_of(Store.open(root)))
    for claim in read_overview(root).claims[:2]:
        found = Counts.of(v.verdict for v in votes if v.claim_id == claim.id)
        assert (claim.state, claim.percent) == (state(found).state, state(found).percent)
        assert len(claim.checks) == 3


def test_a_juror_that_is_down_or_says_no_verdict_is_replaced_in_the_order_of_the_draw(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-4: asked once more, then a replacement juror; a refused key stops that juror alone."""
    pool(gateway, tmp_path, monkeypatch, "umi", "neumi", "umi", "key", "mozna", "neumi", "filter", "umi", "drop")
    monkeypatch.setenv("ZKUSEBNA_JURY_PANEL", "5")
    hear(root, 12, "r1")
    store = Store.open(root)
    votes, checks = records.read_votes(store), records.read_checks(store)
    assert len(checks) == 12
    good = {"sentinel-0", "sentinel-1", "sentinel-2", "sentinel-5", "sentinel-7"}
    assert {v.system_id for v in votes} == good
    for check in checks:
        mine = {v.system_id for v in votes if v.check_id == check.check_id}
        assert len(mine) == check.jurors == 4  # sentinels 0 and 1 are of one vendor
        assert check.panel_size == 5
        assert not check.is_incomplete
    asked = Counter(
        a.request["model"]
        for a in gateway.asked
        if a.request["model"] in ("stub/mozna",) and len(a.request["messages"]) == 3
    )
    assert asked["stub/mozna"] == Counter(c.turn for c in calls_of(store) if c.system_id == "sentinel-4")[2] > 0
    assert ledger(gateway)["answered_twice"] == 0


def test_fewer_than_three_verdicts_are_an_incomplete_panel_that_counts(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-4."""
    pool(gateway, tmp_path, monkeypatch, "umi", "mozna", "umi", "mozna", "mozna", "mozna", "mozna", "mozna", "mozna")
    hear(root, 2, "r1")
    checks = records.read_checks(Store.open(root))
    assert [(c.jurors, c.is_incomplete) for c in checks] == [(2, True)] * 2
    assert [c.state for c in read_overview(root).claims if c.checks] == ["UMÍ", "UMÍ"]


def test_a_check_in_which_nobody_says_a_verdict_is_recorded_as_empty(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """It would otherwise stand first in line for ever."""
    pool(gateway, tmp_path, monkeypatch, *["mozna"] * 9)
    hear(root, 1, "r1")
    (check,) = records.read_checks(Store.open(root))
    assert (check.jurors, check.is_incomplete) == (0, True)
    assert records.open_draws(Store.open(root)) == []


def test_a_check_that_nobody_could_be_asked_about_stays_open_and_is_finished_by_the_next_sitting(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    pool(gateway, tmp_path, monkeypatch, *["credits"] * 9)
    with pytest.raises(StageError, match=r"No juror could be asked about '.*' \(.*credits.*\); its check stays open"):
        hear(root, 2, "r1")
    store = Store.open(root)
    before = records.open_draws(store)
    assert len(before) == 2
    assert records.read_checks(store) == []
    pool(gateway, tmp_path, monkeypatch, *["umi"] * 9)
    hear(root, 2, "r2")
    checks = records.read_checks(store)
    assert [c.check_id for c in checks] == [d.check_id for d in before]
    for draw in before:
        mine = [v for v in records.read_votes(store) if v.check_id == draw.check_id]
        assert {v.place for v in mine} <= set(range(1, 10))
        assert all(draw.order[v.place - 1].id == v.system_id for v in mine)


def test_a_task_that_is_retried_finishes_the_same_checks_and_pays_nothing_twice(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-4: stopped after the asking and before the record, then after the votes and before their checks."""
    pool(gateway, tmp_path, monkeypatch, *MODELS)
    edition = build(root)
    sitting = plan_sitting(root, edition, 6, "r1")
    assert plan_sitting(root, edition, 6, "r1") == sitting
    really = records.record

    def stopped(store: Store, checks: Any, votes: Any) -> None:
        raise KeyboardInterrupt

    def half(store: Store, checks: Any, votes: Any) -> None:
        really(store, [], votes)
        raise KeyboardInterrupt

    for stop in (stopped, half):
        monkeypatch.setattr(records, "record", stop)
        with pytest.raises(KeyboardInterrupt):
            hear_checks.fn(sitting)
    paid = ledger(gateway)["answered"]
    monkeypatch.setattr(records, "record", really)
    assert hear_checks.fn(sitting).counts["calls"] == 0
    assert plan_sitting(root, edition, 6, "r1").checks == ()
    assert hear_checks.fn(sitting).counts == {"calls": 0, "checks": 0}
    store = Store.open(root)
    assert ledger(gateway)["answered"] == paid == len(calls_of(store))
    assert ledger(gateway)["answered_twice"] == 0
    assert len(records.read_votes(store)) == 30
    assert [(c.jurors, c.panel_size) for c in records.read_checks(store)] == [(5, 5)] * 6


def test_a_spent_budget_stops_the_sitting_and_the_rest_is_done_later(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """M-8."""
    pool(gateway, tmp_path, monkeypatch, *MODELS)
    budget._BUDGETS.clear()  # a run of the same id, in a test before, had none
    with pytest.raises(BudgetError, match="does not allow the next call"):
        hear(root, 8, "r1", budget_usd=Decimal("0.01"))
    done = len(records.read_checks(Store.open(root)))
    assert done < 8
    assert len(records.open_draws(Store.open(root))) == 8 - done
    budget._BUDGETS.clear()
    hear(root, 8, "r1")
    assert len(records.read_checks(Store.open(root))) == 8
    assert ledger(gateway)["answered_twice"] == 0


def test_the_claim_longest_unchecked_goes_first() -> None:
    """J-4, against a list by hand; ties by id."""
    from schemas.vote import Check

    def check(claim: str, day: int) -> Check:
        return Check.model_construct(claim_id=claim, checked_at=dt.datetime(2026, 11, day, tzinfo=dt.UTC))

    done = [check("b", 3), check("a", 5), check("c", 3), check("b", 9), check("gone", 1)]
    assert longest_unchecked({"a", "b", "c", "z", "y"}, done) == ["y", "z", "c", "a", "b"]


def test_sittings_go_round_all_claims_before_any_comes_again(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    pool(gateway, tmp_path, monkeypatch, *MODELS)
    for number in range(3):
        hear(root, 2, f"r{number}", size=5)
    counted = Counter(c.claim_id for c in records.read_checks(Store.open(root)))
    assert sorted(counted.values()) == [1, 1, 1, 1, 2]
    only_new = plan_sitting(root, build(root, 5), None, "r9", only_new=True)
    assert only_new.checks == ()


def test_the_administrator_sees_who_gave_which_verdict_and_repeats_the_draw(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-6, J-7."""
    pool(gateway, tmp_path, monkeypatch, *MODELS)
    monkeypatch.setenv("ZKUSEBNA_JURY_KEY", "the first key")
    hear(root, 1, "r1", size=1)
    (claim,) = {v.claim_id for v in records.read_votes(Store.open(root))}
    lines = audit(root, claim)
    assert {line.draw for line in lines} == {"repeated"}
    assert len({line.vendor for line in lines}) == 5
    hashes = {c.request_hash: c.system_id for c in calls_of(Store.open(root))}
    assert all(hashes[str(line.request_hash)] == line.juror for line in lines)
    monkeypatch.setenv("ZKUSEBNA_JURY_KEY", "another key")
    assert {line.draw for line in audit(root, claim)} == {"other key"}
    with pytest.raises(UsageError, match=f"Unknown claim '{claim[:-1]}'; did you mean '{claim}'"):
        audit(root, claim[:-1])


def test_a_pool_too_small_says_what_is_missing_and_a_run_leaves_the_suite_out(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-7; in the default install there is no pool at all."""
    edition = build(root, 2)
    with pytest.raises(
        UsageError, match=r"^The pool of jurors has 0 models of 0 vendors and 0 families; a panel needs 5"
    ):
        plan_sitting(root, edition, 1, "r1")
    choice = choose_systems(None, SUITE)
    assert not choice.systems
    assert choice.left_out[PANEL].startswith("the pool of jurors has 0 models")
    pool(gateway, tmp_path, monkeypatch, *["umi"] * 5)
    with pytest.raises(
        UsageError, match=r"has 5 models of 4 vendors and 5 families; a panel needs 5 .* at least 1 is missing"
    ):
        plan_sitting(root, edition, 1, "r1")
    monkeypatch.setenv("ZKUSEBNA_JURY_PANEL", "4")
    assert [s.id for s in choose_systems(None, SUITE).systems] == [PANEL]
    hear(root, 1, "r1", size=2)
    (check,) = records.read_checks(Store.open(root))
    assert check.is_small_pool
    assert read_overview(root).is_small_pool


def everything(value: object) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def test_nothing_public_names_a_juror(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-6: sentinel names of models, vendors and families, searched in all that is made to be shown or handed on."""
    from dataclasses import asdict

    from profiles.claims import public_rows
    from tasks.publish import publish_report

    pool(gateway, tmp_path, monkeypatch, *["umi-named"] * 4, *MODELS[:5])
    outcomes = sit(root, 12, "r1")
    store, edition = Store.open(root), outcomes[0].place.edition
    votes = records.read_votes(store)
    assert any(v.is_withheld for v in votes)
    sentinels = [f"entinel{sep}{n}" for n in range(9) for sep in ("-", " ")]
    sentinels += [*VENDORS, *(f"kmen{n}" for n in range(9)), *{f"stub/{m}" for m in ("umi-named", *MODELS)}]
    view = read_overview(root)
    public = [everything(asdict(view)), everything(public_rows(view))]
    public += [everything(row) for row in leaderboard(root, SUITE, edition, [PANEL]).rows]
    published = publish_report(root).parent.rglob("*")
    public += [file.read_text(encoding="utf-8") for file in published if file.suffix in (".html", ".csv", ".md")]
    for model in ("checks", "answers", "grades", "profiles", "tendencies", "cases"):
        for name in store.names(f"tables/{model}/suite=jury", ".parquet"):
            import pyarrow.parquet as pq

            public.append(everything(pq.read_table(store.path(name), partitioning=None).to_pylist()) + name)
    assert len(public) > 12
    for text in public:
        found = [name for name in sentinels if name.casefold() in text.casefold()]
        assert not found
    hashes = [str(v.request_hash) for v in votes]
    assert not [h for text in public for h in hashes if h in text]
    private = everything([v.model_dump() for v in votes])
    assert all(v in private for v in ("sentinel-0", VENDORS[0], "kmen0"))


def test_the_published_page_has_forty_claims_as_the_votes_have_them_and_no_trace_of_a_juror(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-3, J-5, J-6 over the whole file, what is hidden in it too: states by a naive count, then names, ids, hashes, prices, replies."""
    from tasks.audience import import_votes
    from tasks.publish import publish_report

    pool(gateway, tmp_path, monkeypatch, *MODELS)
    sit(root, 40, "run-sentinel")
    store = Store.open(root)
    votes = records.read_votes(store)
    before = publish_report(root).with_name("suite-jury.html").read_text(encoding="utf-8")
    sides: dict[str, list[str]] = {}
    for vote in votes:
        sides.setdefault(vote.claim_id, []).append(vote.verdict)
    expected = dict.fromkeys((claim.id for claim in read_overview(root).claims), "never")
    for claim, said in sides.items():
        wins = [side for side in ("UMÍ", "NEUMÍ") if said.count(side) >= 4]  # of five
        expected[claim] = {"UMÍ": "able", "NEUMÍ": "unable"}[wins[0]] if wins else "disputed"
    assert Counter(expected.values())["never"] == 8
    shown = re.compile(r'<details class="claim" id="jury-([a-z0-9-]+)" data-state="(\w+)"')
    assert dict(shown.findall(before)) == expected
    assert "data-differs" not in before

    loved = next(claim for claim, found in expected.items() if found == "disputed")
    file = tmp_path / "anketa.csv"
    file.write_text(f"claim_id,yes,no\n{loved},977,23\n", encoding="utf-8")
    import_votes(root, file)
    page = publish_report(root).with_name("suite-jury.html").read_text(encoding="utf-8")
    assert dict(shown.findall(page)) == expected
    assert f'id="jury-{loved}" data-state="disputed" data-differs' in page
    assert page.count("97\u00a0% UMÍ") == 1

    calls = calls_of(store)
    traces = {
        str(getattr(v, name))
        for v in votes
        for name in ("system_id", "vendor", "family", "request_hash", "key_mark", "check_id")
    }
    traces |= {f"{call.cost_usd.normalize():f}" for call in calls if call.cost_usd} | {
        f"stub/{model}" for model in MODELS
    }
    traces |= {v.text for v in votes if len(v.text) > 10} | {v.checked_at.strftime("%H:%M:%S") for v in votes}
    traces |= {"run-sentinel", "anketa", "entinel "}
    assert len(traces) > 300
    assert [trace for trace in traces if trace.casefold() in page.casefold()] == []


def test_public_rows_hold_no_cost_time_or_length(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    """J-6."""
    from profiles.claims import public_rows

    pool(gateway, tmp_path, monkeypatch, *MODELS)
    place = sit(root, 3, "r1")[0].place
    keys: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            keys.update(map(str, value))
            list(map(walk, value.values()))
        elif isinstance(value, list | tuple):
            list(map(walk, value))

    walk(public_rows(read_overview(root)))
    assert not {
        k
        for k in keys
        for bad in ("cost", "latency", "token", "juror_id", "system", "vendor", "hash", "_at", "place")
        if bad in k
    }
    for answer in rows_of(Answer, read(Store.open(root), Answer, place)):
        assert (answer.cost_usd, answer.latency_ms, answer.tokens_in, answer.tokens_out) == (0, 0, None, None)
        assert answer.request_hashes == []


def test_systems_that_are_jurors_are_never_asked_as_systems_of_the_suite(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(json.dumps([entry(0, gateway.url, "umi")]), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    choice = choose_systems(["sentinel-0"], SUITE)
    assert choice.left_out == {"sentinel-0": "jury asks only systems of the kinds panel"}
    assert jury.NUMBERED.fullmatch("c000012")
