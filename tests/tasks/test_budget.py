"""The budget: threads that reserve and settle at once never pass the limit, and the parts add up (M-8)."""

import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import BudgetError
from schemas.system import System
from tasks.budget import Budget, open_budget

PRICES = st.decimals("0", "3", places=9)


@pytest.fixture(autouse=True)
def _threads_change_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def spend(budget, seed, paid):
    """Many calls, one after another: each may cost at most something and costs that or less."""
    drawn = random.Random(seed)
    for _ in range(300):
        most = Decimal(drawn.randrange(10**9)).scaleb(-9)
        try:
            budget.reserve(most)
        except BudgetError:
            continue
        cost = most if drawn.random() < 0.5 else (most * drawn.randrange(10) / 10).quantize(Decimal("1e-9"))
        cost = min(cost, most)
        budget.settle(most, cost)
        paid.append(cost)


@pytest.mark.parametrize("limit", ["0", "0.000000001", "7.5", "120.123456789", "100000"])
def test_eight_threads_never_pass_the_limit_and_the_parts_add_up(limit):
    budget = Budget(Decimal(limit))
    paid = [[] for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: spend(budget, n, paid[n]), range(8)))
    total = sum((Fraction(c) for part in paid for c in part), Fraction(0))
    assert Fraction(budget.spent) == total <= Fraction(limit)
    if Decimal(limit) <= 120:
        assert sum(map(len, paid)) < 8 * 300  # the limit was met
    budget.reserve(Decimal(limit) - budget.spent)  # nothing is left reserved: what remains can be had to the last digit
    with pytest.raises(BudgetError):
        budget.reserve(Decimal("1e-9"))


class SlowDecimal(Decimal):
    """An amount whose addition takes its time, so that other threads come between."""

    def __radd__(self, other):
        time.sleep(0.01)
        return super().__radd__(other)


def test_calls_in_flight_count_at_their_most():
    """All eight reserve at once and none settles: as many pass as fit at their most."""
    budget, start, passed = Budget(Decimal("1.0")), threading.Barrier(8), []

    def one():
        start.wait()
        try:
            budget.reserve(SlowDecimal("0.3"))
        except BudgetError:
            return
        passed.append(1)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 3
    assert budget.spent == 0


@settings(max_examples=60, deadline=None)
@given(st.decimals("0", "20", places=9), st.lists(st.tuples(PRICES, PRICES, st.booleans()), max_size=30))
def test_in_any_order_the_limit_holds(limit, calls):
    """Oracle: fractions, and a list of what is in flight."""
    budget, flying, paid = Budget(limit), [], Fraction(0)
    for one, other, waits in calls:
        most, cost = max(one, other), min(one, other)
        would = paid + sum((Fraction(m) for m, _ in flying), Fraction(0)) + Fraction(most)
        if would > Fraction(limit):
            with pytest.raises(
                BudgetError, match=f"The budget of {limit} USD for the run does not allow the next call"
            ):
                budget.reserve(most)
            continue
        budget.reserve(most)
        flying.append((most, cost))
        if not waits:
            for m, c in flying:
                budget.settle(m, c)
                paid += Fraction(c)
            flying = []
        assert Fraction(budget.spent) == paid <= Fraction(limit)


def test_without_a_limit_all_is_allowed_and_counted():
    budget = Budget(None)
    for number in range(50):
        budget.reserve(Decimal("1e6"))
        budget.settle(Decimal("1e6"), Decimal(number).scaleb(-9))
    assert budget.spent == Decimal("0.000001225")


def test_a_system_has_its_own_share_of_the_run_and_neither_limit_is_passed():
    """M-8: a budget for the run and for a model; what the share refuses is not set aside in the whole either."""
    system = System.model_validate({
        "id": "dear", "name": "d", "vendor": "v", "family": "f", "client": "openai", "suites": (), "inputs": ("text",),
        "limits": {"run_usd": 2},
    })  # fmt: skip
    whole = open_budget("run with a share", Decimal(3))
    share = open_budget("run with a share", Decimal(3), system)
    assert open_budget("run with a share", Decimal(3), system) is share
    share.reserve(Decimal("1.5"))
    with pytest.raises(BudgetError, match="2 USD for 'dear'"):
        share.reserve(Decimal("0.6"))
    whole.reserve(Decimal("1.5"))
    whole.settle(Decimal("1.5"), Decimal("1.4"))
    with pytest.raises(BudgetError, match="3 USD for the run"):
        share.reserve(Decimal("0.2"))
    share.settle(Decimal("1.5"), Decimal("0.3"))
    assert (share.spent, whole.spent) == (Decimal("0.3"), Decimal("1.7"))
    share.reserve(Decimal("1.3"))


def test_a_run_has_one_budget_and_its_first_call_decides_the_limit():
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda n: open_budget("run of test_budget", Decimal(n)), [5] * 64))
    (budget,) = found
    assert open_budget("run of test_budget", Decimal(9)).limit == 5
    assert open_budget("another run of test_budget", None) is not budget
