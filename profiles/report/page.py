"""The page: one HTML file with everything in it, Czech and English, without the network."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from profiles.report import board, costs, numbers
from profiles.report.chapters import chapter_of
from profiles.report.material import Older, Section
from profiles.report.texts import Both, count, name, text

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent


def render(sections: Sequence[Section], files: Sequence[tuple[Both, Both]] = ()) -> str:
    """The whole page; with no sections it says that nothing was measured yet.

    files: what stands beside the page, by its name and its path from there, both in both languages.
    """
    chapters = [chapter_of(section) for section in sections]
    page: str = (
        environment()
        .get_template("page.html.j2")
        .render(
            chapters=chapters,
            style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
            script=Markup(
                "\n".join((FOLDER / f"{f}.js").read_text(encoding="utf-8") for f in ("page", "calculator", "claims"))
            ),
            rates=costs.footer() if any(one.has_costs for one in chapters) else None,
            limits=list(dict.fromkeys(key for one in chapters for key in one.limits)),
            older=[line for section in sections for line in _older(section)],
            files=files,
        )
    )
    return page


@cache
def environment() -> "Environment":
    """The templates of the report, with texts in both languages at hand."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.globals.update(t=text, name=name, count=count)
    return made


def _older(section: Section) -> list[dict[str, Any]]:
    """Lines of the table of older editions: each system's overall numbers of the public part."""
    return [line for older in section.older for line in _older_lines(section, older)]


def _older_lines(section: Section, older: Older) -> list[dict[str, Any]]:
    as_section = Section(section.suite, older.edition, older.rows, section.systems)
    return [
        {"suite": name("suite", section.suite), "edition": older.edition, "entry": entry,
         "date": numbers.day(entry.standing.run_date)}
        for entry in board.entries(as_section, "public")
    ]  # fmt: skip
