"""The price of a run before it is made: hand-worked figures, what is cached, sums, unknown prices, and no trace (M-8)."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import Gateway
from hypothesis import given
from hypothesis import strategies as st
from pipeline_support import run_stages
from tests_support import case_of

from datasets.editions import edition_for
from datasets.invoices import SET_VERSION
from datasets.prompts import read_prompt
from datasets.store import Store
from datasets.tables import Place, seal, write_part
from schemas.call import Call
from schemas.case import Case
from schemas.errors import StoreError, UsageError
from schemas.exchange import Attachment, Brief, Message, Request
from schemas.system import System
from tasks import estimate as module
from tasks.ask import make_client, request_hash
from tasks.budget import BYTES_A_TOKEN, FRAME_TOKENS, IMAGE_TOKENS
from tasks.choose import known_systems
from tasks.estimate import Line, estimate, totals

D = Decimal
PROMPT, TEXT = "p" * 400, "t" * 800
SCHEMA = {"type": "object"}  # 18 characters as JSON
PRICE = {"usd_per_million_in": "2", "usd_per_million_out": "8"}
ENTRY: dict[str, Any] = {
    "name": "m", "vendor": "v", "family": "f", "client": "scripted", "suites": [], "inputs": ["text", "image"],
    "options": {"replies": ["{}"]}, "limits": {"max_tokens": 500},
}  # fmt: skip
AGAIN = len(read_prompt("valid_json", "cs").text.encode())


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def case(number: int, edition: str, kind: Any = "text") -> Case:
    """A case with 400 characters of prompt and 800 of text, or a picture."""
    case_id = f"invoices-cs-{number:04}"
    attachment = Attachment(kind=kind, media_type="text/plain", sha256=sha(f"{TEXT}{number}"))
    brief = Brief(
        suite="invoices", case_id=case_id, language="cs", prompt=PROMPT, prompt_version="p1", answer_schema=SCHEMA,
        attachments=(attachment,),
    )  # fmt: skip
    text = TEXT if kind == "text" else None
    return case_of(case_id, edition=edition, brief=brief.model_dump_json(), text=text)


SIZE = 10
"""The smallest set that has all levels."""


class Bench:
    """A store with hand-made cases, and systems that an own file names."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.file = folder / "store", folder / "systems.yaml"
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(self.file))
        monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "s")
        self.edition = edition_for("invoices", SET_VERSION, 1, SIZE, "s").id
        self.systems()

    def systems(self, *entries: dict[str, Any]) -> None:
        from datasets.systems import load_systems

        load_systems.cache_clear()
        self.file.write_text(yaml.safe_dump([{**ENTRY, **entry} for entry in entries]), encoding="utf-8")

    def cases(self, kinds: Sequence[str]) -> list[Case]:
        store, place = Store.open(self.root), Place(suite="invoices", edition=self.edition)
        made = [case(number, self.edition, kind) for number, kind in enumerate(kinds, 1)]
        seal(store, Case, place, [write_part(store, Case, place, "k0", 0, made)])
        return made

    def calls(self, system: str, rows: Sequence[Call]) -> None:
        store, place = Store.open(self.root), Place(suite="invoices", edition=self.edition, system=system)
        seal(store, Call, place, [write_part(store, Call, place, "k0", 0, rows)])

    def estimate(self, *systems: str, size: int = SIZE) -> list[Line]:
        return estimate(str(self.root), ["invoices"], list(systems), size, 1, None, False)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def call(system: System, of: Case, messages: Sequence[Message], text: str, attempt: int = 1, **more: Any) -> Call:
    request = Request(
        system_id=system.id, suite="invoices", case_id=of.case_id, language="cs", messages=tuple(messages), answer_schema=SCHEMA
    )  # fmt: skip
    row: dict[str, Any] = {
        "suite": "invoices", "edition": of.edition, "system_id": system.id, "case_id": of.case_id, "trial": 1, "turn": 1,
        "attempt": attempt, "call_id": f"{of.case_id}-{len(messages)}-{attempt}", "status": "ok", "text": text, "error": None,
        "request_hash": request_hash(system, make_client(system), request), "finish_reason": None, "provider": None,
        "generation_id": None, "tokens_in": None, "tokens_out": None, "cost_usd": D(0), "latency_ms": 1,
        "asked_at": datetime(2026, 1, 1, tzinfo=UTC), "prompt_version": "p1", "set_version": "1", "run_id": "r",
    }  # fmt: skip
    return Call(**(row | more))


def first(of: Case) -> Message:
    return Message(role="user", text=PROMPT, attachments=of.to_brief().attachments)


def test_figures_by_hand(bench: Bench) -> None:
    """Two USD a million in, eight out; prompt and text have 1,200 characters, the schema 18, the limit is 500 tokens out.

    low: 300 in, 16 out: 0.000600 + 0.000128. Expected: 1,218 / 3 = 406 in, 250 out: 0.000812 + 0.002. At most two calls: the first
    with 1,200 characters, the second with the 500 tokens of the first reply and the words of the repeat on top, 500 out each, the schema each.
    """
    bench.systems({"id": "m", "price": PRICE})
    bench.cases(["text", "text", "text"])
    [line] = bench.estimate("m")
    assert (line.cases, line.answered, line.cached, line.to_ask) == (3, 0, 0, 3)
    assert line.low_usd == 3 * D("0.000728")
    assert line.expected_usd == 3 * D("0.002812")
    one = -(-(1200 + 18) // BYTES_A_TOKEN) + FRAME_TOKENS
    two = -(-(1200 + 18 + 500 * BYTES_A_TOKEN + AGAIN) // BYTES_A_TOKEN) + 3 * FRAME_TOKENS
    assert line.most_usd == 3 * (D((one + two) * 2 + 2 * 500 * 8) / 1_000_000)
    assert (line.role, line.price_from, line.is_sampled) == ("system", "entry", False)


def test_a_picture_has_its_constant_and_its_fee(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """400 characters of prompt and a picture: 100 + 250 in, 16 out; (400 + 18) / 3 = 139 + 1,500 in, 250 out; 0.01 a picture."""
    from schemas.system import Price
    from tasks.prices import Prices, Quote

    quote = Quote(price=Price.model_validate({**PRICE, "usd_per_image": "0.01"}), source="gate", date="2026-01-02")
    monkeypatch.setattr(Prices, "of", lambda self, system: quote)
    bench.systems({"id": "m"})
    bench.cases(["image"])
    [line] = bench.estimate("m")
    assert line.low_usd == D("0.000700") + D("0.000128") + D("0.01")
    assert line.expected_usd == D("0.003278") + D("0.002") + D("0.01")
    assert line.most_usd is not None
    assert line.most_usd >= 2 * (D(IMAGE_TOKENS * 2) / 1_000_000 + D("0.01") + D("0.004"))
    assert line.price_from == "gate 2026-01-02"


def test_documents_that_a_system_cannot_take_are_not_counted(bench: Bench) -> None:
    bench.systems({"id": "m", "inputs": ["text"], "price": PRICE})
    bench.cases(["text", "image", "image"])
    assert [(x.cases, x.to_ask) for x in bench.estimate("m")] == [(1, 1)]


def test_known_answers_are_cached_and_an_error_is_asked_again(bench: Bench) -> None:
    """Of five cases: a right answer; one repeated (M-2), both known; one whose repeat is missing; a filtered one; an error (M-4)."""
    bench.systems({"id": "m", "price": PRICE})
    made = bench.cases(["text"] * 5)
    system = known_systems()["m"]
    again = Message(role="user", text=read_prompt("valid_json", "cs").text)

    def repeated(of: Case) -> list[Message]:
        return [first(of), Message(role="assistant", text="Promiňte."), again]

    bench.calls(
        "m",
        [
            call(system, made[0], [first(made[0])], "{}", cost_usd=D("0.004")),
            call(system, made[1], [first(made[1])], "Promiňte.", cost_usd=D("0.001")),
            call(system, made[1], repeated(made[1]), "{}", cost_usd=D("0.003")),
            call(system, made[2], [first(made[2])], "Promiňte.", cost_usd=D("0.002")),
            call(system, made[3], [first(made[3])], "", status="filtered"),
            call(system, made[4], [first(made[4])], "", status="api_error"),
            call(system, made[4], [first(made[4])], "", attempt=2, status="timeout"),
        ],
    )
    [line] = bench.estimate("m")
    assert (line.cases, line.answered, line.cached, line.to_ask) == (5, 3, 5, 2)
    assert line.expected_usd == 2 * D("0.0025")  # the mean of four answered calls, 0.010 / 4
    assert line.low_usd is not None
    assert line.most_usd is not None
    assert line.low_usd <= line.expected_usd <= line.most_usd


def test_another_model_under_the_same_name_knows_nothing(bench: Bench) -> None:
    """The key is the content of the request, options included (M-4)."""
    bench.systems({"id": "m", "price": PRICE})
    [one] = bench.cases(["text"])
    bench.calls("m", [call(known_systems()["m"], one, [first(one)], "{}")])
    assert [x.to_ask for x in bench.estimate("m")] == [0]
    bench.systems({"id": "m", "price": PRICE, "options": {"replies": ["{}"], "model": "newer"}})
    assert [x.to_ask for x in bench.estimate("m")] == [1]


def test_unknown_prices_are_unknown_and_nothing_to_ask_costs_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks.prices import Prices

    monkeypatch.setattr(Prices, "of", lambda self, system: None)
    bench.systems({"id": "m"}, {"id": "capped", "limits": {"max_cost_usd": "0.05"}})
    [one, two] = bench.cases(["text"] * 2)
    plain, capped = bench.estimate("m", "capped")
    assert (plain.low_usd, plain.expected_usd, plain.most_usd, plain.price_from) == (None, None, None, "unknown")
    assert (capped.low_usd, capped.expected_usd, capped.most_usd) == (None, None, 4 * D("0.05"))
    total = totals([plain, capped])[-1]
    assert (total.most_usd, total.unknown) == (D("0.2"), (2, 2, 1))
    system = known_systems()["m"]
    bench.calls("m", [call(system, x, [first(x)], "{}", cost_usd=D("0.1")) for x in (one, two)])
    [line] = bench.estimate("m")
    assert (line.cached, line.to_ask, line.low_usd, line.expected_usd, line.most_usd) == (2, 0, 0, 0, 0)


def test_programs_of_ones_own_cost_nothing(bench: Bench) -> None:
    [line] = bench.estimate("rules")
    assert (line.low_usd, line.expected_usd, line.most_usd, line.price_from) == (0, 0, 0, "free")


def test_before_the_set_is_built_a_sample_stands_for_it(bench: Bench) -> None:
    """Twelve pairs are twenty-four cases; six pairs are looked at, and nothing is left behind."""
    bench.systems({"id": "m", "price": PRICE})
    [line] = bench.estimate("m", size=12)
    assert (line.cases, line.cached, line.to_ask, line.is_sampled) == (24, 0, 24, True)
    assert line.low_usd is not None
    assert line.expected_usd is not None
    assert line.most_usd is not None
    assert 0 < line.low_usd < line.expected_usd < line.most_usd
    assert not bench.root.exists()


def snapshot(root: Path) -> dict[str, tuple[int, int]]:
    return {str(p): (p.stat().st_mtime_ns, p.stat().st_size) for p in [root, *root.rglob("*")]}


def test_after_a_run_nothing_is_left_and_nothing_is_written(bench: Bench) -> None:
    """Against the door itself: what a real run asked is cached, and one new system is asked about everything."""
    bench.systems({"id": "m", "price": PRICE}, {"id": "n", "price": PRICE, "options": {"replies": ["no"]}})
    run_stages(str(bench.root), "invoices", ["m"], 3, ("text",), seed=1)
    before = snapshot(bench.root)
    lines = estimate(str(bench.root), ["invoices"], ["m", "n"], 3, 1, None, False, ("text",))
    assert [(x.cases, x.answered, x.cached, x.to_ask) for x in lines] == [(6, 6, 6, 0), (6, 0, 0, 6)]
    assert not any(x.is_sampled for x in lines)
    assert snapshot(bench.root) == before


def test_the_price_list_of_a_real_gateway_is_read_and_leaves_no_trace(bench: Bench) -> None:
    """0.5 USD a million in, 1.5 out: 1,200 characters and 16 tokens are 0.00015 + 0.000024, a quarter of two and eight."""
    with Gateway() as gateway:
        options = {"url": gateway.url, "model": "stub/ok"}
        bench.systems({"id": "m", "client": "openai", "options": options})
        bench.cases(["text"])
        before = snapshot(bench.root)
        [line] = bench.estimate("m")
        assert snapshot(bench.root) == before
    assert line.low_usd == D("0.000174")
    assert line.price_from.startswith("127.0.0.1:")
    [line] = bench.estimate("m")
    assert (line.low_usd, line.most_usd, line.price_from) == (None, None, "unknown")


usd = st.none() | st.decimals(0, 10**6, places=6)


@given(st.lists(st.tuples(st.sampled_from(["system", "judge"]), usd, usd, usd, st.integers(0, 10**6))))
def test_sums_equal_their_parts_to_the_last_digit(parts: list[Any]) -> None:
    lines = [
        Line(
            suite="s", system=f"x{n}", role=role, cases=asked, answered=0, cached=n, to_ask=asked, low_usd=low,
            expected_usd=expected, most_usd=most, price_from="entry", is_sampled=False,
        )
        for n, (role, low, expected, most, asked) in enumerate(parts)
    ]  # fmt: skip
    *apart, whole = totals(lines)
    assert [t.role for t in apart] == [r for r in ("system", "judge") if r in {line.role for line in lines}]
    for at, name in enumerate(("low_usd", "expected_usd", "most_usd"), 1):
        micro = [int(part[at].scaleb(6)) for part in parts if part[at] is not None]
        assert int(getattr(whole, name).scaleb(6)) == sum(micro)
        assert sum((getattr(t, name) for t in apart), D(0)) == getattr(whole, name)
        assert whole.unknown[at - 1] == len(parts) - len(micro)
    assert sum(t.to_ask for t in apart) == whole.to_ask == sum(line.to_ask for line in lines)


def test_bad_words_and_stores(bench: Bench) -> None:
    with pytest.raises(UsageError, match="size 0"):
        bench.estimate("rules", size=0)
    with pytest.raises(UsageError, match="'rulez'; did you mean 'rules'"):
        bench.estimate("rulez")
    bench.root.mkdir()
    for content, told in (('{"format": 99}', "newer"), ("{", "cannot be read")):
        (bench.root / "zkusebna.json").write_text(content)
        with pytest.raises(StoreError, match=told):
            bench.estimate("rules")


def test_the_sample_is_small_whatever_the_size(monkeypatch: pytest.MonkeyPatch, bench: Bench) -> None:
    made: list[int] = []
    from datasets import invoices

    real = invoices.make_cases
    monkeypatch.setattr(invoices, "make_cases", lambda *a: made.append(a[2]) or real(*a))  # type: ignore[func-returns-value]  # notes and goes on
    bench.estimate("rules", size=90)
    assert len(made) == module.SAMPLE
    assert made == [0, 15, 30, 45, 60, 75]


def test_an_authored_set_is_looked_at_case_by_case_before_it_is_built(bench: Bench) -> None:
    """D-18: every message of the set, 6 languages and two for the overhead; one output token each is all that is reserved for."""
    price = {"usd_per_million_in": 0, "usd_per_million_out": 1_000_000}
    bench.systems(
        {"id": "m", "client": "openai", "options": {"url": "http://127.0.0.1/v1", "model": "x"}, "price": price}
    )
    for size, cases in ((1, 8), (5, 32), (60, 302)):
        [line] = estimate(str(bench.root), ["language_tax"], ["m"], size, 1, None, False)
        assert (line.cases, line.to_ask, line.is_sampled) == (cases, cases, False)
        assert line.most_usd == cases


def test_a_system_with_a_limit_of_cases_is_asked_about_so_many(bench: Bench) -> None:
    """The first pairs of the set, as the stage asks them; before the set is built the number alone is known."""
    bench.systems({"id": "m", "cases_at_most": {"invoices": 2}})
    [line] = bench.estimate("m", size=12)
    assert (line.cases, line.to_ask, line.is_sampled) == (2, 2, True)
    bench.cases(["text"] * 4)
    [line] = bench.estimate("m")
    assert (line.cases, line.to_ask, line.is_sampled) == (2, 2, False)
    bench.systems({"id": "m", "cases_at_most": {"language_tax": 2}})
    assert [x.cases for x in bench.estimate("m")] == [4]
