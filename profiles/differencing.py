"""Whether published sums, added and subtracted in whatever way, lead to an aggregate over fewer documents than may be shown (G-8).

Every published number is a sum over documents with known weights: 1 for the documents of its group, 1 and -1 for the two sides of a
difference of twins. Who combines such sums gets another sum; what must not exist is a combination that stands on fewer documents than
the floor. That is decided exactly: groups that cross one another (`scan` less the layout `ledger`) are covered as well as those that add up.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from profiles.privacy import COMPLEMENTARY, Cell

Weights = Mapping[str, int]
"""By document, the weight with which it stands in a published sum; a document that is not there has none."""

_NOTHING = 1e-9


def exposed(sums: Sequence[Weights], floor: int) -> dict[str, float] | None:
    """A combination of the sums that stands on 1 to floor - 1 documents, with its weights by document; None where there is none.

    >>> everything, scan, ledger = dict.fromkeys("abcdefghijkl", 1), dict.fromkeys("abcdef", 1), dict.fromkeys("abcdefg", 1)
    >>> exposed([everything, scan], 5) is None, sorted(exposed([everything, scan, ledger], 5))
    (True, ['g'])
    """
    documents, matrix = _matrix(sums)
    if not documents:
        return None
    atoms, at, counts = np.unique(matrix, axis=1, return_inverse=True, return_counts=True)
    at = at.ravel()
    order = np.argsort(-counts, kind="stable")  # heavy ones become pivots, since they can stand in no small support
    found = _search(atoms[:, order], counts[order], floor, frozenset(), set())
    if found is None:
        return None
    values = dict(zip((int(order[i]) for i in range(len(order))), found, strict=True))
    return {name: values[int(a)] for name, a in zip(documents, at, strict=True) if abs(values[int(a)]) > _NOTHING}


def _matrix(sums: Sequence[Weights]) -> tuple[list[str], NDArray[np.float64]]:
    """The documents behind the sums in the order of their names, and the weight of each, one row a sum and one column a document."""
    documents = sorted(set().union(*sums)) if sums else []
    place = dict(zip(documents, range(len(documents)), strict=True))
    matrix = np.zeros((len(sums), len(documents)))
    for row, one in zip(matrix, sums, strict=True):
        row[list(map(place.__getitem__, one))] = list(one.values())
    return documents, matrix


def _search(
    matrix: NDArray[np.float64], counts: NDArray[np.int64], floor: int, removed: frozenset[int], seen: set[frozenset[int]]
) -> NDArray[np.float64] | None:  # fmt: skip
    """A vector of the row space that stands on fewer documents than the floor; None where there is none.

    Outside of the removed columns such a vector is not zero on some pivot of every basis: it stands on that pivot alone, then it is the
    pivot's own row, or the pivot joins the removed ones.
    """
    if removed in seen:
        return None
    seen.add(removed)
    spent = sum(int(counts[i]) for i in removed)
    kept = [i for i in range(matrix.shape[1]) if i not in removed]
    reduced, pivots = _reduce(matrix, kept)
    for row in reduced[: len(pivots)]:
        weight = int(counts[np.abs(row) > _NOTHING].sum())
        if 0 < weight < floor:
            found: NDArray[np.float64] = row
            return found
    for pivot in pivots:
        if int(counts[pivot]) + spent < floor - 1:
            deeper = _search(matrix, counts, floor, removed | {pivot}, seen)
            if deeper is not None:
                return deeper
    return None


def _reduce(matrix: NDArray[np.float64], columns: Sequence[int]) -> tuple[NDArray[np.float64], list[int]]:
    """The reduced row echelon form with pivots among the given columns, in their order."""
    reduced, pivots, at = matrix.copy(), list[int](), 0
    for column in columns:
        if at == len(reduced):
            break
        best = at + int(np.argmax(np.abs(reduced[at:, column])))
        if abs(reduced[best, column]) <= _NOTHING:
            continue
        reduced[[at, best]] = reduced[[best, at]]
        reduced[at] /= reduced[at, column]
        others = np.abs(reduced[:, column]) > _NOTHING
        others[at] = False
        reduced[others] -= np.outer(reduced[others, column], reduced[at])
        pivots.append(column)
        at += 1
    return reduced, pivots


def undifferenced(
    sums: Callable[[Collection[Cell]], Sequence[Mapping[Cell, Weights]]],
    optional: Mapping[Cell, Collection[Cell]],
    hidden: Mapping[Cell, str],
    floor: int,
    everything: Collection[Cell],
) -> dict[Cell, str]:
    """The withheld cells, with as many more as it takes that no combination of shown sums stands on fewer documents than the floor.

    sums: the families of published sums where some cells are withheld; a family is numbers of one kind, which alone can be combined.
    optional: cells that may go, each with those that go with it. Of those that a combination needs the one with the fewest documents
    goes. Where a combination needs none of them everything is withheld: all cells there are.
    """
    found = dict(hidden)
    while True:
        families = sums(found.keys())
        leak = next(((f, v) for f in families if (v := exposed(list(f.values()), floor)) is not None), None)
        if leak is None:
            return found
        cell = _needed(leak[0], leak[1], [c for c in optional if c not in found])
        if cell is None:
            return found | {c: COMPLEMENTARY for c in everything if c not in found}
        found |= {c: COMPLEMENTARY for c in (cell, *optional[cell]) if c not in found}


def _needed(
    family: Mapping[Cell, Weights], target: Weights | Mapping[str, float], among: Sequence[Cell]
) -> Cell | None:
    """The smallest cell without which the combination cannot be made; else the smallest that has a part in it."""
    cells, (documents, matrix) = list(family), _matrix(list(family.values()))
    aim = np.array([float(target.get(d, 0)) for d in documents])
    parts = np.linalg.lstsq(matrix.T, aim, rcond=None)[0]
    some = [c for c in among if c in family and abs(parts[cells.index(c)]) > _NOTHING]
    some.sort(key=lambda c: (len(family[c]), c))
    for cell in some:
        rest = np.delete(matrix, cells.index(cell), axis=0)
        if np.linalg.matrix_rank(np.vstack([rest, aim])) > np.linalg.matrix_rank(rest):
            return cell
    return some[0] if some else None
