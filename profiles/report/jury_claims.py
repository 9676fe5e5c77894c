"""One claim of the jury as the page shows it: state, share with interval, month, audience, flips, reasons, log (J-3 to J-6)."""

from collections.abc import Sequence
from dataclasses import dataclass

from profiles import intervals
from profiles.claims import Flip, PublicClaim
from profiles.report import numbers
from profiles.report.jury_log import MOST_LINES, MOST_REASONED, STATES, LogLine, Reasons, log_of, reasons_of
from profiles.report.texts import Both, both, count, text, typeset

NEVER = "never"
"""The class of a claim that was never checked; by J-3 it is disputed, on the page it stands apart."""

CLASSES = (*STATES.values(), NEVER)


@dataclass(frozen=True)
class FlipLine:
    """A check after which the state was another one."""

    told: Both
    is_reversal: bool


@dataclass(frozen=True)
class ClaimView:
    """A claim; state: one of `CLASSES`; shares: per cent of verdicts can, undecided, cannot; since_short is for the line of the claim."""

    id: str
    words: Both
    measure: Both
    state: str
    told: Both
    percent: Both | None
    interval: Both | None
    verdicts: Both
    counts: Both
    shares: tuple[tuple[str, float], ...]
    since_short: Both | None
    since: Both
    editors: Both | None
    last: Both | None
    audience: Both
    is_disagreement: bool
    flips: Sequence[FlipLine]
    reasons: Sequence[Reasons]
    n_unshown_reasons: int
    log: Sequence[LogLine]
    n_lines: int | None
    """How many newest checks have a line each, where older ones are summed; None where all have."""


def class_of(claim: PublicClaim) -> str:
    """The claim's class on the page."""
    return STATES[claim.state] if claim.checks else NEVER


def place_of(claim: PublicClaim) -> tuple[int, float]:
    """Where a claim stands in its field: from can to cannot, in each state by the share of verdicts that it can; unchecked ones last."""
    n = claim.able + claim.unable + claim.undecided
    return CLASSES.index(class_of(claim)), -(claim.able - claim.unable) / n if n else 0.0


def anchor(claim_id: str) -> str:
    """The claim's place on the page."""
    return f"jury-{claim_id}"


def words_of(claim: PublicClaim) -> Both:
    """The claim in both languages."""
    return both(lambda lang: typeset(claim.text[lang], lang))


def view(claim: PublicClaim) -> ClaimView:
    """A claim for the page."""
    n = claim.able + claim.unable + claim.undecided
    of = {"able": claim.able, "undecided": claim.undecided, "unable": claim.unable}
    state, reasoned = class_of(claim), [check for check in claim.checks if check.reasons]
    return ClaimView(
        id=anchor(claim.id),
        words=words_of(claim),
        measure=both(lambda lang: typeset(claim.measure[lang], lang)),
        state=state,
        told=text(f"jury.state.{state}"),
        percent=None if claim.percent is None else _percent(claim, claim.percent),
        interval=_interval(max(claim.able, claim.unable), n),
        verdicts=count("counted.verdicts", n),
        counts=text("jury.counts", **{word: numbers.integer(x) for word, x in of.items()}),
        shares=tuple((word, 100 * x / n) for word, x in of.items() if x),
        since_short=_since_short(claim),
        since=_since(claim),
        editors=text("jury.editors", month=numbers.month(claim.editors_since)) if claim.editors_since else None,
        last=None if claim.last_checked is None else numbers.day(claim.last_checked),
        audience=_audience(claim),
        is_disagreement=claim.is_disagreement,
        flips=[flip_line(flip) for flip in reversed(claim.flips)],
        reasons=reasons_of(claim.checks),
        n_unshown_reasons=max(0, len(reasoned) - MOST_REASONED),
        log=log_of(claim.checks),
        n_lines=MOST_LINES if len(claim.checks) > MOST_LINES else None,
    )


def flip_line(flip: Flip) -> FlipLine:
    """A flip in words."""
    before, after = (text(f"jury.state.{STATES[state]}") for state in (flip.before, flip.after))
    return FlipLine(text("jury.flip", day=numbers.day(flip.day), before=before, after=after), flip.is_reversal)


def yes_interval(claim: PublicClaim) -> Both | None:
    """The interval of the audience's share; None without votes."""
    return _interval(claim.audience.yes, claim.audience.yes + claim.audience.no)


def _interval(part: int, n: int) -> Both | None:
    """The Wilson interval of a plain share (S-1); None of nothing."""
    return numbers.percents(*intervals.wilson(part, n)) if n else None


def _percent(claim: PublicClaim, percent: int) -> Both:
    """The share of the stronger side; where the state does not say which side that is, with its word."""
    shown = numbers.whole_percent(percent)
    if claim.state != "SPORNÉ" or claim.able == claim.unable:
        return shown
    return text("jury.side.able" if claim.able > claim.unable else "jury.side.unable", percent=shown)


def _since_short(claim: PublicClaim) -> Both | None:
    """For the claim's line; none where the verdicts say that AI cannot."""
    since = claim.since
    if since is None or claim.state == "NEUMÍ":
        return None
    key = "jury.since" if claim.state == "UMÍ" else "jury.since_of_able"
    if since.earliest == since.latest:
        return text(key, median=numbers.month(since.median))
    return text(
        f"{key}_range",
        median=numbers.month(since.median),
        earliest=numbers.month(since.earliest),
        latest=numbers.month(since.latest),
    )


def _since(claim: PublicClaim) -> Both:
    since = claim.since
    if since is None:
        return text("jury.since_none")
    return text(
        "jury.since_full",
        median=numbers.month(since.median),
        earliest=numbers.month(since.earliest),
        latest=numbers.month(since.latest),
        n=numbers.integer(since.n),
        total=numbers.integer(claim.able),
    )


def _audience(claim: PublicClaim) -> Both:
    heard, interval = claim.audience, yes_interval(claim)
    if heard.percent is None or interval is None:
        return text("jury.audience_none")
    return text(
        "jury.audience",
        percent=numbers.whole_percent(heard.percent),
        interval=interval,
        yes=numbers.integer(heard.yes),
        n=numbers.integer(heard.yes + heard.no),
    )
