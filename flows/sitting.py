"""One sitting of the jury as a part of a flow: plan it, hear the panels, seal what they said (J-4)."""

from decimal import Decimal

from schemas.exchange import DocumentLanguage
from tasks.jury import hear_checks, plan_sitting, seal_sitting
from tasks.shards import Outcome


def hold_sitting(
    root: str,
    edition: str,
    claims: int | None,
    run_id: str,
    language: DocumentLanguage = "cs",
    budget_usd: Decimal | None = None,
    *,
    only_new: bool = False,
) -> Outcome:
    """Check claims of an edition, the longest unchecked first; call it inside a flow.

    claims: how many; None is all of the edition. only_new: none that was ever checked.
    """
    sitting = plan_sitting(root, edition, claims, run_id, language, only_new=only_new)
    heard = [hear_checks.submit(sitting, budget_usd).result(raise_on_failure=False)] if sitting.checks else []
    return seal_sitting(root, edition, heard)
