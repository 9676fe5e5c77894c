"""The publication filter: everything that is to leave is searched for everything private, and leaves as a whole or not at all (G-8)."""

import csv
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.store import Store
from datasets.tables import Place, batches_of, read_part, sealed
from profiles.report.leak import Guard, PrivateCase, ReportLeak, values_of
from profiles.report.texts import LANGS, read_texts
from schemas import readings
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Grade
from schemas.row import Row
from tasks.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa

PICTURES = frozenset({".png", ".webp", ".jpeg"})
"""Endings of pictures, which pages refer to."""

SECRETS = ("secret/private_seed", "secret/jury_key")
"""Names in the store under which secrets are kept."""


def guard_of(store: Store, more: Sequence[str] = ()) -> Guard:
    """The guard over all private cases of the store, whichever edition they are of.

    more: texts that are public by their origin, beside those of public cases, answers to them and grades of those.
    """
    kept = [store.get(name).decode().strip() for name in SECRETS if store.exists(name)]
    settings = Settings.read()
    secrets = [word for word in (*kept, settings.private_seed, settings.jury_key) if word]
    places = _places(store, Case, "")
    private = (case for place in places for case in _private(store, place))
    return Guard(private, _public(store, places, more), secrets)


def examine(folder: Path, guard: Guard) -> list[tuple[str, int]]:
    """Search every file of a folder; ReportLeak where one holds anything private. Names and sizes of the files, in their order."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in files:
        name = f"The file {path.relative_to(folder)} of the report"
        guard.look(path.name, name)
        if path.suffix in PICTURES:
            _look_at_picture(path, guard, name)
        elif path.suffix == ".parquet":
            _look_at_rows(path, guard, name)
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    _look_at_row(row, guard, name)
        else:
            guard.look(path.read_text(encoding="utf-8"), name, is_html=path.suffix == ".html")
    return [(str(path.relative_to(folder)), path.stat().st_size) for path in files]


def show_publication(files: Sequence[tuple[str, int]]) -> None:
    """Put the list of what left into the running flow as one table artifact; nothing happens outside a flow run."""
    if "prefect" not in sys.modules:
        return
    from prefect.artifacts import create_table_artifact
    from prefect.context import FlowRunContext

    if FlowRunContext.get() is not None:
        table = [{"file": name, "bytes": size} for name, size in files]
        create_table_artifact(key="publication", table=table, description="What left the store: the folder `report`.")


def _look_at_picture(path: Path, guard: Guard, name: str) -> None:
    """A picture of a page: named by the hash of its bytes, so it came from a page as it is, and nothing is written into it as text."""
    data = path.read_bytes()
    if not hashlib.sha256(data).hexdigest().startswith(path.stem) or path.parent.name != "pictures":
        raise ReportLeak(f"{name} is a picture that no page of the report made; nothing was published (G-8).")
    guard.look(data.decode("latin-1"), name)


def _look_at_rows(path: Path, guard: Guard, name: str) -> None:
    for batch in batches_of(path):
        guard.look(str(batch.schema.metadata), name)
        for row in batch.to_pylist():
            _look_at_row(row, guard, name)


def _look_at_row(row: Mapping[str, Any], guard: Guard, name: str) -> None:
    """One row of a download: no private case, no private aggregate over fewer documents than the floor, nothing private in any cell."""
    if row.get("split") == "private":
        if "case_id" in row:
            raise ReportLeak(f"{name} holds a row of a private case; nothing was published (G-8).")
        if row["value"] in (None, "") or int(row["n_documents"]) < readings.PRIVATE_FLOOR:
            raise ReportLeak(
                f"{name} holds an aggregate over fewer than {readings.PRIVATE_FLOOR} private documents, or one that is withheld; "
                "nothing was published (G-8)."
            )
    cells = [v if isinstance(v, str) else json.dumps(v, ensure_ascii=False, default=str) for v in row.values() if v]
    guard.look_at_cells(cells, name)


def _private(store: Store, place: Place) -> Iterator[PrivateCase]:
    """All that is private in an edition: cases, answers to them, grades of those."""
    columns = ["case_id", "pair_id", "split", "truth", "text", "canary", "document_sha256", "image_sha256"]
    names: list[str] = []
    for table in _parts(store, Case, place, columns):
        for row in table.to_pylist():
            if row["split"] == "private":
                names.append(row["case_id"])
                marks = (row["pair_id"], row["document_sha256"], row["image_sha256"])
                values = tuple(values_of(json.loads(row["truth"])))
                texts = tuple(t for t in (row["text"], *values) if t)
                yield PrivateCase(row["case_id"], row["canary"], values, texts, tuple(m for m in marks if m))
    for texts in _said(store, place, names) if names else ():
        yield PrivateCase("", None, (), texts)


def _public(store: Store, places: Sequence[Place], more: Sequence[str]) -> Iterator[str]:
    """All texts that are public by their origin: the report's own words, public cases, answers to them, grades of those."""
    yield from more
    for lang in LANGS:
        for words in read_texts(lang).values():
            yield from words if isinstance(words, list) else (str(words),)
    for place in places:
        yield place.edition
        names: list[str] = []
        for table in _parts(store, Case, place, ["case_id", "split", "truth", "text", "brief"]):
            for row in table.to_pylist():
                if row["split"] == "public":
                    names.append(row["case_id"])
                    yield from values_of(json.loads(row["truth"]))
                    yield from values_of(json.loads(row["brief"]))
                    yield from (row["truth"], row["brief"], row["text"] or "")
        for texts in _said(store, place, names):
            yield from texts


def _said(store: Store, place: Place, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What systems answered to some cases, and what graders wrote of it, one tuple a row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(names, pa.string())
    told: tuple[tuple[type[Row], list[str]], ...] = (
        (Answer, ["case_id", "replies", "error"]),
        (Grade, ["case_id", "given", "expected", "reason", "quote"]),
    )
    for model, columns in told:
        for at in _places(store, model, place.folder):
            for table in _parts(store, model, at, columns):
                for row in table.filter(pc.is_in(table["case_id"], value_set=wanted)).to_pylist():
                    yield tuple(values_of([row[name] for name in columns[1:]]))


def _places(store: Store, model: type[Row], below: str) -> list[Place]:
    """The sealed partitions of a table below a folder, whoever answered or judged."""
    found = []
    for name in store.names(f"manifests/{model.table}/{below}", ".json"):
        steps = dict(step.split("=", 1) for step in name.removesuffix(".json").split("/") if "=" in step)
        found.append(Place.model_validate(steps))
    return found


def _parts(store: Store, model: type[Row], place: Place, columns: Sequence[str]) -> "Iterator[pa.Table]":
    for part in sealed(store, model, place) or ():
        yield read_part(store, model, place, part.name, columns)
