"""Which edition a run asks for, and the recipes of the editions in the store (D-2, G-8)."""

import hashlib

from datasets.store import Store
from schemas.edition import Edition
from schemas.errors import UsageError


def private_hash(secret: str, suite: str, seed: int) -> str:
    """A salted, slow hash of the secret seed: tells whether two private parts are the same, and nothing more (G-8)."""
    salt = f"zkusebna/{suite}/{seed}".encode()
    return hashlib.scrypt(secret.encode(), salt=salt, n=2**14, r=8, p=1, dklen=16).hex()


def edition_for(
    suite: str, set_version: str, seed: int, size: int, secret: str, levels: tuple[str, ...] = ()
) -> Edition:
    """The edition of a suite with this seed and size; the same arguments give the same id.

    Raises UsageError for a size of 0 or below.
    """
    if size < 1:
        raise UsageError(f"The size {size} is not a number of documents; give 1 or more to --size.")
    hashed = private_hash(secret, suite, seed)
    sign = "-".join(["", *levels]) if levels else ""
    name = f"v{set_version}-s{seed}-n{size}{sign}-p{hashed[:8]}"
    return Edition(
        suite=suite, id=name, set_version=set_version, seed=seed, size=size, private_hash=hashed, levels=levels
    )


def _name(suite: str, edition: str) -> str:
    return f"editions/{suite}/{edition}.json"


def save_edition(store: Store, edition: Edition) -> None:
    """Keep the recipe of an edition."""
    if not store.exists(_name(edition.suite, edition.id)):
        store.put(_name(edition.suite, edition.id), edition.model_dump_json(indent=1).encode())


def has_edition(store: Store, suite: str, edition: str) -> bool:
    """Whether the store knows the recipe of an edition."""
    return store.exists(_name(suite, edition))


def load_edition(store: Store, suite: str, edition: str) -> Edition:
    """The recipe of an edition in the store; UsageError with what is there for an unknown one."""
    if not store.exists(_name(suite, edition)):
        known = [n.rsplit("/", 1)[1].removesuffix(".json") for n in store.names(f"editions/{suite}", ".json")]
        raise UsageError(f"Unknown edition {edition!r} of {suite!r}. In the store: {', '.join(known) or 'none'}.")
    return Edition.model_validate_json(store.get(_name(suite, edition)))
