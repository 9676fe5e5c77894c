"""What is withheld cannot be computed from what is shown: linear algebra is the oracle (G-8)."""

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from profiles.privacy import COMPLEMENTARY, Cell, Sum, floor_note, withheld

FLOOR = 5
FEW = floor_note(FLOOR)


def groups(**sizes: int) -> tuple[dict[Cell, frozenset[str]], list[Sum]]:
    """A dimension with groups of the given sizes, and its sum."""
    cells: dict[Cell, frozenset[str]] = {(g,): frozenset(f"{g}{i}" for i in range(n)) for g, n in sizes.items()}
    children = list(cells)
    cells["all",] = frozenset().union(*cells.values())
    return cells, [(("all",), children)]


def solvable(hidden: Sequence[Cell], sums: Sequence[Sum]) -> set[Cell]:
    """Hidden cells that follow from the shown ones: their unit vector lies in the row space of the equations."""
    rows = []
    for parent, children in sums:
        row = [float(cell in children) - float(cell == parent) for cell in hidden]
        if any(row):
            rows.append(row)
    matrix = np.array(rows).reshape(len(rows), len(hidden))
    rank = np.linalg.matrix_rank(matrix) if rows else 0
    units = np.eye(len(hidden))
    return {
        c for c, unit in zip(hidden, units, strict=True) if np.linalg.matrix_rank(np.vstack([matrix, unit])) == rank
    }


def test_the_oracle_sees_the_difference() -> None:
    sums: list[Sum] = [(("all",), [("a",), ("b",), ("c",)])]
    assert solvable([("a",)], sums) == {("a",)}
    assert solvable([("a",), ("b",)], sums) == set()


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({"a": 5, "b": 9}, {}),
        ({"a": 4, "b": 9}, {("a",): FEW, ("b",): COMPLEMENTARY}),
        ({"a": 4, "b": 9, "c": 7}, {("a",): FEW, ("c",): COMPLEMENTARY}),
        ({"a": 4, "b": 3, "c": 9}, {("a",): FEW, ("b",): FEW}),
        ({"a": 1, "b": 2, "c": 9, "d": 8}, {("a",): FEW, ("b",): FEW, ("d",): COMPLEMENTARY}),
        ({"a": 4, "b": 0, "c": 9}, {("a",): FEW, ("c",): COMPLEMENTARY}),
        ({"a": 2, "b": 1}, {("all",): FEW, ("a",): FEW, ("b",): FEW}),
        ({"a": 9, "b": 0}, {}),
        ({"a": 4}, {("all",): FEW, ("a",): FEW}),
    ],
)
def test_one_dimension(sizes: dict[str, int], expected: dict[Cell, str]) -> None:
    """The smallest neighbour goes too, also where two hidden groups together are below the floor; empty groups hide nothing."""
    assert withheld(*groups(**sizes), FLOOR) == expected


def test_equal_sizes_are_decided_by_name() -> None:
    assert withheld(*groups(d=8, c=8, b=8, a=2), FLOOR) == {("a",): FEW, ("b",): COMPLEMENTARY}


def test_cells_withheld_beforehand_pull_their_neighbours() -> None:
    cells, sums = groups(a=8, b=9, c=10)
    assert withheld(cells, sums, FLOOR, also=[("c",)]) == {("c",): COMPLEMENTARY, ("a",): COMPLEMENTARY}
    assert withheld(cells, sums, FLOOR, also=[("all",)]) == {("all",): COMPLEMENTARY, ("a",): COMPLEMENTARY}


def table(rng: random.Random) -> tuple[dict[Cell, frozenset[str]], list[Sum]]:
    """Documents of two languages with at least one field each: fields, fields by language and languages, as the tendencies have them."""
    names = [f"f{i}" for i in range(rng.randint(1, 5))]
    cells: dict[Cell, frozenset[str]] = {}
    for language in ("cs", "en"):
        documents = [f"{language}{i}" for i in range(rng.choice([0, 3, 6, 12]))]
        cells["language", language] = frozenset(documents)
        common = rng.choice(names)
        for name in names:
            share = 1 if name == common else rng.choice([0, 0.3, 0.6, 1])
            cells[f"field_{language}", name] = frozenset(d for d in documents if rng.random() < share)
    for name in names:
        cells["field", name] = cells["field_cs", name] | cells["field_en", name]
    cells["all",] = cells["language", "cs"] | cells["language", "en"]
    sums: list[Sum] = [(("all",), [("language", "cs"), ("language", "en")]), (("all",), [("field", n) for n in names])]
    sums += [(("language", x), [(f"field_{x}", n) for n in names]) for x in ("cs", "en")]
    sums += [(("field", n), [("field_cs", n), ("field_en", n)]) for n in names]
    return cells, sums


def small(cells: Mapping[Cell, frozenset[str]]) -> set[Cell]:
    return {cell for cell, documents in cells.items() if 0 < len(documents) < FLOOR}


def test_no_small_cell_can_be_computed() -> None:
    """1,500 random tables of two dimensions; without the complement several hundred of them would leak."""
    rng, naive_leaks = random.Random(1), 0
    for _ in range(1500):
        cells, sums = table(rng)
        hidden = withheld(cells, sums, FLOOR)
        primary = small(cells)
        assert {c for c, note in hidden.items() if note == FEW} == primary
        assert not solvable(sorted(hidden), sums) & primary, (cells, hidden)
        naive_leaks += bool(solvable(sorted(primary), sums) & primary)
    assert naive_leaks > 300
