"""The ranking is signed by a person: judges advise (A-9).

The signature stands in `signatures/<suite>/<edition>.json` and says who, when and over which grades: the hash of every grade of the edition
that is in the store, so a grade that is added or changed afterwards shows.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime

from datasets.store import Store
from datasets.tables import Place, judged_places, read
from schemas.answer import Answer
from schemas.errors import StageError, UsageError
from schemas.grade import Grade
from schemas.signature import Signed

HASHED = ("system_id", "case_id", "trial", "pass_name", "judge_id", "item", "points", "max_points", "answer_hash")
"""Columns of a grade that a ranking stands on."""


def hash_of_grades(store: Store, suite: str, edition: str) -> tuple[str, int]:
    """Hash and number of all grades of an edition, whatever parts they stand in."""
    lines = sorted(_lines(store, suite, edition))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest(), len(lines)


def _lines(store: Store, suite: str, edition: str) -> Iterator[str]:
    for system in systems_of(store, suite, edition):
        for place in judged_places(store, Grade, Place(suite=suite, edition=edition, system=system)):
            for row in read(store, Grade, place, HASHED).to_pylist():
                yield "\t".join(str(row[name]) for name in HASHED)


def systems_of(store: Store, suite: str, edition: str) -> list[str]:
    """Systems that have answers in an edition."""
    names = store.names(f"manifests/{Answer.table}/suite={suite}/edition={edition}", ".json")
    return [name.removesuffix(".json").rsplit("/system=", 1)[1] for name in names]


def sign(root: str, suite: str, who: str, edition: str | None = None, now: datetime | None = None) -> Signed:
    """Sign the grades of an edition, by default of the one asked last; a later signature replaces the earlier one.

    UsageError for a name without letters, StageError where there is nothing to sign.
    """
    from tasks.people import newest_edition

    name = " ".join(who.split())
    if not any(c.isalpha() for c in name):
        raise UsageError(f"A name was expected as the signature, not {who!r}.")
    store = Store.open(root, create=False)
    with store.locked():
        edition = edition or newest_edition(store, suite)
        digest, n = hash_of_grades(store, suite, edition)
        if not n:
            raise StageError(f"There are no grades of {suite} {edition} in the store to sign; run it first.")
        signed = Signed(
            who=name,
            when=(now or datetime.now(UTC)).date().isoformat(),
            suite=suite,
            edition=edition,
            grades_hash=digest,
            n_grades=n,
        )
        store.put(_place(suite, edition), signed.model_dump_json(indent=1).encode())
    return signed


def signature_of(store: Store, suite: str, edition: str) -> tuple[Signed, bool] | None:
    """The signature of an edition, and whether its grades are still the same; None where nobody signed."""
    if not store.exists(_place(suite, edition)):
        return None
    signed = Signed.model_validate_json(store.get(_place(suite, edition)))
    return signed, hash_of_grades(store, suite, edition)[0] == signed.grades_hash


def _place(suite: str, edition: str) -> str:
    return f"signatures/{suite}/{edition}.json"
