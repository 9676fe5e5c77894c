"""The publication filter over a whole store: what leaves, what never does, and that a refusal changes nothing (G-8, G-13)."""

import csv
import os
import resource
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from report_support import CANARY, EDITION, SECRET_NAME, SUITE, case_row, fill, seal_rows, tendency_row

from datasets import errata
from datasets.editions import save_edition
from datasets.store import Store
from profiles.report.leak import ReportLeak
from schemas.answer import Answer
from schemas.case import Case
from schemas.edition import Edition
from schemas.errors import StoreError, UsageError
from schemas.tendency import Tendency
from tasks import downloads, publish
from tasks.publish import publish_report

SEED = "the-secret-seed-of-the-test"
LETTER = "Vážená paní Ořechová, prosíme o opravu částky na faktuře za dodávku koření."
REPLY = "The baker owes nothing more to anybody in the village."
DIGEST = "ab" * 32


def store_of(root: Path) -> Store:
    """The small store of the report's tests with its recipe, a private text, a private answer and a secret."""
    store = fill(root)
    recipe = Edition(suite=SUITE, id=EDITION, set_version="1.0", seed=1, size=3, private_hash="00ff" * 8)
    save_edition(store, recipe)
    store.put("secret/private_seed", SEED.encode(), mode=0o600)
    cases = [row for row in _rows(store, "cases") if row.split == "public"]
    private = case_row(
        "invoices-cs-0003", {"supplier": SECRET_NAME, "total": "9876543.21", "company_id": "48136450"}, split="private",
        canary=CANARY, text=LETTER, pair_id="invoices-0003", image_sha256=DIGEST,
    )  # fmt: skip
    seal_rows(store, Case, None, [*cases, private])
    answer = Answer(
        suite=SUITE, edition=EDITION, system_id="rules", case_id=private.case_id, trial=1, status="ok", text=REPLY, replies=[REPLY],
        request_hashes=[], system_version="1", prompt_version="p1", error=None, cost_usd=0, latency_ms=5, run_id="r",
    )  # fmt: skip
    seal_rows(store, Answer, "rules", [answer])
    return store


def _rows(store: Store, table: str) -> list[Any]:
    from datasets.tables import Place, read, rows_of

    assert table == "cases"
    return rows_of(Case, read(store, Case, Place(suite=SUITE, edition=EDITION)))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.delenv("ZKUSEBNA_PRIVATE_SEED", raising=False)
    return store_of(tmp_path / "s")


def tree(root: Path) -> dict[str, bytes]:
    """All files of the published folder."""
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted((root / "report").rglob("*")) if p.is_file()}


def plain(text: str, value: Any) -> str:
    """How a value of Parquet has to stand in a CSV; a list's JSON is taken as it stands."""
    if isinstance(value, list):
        return text
    if isinstance(value, Decimal):
        return f"{value:f}"
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_what_leaves_is_public_and_the_same_in_both_forms(store: Store) -> None:
    """DuckDB reads both; public rows of the store are all there, private ones are not, and withheld aggregates have no row."""
    publish_report(str(store.root))
    folder, tables = store.root / "report" / "downloads", store.root / "tables"
    sql = duckdb.connect()
    for stem in ("cases", "results", "grades", "tendencies"):
        with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as file:
            read = list(csv.DictReader(file))
        rows = sql.sql(f"SELECT * FROM '{folder}/{stem}.parquet'").fetchall()
        names = [c[0] for c in sql.sql(f"DESCRIBE SELECT * FROM '{folder}/{stem}.parquet'").fetchall()]
        assert list(read[0]) == names
        told = [list(row.values()) for row in read]
        assert told == [
            [plain(text, value) for text, value in zip(*both, strict=True)] for both in zip(told, rows, strict=True)
        ]
    source = f"SELECT case_id FROM '{tables}/cases/**/*.parquet' WHERE split = 'public' ORDER BY ALL"
    assert (
        sql.sql(f"SELECT case_id FROM '{folder}/cases.parquet' ORDER BY ALL").fetchall() == sql.sql(source).fetchall()
    )
    graded = (
        f"SELECT case_id, item FROM '{tables}/grades/**/*.parquet' WHERE case_id <> 'invoices-cs-0003' ORDER BY ALL"
    )
    assert (
        sql.sql(f"SELECT case_id, item FROM '{folder}/grades.parquet' ORDER BY ALL").fetchall()
        == sql.sql(graded).fetchall()
    )
    private = sql.sql(
        f"SELECT system_id, n_documents, value FROM '{folder}/tendencies.parquet' WHERE split = 'private'"
    ).fetchall()
    assert private == [("ocr-rules", 7, 0.96)], "rules has one private document: no row at all"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{c}`" in readme for c in ("case_id", "truth", "deviations", "metric"))
    assert "canary" not in readme


def test_private_numbers_of_older_editions_stay(store: Store) -> None:
    """Two editions from one secret can share documents, so their difference may be one document."""
    for split in ("public", "private"):
        row = tendency_row("rules", "faultless", 0.5, split=split, n_documents=9, run_date="2026-10-01")
        old = row.model_copy(update={"edition": "v0-old"})
        if split == "public":
            first = old
    case = case_row("invoices-cs-0009", {"supplier": "Starý"}).model_copy(update={"edition": "v0-old"})
    seal_rows(store, Case, None, [case])
    seal_rows(store, Tendency, "rules", [first, old])
    publish_report(str(store.root))
    found = duckdb.sql(
        f"SELECT split FROM '{store.root}/report/downloads/tendencies.parquet' WHERE edition = 'v0-old'"
    ).fetchall()
    assert found == [("public",)]


PLANTED = {
    "id": "viz invoices-cs-0003.", "pair": "(invoices-0003)", "canary": CANARY, "another canary": "ZKUSEBNA-CANARY-00",
    "name": f"od {SECRET_NAME}", "identifier": "IČO 48136450", "amount": "9876543.21", "secret": SEED, "image": DIGEST,
    "four words of a text": "on: Prosíme O opravu částky, prý", "four words of an answer": "nothing more to anybody",
}  # fmt: skip


PLACES = ("sets/invoices.cs.html", "downloads/tendencies.csv", "downloads/cases.parquet", "downloads/README.md")


@pytest.mark.parametrize(
    ("what", "where"), [*((what, "index.html") for what in PLANTED), *(("identifier", where) for where in PLACES)]
)
def test_whatever_is_planted_wherever_is_refused_and_the_earlier_report_stays(
    what: str, where: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_report(str(store.root))
    before = tree(store.root)
    words = PLANTED[what]
    write = publish._write

    def plant(*given: Any) -> list[str]:
        static = write(*given)
        path = given[-1] / where
        if path.suffix == ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            table = pq.read_table(path)
            at = table.schema.get_field_index("text")
            pq.write_table(table.set_column(at, "text", pa.array([words] * table.num_rows)), path)
        else:
            text = path.read_text(encoding="utf-8")
            at = text.rindex("</p>") if where.endswith("html") else len(text)
            cell = f'invoices,"{words}"\n' if where.endswith("csv") else words
            path.write_text(text[:at] + cell + text[at:], encoding="utf-8")
        return static

    monkeypatch.setattr(publish, "_write", plant)
    with pytest.raises(ReportLeak) as caught:
        publish_report(str(store.root))
    told = str(caught.value)
    assert told.startswith(f"The file {where} of the report holds")
    assert "nothing was published" in told
    assert words not in told
    assert SECRET_NAME not in told
    assert tree(store.root) == before
    assert not [p for p in (store.root / "tmp").rglob("*") if p.is_file()]


def test_a_private_row_or_a_small_aggregate_in_a_download_is_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rows that leave were chosen wrongly, the filter sees it by the rows themselves."""
    with monkeypatch.context() as patch:
        patch.setattr(downloads, "_public", lambda table: table)
        with pytest.raises(ReportLeak, match=r"cases.csv of the report holds a row of a private case"):
            publish_report(str(store.root))
    monkeypatch.setattr("profiles.report.downloads.may_leave", lambda row: True)
    with pytest.raises(ReportLeak, match=r"an aggregate over fewer than 5 private documents"):
        publish_report(str(store.root))
    assert not (store.root / "report").exists()


def test_values_that_are_public_too_are_no_leak(store: Store) -> None:
    """The private document shares its date, a phrase and its town with a public one."""
    same = {"issue_date": "2026-01-31", "note": "Děkujeme za Vaši objednávku a těšíme se na další"}
    cases = _rows(store, "cases")
    public = case_row(
        "invoices-cs-0001", {"supplier": "Horák & syn", "total": "1210.00", **same}, text="Datum 2026-01-31"
    )
    private = next(c for c in cases if c.split == "private").model_copy(update={"text": f"{same['note']}, 2026-01-31"})
    seal_rows(store, Case, None, [public, private, *[c for c in cases if c.case_id[-7:] in ("cs-0002", "en-0001")]])
    publish_report(str(store.root))


@pytest.fixture
def as_nobody() -> Callable[..., str]:
    """Publishing in a child process without rights or with a limit of the size of files; what it says."""

    def run(store: Store, *, uid: int | None = None, most_bytes: int | None = None) -> str:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                if most_bytes:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
                if uid:
                    os.setuid(uid)
                publish_report(str(store.root))
                told = "published"
            except BaseException as problem:  # noqa: BLE001 - told to the parent, whatever it is
                told = f"{type(problem).__name__}: {problem}"
            os.write(writing, told.encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as file:
            told = file.read()
        os.waitpid(child, 0)
        return told

    return run


def test_a_full_disk_is_told_and_the_earlier_report_stays(store: Store, as_nobody: Callable[..., str]) -> None:
    """Files cannot grow beyond 20,000 bytes: the page does not fit. What was begun is swept away."""
    publish_report(str(store.root))
    before = tree(store.root)
    assert max(map(len, before.values())) > 20_000
    told = as_nobody(store, most_bytes=20_000)
    assert told.startswith(f"StoreError: The report could not be written to '{store.root}/report': File too large; ")
    assert told.endswith("An earlier report stays as it was.")
    assert tree(store.root) == before
    assert not [p for p in (store.root / "tmp").rglob("*") if p.is_file()]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_a_folder_that_may_not_be_written_is_told(store: Store, as_nobody: Callable[..., str]) -> None:
    """The store's own folder is read-only for the user, so nothing can be renamed in it."""
    publish_report(str(store.root))
    before = tree(store.root)
    for above in [store.root, *store.root.parents[:4]]:
        above.chmod(0o755)
    (store.root / "tmp").chmod(0o777)
    told = as_nobody(store, uid=65534)
    assert told.startswith(
        f"StoreError: The report could not be written to '{store.root}/report': Permission denied; "
    ), told
    assert tree(store.root) == before


def test_no_space_at_the_last_step_puts_the_earlier_report_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where names cannot be exchanged in one step, a rename that fails is undone."""
    publish_report(str(store.root))
    before = tree(store.root)
    monkeypatch.setattr("datasets.folders._exchanged", lambda one, other: False)
    rename = Path.rename

    def full(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", full)
        with pytest.raises(StoreError, match="No space left on device; free space or allow writing there"):
            publish_report(str(store.root))
    assert tree(store.root) == before
    publish_report(str(store.root))
    assert tree(store.root).keys() == before.keys()


def test_broken_errata_refuse_the_publication(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_report(str(store.root))
    before = tree(store.root)
    file = tmp_path / "errata.yaml"
    file.write_text(yaml.safe_dump([{"date": "2026-11-30", "suite": "invoices", "prat": "set"}]), encoding="utf-8")
    monkeypatch.setattr(errata.read_errata, "__defaults__", (file,))
    with pytest.raises(UsageError, match=r"errata.yaml: entry 1, prat: there is no such key; did you mean 'part'\?"):
        publish_report(str(store.root))
    assert tree(store.root) == before


def test_the_same_store_gives_the_same_files(store: Store) -> None:
    publish_report(str(store.root))
    first = tree(store.root)
    publish_report(str(store.root))
    assert tree(store.root) == first
