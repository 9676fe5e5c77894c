"""The page on runs: the manifest of the newest run, all runs, the gates' history, and what gates expect in words (S-4, G-9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from profiles.report import numbers
from profiles.report.pages import RUNS, Gates, Ran, Site, show
from profiles.report.texts import Both, both, count, name, same, text
from schemas.expectations import Expectation, expectations
from schemas.tables import TABLES

MOST_RUNS = 20
"""Newest runs whose gates are listed."""


@dataclass(frozen=True)
class OfRun:
    """The gates of one run: its id, all of them in a line, and a line a stage and partition."""

    run: str
    told: Both
    is_whole: bool
    lines: Sequence[Sequence[Both]]


def page(site: Site) -> str:
    """The page `runs.html`; where there is no run or no gate it says so."""
    newest = site.runs[0] if site.runs else None
    by_run = [OfRun(run, *_gates(list(some))) for run, some in groupby(site.gates, key=lambda gates: gates.run)]
    return show(
        "site_runs.html.j2", site, RUNS, text("site.runs.title"),
        newest=newest,
        lead=text("site.runs.manifest_lead", id=newest.id, day=numbers.day(newest.finished_at[:10])) if newest else None,
        facts=_facts(newest.made_with) if newest and newest.made_with else [],
        suites=_suites(newest.made_with) if newest and newest.made_with else [],
        groups=_groups(newest.made_with) if newest and newest.made_with else [],
        runs=[_run(ran) for ran in site.runs],
        gates=by_run[:MOST_RUNS],
        n_older=numbers.integer(len(by_run) - MOST_RUNS) if len(by_run) > MOST_RUNS else None,
        rules=[(table, _rules(expectations(model))) for table, model in TABLES.items()],
    )  # fmt: skip


def _run(ran: Ran) -> list[Both]:
    asked = ran.systems.items()
    systems = both(lambda lang: "; ".join(f"{name('suite', s).of(lang)}: {', '.join(of)}" for s, of in asked) or "–")
    return [
        same(ran.id), numbers.day(ran.finished_at[:10]), same(str(ran.seed)), systems, numbers.integer(ran.n_failed)
    ]  # fmt: skip


def _facts(made_with: Mapping[str, Any]) -> list[tuple[Both, Both]]:
    code = made_with.get("code") or {}
    told = [(text("site.runs.code"), same(f"{code.get('zkusebna', '–')} ({code.get('sha256', '–')})"))]
    for key in ("python", "browser", "ocr"):
        value = made_with.get(key)
        told.append((text(f"site.runs.{key}"), same(str(value)) if value else text("site.runs.not_there")))
    return told


def _suites(made_with: Mapping[str, Any]) -> list[list[Both]]:
    """A line a suite: versions of set, prompts, grading, instructions of judges, aggregates."""
    found = []
    for suite, of in (made_with.get("suites") or {}).items():
        prompts = ", ".join(f"{k} {v}" for k, v in (of.get("prompts") or {}).items())
        cells = [of.get("set"), prompts, of.get("rubric"), of.get("judged"), of.get("aggregates")]
        found.append([name("suite", suite), *(same(str(c)) if c else same("–") for c in cells)])
    return found


def _groups(made_with: Mapping[str, Any]) -> list[tuple[str, Both, list[list[Both]]]]:
    """Long lists of the manifest, each under its name: packages, fonts, settings, rates."""
    found = []
    for key in ("packages", "fonts", "settings", "rates"):
        lines = [[same(str(k)), same("–" if v is None else str(v))] for k, v in (made_with.get(key) or {}).items()]
        if lines:
            found.append((key, text(f"site.runs.{key}"), lines))
    return found


def _gates(some: Sequence[Gates]) -> tuple[Both, bool, list[list[Both]]]:
    n, rows = sum(g.n_gates for g in some), sum(g.rows for g in some)
    aside = sum(g.set_aside for g in some)
    key = "some_failed" if any(g.broken for g in some) else "all_passed"
    told = text(
        f"site.runs.{key}", gates=count("counted.site_gates", n), rows=count("counted.site_rows", rows), n=numbers.integer(aside)
    )  # fmt: skip
    return told, key == "all_passed", [_gate(one) for one in some]


def _gate(one: Gates) -> list[Both]:
    who = " ".join(word for word in (one.edition, one.system, one.judge and f"({one.judge})") if word)
    where = same(", ".join((*one.quarantine, *one.broken)) or "–")
    return [
        name("site.runs.stages", one.table),
        both(lambda lang: f"{name('suite', one.suite).of(lang)} {who}".strip()),
        numbers.integer(one.n_gates),
        numbers.integer(one.rows),
        numbers.integer(one.passed),
        numbers.integer(one.set_aside),
        where,
    ]


def _rules(wanted: Sequence[Expectation]) -> list[Both]:
    """The rules of a table, a sentence a kind, with the columns that it holds for."""
    by_kind: dict[str, list[str]] = {}
    for one in wanted:
        columns = one.arguments.get("column_list") or [one.arguments.get("column", "")]
        by_kind.setdefault(one.type, []).extend(str(c) for c in columns)
    return [text(f"site.runs.{kind}", columns=", ".join(columns)) for kind, columns in by_kind.items()]
