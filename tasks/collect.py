"""Between the stages `test` and `grade`: the evidence of the answers, in suites whose answers are pages to open (A-1, A-11, G-12).

A reply without a page has no evidence, and graders say so. What was collected of a page is remembered in the store by what it was
collected from (the page, its scenario, the language of the words), so no page is opened twice, also after a kill. One shard at a time
opens pages: so many at once as the collector found good (`tasks.browse.AT_ONCE`).
"""

import hashlib
import io
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from prefect import task

from datasets.store import Store
from datasets.tables import Place, part_of, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.artifacts_html import Artifact, artifact_of
from schemas.case import Case
from schemas.errors import StageError
from schemas.evidence import MEASUREMENTS, VERSION, Trial
from schemas.evidence_row import DATA, MEDIA, PICTURE, Evidence, EvidenceFile, Item, evidence_of
from schemas.exchange import Frozen
from schemas.row import to_table
from schemas.scenario import Scenario, WordsLanguage
from schemas.status import GRADED
from tasks.gate import pass_gate
from tasks.progress import advance
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan
from tasks.suites import suite_of
from tasks.test import cases_of

COLLECT_VERSION = f"2.{VERSION}"

_OPENING = threading.Lock()


class Page(Frozen):
    """One page to open, and by which name its evidence is remembered."""

    html: str
    scenario: Scenario | None
    language: WordsLanguage

    @property
    def digest(self) -> str:
        """Hash of all that the evidence is collected from."""
        told = [self.html, self.scenario.model_dump_json() if self.scenario else "", self.language, COLLECT_VERSION]
        return hashlib.sha256("\0".join(told).encode("utf-8", "replace")).hexdigest()


class Kept(Frozen):
    """What the store remembers of an opened page."""

    files: tuple[Item, ...]
    measurements: str


def plan_evidence(root: str, suite: str, edition: str, systems: Sequence[str], run_id: str = "") -> list[Plan]:
    """One plan a system with the shards of its answers; none in suites without evidence."""
    if not suite_of(suite).has_evidence:
        return []
    store = Store.open(root)
    cases = cases_of(store, suite, edition)
    plans = []
    for system in systems:
        place = Place(suite=suite, edition=edition, system=system)
        answers = sealed(store, Answer, place)
        if answers is None:
            raise StageError(f"The answers of {system} to {suite} {edition} are not there; run the stage test first.")
        shards = [
            Shard(
                root=root,
                place=place,
                number=part.shard,
                key=shard_key("evidence", EvidenceFile.version, COLLECT_VERSION, part.digest, case.digest),
                size=part.rows,
                sources={"cases": case.name, "answers": part.name},
                run_id=run_id,
            )
            for part in answers
            for case in [part_of(cases, part.shard)]
        ]
        plans.append(plan(store, EvidenceFile, place, shards))
    return plans


@task(name="collect", task_run_name="collect {shard.place.system} {shard.number}")
def collect_evidence(shard: Shard) -> Made:
    """Open the pages of one shard of answers and keep what is seen of them."""
    store = Store.open(shard.root)
    pages = dict(_pages(store, shard))
    wanted = {page.digest: page for page in pages.values()}
    with _OPENING:
        fresh = {digest: page for digest, page in wanted.items() if not store.exists(_kept(digest))}
        advance("collect", shard.size - len(fresh))
        _open_all(store, fresh)
    rows = [
        row
        for (case_id, trial), page in pages.items()
        for row in _rows(store, shard.place, case_id, trial, page.digest)
    ]
    table = to_table(EvidenceFile, rows)
    pass_gate(store, EvidenceFile, shard.place, shard.key, table, min_rows=0, run_id=shard.run_id)
    part = write_table(store, EvidenceFile, shard.place, shard.key, shard.number, table)
    return Made(key=shard.key, rows=part.rows, counts={"opened": len(fresh)})


def _pages(store: Store, shard: Shard) -> Iterator[tuple[tuple[str, int], Page]]:
    """The page of every graded answer that holds one, by case and trial."""
    place = Place(suite=shard.place.suite, edition=shard.place.edition)
    cases = {c.case_id: c for c in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))}
    for answer in rows_of(Answer, read_part(store, Answer, shard.place, shard.sources["answers"])):
        case = cases[answer.case_id]
        found = artifact_of(answer.text or "")
        if answer.status in GRADED and isinstance(found, Artifact):
            told = case.to_truth().get("scenario")
            scenario = Scenario.model_validate(told) if told else None
            language: WordsLanguage = "cs" if case.language == "cs" else "en"
            yield (answer.case_id, answer.trial), Page(html=found.html, scenario=scenario, language=language)


def _open_all(store: Store, pages: Mapping[str, Page]) -> None:
    """Open pages side by side and remember each as soon as it is done; StageError where there is no browser."""
    if not pages:
        return
    from tasks.browse import collect_all, missing

    if why := missing():
        raise StageError(f"The pages cannot be opened: {why}.")
    with tempfile.TemporaryDirectory(prefix="zk-evidence-") as made:
        trials = [
            Trial(html=page.html.encode("utf-8", "replace"), folder=Path(made) / digest, scenario=page.scenario, language=page.language)
            for digest, page in pages.items()
        ]  # fmt: skip
        for done in collect_all(trials):
            files = [_item(store, done.folder, name) for name in (*done.files, MEASUREMENTS)]
            kept = Kept(files=tuple(files), measurements=done.measurements.model_dump_json())
            store.put(_kept(done.folder.name), kept.model_dump_json().encode())
            advance("collect")


def _item(store: Store, folder: Path, name: str) -> Item:
    data = (folder / name).read_bytes()
    media = MEDIA.get(Path(name).suffix, DATA)
    is_one_colour = _is_one_colour(data) if media == PICTURE else None
    return Item(
        name=name, media_type=media, sha256=store.put_blob(data), size_bytes=len(data), is_one_colour=is_one_colour
    )


def _is_one_colour(data: bytes) -> bool:
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
        return image.convert("RGB").getcolors(maxcolors=1) is not None


def _kept(digest: str) -> str:
    return f"evidence/{digest[:2]}/{digest}.json"


def _rows(store: Store, place: Place, case_id: str, trial: int, digest: str) -> Iterator[EvidenceFile]:
    kept = Kept.model_validate_json(store.get(_kept(digest)))
    for item in kept.files:
        measured = kept.measurements if item.name == MEASUREMENTS else None
        yield EvidenceFile(
            suite=place.suite, edition=place.edition, system_id=str(place.system), case_id=case_id, trial=trial,
            measurements=measured, **dict(item),
        )  # fmt: skip


def seal_evidence(plans: Sequence[Plan], results: Sequence[Sequence[Any]], root: str) -> list[Outcome]:
    """End the step for every system."""
    store = Store.open(root)
    return [finish(store, EvidenceFile, one, made) for one, made in zip(plans, results, strict=True)]


def evidence_behind(store: Store, place: Place, shard: int) -> dict[str, str]:
    """The source `evidence` of grades of a shard of answers: the name of its part; empty in suites without evidence.

    The name belongs into the key of the grades: it says what the part was made from, while the digest leaves out what differs by nature
    (pictures, times). StageError where the evidence was not collected.
    """
    if not suite_of(place.suite).has_evidence:
        return {}
    home = place.model_copy(update={"judge": None})
    parts = sealed(store, EvidenceFile, home)
    if parts is None:
        raise StageError(
            f"There is no evidence of {home.system} in {home.suite} {home.edition}; run the stage test first."
        )
    return {"evidence": part_of(parts, shard).name}


def read_evidence(store: Store, place: Place, name: str | None) -> dict[tuple[str, int], Evidence]:
    """The evidence in a part by case and trial; empty without a part."""
    if name is None:
        return {}
    by_answer: dict[tuple[str, int], list[EvidenceFile]] = {}
    home = place.model_copy(update={"judge": None})
    for row in rows_of(EvidenceFile, read_part(store, EvidenceFile, home, name)):
        by_answer.setdefault((row.case_id, row.trial), []).append(row)
    return {key: found for key, rows in by_answer.items() if (found := evidence_of(rows)) is not None}


def collected(store: Store, place: Place) -> dict[tuple[str, int], Evidence] | None:
    """All evidence of a system by case and trial; None where it was not collected yet."""
    parts = sealed(store, EvidenceFile, place)
    if parts is None:
        return None
    return {key: found for part in parts for key, found in read_evidence(store, place, part.name).items()}
