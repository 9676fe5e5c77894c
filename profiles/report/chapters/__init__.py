"""Chapters of the page: how one suite is shown.

A suite is shown by the module here that has its word, and by `documents` where there is none. A module has one function
`chapter(section) -> Chapter`, a template `templates/<word>.html.j2` that gets what the chapter holds as `s`, and texts of its own in
`texts.<word>.cs.yaml` and `texts.<word>.en.yaml` beside the common ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from profiles.report.filter_table import FilterTable, filter_table
from profiles.report.material import Section
from profiles.report.stamps import stamp
from profiles.report.texts import Both, name


@dataclass(frozen=True)
class Chapter:
    """One suite on the page.

    template: name of the file that shows `view`; parts: its headings, keys of the texts `part.…`, anchors `<suite>-<part>`; limits: keys
    of the texts `limits.…` that apply to it at the end of the page (G-10); has_costs, has_cases: whether it counts money and shows
    single cases; has_filters: whether its own template shows where filters stopped. Where it does not, `filters` is shown below it (M-6).
    """

    section: Section
    template: str
    view: Any
    parts: Sequence[str]
    limits: Sequence[str]
    has_costs: bool = False
    has_cases: bool = False
    has_filters: bool = False
    filters: FilterTable | None = None

    @property
    def title(self) -> Both:
        """The suite's name."""
        return name("suite", self.section.suite)

    @property
    def stamp(self) -> Both:
        """When, on what and by which versions was measured."""
        return stamp(self.section)


class _Module(Protocol):
    def chapter(self, section: Section) -> Chapter: ...


def chapter_of(section: Section) -> Chapter:
    """The chapter of a section, by the word of its suite, with the table of filters where one stopped something and it shows none itself."""
    own = f"{__name__}.{section.suite}"
    module = cast(_Module, import_module(own if find_spec(own) else f"{__name__}.documents"))
    made = module.chapter(section)
    filters = None if made.has_filters else filter_table(section)
    return made if filters is None else replace(made, filters=filters, parts=[*made.parts, "filters"])


def limits_of(suite: str) -> Sequence[str]:
    """The keys of the texts `limits.…` that hold for every section of a suite (G-10)."""
    own = f"{__name__}.{suite}"
    module = import_module(own if find_spec(own) else f"{__name__}.documents")
    found: Sequence[str] = getattr(module, "LIMITS", ())
    return found
