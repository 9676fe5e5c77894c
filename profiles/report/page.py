"""The page: one HTML file with everything in it, Czech and English, without the network."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from profiles.report import board, costs, numbers
from profiles.report.chapters import Chapter, chapter_of
from profiles.report.material import Older, Section
from profiles.report.texts import Both, count, name, text

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent


def render(
    sections: Sequence[Section],
    files: Sequence[tuple[Both, Both]] = (),
    title: Both | None = None,
    chapters: Sequence[Chapter] | None = None,
    **site: Any,
) -> str:
    """All sections as one page with everything in it; with no sections it says that nothing was measured yet.

    files: what stands beside the page, by its name and its path from there, both in both languages. title: of the page; chapters: of the
    sections, where they are made already; site: what a page
    of the site shows beside the chapter (`profiles.report.pages.suites`), which takes its styles and scripts from `assets/`.
    """
    chapters = [chapter_of(section) for section in sections] if chapters is None else chapters
    page: str = (
        environment()
        .get_template("page.html.j2")
        .render(
            chapters=chapters,
            style=Markup(styles()),
            script=Markup(scripts()),
            rates=costs.footer() if any(one.has_costs for one in chapters) else None,
            limits=list(dict.fromkeys(key for one in chapters for key in one.limits)),
            older=[line for section in sections for line in _older(section)],
            files=files,
            title=title or text("page.title"),
            **({"site": None, "index": (), "matrices": ()} | site),
        )
    )
    return page


def styles() -> str:
    """The style sheet of every page."""
    return _read("style.css")


def scripts() -> str:
    """The scripts of a page of chapters, which stand alone: language, filters, calculator, claims."""
    return "\n".join(_read(f"{f}.js") for f in ("page", "calculator", "claims"))


def assets() -> dict[str, str]:
    """What all pages of the site share, by its path."""
    return {
        "assets/site.css": f"{styles()}\n{_read('site.css')}",
        "assets/site.js": "\n".join([scripts(), *(_read(f"{f}.js") for f in ("sorting", "mistake"))]),
    }


def _read(file: str) -> str:
    return (FOLDER / file).read_text(encoding="utf-8")


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
