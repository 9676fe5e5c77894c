"""Who reads the jury's record: the public, through a view without jurors, and the administrator, who sees every verdict's model (J-6, J-7)."""

from collections import Counter

from datasets import checks as records
from datasets.jury import claims_by_id, read_claims
from datasets.store import Store
from profiles.jury import Overview, overview
from schemas.errors import unknown
from schemas.exchange import Frozen
from schemas.sitting import Juror
from schemas.vote import Vote
from tasks.panel import jury_key, key_mark, order_of


def read_overview(root: str) -> Overview:
    """All that the public may see of the jury in a store (J-6)."""
    store = Store.open(root, create=False)
    return overview(read_claims(), records.read_checks(store), records.read_votes(store), records.read_audience(store))


class AuditLine(Frozen):
    """One verdict with its juror, for the administrator alone.

    draw: `repeated` where the draw was made again from the key, the number and the pool and gave the juror the same place; `differs`;
    `other key` where it was made with another key than today's; `recorded` where nothing was drawn.
    """

    check: str
    day: str
    juror: str
    vendor: str
    place: int
    verdict: str
    since: str | None
    reason: str | None
    is_withheld: bool
    request_hash: str | None
    draw: str


def audit(root: str, claim_id: str) -> list[AuditLine]:
    """Every verdict on a claim with the model that gave it, in the order of time; UsageError with the nearest id for an unknown claim."""
    store = Store.open(root, create=False)
    votes = [vote for vote in records.read_votes(store) if vote.claim_id == claim_id]
    if not votes and claim_id not in claims_by_id():
        raise unknown("claim", claim_id, claims_by_id())
    key = jury_key(store)
    return [
        AuditLine(
            check=vote.check_id,
            day=vote.checked_at.date().isoformat(),
            juror=vote.system_id,
            vendor=vote.vendor,
            place=vote.place,
            verdict=vote.verdict,
            since=vote.since,
            reason=vote.reason,
            is_withheld=vote.is_withheld,
            request_hash=vote.request_hash,
            draw=_repeated(vote, key),
        )
        for vote in votes
    ]


def _repeated(vote: Vote, key: str) -> str:
    if vote.source != "panel":
        return "recorded"
    if vote.key_mark != key_mark(key):
        return "other key"
    order = order_of(key, int(vote.check_id.removeprefix("c")), map(Juror.read, vote.pool))
    return "repeated" if order[vote.place - 1].id == vote.system_id else "differs"


def verdicts_by_juror(root: str) -> dict[str, Counter[str]]:
    """How every juror has decided so far, for the administrator alone."""
    found: dict[str, Counter[str]] = {}
    for vote in records.read_votes(Store.open(root, create=False)):
        found.setdefault(vote.system_id, Counter())[vote.verdict] += 1
    return found
