"""A run: what was ordered, what came of it, and its manifest in the store (`runs/<run_id>.json`)."""

import json
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from datasets.editions import load_edition
from datasets.store import Store
from datasets.tables import Place, read
from schemas.answer import Answer
from schemas.call import Call
from schemas.case import Case
from schemas.errors import StageError, UsageError, ZkusebnaError
from schemas.exchange import Brief, Frozen
from schemas.tendency import Tendency
from tasks.ask import make_client
from tasks.choose import choose_systems, find_system
from tasks.manifest import made_with
from tasks.past_runs import keep_stands
from tasks.retries import ALWAYS
from tasks.shards import Outcome
from tasks.suites import SUITES, suite_of
from tasks.trials import is_answered
from tasks.trials_ordered import check_trials


class OrderPart(Frozen):
    """One suite of a run: its size, the trials of a case that were ordered, the systems asked, those left out with the reason."""

    suite: str
    size: int
    trials: int | None = None
    systems: tuple[str, ...]
    left_out: dict[str, str]


class Order(Frozen):
    """All that a run is to do."""

    run_id: str
    seed: int
    parts: tuple[OrderPart, ...]


def new_run_id() -> str:
    """An id for a run: the time in UTC and four random hex digits."""
    return f"r{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(2)}"


def open_order(
    root: str,
    suites: Sequence[str] | None,
    systems: Sequence[str] | None,
    size: int | None,
    seed: int,
    recorded: Mapping[str, str] | None,
    is_full: bool,
    run_id: str = "",
    trials: int | None = None,
) -> Order:
    """What a run is to do, checked before anything is done; UsageError for a wrong word, size, number of trials or store."""
    Store.open(root)
    if size is not None and size < 1:
        raise UsageError(f"The size {size} is not a number of documents; give 1 or more to --size.")
    check_trials(trials, suites)
    parts = []
    for word in suites or list(SUITES):
        suite = suite_of(word)
        choice = choose_systems(systems, word, recorded)
        wanted = suite.size(size, is_full=is_full)
        names = tuple(s.id for s in choice.systems)
        times = trials if suite.most_trials else None
        parts.append(OrderPart(suite=word, size=wanted, trials=times, systems=names, left_out=choice.left_out))
    if not any(part.systems for part in parts):
        reasons = "; ".join(f"{name}: {why}" for part in parts for name, why in part.left_out.items())
        raise UsageError(f"None of the systems can run here: {reasons}.")
    return Order(run_id=run_id or new_run_id(), seed=seed, parts=tuple(parts))


def finish_run(root: str, order: Order, results: Sequence[Any]) -> None:
    """Write the manifest of the run: versions, what was asked, what was done, what failed; no secret stands in it."""
    done = [o.model_dump() for result in results if isinstance(result, list) for o in result]
    failed = [str(result) for result in results if isinstance(result, BaseException)]
    manifest = {
        "order": order.model_dump(),
        "made_with": made_with(),
        "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "outcomes": done,
        "stands": _stands(root, results),
        "failed": failed,
    }
    Store.open(root).put(f"runs/{order.run_id}.json", json.dumps(manifest, indent=1).encode())


def _stands(root: str, results: Sequence[Any]) -> list[dict[str, Any]]:
    """What the run ended with, kept for comparisons (`tasks/past_runs.py`)."""
    store = Store.open(root)
    places = [o.place for result in results if isinstance(result, list) for o in result if o.table == Tendency.table]
    seeds = {(p.suite, p.edition): load_edition(store, p.suite, p.edition).seed for p in places}
    return [stand.model_dump() for stand in keep_stands(store, places, seeds)]


def told_together(results: Sequence[Any]) -> list[Outcome]:
    """The outcomes of all suites; the first reason where a suite failed, as it was raised if it is one of ours."""
    failed = [r for r in results if isinstance(r, BaseException)]
    if failed:
        if isinstance(failed[0], ZkusebnaError):
            raise failed[0]
        raise StageError(f"{type(failed[0]).__name__}: {failed[0]}") from failed[0]
    return [outcome for result in results for outcome in result]


def problems_of(root: str, order: Order, outcomes: Sequence[Outcome], recorded: Mapping[str, str]) -> list[str]:
    """What was wrong with what people gave: broken files of authored cases and control answers, broken lines of recorded answers."""
    store = Store.open(root)
    editions = {(o.place.suite, o.place.edition) for o in outcomes if o.table == Case.table}
    cases = {
        name
        for suite, edition in editions
        for name in read(store, Case, Place(suite=suite, edition=edition), ["case_id"])["case_id"].to_pylist()
    }
    asked = {name for part in order.parts for name in part.systems if name in recorded}
    authored = [line for part in order.parts for line in getattr(suite_of(part.suite).source, "problems", list)()]
    clients = {name: make_client(find_system(name, recorded)) for name in sorted(asked)}
    authored_sets = [Place(suite=s, edition=e) for s, e in editions if not suite_of(s).is_generated] if clients else []
    for brief in (text for place in authored_sets for text in read(store, Case, place, ["brief"])["brief"].to_pylist()):
        for client in clients.values():
            is_answered(client, Brief.model_validate_json(brief))  # so that it knows how many turns there are
    return authored + [f"{name}: {line}" for name, client in clients.items() for line in client.problems(cases)]


def unanswered(root: str, outcomes: Sequence[Outcome]) -> tuple[list[str], list[str]]:
    """The answers that could not be had, a phrase a suite and system with the commonest reason: to be asked again, and refused.

    Refused are single requests that the system does not take (the fault `request`), where it took others: no later run can help that.
    """
    store = Store.open(root)
    again: list[str] = []
    refused: list[str] = []
    for place in [o.place for o in outcomes if o.table == Answer.table]:
        rows = read(store, Answer, place, ["status", "error", "request_hashes"]).to_pylist()
        lacking = [row for row in rows if row["status"] in ALWAYS]
        if not lacking:
            continue
        useless = _refused(store, place) if len(lacking) < len(rows) else set()
        for told, is_useless in ((again, False), (refused, True)):
            some = [r for r in lacking if (r["request_hashes"][-1] in useless) == is_useless]
            if some:
                reason = Counter(r["error"] or r["status"] for r in some).most_common(1)[0][0]
                told.append(f"{place.suite} {place.system}: {len(some)} of {len(rows)} ({reason})")
    return again, refused


def _refused(store: Store, place: Place) -> set[str]:
    """Requests whose last attempt was refused for what it asks."""
    calls = read(store, Call, place, ["request_hash", "attempt", "fault"]).to_pylist()
    last = {call["request_hash"]: call["fault"] for call in sorted(calls, key=lambda c: c["attempt"])}
    return {h for h, fault in last.items() if fault == "request"}
