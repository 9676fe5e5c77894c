"""Rows for tests of the storage layer: drawn ones for every table, and made ones with a value a test cares about."""

import contextlib
import datetime as dt
import typing as t
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import strategies as st
from pydantic import AwareDatetime, BaseModel

from datasets.store import Store
from datasets.tables import Place
from schemas.call import Call
from schemas.grade import Grade
from schemas.jury import MONTH
from schemas.row import Column, Row, columns, unwrap
from schemas.tendency import Tendency

PLACE = Place(suite="invoices", edition="v1-s7-n6-pabc", system="rules")
WORDS = st.sampled_from(["Příliš žluťoučký kůň", "„ú\u00a0n“", "", "\n", "a\u0301", "𝄞", "line\r\nline\u2028line"])
PATTERNS = {
    "^[0-9a-f]{64}$": st.integers(0, 16**64 - 1).map(lambda n: f"{n:064x}"),
    "^[a-z0-9-]+$": st.text("az09-", min_size=1, max_size=8),
    "^[a-z0-9][a-z0-9.-]*$": st.text("az09.-", max_size=8).map(lambda s: f"n{s}"),
    MONTH: st.tuples(st.integers(1900, 2099), st.integers(1, 12)).map(lambda m: f"{m[0]}-{m[1]:02}"),
    "^[a-z][a-z0-9._-]*$": st.text("az09._-", max_size=8).map(lambda s: f"s{s}"),
}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | WORDS
FIRST, LAST = dt.datetime(1990, 1, 1), dt.datetime(2200, 1, 1)  # noqa: DTZ001 - hypothesis adds the zone
TIMES = st.datetimes(FIRST, LAST, timezones=st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=2))]))


def values(core: t.Any, column: Column) -> st.SearchStrategy[t.Any]:
    """What a column of a core type may hold, as its constraints allow."""
    if column.choices and core is column.type:
        return st.sampled_from(column.choices)
    if t.get_origin(core) is list:
        inner = unwrap(t.get_args(core)[0])[0]
        return st.lists(values(inner, column), max_size=3)
    if isinstance(core, type) and issubclass(core, BaseModel):
        return st.builds(core, **{c.name: maybe(c) for c in columns(core)})
    if core is str:
        return PATTERNS.get(column.constraint("pattern"), TEXT)
    if core is Decimal:
        places = column.constraint("decimal_places")
        return st.integers(0, 10 ** column.constraint("max_digits") - 1).map(lambda n: Decimal(n).scaleb(-places))
    low = column.constraint("ge")
    return {
        bool: st.booleans(),
        int: st.integers(-(2**63) if low is None else low, 2**63 - 1),
        float: st.floats(low, allow_nan=False),
        AwareDatetime: TIMES,
    }[core]


def maybe(column: Column) -> st.SearchStrategy[t.Any]:
    """The same, or None where the column may be null."""
    some = values(column.type, column)
    return st.none() | some if column.nullable else some


def rows(model: type[Row], **fixed: t.Any) -> st.SearchStrategy[list[Row]]:
    """Up to eight rows of a table with different keys, in any order; `suite` and `edition` are those of PLACE."""
    fixed = {"suite": PLACE.suite, "edition": PLACE.edition, **fixed}
    drawn = {c.name: maybe(c) for c in columns(model) if c.name not in fixed}
    one = st.fixed_dictionaries(drawn).map(lambda d: model.model_validate({**fixed, **d}))
    return st.lists(one, max_size=8, unique_by=lambda r: tuple(getattr(r, k) for k in model.key))


def call(number: int, **changed: t.Any) -> Call:
    """A call; its number decides its request and its id."""
    values = {
        "suite": PLACE.suite, "edition": PLACE.edition, "system_id": "rules", "case_id": f"c{number}", "trial": 1, "turn": 1,
        "attempt": 1, "call_id": f"id-{number}", "request_hash": f"{number:064x}", "status": "ok", "text": "žluťoučký",
        "error": None, "finish_reason": None, "provider": None, "generation_id": None, "tokens_in": None, "tokens_out": 7,
        "cost_usd": Decimal("0.000000001"), "latency_ms": 5, "asked_at": dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC),
        "prompt_version": "1", "set_version": "1", "run_id": "r",
    }  # fmt: skip
    return Call.model_validate(values | changed)


def grade(number: int, **changed: t.Any) -> Grade:
    """A grade; its number decides its case."""
    values = {
        "suite": PLACE.suite, "edition": PLACE.edition, "system_id": "rules", "case_id": f"c{number:03}", "trial": 1,
        "pass_name": "atomic", "judge_id": "fields", "item": "total", "points": 1.0, "max_points": 1.0, "label": "right",
        "error": None, "expected": "1\u00a0210,00 Kč", "given": None, "reason": None, "quote": None, "rubric_version": "1",
    }  # fmt: skip
    return Grade.model_validate(values | changed)


def tendency(number: int, **changed: t.Any) -> Tendency:
    """A tendency; its number decides its group."""
    values = {
        "suite": PLACE.suite, "edition": PLACE.edition, "system_id": "rules", "split": "public", "dimension": "field",
        "group_name": f"g{number:03}", "metric": "faultless", "value": 0.5, "low": None, "high": None, "method": "none",
        "n_documents": 3, "n_items": 3, "n_left_out": 0, "note": None, "seed": 1, "set_version": "1", "prompt_version": "1",
        "rubric_version": "1", "run_id": "r", "run_date": "2026-11-29",
    }  # fmt: skip
    return Tendency.model_validate(values | changed)


def grades(*numbers: int, **changed: t.Any) -> list[Grade]:
    """One grade a number."""
    return [grade(n, **changed) for n in numbers]


def new_store(folder: Path) -> Store:
    """A store of the test's own."""
    return Store.open(folder / "store")


class KilledError(BaseException):
    """Stands for a kill at one place; no `except Exception` sees it."""


@contextlib.contextmanager
def killed_at(method: str, prefix: str, at: int = 1) -> Iterator[None]:
    """Stop what stands inside at the n-th use of a method of any store on a name with this prefix, as a kill there would."""
    really, uses = getattr(Store, method), [0]

    def stopping(store: Store, name: str, *rest: t.Any, **options: t.Any) -> t.Any:
        if name.startswith(prefix):
            uses[0] += 1
            if uses[0] == at:
                raise KilledError
        return really(store, name, *rest, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, method, stopping)
        with pytest.raises(KilledError):
            yield
