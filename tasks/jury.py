"""The jury sits: the claims longest unchecked are judged by panels drawn for them, and every verdict is recorded once (J-1 to J-7).

`plan_sitting` fixes what a run is to check and writes every check down with its number, its draw and its day. `hear_checks` asks the
panels and records what they said. Whoever repeats either after a stop comes to the same checks, the same jurors and the same words, so
what was answered is not asked again, and a check that is recorded stays as it is.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from prefect import task

from datasets import checks as records
from datasets.jury import case_id_of, claim_of, dated
from datasets.store import Store
from datasets.tables import Place, read, rows_of
from schemas.case import Case
from schemas.errors import StageError, UsageError
from schemas.exchange import DocumentLanguage
from schemas.jury import SUITE
from schemas.sitting import Draw, Juror, Sitting
from schemas.vote import Check
from tasks.bench import Bench, Heard
from tasks.choose import known_systems
from tasks.loop import run
from tasks.panel import jurors, jury_key, key_mark, order_of, panel_size, pool_of, seat, why_no_panel
from tasks.progress import advance, begin
from tasks.shards import Made, Outcome
from tasks.verdicts import check_of, keep, lay_answers, names_to_mask, vote_of

NUMBERED = re.compile(r"c(\d{6,})")


def plan_sitting(
    root: str,
    edition: str,
    claims: int | None,
    run_id: str,
    language: DocumentLanguage = "cs",
    *,
    only_new: bool = False,
) -> Sitting:
    """Which checks a run makes: open ones first, then of the claims longest unchecked as many as are wanted (None: all), ties by id (J-4).

    The same run again comes to the same checks. only_new: no claim that was ever checked. UsageError that says what is missing where the
    pool is too small for a panel (J-7).
    """
    if claims is not None and claims < 1:
        raise UsageError(f"{claims} is not a number of claims; give 1 or more to --claims.")
    store, systems, size = Store.open(root), known_systems(), panel_size()
    if reason := why_no_panel(systems, size):
        raise UsageError(f"{reason[0].upper()}{reason[1:]}.")
    with records.alone(store):
        there = {claim_of(c) for c in _case_ids(store, edition)}
        done = records.read_checks(store)
        waiting = [d for d in records.open_draws(store) if d.claim_id in there]
        for name in {c.check_id for c in done} & {d.check_id for d in waiting}:
            records.close_draw(store, name)  # a stop between the record and the end of its draw
        waiting = [d for d in waiting if d.check_id not in {c.check_id for c in done}]
        wanted = (len(there) if claims is None else claims) - len(waiting) - sum(c.run_id == run_id for c in done)
        busy = {d.claim_id for d in waiting}
        queue = [
            c for c in longest_unchecked(there - busy, done) if not only_new or c not in {d.claim_id for d in done}
        ]
        key, pool = jury_key(store), jurors(pool_of(systems))
        number = _last_number([*(c.check_id for c in done), *(d.check_id for d in records.open_draws(store))])
        now = datetime.now(UTC)
        for claim_id in queue[: max(0, wanted)]:
            number += 1
            draw = Draw(
                check_id=f"c{number:06}",
                number=number,
                claim_id=claim_id,
                language=language,
                today=now.date().isoformat(),
                size=size,
                order=tuple(order_of(key, number, pool)),
                key_mark=key_mark(key),
                opened_at=now,
            )
            records.keep_draw(store, draw)
            waiting.append(draw)
    return Sitting(root=root, edition=edition, run_id=run_id, checks=tuple(d.check_id for d in waiting))


def longest_unchecked(claims: Collection[str], done: Sequence[Check]) -> list[str]:
    """Claims by their last check, the oldest first, those never checked before all others; ties by id (J-4)."""
    last: dict[str, datetime] = {}
    for check in done:
        last[check.claim_id] = max(check.checked_at, last.get(check.claim_id, check.checked_at))
    never = datetime.min.replace(tzinfo=UTC)
    return sorted(claims, key=lambda claim: (last.get(claim, never), claim))


@task(name="sit", task_run_name="sit {sitting.run_id}")
def hear_checks(sitting: Sitting, budget_usd: Decimal | None = None) -> Made:
    """Make the checks of a sitting, all at once; those that are made are recorded also where something stopped the rest."""
    store = Store.open(sitting.root)
    with records.alone(store):
        draws = [d for d in records.open_draws(store) if d.check_id in sitting.checks]
        begin("sit", len(draws))
        voted = {v.check_id for v in records.read_votes(store)} if draws else set()
        to_ask = [d for d in draws if d.check_id not in voted]
        cases = {
            c.case_id: c for c in _cases(store, sitting.edition, {case_id_of(d.claim_id, d.language) for d in draws})
        }
        month = int(f"{datetime.now(UTC):%Y%m}")
        bench = Bench(store, sitting.edition, known_systems(), set(cases), month, sitting.run_id, budget_usd)
        try:
            results = run(_hear_all(bench, to_ask, cases)) if to_ask else []
        finally:
            asked = bench.file()
        heard = {d.check_id: r for d, r in zip(to_ask, results, strict=True) if isinstance(r, dict)}
        _record(store, sitting, [d for d in draws if d.check_id in {*heard, *voted}], heard, cases)
        for problem in results:
            if isinstance(problem, BaseException):
                raise problem
    return Made(key=sitting.run_id, rows=len(draws), counts={"calls": asked, "checks": len(draws)})


async def _hear_all(
    bench: Bench, draws: Sequence[Draw], cases: dict[str, Case]
) -> list[dict[Juror, Heard] | BaseException]:
    async with bench.open():
        return await asyncio.gather(
            *(_hear(bench, d, cases[case_id_of(d.claim_id, d.language)]) for d in draws), return_exceptions=True
        )


async def _hear(bench: Bench, draw: Draw, case: Case) -> dict[Juror, Heard]:
    """The valid verdicts of one check: the panel, then replacements in the order of the draw for whoever had none (J-4).

    BudgetError, or StageError where nobody could be asked: then the check stays open for the next sitting.
    """
    brief = dated(case.to_brief(), draw.today)
    heard: dict[Juror, Heard] = {}
    while True:
        valid = [juror for juror, said in heard.items() if said.ballot.verdict]
        called = seat([juror for juror in draw.order if juror not in heard], valid, draw.size)
        if not called:
            break
        said = await asyncio.gather(
            *(bench.ask(j.id, case, brief, draw.number) for j in called), return_exceptions=True
        )
        for one in said:
            if isinstance(one, BaseException):
                raise one
        heard |= dict(zip(called, (one for one in said if isinstance(one, Heard)), strict=True))
    found = {juror: said for juror, said in heard.items() if said.ballot.verdict}
    if not found and not all(said.is_final for said in heard.values()):
        why = next((said.problem for said in heard.values() if not said.is_final), None)
        raise StageError(
            f"No juror could be asked about {draw.claim_id!r} ({why}); its check stays open for the next sitting."
        )
    advance("sit")
    return found


def _record(
    store: Store,
    sitting: Sitting,
    draws: Sequence[Draw],
    heard: dict[str, dict[Juror, Heard]],
    cases: dict[str, Case],
) -> None:
    """Write what was heard into the permanent record, then close the draws."""
    names = names_to_mask([juror for draw in draws for juror in draw.order])
    votes = [
        vote_of(
            sitting.run_id, draw, cases[case_id_of(draw.claim_id, draw.language)], heard[draw.check_id], juror, names
        )
        for draw in draws
        if draw.check_id in heard
        for juror in heard[draw.check_id]
    ]
    before = records.read_votes(store) if draws else []
    checks = [
        check_of(
            [v for v in [*before, *votes] if v.check_id == draw.check_id],
            cases[case_id_of(draw.claim_id, draw.language)],
            draw,
            sitting.run_id,
        )
        for draw in draws
    ]
    keep(store, checks, votes)
    for draw in draws:
        records.close_draw(store, draw.check_id)


def seal_sitting(root: str, edition: str, results: Sequence[object] = ()) -> Outcome:
    """End the stage: the record of all verdicts becomes the answers of the panel; what a sitting could not do is told after that."""
    outcome = lay_answers(Store.open(root), edition)
    made = [result for result in results if isinstance(result, Made)]
    for result in results:
        if isinstance(result, BaseException):
            raise result
    names = sorted({name for one in made for name in one.counts})
    counts = {name: sum(one.counts.get(name, 0) for one in made) for name in names}
    return outcome.model_copy(update={"counts": {**outcome.counts, **counts}})


def _case_ids(store: Store, edition: str) -> list[str]:
    place = Place(suite=SUITE, edition=edition)
    found: list[str] = read(store, Case, place, ["case_id"])["case_id"].to_pylist()
    return found


def _cases(store: Store, edition: str, wanted: set[str]) -> list[Case]:
    cases = rows_of(Case, read(store, Case, Place(suite=SUITE, edition=edition)))
    return [case for case in cases if case.case_id in wanted]


def _last_number(checks: Iterable[str]) -> int:
    """The highest number that a check ever had.

    >>> _last_number(["c000012", "r0123456789ab", "c000007"])
    12
    """
    return max((int(found[1]) for check in checks if (found := NUMBERED.fullmatch(check))), default=0)
