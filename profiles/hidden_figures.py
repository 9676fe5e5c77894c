"""Which cells of a private part over documents are withheld, so that no shown number leads to few documents (G-8)."""

from collections.abc import Collection, Mapping

from profiles.differencing import Weights, undifferenced
from profiles.figures import ALL, GAP, GROUPS, OUTSIDE, Part, names, scored
from profiles.privacy import Cell, Sum, withheld
from schemas import readings


def hidden(part: Part) -> dict[Cell, str]:
    """The cells that may not be shown, with their notes; no shown number leads to one of them (G-8).

    Gaps are counted in pairs. Where a language is withheld it has too few pairs for a gap anyway; a level takes its gap along.
    """
    documents = {cell: names(scored(part.answers_of(*cell))) for cell in part.document_cells()}
    documents |= {cell: names(part.items_of(*cell)) for cell in part.field_cells()}
    asked = {cell: names(part.answers_of(*cell)) for cell in part.document_cells()}
    sums: list[Sum] = [(ALL, [c for c in documents if c[0] == d]) for d in (*GROUPS, "field")]
    for language in part.groups["language"]:
        within = [c for c in documents if c[0] == f"field_{language}"]
        sums.append((("language", language), within))
    for field in part.fields:
        sums.append((("field", field.name), [c for c in documents if c[0].startswith("field_") and c[1] == field.name]))
    floor = readings.PRIVATE_FLOOR
    counted = withheld(asked, sums[: len(GROUPS)], floor)
    hidden = counted | withheld(documents, [s for s in sums if s[0] in documents], floor, counted)
    pairs = {cell: frozenset(part.pairs(cell).index) for cell in part.gap_cells()}
    hidden |= withheld(pairs, [((GAP, *ALL), list(pairs)[1:])], floor, [c for c in pairs if c[1:] in hidden])
    return _undifferenced(part, documents, asked, hidden)


def _undifferenced(
    part: Part,
    documents: Mapping[Cell, frozenset[str]],
    asked: Mapping[Cell, frozenset[str]],
    hidden: Mapping[Cell, str],
) -> dict[Cell, str]:
    """The same, with what it takes that no combination of groups leads to few documents either.

    Two kinds of numbers can be combined among themselves: points over documents with the gaps, which are Czech less English points of
    whole pairs (a language whose fields are shown counts as shown), and how many documents were asked. A gap leaves out what only
    one twin prints, so it is tried with and without the documents that have such a field.
    """
    twins = {cell: _twins(part, cell) for cell in part.gap_cells()}
    uneven = _uneven(part)
    even = {cell: {d: w for d, w in some.items() if d not in uneven} for cell, some in twins.items()}

    field_cells = part.field_cells()

    def sums(gone: Collection[Cell]) -> list[dict[Cell, Weights]]:
        fields = {c[0] for c in field_cells if c not in gone and documents[c]}
        told = [c for c in asked if c not in gone or _field_dimension(c) in fields]
        points: dict[Cell, Weights] = {c: dict.fromkeys(documents[c], 1) for c in told}
        counts: dict[Cell, Weights] = {c: dict.fromkeys(asked[c], 1) for c in asked if c not in gone}
        kinds = [points | {c: some[c] for c in some if c not in gone} for some in (twins, even)]
        return [*(kinds if uneven else kinds[:1]), counts]

    optional: dict[Cell, Collection[Cell]] = {c: [] for c in twins}
    optional |= {c: [(GAP, *c)] if c[0] == "level" else [] for c in asked if c[0] not in ("overall", "language")}
    return undifferenced(sums, optional, hidden, readings.PRIVATE_FLOOR, [*asked, *field_cells, *twins])


def _twins(part: Part, cell: Cell) -> dict[str, int]:
    """The documents behind a gap, Czech ones with 1 and English ones with -1."""
    whole = set(part.pairs(cell).index)
    rows = part.items.loc[part.items["pair_id"].isin(whole), ["case_id", "language"]]
    czech, english = (rows.loc[rows["language"] == x, "case_id"].unique() for x in ("cs", "en"))
    return dict.fromkeys(czech, 1) | dict.fromkeys(english, -1)


def _uneven(part: Part) -> frozenset[str]:
    """The documents that print a field, one which both languages have, that their scored twin does not print."""
    items = part.items[~part.items["label"].isin(OUTSIDE)]
    both = items[items["item"].isin([f.name for f in part.fields if len(f.languages) > 1])]
    return names(both[both.groupby(["pair_id", "item"])["language"].transform("nunique") < 2])


def _field_dimension(cell: Cell) -> str:
    """The dimension of the fields within a group: those of all documents, those of one language."""
    return "field" if cell == ALL else f"field_{cell[1]}"
