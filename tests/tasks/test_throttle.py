"""Calls in flight: grow while all goes well, shrink when told to, and never pass the limit (M-5)."""

import asyncio
import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.store import Store
from schemas.system import System
from tasks.throttle import Throttle, throttle_name
from tasks.waits import Waits


def grow(throttle: Throttle, answers: int) -> None:
    for _ in range(answers):
        throttle.went_well()


def test_it_doubles_each_round_until_the_first_slow_down_then_grows_by_one_a_round() -> None:
    throttle = Throttle("t", 64)
    assert throttle.limit == 32
    grow(throttle, 32)
    assert throttle.limit == 64
    grow(throttle, 100)
    assert throttle.limit == 64
    throttle.slow_down(0)
    assert throttle.limit == 32
    grow(throttle, 31)
    assert throttle.limit == 32
    grow(throttle, 1)
    assert throttle.limit == 33


def test_one_burst_of_refusals_halves_once() -> None:
    throttle = Throttle("t", 64)
    for _ in range(20):
        throttle.slow_down(0.5)
    assert throttle.limit == 16
    assert throttle.until > time.time() + 0.3


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["well", "slow"]), max_size=200), st.integers(1, 70))
def test_the_limit_stays_between_one_and_the_most(steps: list[str], most: int) -> None:
    throttle = Throttle("t", most)
    for step in steps:
        throttle.went_well() if step == "well" else throttle.slow_down(0)
        assert 1 <= throttle.limit <= most


def test_never_more_in_flight_than_the_limit_and_nobody_is_left_waiting() -> None:
    throttle = Throttle("t", 8)
    peak = 0

    async def call(number: int) -> None:
        nonlocal peak
        async with throttle:
            peak = max(peak, throttle.in_flight)
            assert throttle.in_flight <= 8
            await asyncio.sleep(0.001)
            throttle.slow_down(0) if number % 17 == 0 else throttle.went_well()

    async def all_of_them() -> None:
        await asyncio.gather(*(call(n) for n in range(300)))

    asyncio.run(asyncio.wait_for(all_of_them(), 30))
    assert throttle.in_flight == 0
    assert 2 <= peak <= 8


def test_nobody_starts_before_the_time_that_was_told() -> None:
    throttle = Throttle("t", 4)
    throttle.slow_down(0.3)
    begun = time.time()

    async def call() -> float:
        async with throttle:
            return time.time()

    async def both() -> list[float]:
        return list(await asyncio.gather(call(), call()))

    assert min(asyncio.run(both())) >= begun + 0.29


def test_another_worker_heeds_the_record_in_the_store(tmp_path: Path) -> None:
    """A wait of a second and more is written down; a throttle elsewhere that recalls it waits as long, a shorter one is not."""
    waits = Waits(Store.open(tmp_path / "s"))
    told, short, other = Throttle("gateway", 8), Throttle("short", 8), Throttle("gateway", 8)
    told.slow_down(30)
    waits.tell(told)
    short.slow_down(0.5)
    waits.tell(short)
    waits.recall(other)
    assert other.until == told.until
    assert [p.name for p in (tmp_path / "s" / "notbefore").iterdir()] == ["gateway.json"]


def test_the_name_is_a_slug_of_what_shares_a_limit() -> None:
    base = {"id": "a", "name": "A", "vendor": "v", "family": "f", "suites": (), "inputs": ("text",)}
    one = System.model_validate(
        {**base, "client": "openrouter", "provider": "Some Host", "options": {"model": "Acme/Big:1"}}
    )
    two = one.model_copy(update={"id": "b"})
    assert throttle_name(one) == throttle_name(two) == "openrouter-some-host-acme-big-1"
    assert throttle_name(one.model_copy(update={"provider": "Other"})) != throttle_name(one)


def test_who_has_the_smaller_order_goes_first_then_who_came_first() -> None:
    """The older desk's cases are asked before those of the younger, also where these waited longer."""
    throttle = Throttle("t", 2)
    assert throttle.limit == 1
    went: list[tuple[int, int]] = []

    async def call(order: int, number: int) -> None:
        await throttle.enter(order)
        went.append((order, number))
        await asyncio.sleep(0)
        throttle.leave()

    async def all_of_them() -> None:
        await throttle.enter()
        calls = [asyncio.ensure_future(call(order, number)) for number in range(4) for order in (2, 1)]
        await asyncio.sleep(0)
        throttle.leave()
        await asyncio.gather(*calls)

    asyncio.run(asyncio.wait_for(all_of_them(), 10))
    assert went == sorted(went)
    assert throttle.in_flight == 0
