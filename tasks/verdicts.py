"""Verdicts as rows: from what a juror said to the permanent record, and from the record to the answers of the panel (J-4, J-6).

The suite's one system is the panel. Its answers to a claim are all replies that were ever recorded, one a trial, with names masked, in an
order that tells nothing of who gave them; from them grades, profiles and tendencies are made as in every suite. What would let a juror
be recognised (cost, times, tokens, the hash that leads to the call) stays in `votes` and `calls`.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from datasets import checks as records
from datasets.digests import digest_of
from datasets.jury import case_id_of, known_names
from datasets.store import Store
from datasets.tables import Place, read_part, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.jury import LEAST_VERDICTS, PANEL, SAFE_POOL, SUITE, Counts
from schemas.naming import mask
from schemas.row import to_table
from schemas.sitting import Draw, Juror
from schemas.vote import EVER, Check, Vote
from tasks.bench import Heard
from tasks.choose import known_systems
from tasks.gate import pass_gate
from tasks.shards import Made, Outcome, Shard, finish, plan
from tasks.test import cases_of

VERSION = "panel-1"
"""Rises when the same verdicts become other answers."""


def names_to_mask(jurors: Iterable[Juror] = ()) -> tuple[str, ...]:
    """The names that no reason may show: of all in the pool, of these jurors, and of well-known makers and models (J-6)."""
    known = known_systems()
    pool = [name for system in known.values() if system.juror for name in system.names]
    of_jurors = [
        name
        for juror in jurors
        for name in (*(known[juror.id].names if juror.id in known else ()), juror.id, juror.vendor, juror.family)
    ]
    return tuple(dict.fromkeys([*pool, *of_jurors, *known_names()]))


def keep(store: Store, checks: Sequence[Check], votes: Sequence[Vote]) -> None:
    """Through the gate, then into the permanent record."""
    for model, rows in ((Vote, votes), (Check, checks)):
        if rows:
            pass_gate(store, model, records.HOME, rows[0].run_id, to_table(model, rows), run_id=rows[0].run_id)
    records.record(store, checks, votes)


def vote_of(
    run_id: str, draw: Draw, case: Case, heard: Mapping[Juror, Heard], juror: Juror, names: Sequence[str]
) -> Vote:
    """The row of one juror's valid verdict; names in its reason are masked, and a month after the day of the check is none (J-2, J-6)."""
    said = heard[juror]
    assert said.ballot.verdict is not None
    masked = mask(said.ballot.reason, names) if said.ballot.reason else None
    since = said.ballot.since
    return Vote(
        suite=SUITE,
        edition=EVER,
        claim_id=draw.claim_id,
        check_id=draw.check_id,
        system_id=juror.id,
        vendor=juror.vendor,
        family=juror.family,
        place=draw.order.index(juror) + 1,
        verdict=said.ballot.verdict,
        reason=masked.text if masked else None,
        is_withheld=bool(masked and masked.count),
        since=since if since is not None and since <= draw.today[:7] else None,
        text=said.text,
        pool=[other.written() for other in draw.order],
        key_mark=draw.key_mark,
        request_hash=said.request_hash,
        language=draw.language,
        source="panel",
        panel_size=draw.size,
        is_incomplete=len(heard) < LEAST_VERDICTS,
        checked_at=draw.opened_at,
        prompt_version=case.prompt_version,
        set_version=case.set_version,
        run_id=run_id,
    )


def check_of(votes: Sequence[Vote], case: Case, draw: Draw, run_id: str) -> Check:
    """The public row of a check, from its votes."""
    counts = Counts.of(vote.verdict for vote in votes)
    return Check(
        suite=SUITE,
        edition=EVER,
        claim_id=draw.claim_id,
        check_id=draw.check_id,
        checked_at=draw.opened_at,
        **counts.model_dump(),
        jurors=len(votes),
        panel_size=draw.size,
        is_incomplete=len(votes) < LEAST_VERDICTS,
        is_small_pool=len(draw.order) < SAFE_POOL,
        language=draw.language,
        source="panel",
        prompt_version=case.prompt_version,
        set_version=case.set_version,
        run_id=run_id,
    )


def lay_answers(store: Store, edition: str) -> Outcome:
    """The answers of the panel in an edition, from all verdicts ever recorded (J-3); nothing is written where none is new."""
    votes = records.read_votes(store)
    names = names_to_mask(Juror(id=v.system_id, vendor=v.vendor, family=v.family) for v in votes)
    by_case: dict[str, list[Vote]] = {}
    for vote in votes:
        by_case.setdefault(case_id_of(vote.claim_id, vote.language), []).append(vote)
    place = Place(suite=SUITE, edition=edition, system=PANEL)
    shards, tables = [], {}
    for part in cases_of(store, SUITE, edition):
        cases = read_part(store, Case, Place(suite=SUITE, edition=edition), part.name, ["case_id"])[
            "case_id"
        ].to_pylist()
        rows = [answer for case_id in cases for answer in _answers(edition, case_id, by_case.get(case_id, ()), names)]
        table = to_table(Answer, rows)
        key = shard_key("answers", Answer.version, VERSION, part.digest, digest_of(Answer, table))
        shards.append(Shard(root=store.address, place=place, number=part.shard, key=key, size=table.num_rows))
        tables[key] = table
    wanted = plan(store, Answer, place, shards)
    made = []
    for shard in wanted.missing:
        pass_gate(store, Answer, place, shard.key, tables[shard.key], min_rows=0, run_id=shard.run_id)
        part = write_table(store, Answer, place, shard.key, shard.number, tables[shard.key])
        made.append(Made(key=shard.key, rows=part.rows))
    return finish(store, Answer, wanted, made)


def _answers(edition: str, case_id: str, votes: Sequence[Vote], names: Sequence[str]) -> Iterable[Answer]:
    """One answer a verdict; within a check in the order of what was said."""
    masked = [(vote, mask(vote.text, names).text) for vote in votes]
    when = {vote.check_id: at for at, vote in reversed(list(enumerate(votes)))}
    masked.sort(key=lambda one: (when[one[0].check_id], one[0].verdict, one[1]))
    for trial, (vote, text) in enumerate(masked, start=1):
        yield Answer(
            suite=SUITE,
            edition=edition,
            system_id=PANEL,
            case_id=case_id,
            trial=trial,
            status="ok",
            text=text,
            replies=[text],
            request_hashes=[],
            system_version=VERSION,
            prompt_version=vote.prompt_version,
            error=None,
            cost_usd=Decimal(0),
            latency_ms=0,
            run_id=vote.run_id,
        )
