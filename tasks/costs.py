"""What a run spent, by what it was spent for: answers of systems under test, grades of judges, drafts (M-8)."""

from decimal import Decimal

from datasets.store import Store
from datasets.tables import Place, read
from schemas.call import Call

NAMES = {"test": "systems", "judge": "judges", "draft": "drafts"}


def spent(root: str, run_id: str) -> dict[str, Decimal]:
    """USD by purpose of all calls that a run paid for, exactly; purposes without a cost are left out."""
    store = Store.open(root, create=False)
    sums: dict[str, Decimal] = {}
    for name in store.names(f"manifests/{Call.table}", ".json"):
        suite, edition, system = (step.split("=", 1)[1] for step in name.removesuffix(".json").split("/")[-3:])
        place = Place(suite=suite, edition=edition, system=system)
        for row in read(store, Call, place, ["run_id", "purpose", "cost_usd"]).to_pylist():
            if row["run_id"] == run_id and row["cost_usd"]:
                purpose = row["purpose"] or "test"
                sums[purpose] = sums.get(purpose, Decimal(0)) + row["cost_usd"]
    return sums


def told(sums: dict[str, Decimal]) -> str:
    """The sums in a sentence, judges and systems apart.

    >>> told({"test": Decimal("0.012000000"), "judge": Decimal("0.003400000")})
    'Spent 0.0154 USD: systems 0.012, judges 0.0034.'
    """
    parts = [f"{NAMES[purpose]} {_plain(sums[purpose])}" for purpose in NAMES if purpose in sums]
    return f"Spent {_plain(sum(sums.values(), Decimal(0)))} USD: {', '.join(parts)}."


def _plain(amount: Decimal) -> str:
    return f"{amount.normalize():f}"
