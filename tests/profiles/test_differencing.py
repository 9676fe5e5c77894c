"""No combination of published numbers leads to few private documents: an independent checker tries every four of them (G-8)."""

import itertools
import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from profiles.differencing import Weights, exposed
from schemas.tendency import Tendency

FLOOR = 5


def has_small_combination(sums: Sequence[dict[Any, float]], documents: Sequence[str]) -> bool:
    """Whether some combination of sums over items (document, …) vanishes on all documents but four.

    Linear algebra by force: a combination that vanishes outside of some documents is there exactly where leaving them out lowers the
    rank of the table of sums. Four at once cover one, two and three.
    """
    items = sorted(set().union(*sums)) if sums else []
    if not items:
        return False
    table = np.array([[one.get(item, 0) for item in items] for one in sums])
    owner = np.array([documents.index(item[0]) for item in items])
    rank = np.linalg.matrix_rank(table)
    some = itertools.combinations(range(len(documents)), min(FLOOR - 1, len(documents)))
    return any(np.linalg.matrix_rank(table[:, ~np.isin(owner, few)]) < rank for few in some)


def by_document(one: Weights) -> dict[Any, float]:
    return {(name,): weight for name, weight in one.items()}


@pytest.mark.parametrize("seed", range(60))
def test_the_search_is_exact(seed: int) -> None:
    """It finds a combination exactly where force finds one, and the one that it tells can be made and stands on few documents."""
    rng = random.Random(seed)
    documents = [f"d{i:02}" for i in range(rng.randint(3, 12))]
    sums: list[dict[str, int]] = []
    for _ in range(rng.randint(1, 6)):
        some = rng.sample(documents, rng.randint(min(FLOOR, len(documents)), len(documents)))
        sums.append({name: rng.choice([1, 1, 1, -1]) if seed % 2 else 1 for name in some})
    found = exposed(sums, FLOOR)
    assert (found is not None) == has_small_combination([by_document(s) for s in sums], documents)
    if found is not None:
        assert 0 < len(found) < FLOOR
        table: NDArray[np.float64] = np.array([[float(s.get(d, 0)) for d in documents] for s in sums])
        with_it = np.vstack([table, [found.get(d, 0.0) for d in documents]])
        assert np.linalg.matrix_rank(with_it) == np.linalg.matrix_rank(table)


def test_the_checker_sees_a_difference_of_crossing_groups() -> None:
    level, layout = dict.fromkeys("abcdef", 1), dict.fromkeys("abcdefg", 1)
    assert has_small_combination([by_document(level), by_document(layout)], list("abcdefg"))
    assert not has_small_combination([by_document(level)], list("abcdefg"))


def private_set(kit: Any, rng: random.Random) -> Any:
    """A private part as they come: twins with a level, a variant and a layout; some filtered, some without a field, some with trials."""
    made = kit.Set()
    n_pairs, filtered, bare = rng.randint(3, 9), rng.choice([0, 0.1, 0.3]), rng.choice([0, 0.2])
    words = {d: [f"{d}{i}" for i in range(rng.randint(1, 3))] for d in ("level", "variant", "layout")}
    for i in range(n_pairs):
        groups = {d: rng.choice(some) for d, some in words.items()}
        for language in ("cs", "en"):
            marks = "".join(
                ("a" if rng.random() < bare else rng.choice("rrw")) if f != 1 or language == "cs" else "a"
                for f in range(3)
            )
            for trial in range(1, rng.choice([1, 1, 1, 2]) + 1):
                said = None if rng.random() < filtered else marks
                made.add(f"{language}-{i}", said, trial=trial, split="private", **groups)
    return made


def published(rows: Iterable[Tendency], metric: str) -> list[Tendency]:
    return [r for r in rows if r.metric == metric and r.value is not None]


def sums_of_points(made: Any, rows: Sequence[Tendency]) -> list[dict[Any, float]]:
    """The published shares and gaps as sums over graded fields, from the plain rows of profiles and grades."""
    profiles, grades = made.frames()
    facts = {p["case_id"]: p for p in profiles.to_dict("records")}
    items = grades[grades["max_points"] > 0]
    n = items.groupby(["case_id", "item"]).size()
    weights = {key: float(count) for key, count in n.items()}
    sums: list[dict[Any, float]] = []
    for row in published(rows, "field_accuracy"):
        d, g = row.dimension, row.group_name
        sums.append({
            (case, field): w for (case, field), w in weights.items()
            if d == "overall" or (d == "field" and field == g)
            or (d.startswith("field_") and field == g and case.startswith(d[-2:])) or facts[case].get(d) == g
        })  # fmt: skip
    for row in published(rows, "language_gap"):
        pairs = {c[3:] for c, _ in weights if row.dimension == "overall" or facts[c]["level"] == row.group_name}
        common = {(p, f) for p in pairs for _, f in weights if {(f"cs-{p}", f), (f"en-{p}", f)} <= weights.keys()}
        gap: dict[Any, float] = {}
        for language, sign in (("cs", 1), ("en", -1)):
            possible = sum(weights[f"{language}-{p}", f] for p, f in common)
            gap |= {(f"{language}-{p}", f): sign * weights[f"{language}-{p}", f] / possible for p, f in common}
        sums.append(gap)
    return sums


def sums_of_documents(made: Any, rows: Sequence[Tendency], metric: str, *, is_asked: bool) -> list[dict[Any, float]]:
    """The published shares of documents, or of those asked, as sums over documents."""
    profiles, _ = made.frames()
    wanted = profiles if is_asked else profiles[profiles["is_scored"]]
    sums = []
    for row in published(rows, metric):
        some = wanted if row.dimension == "overall" else wanted[wanted[row.dimension] == row.group_name]
        sums.append({(c,): float(n) for c, n in some.groupby("case_id").size().items()})
    return sums


@pytest.mark.parametrize("seed", range(30))
def test_nothing_of_few_private_documents_can_be_computed(kit: Any, seed: int) -> None:
    """30 random private parts of 6 to 18 documents, over all published metrics that are sums."""
    made = private_set(kit, random.Random(seed))
    rows = list(made.rows().values())
    documents = sorted({p.case_id for p in made.profiles})
    assert all(r.n_documents >= FLOOR for r in rows if r.value is not None)
    assert not has_small_combination(sums_of_points(made, rows), documents)
    for metric in ("faultless", "valid", "valid_first", "cost_per_1000_usd"):
        assert not has_small_combination(sums_of_documents(made, rows, metric, is_asked=False), documents), metric
    for metric in ("coverage", "field_accuracy"):  # every shown row tells how many of its group were asked and scored
        told = [r for r in rows if r.dimension in ("overall", "language", "level", "variant", "layout")]
        assert not has_small_combination(sums_of_documents(made, told, metric, is_asked=True), documents), metric


def test_a_single_unscored_twin_does_not_give_its_brother_away(kit: Any) -> None:
    """Czech less English points of whole pairs, and the points of all Czech and all English documents: the rest is one document."""
    made = kit.Set()
    for i in range(9):
        made.add(f"cs-{i}", "rar", split="private")
        made.add(f"en-{i}", "rar" if i else None, split="private")
    rows = made.rows()
    assert rows["private", "overall", "all", "language_gap"].note == "complementary_private"
    assert rows["private", "language", "cs", "field_accuracy"].value is not None


def test_a_published_set_keeps_its_tables(kit: Any) -> None:
    """The private third of 150 pairs, dealt as sets are, four levels, five variants, eight layouts: few cells go, and soon."""
    rng, made = random.Random(3), kit.Set()
    deal = {
        "level": ["text"] * 15 + ["image"] * 15 + ["scan"] * 15 + ["photo"] * 5,
        "variant": [f"v{i % 5}" for i in range(50)], "layout": [f"l{i % 8}" for i in range(50)],
    }  # fmt: skip
    for words in deal.values():
        rng.shuffle(words)
    for i in range(50):
        for language in ("cs", "en"):
            made.add(
                f"{language}-{i}", rng.choice(["rar", "raw"]), split="private", **{d: w[i] for d, w in deal.items()}
            )
    begun = time.process_time()
    rows = made.rows().values()
    print(f"{time.process_time() - begun:.2f} s of processor time")
    assert not [r for r in rows if r.note == "complementary_private"]
