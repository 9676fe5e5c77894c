"""The site of the report: what its pages are made of, gathered from the store, and written as files (`profiles/report/pages/`)."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from datasets.store import Store
from profiles.report.material import Section
from profiles.report.pages import Gates, Ran, Site, brief_of
from profiles.report.pages.whole import files_of
from profiles.report.texts import Both
from schemas.case import Case
from schemas.errata import Erratum
from tasks.gate_log import GateLine, read_gates
from tasks.missing import missing_of
from tasks.ranking import against_each_other
from tasks.settings import Settings
from tasks.views import ORDER, SQL

MOST_PROMPTS = 2
"""Different prompts of a language up to which all are shown; with more, one a case, the first is an example."""

_PICTURE = re.compile(r"data:image/(png|webp|jpeg);base64,([A-Za-z0-9+/=]{200,})")


def site_of(
    store: Store, sections: Sequence[Section], files: Sequence[tuple[Both, Both]], errata: Sequence[Erratum]
) -> Site:
    """All that the site shows; files: what stands beside its pages. No case that is not public is read."""
    against = {section.suite: against_each_other(store, section) for section in sections}
    rankings = {suite: one.rankings for suite, one in against.items()}
    spent = {
        (suite, system): (s.n_answers, s.usd)
        for suite, one in against.items()
        for system, s in (one.spent or {}).items()
    }
    return Site(
        sections=sections,
        rankings=rankings,
        spent=spent,
        missing=missing_of(store, sections, rankings),
        files=files,
        errata=errata,
        runs=_runs(store),
        gates=list(_gates(read_gates(store))),
        prompts={section.suite: dict(_prompts([shown.case for shown in section.cases])) for section in sections},
        views={name: (SQL / f"{name}.sql").read_text(encoding="utf-8") for name in ORDER},
        contact=Settings.read().contact,
    )


def write_site(site: Site, folder: Path) -> None:
    """Write every page and what pages share."""
    for path, text in files_of(site):
        write_page(path, text, folder)


def write_page(path: str, text: str, folder: Path) -> None:
    """Write a page of the report; pictures inside it become files of their own, each once in the report, by the hash of its bytes."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    keep = partial(_kept, folder=folder, root="../" * path.count("/"))
    file.write_text(_PICTURE.sub(keep, text), encoding="utf-8")


def _kept(found: re.Match[str], folder: Path, root: str) -> str:
    data = base64.b64decode(found[2])
    name = f"assets/pictures/{hashlib.sha256(data).hexdigest()[:32]}.{found[1]}"
    file = folder / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return f"{root}{name}"


def public_words(site: Site) -> list[str]:
    """What the site says beside cases and numbers, which is public by its origin: versions, runs, partitions, errata, descriptions."""
    return [
        json.dumps([_plain(run) for run in site.runs], ensure_ascii=False, default=str),
        json.dumps([_plain(gates) for gates in site.gates], ensure_ascii=False),
        *(
            text
            for e in site.errata
            for text in (e.wrong.cs, e.wrong.en, e.changed.cs, e.changed.en, e.date.isoformat())
        ),
        *site.views.values(),
        site.contact or "",
    ]


def _plain(one: Any) -> dict[str, Any]:
    return dict(vars(one))


def _runs(store: Store) -> list[Ran]:
    """All finished runs, the newest first; what only the newest was made with stands beside it. A broken manifest is left out."""
    found = []
    for name in store.names("runs", ".json"):
        try:
            manifest = json.loads(store.get(name))
            order = manifest["order"]
            systems = {part["suite"]: tuple(part["systems"]) for part in order["parts"] if part["systems"]}
            found.append(
                Ran(
                    order["run_id"], manifest["finished_at"], order["seed"], systems, len(manifest.get("failed", ())),
                    manifest.get("made_with"),
                )
            )  # fmt: skip
        except (ValueError, KeyError, TypeError):
            continue
    return sorted(found, key=lambda run: (run.finished_at, run.id), reverse=True)


def _gates(by_run: dict[str, list[GateLine]]) -> Iterator[Gates]:
    """The gates of every run, those of one stage and partition together; of a shard that came twice the last word counts."""
    for run, lines in by_run.items():
        last = {(line.table, line.place.folder, line.key): line for line in lines}
        together: dict[tuple[str, str], list[GateLine]] = {}
        for line in last.values():
            together.setdefault((line.table, line.place.folder), []).append(line)
        for some in together.values():
            yield _summed(run, some)


def _summed(run: str, some: Sequence[GateLine]) -> Gates:
    place = some[0].place
    return Gates(
        run=run,
        table=some[0].table,
        suite=place.suite,
        edition=place.edition,
        system=place.system or "",
        judge=place.judge or "",
        n_gates=len(some),
        rows=sum(line.rows for line in some),
        passed=sum(line.passed for line in some),
        set_aside=sum(line.set_aside for line in some),
        broken=tuple(sorted({rule for line in some for rule in line.broken})),
        quarantine=tuple(sorted({line.quarantine for line in some if line.quarantine})),
    )


def _prompts(cases: Iterable[Case]) -> Iterator[tuple[str, str]]:
    """The different prompts of a language word for word; where every case has its own, the first as an example."""
    found: dict[str, dict[str, str]] = {}
    for case in cases:
        if case.split == "public" and (brief := brief_of(case)) is not None:
            found.setdefault(case.language, {}).setdefault(brief.prompt, case.case_id)
    for language, prompts in sorted(found.items()):
        if len(prompts) <= MOST_PROMPTS:
            for at, words in enumerate(prompts):
                yield f"{at + 1}.{language}.md" if len(prompts) > 1 else f"prompt.{language}.md", words
        else:
            words, case_id = next(iter(prompts.items()))
            yield f"prompt.{language}.md ({case_id})", words
