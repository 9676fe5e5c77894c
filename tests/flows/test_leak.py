"""After a whole run nothing private is anywhere but in the store's own tables: report, downloads, logs, Prefect's database (G-8).

Sentinels are the private values themselves: of every private case its id, canary, document, names and identifiers that no public
case has, and the secret seed. The search is seen to find each kind in each place.
"""

import json
import logging
import time
from pathlib import Path
from typing import Any

import pytest
from pipeline_support import stable_rows

pytestmark = pytest.mark.usefixtures("prefect_server")

SECRET = "sentinel-seed-5a1f0c7a9be2"


def leaves_of(value: Any) -> list[str]:
    """All texts inside a value."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in leaves_of(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in leaves_of(inner)]
    return [] if value is None else [str(value)]


def sentinels(store: str) -> dict[str, list[str]]:
    """By kind, what of the private third may be nowhere; what a public case holds too is no sentinel."""
    rows = stable_rows(Path(store))["cases"]
    public = "\n".join(f"{r['text']}\n{r['truth']}" for r in rows if r["split"] == "public")
    private = [r for r in rows if r["split"] == "private"]
    values = [v for r in private for v in leaves_of(json.loads(r["truth"])) if len(v) >= 8 and v not in public]
    lines = [
        x.strip()
        for r in private
        for x in (r["text"] or "").splitlines()
        if len(x.strip()) >= 20 and x.strip() not in public
    ]
    return {
        "id": [r["case_id"] for r in private], "canary": [r["canary"] for r in private], "value": values, "line": lines, "seed": [SECRET],
    }  # fmt: skip


def written(word: str) -> set[bytes]:
    """How a word may stand in a file: as it is, and as JSON writes it."""
    return {word.encode(), json.dumps(word)[1:-1].encode(), word.encode("utf-16-le")}


def places(store: str, log: str) -> dict[str, bytes]:
    """Everything that leaves or that Prefect keeps: files of the report (Parquet decoded), our log, the database with its journal."""
    import duckdb

    found = {"log": log.encode()}
    for path in (Path(store) / "report").rglob("*"):
        if path.suffix == ".parquet":
            found[path.name] = str(duckdb.sql(f"SELECT * FROM '{path}'").fetchall()).encode()
        elif path.is_file():
            found[path.name] = path.read_bytes()
    for path in (Path(store) / "runs").rglob("*.json"):
        found["manifest"] = path.read_bytes()
    found["database"] = database()
    return found


def database() -> bytes:
    """What Prefect's server has written down, after the logs on their way have arrived."""
    from prefect.logging.handlers import APILogWorker
    from prefect.settings import get_current_settings

    APILogWorker.drain_all(timeout=10)
    url = str(get_current_settings().server.database.connection_url.get_secret_value())
    file = Path(url.split("///")[-1])
    return b"".join(p.read_bytes() for p in sorted(file.parent.glob(f"{file.name}*")))


def leaks(words_of: dict[str, list[str]], there: dict[str, bytes]) -> set[tuple[str, str]]:
    """Which kind of sentinel stands where."""
    kinds = {kind: [w for word in words for w in written(word)] for kind, words in words_of.items()}
    return {
        (where, kind)
        for where, content in there.items()
        for kind, words in kinds.items()
        if any(word in content for word in words)
    }


Night = tuple[str, str, dict[str, list[str]]]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory, prefect_server: None) -> Night:
    """A whole night over invoices with a private third: the store, what was logged, the sentinels."""
    from flows.nightly import nightly

    store, lines = str(tmp_path_factory.mktemp("leak") / "store"), []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    heard, root = Lines(), logging.getLogger()
    before = root.level
    root.addHandler(heard)
    root.setLevel(logging.DEBUG)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZKUSEBNA_PRIVATE_SEED", SECRET)
        nightly(root=store, suites=["invoices"], systems=["rules"], size=15, seed=7, levels=("text",))
    root.removeHandler(heard)
    root.setLevel(before)
    return store, "\n".join(lines), sentinels(store)


def test_nothing_private_is_anywhere(night: Night) -> None:
    store, log, found = night
    assert {kind: len(words) > 4 for kind, words in found.items()} == {
        "id": True, "canary": True, "value": True, "line": True, "seed": False
    }  # fmt: skip
    there = places(store, log)
    assert {
        "index.html",
        "invoices.cs.html",
        "cases.csv",
        "grades.parquet",
        "tendencies.csv",
        "log",
        "database",
        "manifest",
    } <= there.keys()
    assert b"leaderboard-invoices" in there["database"]
    assert b"publication" in there["database"], "the list of what left is an artifact of the flow `publish`"
    assert b"invoices-cs-0001" in there["cases.csv"]
    assert leaks(found, there) == set()


@pytest.mark.parametrize("kind", ["id", "canary", "value", "line", "seed"])
def test_the_search_finds_each_kind_in_report_downloads_and_log(kind: str, night: Night) -> None:
    store, log, found = night
    word = found[kind][0]
    for name in ("index.html", "downloads/cases.csv", "sets/invoices.en.html"):
        file = Path(store) / "report" / name
        before = file.read_bytes()
        file.write_bytes(before + word.encode())
        try:
            assert leaks(found, {file.name: file.read_bytes()}) == {(file.name, kind)}
        finally:
            file.write_bytes(before)
    assert leaks(found, {"log": (log + word).encode()}) == {("log", kind)}


def test_the_search_finds_what_prefect_keeps(prefect_server: None) -> None:
    """An artifact, a line of a run's log and a parameter, each with a sentinel of its own, in the server's database."""
    from prefect import flow
    from prefect.artifacts import create_markdown_artifact

    import flows.runner  # noqa: F401 - sends our own log to the logs of runs

    words = {
        "value": ["Tajná Pekárna Ořech, s.r.o."],
        "id": ["invoices-cs-9993"],
        "line": ["Dodávka koření „na den“ 31. 1. 2026"],
    }

    @flow(name="careless")
    def careless(given: str) -> None:
        create_markdown_artifact(key="careless", markdown=f"see {words['value'][0]}")
        logging.getLogger("zkusebna").warning("case %s", words["id"][0])

    careless(words["line"][0])
    found: set[tuple[str, str]] = set()
    for _ in range(40):
        found = leaks(words, {"database": database()})
        if len(found) == len(words):
            break
        time.sleep(0.5)
    assert found == {("database", kind) for kind in words}
