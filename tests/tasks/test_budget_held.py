"""No budget is ever passed, whatever calls cost and however many are in flight: the door against a naive ledger (M-8)."""

import asyncio
import json
import random
from collections.abc import Collection
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests_support import case_of

from schemas.errors import BudgetError
from schemas.exchange import Attachment, Brief, Message, Reply, Request, Transcript
from schemas.system import System
from tasks import throttle
from tasks.ask import Desk
from tasks.budget import Budget, bound_usd, most_tokens_in
from tasks.clients.charged import Charged
from tasks.loop import run

SCHEMA = {"type": "object", "properties": {f"pole_{n}": {"type": "string"} for n in range(40)}}
PICTURE = Attachment(kind="image", media_type="image/png", sha256="0" * 64, data=b"png")


class Ledger:
    """A gateway that takes as many tokens as it can for a request, and writes down what it was paid and what is under way."""

    version = "1"

    def __init__(self, system: System, limit: Decimal, seed: int) -> None:
        self.system, self.limit, self.random = system, Fraction(limit), random.Random(seed)
        self.paid = Fraction(0)
        self.under_way: list[Fraction] = []

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def answers(self, case_id: str) -> bool:
        return True

    def problems(self, cases: Collection[str]) -> list[str]:
        return []

    async def complete(self, request: Request) -> Reply:
        [message] = request.messages
        written = len(message.text.encode()) + len(json.dumps(request.answer_schema).encode())
        most_in = written // 2 + 90 + 4000 * len(message.attachments)
        share = self.random.choice((1, 1, self.random.random()))
        tokens_in, tokens_out = int(most_in * share), int(self.system.limits["max_tokens"] * share)
        price = self.system.price
        assert price
        exact = Fraction(price.usd_per_request) + len(message.attachments) * Fraction(price.usd_per_image)
        exact += (
            tokens_in * Fraction(price.usd_per_million_in) + tokens_out * Fraction(price.usd_per_million_out)
        ) / 10**6
        self.under_way.append(exact)
        assert self.paid + sum(self.under_way) <= self.limit
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        self.under_way.remove(exact)
        if self.random.random() < 0.1:  # an error costs nothing
            return Reply(status="api_error", fault="server", wait_s=0.0, error="weather")
        self.paid += exact
        how = self.random.choice(("stated", "tokens", "silent"))
        if how == "stated":
            stated = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal("1e-9"), ROUND_CEILING)
            return Reply(status="ok", text="{}", cost_usd=stated, cost_from="stated")
        if how == "tokens":
            return Reply(status="ok", text="{}", tokens_in=tokens_in, tokens_out=tokens_out)
        return Reply(status="ok", text="{}")


class Nowhere:
    """Stands for the journal and the record of waits."""

    async def append(self, call: Any) -> None:
        await asyncio.sleep(0)

    def recall(self, _: Any) -> None: ...

    def tell(self, _: Any) -> None: ...


def once(brief: Brief, transcript: Transcript) -> Message | None:
    return None if transcript else Message(role="user", text=brief.prompt, attachments=brief.attachments)


usd = st.decimals("0", "60", places=3)


def system_of(prices: tuple[Decimal, ...], max_tokens: int, at_once: int) -> System:
    names = ("usd_per_million_in", "usd_per_million_out", "usd_per_request", "usd_per_image")
    scaled = (*prices[:2], *(p / 10_000 for p in prices[2:]))
    entry = {
        "id": "m",
        "name": "m",
        "vendor": "v",
        "family": "f",
        "client": "openai",
        "suites": (),
        "inputs": ("image",),
    }
    limits = {"max_tokens": max_tokens, "at_once": at_once}
    return System.model_validate(
        {**entry, "options": {"model": "m"}, "limits": limits, "price": dict(zip(names, scaled, strict=True))}
    )


@settings(max_examples=120, deadline=None)
@given(
    prices=st.tuples(usd, usd, usd, usd), max_tokens=st.integers(1, 3000), at_once=st.integers(1, 8), n=st.integers(1, 10),
    share=st.fractions(0, 2), has_picture=st.booleans(), text=st.text(max_size=80), seed=st.integers(0, 10**6),
)  # fmt: skip
def test_the_budget_is_never_passed(
    prices: tuple[Decimal, ...], max_tokens: int, at_once: int, n: int, share: Fraction, has_picture: bool, text: str, seed: int
) -> None:  # fmt: skip
    """share: the budget as a share of what all calls can cost at most; with all of it every case is answered."""
    throttle._THROTTLES.clear()
    system = system_of(prices, max_tokens, at_once)
    prompt = text.encode("utf-8", "replace").decode()
    briefs = [
        Brief(suite="invoices", case_id=f"c{i}", language="cs", prompt=f"{prompt}{i}", prompt_version="p", answer_schema=SCHEMA,
              attachments=(PICTURE,) if has_picture else ())
        for i in range(n)
    ]  # fmt: skip
    request = Request(
        system_id="m", suite="invoices", case_id="c", language="cs", answer_schema=SCHEMA,
        messages=(Message(role="user", text=briefs[-1].prompt, attachments=briefs[-1].attachments),),
    )  # fmt: skip
    whole = bound_usd(system, request)
    assert whole is not None
    limit = (whole * n * share.numerator / share.denominator).quantize(Decimal("1e-9"), ROUND_CEILING)
    ledger, budget = Ledger(system, limit, seed), Budget(limit)
    desk = Desk(system, Charged(ledger, system), {}, budget, "r", Nowhere())  # type: ignore[arg-type]  # stands for the record of waits
    desk.open(Nowhere())  # type: ignore[arg-type]  # stands for the journal

    async def all_of_them() -> list[Any]:
        talks = (desk.converse(case_of(b.case_id), b, once) for b in briefs)
        return await asyncio.gather(*talks, return_exceptions=True)

    results = run(all_of_them())
    assert not [r for r in results if isinstance(r, BaseException) and not isinstance(r, BudgetError)]
    assert ledger.paid <= Fraction(budget.spent) <= Fraction(limit)
    if share >= 1:
        assert not [r for r in results if isinstance(r, BaseException)]


def test_the_bound_by_hand() -> None:
    """Two messages of 9 and 11 bytes, a schema of 18, a text of 5: 43 bytes are 22 tokens; a picture 4,000; two frames 200; 7 tokens out."""
    system = system_of((Decimal(2), Decimal(8), Decimal(100), Decimal(50)), 9, 1)
    request = Request(
        system_id="m", suite="s", case_id="c", language="cs", answer_schema={"type": "object"}, max_tokens=7,
        messages=(
            Message(role="user", text="Přečti!", attachments=(PICTURE, PICTURE.model_copy(update={"kind": "text", "data": b"abcde"}))),
            Message(role="assistant", text="Hello there"),
        ),
    )  # fmt: skip
    assert most_tokens_in(request) == 22 + 4000 + 200
    assert bound_usd(system, request) == Decimal(4222 * 2 + 7 * 8) / 1_000_000 + Decimal("0.01") + Decimal("0.005")
    assert bound_usd(system.model_copy(update={"limits": {}}), request.model_copy(update={"max_tokens": None})) is None
    assert bound_usd(system.model_copy(update={"price": None}), request) is None
    assert bound_usd(system.model_copy(update={"limits": {"max_cost_usd": "0.5"}}), request) == Decimal("0.5")


@pytest.mark.parametrize(
    ("told", "cost", "origin"),
    [
        ({"cost_usd": "0.5", "cost_from": "stated", "tokens_in": 10, "tokens_out": 1}, "0.5", "stated"),
        ({"cost_usd": "0", "cost_from": "stated", "tokens_in": 10, "tokens_out": 1}, "0", "stated"),
        ({"tokens_in": 1000, "tokens_out": 100}, "0.0028", "price"),
        ({"tokens_in": 1, "tokens_out": 0}, "0.000002", "price"),
        ({"tokens_in": 1000}, "0.000272", "most"),
        ({}, "0.000272", "most"),
        ({"status": "api_error"}, "0", None),
        ({"status": "filtered"}, "0", None),
    ],
)
def test_what_a_call_cost_by_hand(told: dict[str, Any], cost: str, origin: str | None) -> None:
    """2 USD a million in, 8 out, 8 tokens out at most, a message of 8 bytes: at most 4 + 100 in and 8 out."""
    from tasks.clients.charged import charged

    system = system_of((Decimal(2), Decimal(8), Decimal(0), Decimal(0)), 8, 1)
    request = Request(
        system_id="m", suite="s", case_id="c", language="en", messages=(Message(role="user", text="12345678"),)
    )
    reply = charged(Reply.model_validate({"status": "ok", **told}), system, request)
    assert (reply.cost_usd, reply.cost_from) == (Decimal(cost), origin)
