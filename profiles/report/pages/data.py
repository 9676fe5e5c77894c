"""The page on data: downloads, the dictionary of all tables, the views for analysts word for word."""

from collections.abc import Sequence

from profiles.report.pages import DATA, Site, show
from profiles.report.texts import Both, both, same, text
from schemas.dictionary import Entry, czech, entries, table_description, view_description
from schemas.tables import TABLES


def page(site: Site) -> str:
    """The page `data.html`."""
    return show(
        "site_data.html.j2", site, DATA, text("site.data.title"),
        tables=[(table, _described(table_description(model)), [_line(e) for e in entries(model)]) for table, model in TABLES.items()],
        views=[(view, _described(view_description(sql)), sql) for view, sql in site.views.items()],
    )  # fmt: skip


def _line(entry: Entry) -> Sequence[Both]:
    marks = [
        text(f"site.data.{key}")
        for key, holds in (("key", entry.is_key), ("path", entry.place == "path"), ("nullable", entry.nullable))
        if holds
    ]
    told = both(lambda lang: ", ".join([entry.type, *(m.of(lang) for m in marks)]))
    column = same(f"{entry.column}{' ~' if entry.is_volatile else ''}")
    return [column, told, same(entry.unit or "–"), _allowed(entry), _described(entry.description)]


def _allowed(entry: Entry) -> Both:
    """What a column may hold; a pattern is told as such."""
    return both(lambda lang: entry.allowed.replace("matches", text("site.data.pattern").of(lang)) or "–")


def _described(words: str) -> Both:
    """A description in both languages; one that the catalogue lacks stays English, and a test sees to it that none does."""
    return Both(*(told.replace("`", "") for told in (czech().get(words, words), words)))
