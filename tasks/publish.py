"""The end of a run: the leaderboard for the terminal and for Prefect, and the report with all that stands beside it (G-8).

Cases, answers and grades of private documents are never read here, but by the filter that looks for them in the finished files.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from datasets.editions import has_edition
from datasets.store import Store
from datasets.tables import Place, judged_places, manifest_name, read, read_part, rows_of, sealed
from profiles.claims import public_rows
from profiles.report.material import Older, Reply, Section, ShownCase, choose, newest, reasons, with_taxes
from profiles.report.texts import LANGS
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.errors import StoreError
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.row import Row
from schemas.system import System
from schemas.tendency import Tendency
from schemas.vote import EVER
from tasks.cards import card_of
from tasks.choose import known_systems
from tasks.downloads import write_downloads
from tasks.errata import read_all_errata
from tasks.filters import filter_table
from tasks.jury_audit import read_overview
from tasks.publication import examine, guard_of, show_publication
from tasks.shown_pages import history, shown_pages, signature
from tasks.shown_runs import shown_runs
from tasks.site import public_words, site_of, write_page, write_site
from tasks.suites import SUITES, suite_of

if TYPE_CHECKING:
    import pyarrow as pa

R = TypeVar("R", bound=Row)

FOLDER = "report"
PAGE = f"{FOLDER}/index.html"


def leaderboard(root: str, suite: str, edition: str, systems: Sequence[str]) -> Board:
    """How systems stand in an edition, from sealed `tendencies`, as the suite's reader tells it."""
    store = Store.open(root)
    places = [Place(suite=suite, edition=edition, system=system) for system in systems]
    return suite_of(suite).reader.board([row for place in places for row in _tendencies(store, place)], systems)


def show_leaderboard(root: str, suite: str, edition: str, systems: Sequence[str]) -> None:
    """Put the leaderboard into the running flow as one table artifact; nothing happens outside a flow run."""
    if "prefect" not in sys.modules:
        return
    from prefect.artifacts import create_table_artifact
    from prefect.context import FlowRunContext

    found = leaderboard(root, suite, edition, systems)
    if FlowRunContext.get() is None or not found.rows:
        return
    create_table_artifact(
        key=f"leaderboard-{suite.replace('_', '-')}",
        table=list(found.rows),
        description=f"{suite} {edition}. {found.caption}",
    )


def page_of(root: str) -> Path:
    """The page of the report on the local disk."""
    return Store.open(root).local(FOLDER) / PAGE.removeprefix(f"{FOLDER}/")


def publish_report(root: str) -> Path:
    """Publish the folder `report` of the store from the newest edition of every suite, and return the path of its page.

    The newest edition is the one with the latest run; a record of the jury is shown without any. In the folder stand the page, the card of
    each set and the downloads. All of it is written aside, searched by the publication filter, and takes the place of the earlier folder
    as a whole; that one stays where anything of a private case would leave (ReportLeak, G-8), where the errata are broken (UsageError) and
    where the folder cannot be written (StoreError). No system and no judge is called (G-12).
    """
    store = Store.open(root)
    found = _editions(store)
    measured = [_section(store, suite, editions) for suite, editions in found.items()]
    sections = with_taxes(sorted([*measured, *_records(store, found)], key=lambda section: section.suite))
    try:
        with store.replacing(FOLDER) as folder:
            static = _write(store, sections, folder)
            files = examine(
                folder, guard_of(store, [*static, *(text for section in sections for text in _public(section))])
            )
    except OSError as problem:
        raise StoreError(
            f"The report could not be written to '{store.address}/{FOLDER}': {problem.strerror or problem}; "
            "free space or allow writing there, then run `zkusebna report`. An earlier report stays as it was."
        ) from problem
    show_publication(files)
    return page_of(root)


def _write(store: Store, sections: Sequence[Section], folder: Path) -> list[str]:
    """Write all files of the report into a folder; what is returned is public by its origin: our own words, versions, names of partitions."""
    from profiles.report import gallery
    from profiles.report.cards import links, render_card

    errata = read_all_errata(store)
    cards = [card_of(store, s.suite, s.edition, errata) for s in sections if has_edition(store, s.suite, s.edition)]
    (folder / "sets").mkdir()
    for card in cards:
        for lang in LANGS:
            (folder / "sets" / f"{card.suite}.{lang}.html").write_text(render_card(card, lang), encoding="utf-8")
    downloads = write_downloads(store, sections, folder / "downloads")
    site = site_of(store, sections, links(cards, [one.stem for one in downloads]), errata)
    write_site(site, folder)
    for section in sections:
        if suite_of(section.suite).has_evidence:
            write_page(f"gallery-{section.suite}.html", gallery.render(section), folder)
    return [
        (folder / "downloads" / "README.md").read_text(encoding="utf-8"),
        *(t for c in cards for t in c.about.values()),
        *public_words(site),
    ]


Editions = Mapping[str, Sequence[Place]]


def _editions(store: Store) -> dict[str, dict[str, list[Place]]]:
    """The sealed partitions of `tendencies` by suite and edition."""
    found: dict[str, dict[str, list[Place]]] = {}
    for manifest in store.names(f"manifests/{Tendency.table}", ".json"):
        suite, edition, system = (step.split("=", 1)[1] for step in manifest.removesuffix(".json").split("/")[-3:])
        place = Place(suite=suite, edition=edition, system=system)
        found.setdefault(suite, {}).setdefault(edition, []).append(place)
    return found


def _tendencies(store: Store, place: Place) -> list[Tendency]:
    return rows_of(Tendency, read(store, Tendency, place)) if sealed(store, Tendency, place) is not None else []


def _section(store: Store, suite: str, editions: Editions) -> Section:
    """The newest edition of a suite with its public cases, and the older ones with their overall numbers."""
    rows = {edition: [r for p in places for r in _tendencies(store, p)] for edition, places in editions.items()}
    age = [
        (edition, max((r.run_date for r in rows[edition]), default=""), max(_written_at(store, p) for p in places))
        for edition, places in editions.items()
    ]
    shown = newest(age)
    older = [e for e, _, _ in sorted(age, key=lambda a: (a[1], a[2]), reverse=True) if e != shown]
    systems = {str(p.system): _system(str(p.system)) for places in editions.values() for p in places}
    here = {str(p.system): systems[str(p.system)] for p in editions[shown]}
    by_panel, has_evidence = suite_of(suite).by_panel, suite_of(suite).has_evidence
    place = Place(suite=suite, edition=shown)
    cases, n_public, left_out = ([], 0, {}) if by_panel else _cases(store, place, here)
    return Section(
        suite=suite,
        edition=shown,
        rows=tuple(rows[shown]),
        systems={**here, **systems},
        cases=tuple(cases),
        n_public=n_public,
        left_out=left_out,
        older=tuple(Older(e, tuple(rows[e])) for e in older),
        prompts=getattr(suite_of(suite).grader, "prompts", dict)(),
        overview=read_overview(store.address) if by_panel else None,
        method=getattr(suite_of(suite).source, "method", dict)(),
        pages=tuple(shown_pages(store, place, here)) if has_evidence else (),
        signature=signature(store, place) if has_evidence else None,
        history=tuple(history(store, suite, rows[shown])) if has_evidence else (),
        runs=tuple(shown_runs(store, place, here)) if suite_of(suite).is_conversation else (),
        filters=tuple(filter_table(store.address, suite, shown, list(here))) if suite_of(suite).is_conversation else (),
    )


def _records(store: Store, measured: Mapping[str, Editions]) -> Iterator[Section]:
    """Suites by panels of which there is a record, but no run: verdicts or votes made elsewhere are shown all the same (J-4, J-5)."""
    for suite in SUITES.values():
        if suite.by_panel and suite.word not in measured:
            found = read_overview(store.address)
            if found.n_checks or any(claim.audience.percent is not None for claim in found.claims):
                words = getattr(suite.source, "method", dict)
                yield Section(suite.word, EVER, (), {}, overview=found, method=words())


def _written_at(store: Store, place: Place) -> float:
    return store.changed(manifest_name(Tendency, place))


def _system(system_id: str) -> System:
    """The entry of a system; one that no file names any more was recorded elsewhere."""
    known = known_systems()
    if system_id in known:
        return known[system_id]
    return known["recorded"].model_copy(update={"id": system_id, "name": system_id})


def _cases(
    store: Store, place: Place, systems: Mapping[str, System]
) -> tuple[list[ShownCase], int, dict[str, dict[str, int]]]:
    """The public cases to show, how many there are, and by system why some are not scored."""
    head = _of_public(read(store, Case, place, ["case_id", "split", "image_sha256"]))
    kinds = {c: "image" if digest else "text" for c, digest in _pairs(head, "case_id", "image_sha256")}
    faulty: set[str] = set()
    left_out = {}
    for system_id, system in systems.items():
        at = place.model_copy(update={"system": system_id})
        told = _of_public(read(store, Profile, at, ["case_id", "split", "status", "deviations"]))
        faulty |= {c for c, deviations in _pairs(told, "case_id", "deviations") if deviations}
        left_out[system_id] = reasons(kinds, dict(_pairs(told, "case_id", "status")), system)
    chosen = choose(kinds, frozenset(faulty))
    return _shown(store, place, list(systems), chosen), len(kinds), left_out


def _of_public(table: "pa.Table") -> "pa.Table":
    import pyarrow.compute as pc

    return table.filter(pc.equal(table["split"], "public"))


def _pairs(table: "pa.Table", first: str, second: str) -> Iterator[tuple[str, Any]]:
    return zip(table[first].to_pylist(), table[second].to_pylist(), strict=True)


def _shown(store: Store, place: Place, systems: Sequence[str], chosen: Sequence[str]) -> list[ShownCase]:
    """The chosen public cases in their order, each with its picture and what every system made of it in its first trial."""
    cases = {c.case_id: c for c in _rows(store, Case, place, chosen) if c.split == "public"}
    replies: dict[str, dict[str, Reply]] = {case_id: {} for case_id in cases}
    for system_id in systems:
        at = place.model_copy(update={"system": system_id})
        marks = _marks(store, at, list(cases))
        texts = {a.case_id: a.text for a in _rows(store, Answer, at, list(cases)) if a.trial == 1}
        for profile in _rows(store, Profile, at, list(cases)):
            if profile.trial == 1 and profile.split == "public":
                case_id = profile.case_id
                replies[case_id][system_id] = Reply(profile, tuple(marks.get(case_id, ())), texts.get(case_id))
    return [
        ShownCase(cases[c], store.get_blob(digest) if (digest := cases[c].image_sha256) else None, replies[c])
        for c in chosen
    ]


def _marks(store: Store, place: Place, case_ids: Sequence[str]) -> dict[str, list[Grade]]:
    """The grades of first trials by case: what programs counted in the atomic pass; where people or models judge, all grades."""
    is_judged = suite_of(place.suite).judging is not None
    places = judged_places(store, Grade, place) if is_judged else [place.model_copy(update={"judge": PROGRAM})]
    found: dict[str, list[Grade]] = {}
    for at in places:
        for grade in _rows(store, Grade, at, case_ids):
            if grade.trial == 1 and (is_judged or grade.pass_name == "atomic"):
                found.setdefault(grade.case_id, []).append(grade)
    return found


def _rows(store: Store, model: type[R], place: Place, case_ids: Sequence[str]) -> Iterator[R]:
    """The rows of some cases in a sealed partition, part by part; none where the partition is not there."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(case_ids, pa.string())
    for part in sealed(store, model, place) or ():
        table = read_part(store, model, place, part.name)
        yield from rows_of(model, table.filter(pc.is_in(table["case_id"], value_set=wanted)))


def _public(section: Section) -> Iterator[str]:
    """The texts of a section that are public by their origin, beside cases, answers and grades."""
    yield from (f"{row.run_date} {row.edition}" for row in section.rows)
    yield from section.prompts.values()
    if section.overview is not None:
        yield json.dumps(public_rows(section.overview), ensure_ascii=False)
        yield from section.method.values()
