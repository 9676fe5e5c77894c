"""The cards of sets, made from the recipe of an edition and its sealed cases (G-8, G-10, G-13)."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from datasets.cards import about
from datasets.editions import load_edition
from datasets.errata import read_errata
from datasets.store import Store
from datasets.tables import Place, manifest_name, read, sealed
from profiles.report.cards import DIMENSIONS, Key, SetCard, Told, told
from profiles.report.chapters import limits_of
from profiles.report.texts import LANGS
from schemas.case import Case
from schemas.errata import Erratum
from schemas.errors import UsageError
from schemas.exchange import DocumentLanguage
from schemas.tendency import Tendency
from tasks.suites import SUITES, suite_of


def card_of(store: Store, suite: str, edition: str, errata: Sequence[Erratum] | None = None) -> SetCard:
    """The card of a suite in an edition whose cases are in the store; UsageError for an unknown edition or broken errata."""
    recipe = load_edition(store, suite, edition)
    place = Place(suite=suite, edition=edition)
    digests = sorted(part.digest for part in sealed(store, Case, place) or ())
    known = read_errata(SUITES) if errata is None else errata
    return SetCard(
        edition=recipe,
        is_generated=suite_of(suite).is_generated,
        counts=_counts(store, place),
        recipe_hash=hashlib.sha256(recipe.model_dump_json().encode()).hexdigest(),
        cases_digest=hashlib.sha256("\n".join(digests).encode()).hexdigest(),
        versions=suite_of(suite).source.versions(),
        limits=limits_of(suite),
        errata=[one for one in known if one.suite == suite],
        about={lang: about(suite, lang) for lang in LANGS},
    )


def newest_card(root: str, suite: str) -> SetCard:
    """The card of a suite in the edition that the report shows, else in the last one built; UsageError where there is none."""
    suite_of(suite)
    store = Store.open(root, create=False)
    built = [n.rsplit("=", 1)[1].removesuffix(".json") for n in store.names(f"manifests/{Case.table}/suite={suite}")]
    if not built:
        raise UsageError(f"The store has no cases of {suite!r} yet; `zkusebna run --suites {suite}` makes them.")

    def age(edition: str) -> tuple[float, float]:
        place = Place(suite=suite, edition=edition)
        told = [store.changed(n) for n in store.names(f"manifests/{Tendency.table}/{place.folder}")]
        return max(told, default=0.0), store.changed(manifest_name(Case, place))

    return card_of(store, suite, max(built, key=age))


def told_card(card: SetCard, language: DocumentLanguage) -> Told:
    """The card in plain words of one language."""
    return told(card, language)


def _counts(store: Store, place: Place) -> Counter[Key]:
    """Cases by dimension, group, split and language; the dimension `all` counts all of them."""
    table = read(store, Case, place, [*DIMENSIONS, "split", "language"])
    found: Counter[Key] = Counter()
    for dimension in ("all", *DIMENSIONS):
        keys = [dimension, "split", "language"] if dimension != "all" else ["split", "language"]
        for row in table.group_by(keys).aggregate([([], "count_all")]).to_pylist():
            group = row.get(dimension, "all")
            if group is not None:
                found[dimension, str(group), row["split"], row["language"]] += row["count_all"]
    return found
