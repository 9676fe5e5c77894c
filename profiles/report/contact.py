"""The contact sheet: every layout in both languages at every level that is a picture, small, from public cases of the run (D-7, D-8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from profiles.report.material import ShownCase
from profiles.report.picture import thumbnail
from profiles.report.texts import Both, name, order_of


@dataclass(frozen=True)
class Print:
    """One small picture of a public document: a `data:` address and its size in pixels."""

    case_id: str
    picture: str
    width: int
    height: int


@dataclass(frozen=True)
class Row:
    """One layout; prints in the order of the columns, None where the run has no public example."""

    layout: Both
    prints: tuple[Print | None, ...]


@dataclass(frozen=True)
class ContactSheet:
    """The sheet: columns are language and level."""

    columns: tuple[tuple[Both, Both], ...]
    rows: tuple[Row, ...]


def contact_sheet(shown: Sequence[ShownCase]) -> ContactSheet | None:
    """The sheet of a section's public cases, by layout; None where no case has a picture.

    Of several examples the first by its id. ValueError for a private case (G-8).
    """
    first: dict[tuple[str, str, str], ShownCase] = {}
    for one in sorted(shown, key=lambda s: s.case.case_id):
        if one.case.split != "public":
            raise ValueError(f"a case of the split {one.case.split!r} came to the contact sheet; only public ones may")
        if one.picture is not None:
            first.setdefault((one.case.layout, one.case.language, one.case.level), one)
    if not first:
        return None
    layouts = order_of("layout", [layout for layout, _, _ in first])
    languages = order_of("language", [language for _, language, _ in first])
    levels = order_of("level", [level for _, _, level in first])
    places = [(language, level) for level in levels for language in languages]
    return ContactSheet(
        columns=tuple((name("level", level), name("language", language)) for language, level in places),
        rows=tuple(
            Row(name("layout", layout), tuple(_print(first.get((layout, *place))) for place in places))
            for layout in layouts
        ),
    )


def _print(shown: ShownCase | None) -> Print | None:
    return Print(shown.case.case_id, *thumbnail(shown.picture)) if shown and shown.picture else None
