"""What the public may see of the jury: every claim with its state, its checks, its reversals, and where the audience differs (J-3 to J-6).

Made from the records of the administrator, and nothing in it lets a juror be recognised: no name, cost, time of day, length or id; the
reasons of a check stand in the order of their words, so a place tells nothing from check to check; a reason that names a model or a
maker is withheld and counted. The audience's votes stand beside the state and never in it (J-5).
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from schemas import readings
from schemas.jury import STATES, Claim, ClaimSet, Counts, State, Verdict, state
from schemas.naming import MASK, mask
from schemas.vote import AudienceVote, Check, Vote


@dataclass(frozen=True)
class Reason:
    """One verdict with its sentence; text None: no reason was given, or it is withheld because it names a model or a maker."""

    verdict: Verdict
    text: str | None
    is_withheld: bool
    language: str


@dataclass(frozen=True)
class PublicCheck:
    """One check: its day (YYYY-MM-DD), that day's distribution, and the state after it (J-4).

    is_small_pool: drawn from fewer than eight models, so a juror could be guessed (J-7). source: panel, or recorded elsewhere.
    """

    day: str
    jurors: int
    panel_size: int
    able: int
    unable: int
    undecided: int
    is_incomplete: bool
    is_small_pool: bool
    source: str
    language: str
    state: State
    percent: int | None
    set_version: str
    prompt_version: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Flip:
    """A check after which the state was another one; is_reversal: from UMÍ to NEUMÍ or back, with or without SPORNÉ between."""

    day: str
    before: State
    after: State
    is_reversal: bool


@dataclass(frozen=True)
class Since:
    """When the ability first appeared by the verdicts UMÍ that say it, each YYYY-MM; of an even number the earlier median."""

    median: str
    earliest: str
    latest: str
    n: int


@dataclass(frozen=True)
class Audience:
    """What audiences said, all sources together; percent: share of yes, rounded down, None without votes."""

    yes: int
    no: int
    percent: int | None


@dataclass(frozen=True)
class PublicClaim:
    """One claim as its own page shows it. checks: oldest first; editors_since: the month that an editor knows, beside the jurors'."""

    id: str
    field: str
    text: Mapping[str, str]
    measure: Mapping[str, str]
    state: State
    percent: int | None
    able: int
    unable: int
    undecided: int
    last_checked: str | None
    checks: tuple[PublicCheck, ...]
    flips: tuple[Flip, ...]
    since: Since | None
    editors_since: str | None
    audience: Audience
    is_disagreement: bool


@dataclass(frozen=True)
class Overview:
    """All that the pages of the jury need.

    fields: names by language, by id; states: how many claims are in which state, all together under `all`, then by field; disagreements:
    ids of claims where jury and audience differ (J-5); flips: all, newest first, with their claim; is_small_pool: warn that a juror could
    be guessed, because the last check was drawn from fewer than eight models (J-7); n_withheld: reasons that are not shown; first_day and
    last_day: of all checks; other_verdicts: verdicts on claims that are no longer in the set.
    """

    claims: tuple[PublicClaim, ...]
    fields: Mapping[str, Mapping[str, str]]
    states: Mapping[str, Mapping[State, int]]
    disagreements: tuple[str, ...]
    flips: tuple[tuple[str, Flip], ...]
    is_small_pool: bool
    n_checks: int
    n_verdicts: int
    n_withheld: int
    first_day: str | None
    last_day: str | None
    set_version: str
    other_verdicts: int


def overview(
    claims: ClaimSet, checks: Sequence[Check], votes: Sequence[Vote], audience: Sequence[AudienceVote]
) -> Overview:
    """The public view of the permanent record; checks and votes in the order of time."""
    of_check: dict[str, list[Vote]] = {}
    for vote in votes:
        of_check.setdefault(vote.check_id, []).append(vote)
    names = tuple(sorted({name for vote in votes for name in (vote.system_id, vote.vendor, vote.family)}))
    by_claim: dict[str, list[Check]] = {}
    for check in checks:
        by_claim.setdefault(check.claim_id, []).append(check)
    found = tuple(
        _claim(claim, by_claim.get(claim.id, []), of_check, names, [a for a in audience if a.claim_id == claim.id])
        for claim in claims.claims
    )
    days = sorted(_day(check) for check in checks)
    drawn = [check for check in checks if check.source == "panel"]
    flips = [(claim.id, flip) for claim in found for flip in claim.flips]
    groups = {"all": list(found)} | {f.id: [c for c in found if c.field == f.id] for f in claims.fields}
    return Overview(
        claims=found,
        fields={field.id: {"cs": field.cs, "en": field.en} for field in claims.fields},
        states={name: {s: sum(c.state == s for c in of_group) for s in STATES} for name, of_group in groups.items()},
        disagreements=tuple(claim.id for claim in found if claim.is_disagreement),
        flips=tuple(sorted(flips, key=lambda one: one[1].day, reverse=True)),
        is_small_pool=bool(drawn) and drawn[-1].is_small_pool,
        n_checks=len(checks),
        n_verdicts=len(votes),
        n_withheld=sum(r.is_withheld for c in found for check in c.checks for r in check.reasons),
        first_day=days[0] if days else None,
        last_day=days[-1] if days else None,
        set_version=claims.version,
        other_verdicts=sum(v.claim_id not in {c.id for c in found} for v in votes),
    )


def public_rows(view: Overview) -> list[dict[str, Any]]:
    """One plain row a claim, for downloads: what stands in `PublicClaim` and nothing else (J-6)."""
    return [asdict(claim) for claim in view.claims]


def _day(check: Check) -> str:
    return check.checked_at.date().isoformat()


def _claim(
    claim: Claim,
    checks: Sequence[Check],
    votes: Mapping[str, Sequence[Vote]],
    names: tuple[str, ...],
    audience: Sequence[AudienceVote],
) -> PublicClaim:
    total, shown = Counts(), []
    for check in checks:
        total += Counts(able=check.able, unable=check.unable, undecided=check.undecided)
        shown.append(_check(check, total, votes.get(check.check_id, ()), names))
    standing = state(total)
    heard = Audience(yes := sum(a.yes for a in audience), no := sum(a.no for a in audience), _percent(yes, yes + no))
    return PublicClaim(
        id=claim.id,
        field=claim.field,
        text={"cs": claim.cs, "en": claim.en},
        measure={"cs": claim.measure_cs, "en": claim.measure_en},
        state=standing.state,
        percent=standing.percent,
        **total.model_dump(),
        last_checked=_day(checks[-1]) if checks else None,
        checks=tuple(shown),
        flips=tuple(flips_of([(check.day, check.state) for check in shown])),
        since=since_of([v.since for check in checks for v in votes.get(check.check_id, ()) if v.verdict == "UMÍ"]),
        editors_since=claim.since,
        audience=heard,
        is_disagreement=differs(total, yes, no),
    )


def _percent(part: int, whole: int) -> int | None:
    return 100 * part // whole if whole else None


def _check(check: Check, so_far: Counts, votes: Sequence[Vote], names: tuple[str, ...]) -> PublicCheck:
    reasons = [_reason(vote, names) for vote in votes]
    standing = state(so_far)
    return PublicCheck(
        day=_day(check),
        jurors=check.jurors,
        panel_size=check.panel_size,
        able=check.able,
        unable=check.unable,
        undecided=check.undecided,
        is_incomplete=check.is_incomplete,
        is_small_pool=check.is_small_pool,
        source=check.source,
        language=check.language,
        state=standing.state,
        percent=standing.percent,
        set_version=check.set_version,
        prompt_version=check.prompt_version,
        reasons=tuple(sorted(reasons, key=lambda r: (r.verdict, r.text or "", r.is_withheld))),
    )


def _reason(vote: Vote, names: tuple[str, ...]) -> Reason:
    """Looked at once more with the names of all jurors ever: whoever sat later may have been named before."""
    is_withheld = vote.is_withheld or bool(vote.reason and (MASK in vote.reason or mask(vote.reason, names).count))
    return Reason(vote.verdict, None if is_withheld else vote.reason, is_withheld, vote.language)


def flips_of(states: Sequence[tuple[str, State]]) -> list[Flip]:
    """Where the state changed, from days and the states after them; the first state is no flip.

    >>> [f.is_reversal for f in flips_of([("d1", "UMÍ"), ("d2", "SPORNÉ"), ("d3", "SPORNÉ"), ("d4", "NEUMÍ")])]
    [False, True]
    """
    found: list[Flip] = []
    decided: State | None = None
    for at, (day, now) in enumerate(states):
        if at and states[at - 1][1] != now:
            is_reversal = now != "SPORNÉ" and decided is not None and decided != now
            found.append(Flip(day, states[at - 1][1], now, is_reversal))
        decided = now if now != "SPORNÉ" else decided
    return found


def since_of(months: Iterable[str | None]) -> Since | None:
    """Median and range of the months that were given; None where none was.

    >>> since_of(["2024-05", None, "2022-11", "2023-03", "2023-01"])
    Since(median='2023-01', earliest='2022-11', latest='2024-05', n=4)
    """
    given = sorted(month for month in months if month is not None)
    return Since(statistics.median_low(given), given[0], given[-1], len(given)) if given else None


def differs(counts: Counts, yes: int, no: int) -> bool:
    """Whether jury and audience differ (J-5), by `readings.AUDIENCE_DIFFERS_FROM_DISPUTED`.

    A claim that was never checked, or without votes of an audience, does not.

    >>> differs(Counts(able=5), 40, 60), differs(Counts(able=5), 60, 40), differs(Counts(able=3, unable=3), 90, 10), differs(Counts(), 9, 1)
    (True, False, True, False)
    """
    if not counts.total or not yes + no:
        return False
    jury = state(counts).state
    if jury == "SPORNÉ":
        return readings.AUDIENCE_DIFFERS_FROM_DISPUTED and state(Counts(able=yes, unable=no)).state != "SPORNÉ"
    return yes < no if jury == "UMÍ" else yes > no
