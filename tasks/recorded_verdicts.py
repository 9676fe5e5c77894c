"""Verdicts that were made elsewhere join the record, read and checked as those of a panel are (J-4, J-6).

    {"claim": "book-vacation", "system": "acme-large", "vendor": "Acme", "family": "acme", "date": "2026-03-01", "text": "{\\"verdict\\": …}"}

One JSON line a verdict. `vendor` and `family` may be left out for a system of the file of systems, `language` where it is cs. The verdicts of
a claim and day are one check; a vendor or family has one in it. What is wrong with a line is told with its number, the rest is taken; a
verdict that was brought in before is told and not taken again.
"""

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import ConfigDict, Field, ValidationError

from datasets import checks as records
from datasets.jury import SET_VERSION, claims_by_id
from datasets.store import Store
from schemas.ballot import Ballot, read_ballot
from schemas.errors import UsageError, nearest
from schemas.exchange import DocumentLanguage, Frozen
from schemas.jury import LEAST_VERDICTS, SUITE, Counts
from schemas.naming import mask
from schemas.sitting import Juror
from schemas.vote import EVER, Check, Vote
from tasks.audience import Imported
from tasks.choose import known_systems
from tasks.verdicts import keep, names_to_mask


class Line(Frozen):
    """One verdict as a file has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    claim: str
    system: str = Field(pattern=r"^[a-z][a-z0-9._-]*$")
    text: str
    date: date
    vendor: str | None = None
    family: str | None = None
    language: DocumentLanguage = "cs"
    prompt_version: str = "recorded"


class _Taken(Frozen):
    line: Line
    juror: Juror
    ballot: Ballot


def import_verdicts(root: str, file: Path, run_id: str = "recorded") -> Imported:
    """Bring in the verdicts of a file; UsageError where it cannot be read."""
    try:
        written = file.read_bytes().splitlines()
    except OSError as problem:
        raise UsageError(f"The verdicts {str(file)!r} cannot be read: {problem.strerror}.") from problem
    store = Store.open(root)
    with records.alone(store):
        before = [v for v in records.read_votes(store) if v.source == "recorded"]
        there = {(v.claim_id, v.checked_at.date(), v.system_id) for v in before}
        taken: dict[tuple[str, date, str], list[_Taken]] = {}
        problems: list[str] = []
        for number, text in enumerate(written, start=1):
            if not text.strip():
                continue
            try:
                one = _parse(text)
                group = taken.setdefault((one.line.claim, one.line.date, one.line.language), [])
                _check_place(one, group, there)
            except ValueError as problem:
                problems.append(f"{file.name}, line {number}: {problem}")
                continue
            group.append(one)
        _keep(store, [group for group in taken.values() if group], run_id)
    return Imported(taken=sum(map(len, taken.values())), problems=tuple(problems))


def _parse(text: bytes) -> _Taken:
    """A line as a verdict; ValueError that says what was expected."""
    try:
        line = Line.model_validate_json(text)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        hint = nearest(where, Line.model_fields) if first["type"] == "extra_forbidden" else "."
        raise ValueError(f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}{hint}") from problem
    known = claims_by_id()
    if line.claim not in known:
        raise ValueError(f"there is no claim {line.claim!r}{nearest(line.claim, known)}")
    if line.date > datetime.now(UTC).date():
        raise ValueError(f"the date {line.date} is still to come.")
    entry = known_systems().get(line.system)
    vendor, family = line.vendor or (entry and entry.vendor), line.family or (entry and entry.family)
    if not vendor or not family:
        lacking = "vendor" if not vendor else "family"
        raise ValueError(f"{lacking} is missing, and {line.system!r} is not in the file of systems.")
    ballot = read_ballot(line.text)
    if ballot.verdict is None:
        raise ValueError(f"it is no verdict: {ballot.problem}")
    return _Taken(line=line, juror=Juror(id=line.system, vendor=vendor, family=family), ballot=ballot)


def _check_place(one: _Taken, group: list[_Taken], there: set[tuple[str, date, str]]) -> None:
    """ValueError where the verdict may not join its check: known already, or a second one of its vendor or family (J-1)."""
    line, juror = one.line, one.juror
    if (line.claim, line.date, line.system) in there:
        raise ValueError(f"the verdict of {line.system!r} on {line.claim!r} of {line.date} is in the record already.")
    for other in group:
        for what in ("id", "vendor", "family"):
            mine, theirs = getattr(juror, what), getattr(other.juror, what)
            if mine.casefold() == theirs.casefold():
                raise ValueError(
                    f"{line.claim!r} has a verdict of the {what.replace('id', 'system')} {mine!r} of {line.date}."
                )


def _keep(store: Store, groups: Iterable[list[_Taken]], run_id: str) -> None:
    checks: list[Check] = []
    votes: list[Vote] = []
    for group in groups:
        names = names_to_mask(one.juror for one in group)
        content = "\n".join(one.line.model_dump_json() for one in group)
        check_id = f"r{hashlib.sha256(content.encode()).hexdigest()[:12]}"
        votes += [_vote(one, place, group, check_id, names, run_id) for place, one in enumerate(group, start=1)]
        checks.append(_check(group, check_id, run_id))
    keep(store, checks, votes)


def _at(line: Line) -> datetime:
    return datetime(line.date.year, line.date.month, line.date.day, tzinfo=UTC)


def _vote(one: _Taken, place: int, group: list[_Taken], check_id: str, names: Iterable[str], run_id: str) -> Vote:
    line, ballot = one.line, one.ballot
    assert ballot.verdict is not None
    masked = mask(ballot.reason, names) if ballot.reason else None
    since = ballot.since
    return Vote(
        suite=SUITE,
        edition=EVER,
        claim_id=line.claim,
        check_id=check_id,
        system_id=line.system,
        vendor=one.juror.vendor,
        family=one.juror.family,
        place=place,
        verdict=ballot.verdict,
        reason=masked.text if masked else None,
        is_withheld=bool(masked and masked.count),
        since=since if since is not None and since <= f"{line.date:%Y-%m}" else None,
        text=line.text,
        pool=[],
        key_mark=None,
        request_hash=None,
        language=line.language,
        source="recorded",
        panel_size=len(group),
        is_incomplete=len(group) < LEAST_VERDICTS,
        checked_at=_at(line),
        prompt_version=line.prompt_version,
        set_version=SET_VERSION,
        run_id=run_id,
    )


def _check(group: list[_Taken], check_id: str, run_id: str) -> Check:
    line = group[0].line
    return Check(
        suite=SUITE,
        edition=EVER,
        claim_id=line.claim,
        check_id=check_id,
        checked_at=_at(line),
        **Counts.of(str(one.ballot.verdict) for one in group).model_dump(),
        jurors=len(group),
        panel_size=len(group),
        is_incomplete=len(group) < LEAST_VERDICTS,
        is_small_pool=False,
        language=line.language,
        source="recorded",
        prompt_version=line.prompt_version,
        set_version=SET_VERSION,
        run_id=run_id,
    )
