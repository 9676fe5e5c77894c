"""Grades of web pages told in short, and the rows that come of them."""

from typing import Any

from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Grade
from schemas.stamp import Stamp

STAMP = Stamp(
    suite="artifacts", edition="e1", system_id="s1", set_version="1.0", prompt_version="p1", rubric_version="g1", seed=7, run_id="r1",
    run_date="2026-11-30",
)  # fmt: skip

PAGE = "<!doctype html><html><body><p>Stránka</p></body></html>"


def case(case_id: str = "t1", controls: str = "{}", **other: Any) -> Case:
    """A task with a truth of few words."""
    truth = f'{{"task": {{"title": "Úloha {case_id}", "version": "1.0"}}, "question": "Zadání {case_id}", "n_words": 2, "controls": {controls}}}'
    base: dict[str, Any] = {
        "suite": "artifacts", "edition": "e1", "case_id": case_id, "pair_id": case_id, "language": "cs", "split": "public",
        "level": "text", "variant": "interactive", "layout": "one-file", "prompt_version": "p1", "set_version": "1.0", "brief": "{}",
        "truth": truth, "text": None, "document_sha256": None, "image_sha256": None, "canary": None,
    }  # fmt: skip
    return Case(**(base | other))


def answer(case_id: str = "t1", trial: int = 1, **other: Any) -> Answer:
    """An answer that is a page."""
    base: dict[str, Any] = {
        "suite": "artifacts", "edition": "e1", "system_id": "s1", "case_id": case_id, "trial": trial, "status": "ok", "text": PAGE,
        "replies": [PAGE], "request_hashes": [], "system_version": "x", "prompt_version": "p1", "error": None, "cost_usd": 0,
        "latency_ms": 1, "run_id": "r1",
    }  # fmt: skip
    return Answer(**(base | other))


def grade(judge: str, item: str, points: float, **other: Any) -> Grade:
    """A grade of a criterion; 0.5 and 0 have an error and a reason."""
    base: dict[str, Any] = {
        "suite": "artifacts", "edition": "e1", "system_id": "s1", "case_id": "t1", "trial": 1, "pass_name": "holistic",
        "judge_id": judge, "item": item, "points": points, "max_points": 1, "label": "x", "error": None if points == 1 else "flawed",
        "expected": None, "given": None, "reason": None if points == 1 else "Vada.", "quote": None, "rubric_version": "g1",
    }  # fmt: skip
    return Grade(**(base | other))


def grades(judge: str, conformity: float, works: float, look: float, code: float, **other: Any) -> list[Grade]:
    """What a judge gave on the shared criteria."""
    given = {"conformity": conformity, "works": works, "look": look, "code": code}
    return [grade(judge, item, points, **other) for item, points in given.items()]


def check(item: str, fault: str | None = None, **other: Any) -> Grade:
    """One check of the mechanical judge."""
    return grade(
        "measurements", item, float(fault is None), pass_name="atomic", error=fault, reason=fault and "Vada.", **other
    )
