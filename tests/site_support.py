"""A store with a document suite, a suite of law, a jury, runs, gates and errata, for tests of the whole site."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from pipeline_support import run_stages
from playwright.sync_api import Page

from datasets.store import Store
from tasks.audience import import_votes
from tasks.errata import add
from tasks.manifest import made_with
from tasks.recorded_verdicts import import_verdicts

ERRATUM = {
    "date": "2026-11-20", "suite": "invoices", "part": "set", "wrong": {"cs": "Součet byl o haléř jinde.", "en": "A total was off by a cent."},
    "changed": {"cs": "Součet je opravený.", "en": "The total is mended."}, "from": "0.9", "to": "1.0",
}  # fmt: skip


def systems_file(folder: Path) -> Path:
    """Two scripted systems, one of which always says the same wrong object."""
    base = {"vendor": "t", "client": "scripted", "suites": ["invoices", "legal"], "inputs": ["text"]}
    entries = [
        {**base, "id": "alfa", "name": "Alfa", "family": "alfa", "options": {"replies": ["{}"], "cost_usd": 0.002}},
        {**base, "id": "beta", "name": "Beta", "family": "beta", "options": {"replies": ["Nevím <b>nic</b>."]}},
    ]
    file = folder / "systems.yaml"
    file.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    return file


def verdict(system: str, word: str, date: str) -> str:
    told = json.dumps({"verdict": word, "reason": "Zvládá to.", "since": "2024-02"}, ensure_ascii=False)
    line = {
        "claim": "book-vacation",
        "system": system,
        "vendor": f"V {system}",
        "family": system,
        "date": date,
        "text": told,
    }
    return json.dumps(line, ensure_ascii=False)


def whole_store(folder: Path) -> Store:
    """Everything that the site has a kind of page for; the environment has to name `systems_file`."""
    root = str(folder / "s")
    Store.open(root)
    run_stages(root, "invoices", ["rules", "ocr-rules", "beta"], size=15, levels=("text",))
    run_stages(root, "legal", ["controls", "alfa", "beta"], size=2)
    lines = [
        verdict(s, w, d)
        for s, w, d in (("a", "UMÍ", "2026-03-01"), ("b", "UMÍ", "2026-03-01"), ("c", "NEUMÍ", "2026-04-01"))
    ]
    (folder / "verdicts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    import_verdicts(root, folder / "verdicts.jsonl")
    (folder / "web.csv").write_text("claim_id,yes,no\nbook-vacation,3,9\n", encoding="utf-8")
    import_votes(root, folder / "web.csv")
    add(root, ERRATUM)
    store = Store.open(root)
    store.put("runs/r1.json", json.dumps(manifest()).encode())
    return store


def manifest() -> dict[str, Any]:
    parts = [{"suite": "invoices", "size": 15, "systems": ["rules", "ocr-rules"], "left_out": {}}]
    order = {"run_id": "r1", "seed": 7, "parts": parts}
    return {
        "order": order,
        "made_with": made_with(),
        "finished_at": "2026-11-30T06:00:00+00:00",
        "outcomes": [],
        "failed": [],
    }


@contextmanager
def quiet(page: Page, folder: Path, *, may_abort: bool = False) -> Iterator[None]:
    """See that a page asks for nothing but files of a folder meanwhile, and that its console is silent.

    may_abort: requests that were given up because the page was left are no fault.
    """
    asked: list[str] = []
    told: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    page.on("console", lambda m: told.append(m.text))
    page.on("pageerror", lambda e: told.append(str(e)))
    page.on(
        "requestfailed",
        lambda r: (may_abort and "ERR_ABORTED" in (r.failure or "")) or told.append(f"failed: {r.url}"),
    )
    yield
    assert [url for url in asked if not url.startswith((folder.as_uri(), "data:", "blob:"))] == []
    assert told == []
