"""A small hand-written store for tests of the report: three public documents and a private one, two systems."""

import io
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from datasets.store import Store
from datasets.tables import Place, seal, write_part
from schemas.case import Case
from schemas.exchange import Brief
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile, Step
from schemas.row import Row
from schemas.tendency import Tendency

SUITE, EDITION = "invoices", "v1.0-s1-n3-ptest"
NBSP = "\u00a0"
CANARY = "ZKUSEBNA-CANARY-00112233445566778899aabbccddeeff"
SECRET_NAME = "Tajná Pekárna Ořech, s.r.o."


def picture() -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((300, 420)).save(out, "PNG", dpi=(150, 150))
    return out.getvalue()


def case_row(case_id: str, truth: dict[str, Any], **more: Any) -> Case:
    language = case_id.split("-")[1]
    brief = Brief(suite=SUITE, case_id=case_id, language=language, prompt="Přečti.", prompt_version="p1")
    base: dict[str, Any] = {
        "suite": SUITE, "edition": EDITION, "case_id": case_id, "pair_id": case_id[-4:], "language": language,
        "split": "public", "level": "text", "variant": "ordinary", "layout": "classic", "prompt_version": "p1",
        "set_version": "1.0", "brief": brief.model_dump_json(), "truth": json.dumps(truth, ensure_ascii=False),
        "text": None, "document_sha256": None, "image_sha256": None, "canary": None,
    }  # fmt: skip
    return Case(**(base | more))


def tendency_row(system: str, metric: str, value: float | None, **more: Any) -> Tendency:
    base: dict[str, Any] = {
        "suite": SUITE, "edition": EDITION, "system_id": system, "split": "public", "dimension": "overall",
        "group_name": "all", "metric": metric, "value": value, "low": None, "high": None, "method": "none",
        "n_documents": 2, "n_items": 24, "n_left_out": 0, "note": None, "seed": 1, "set_version": "1.0",
        "prompt_version": "p1", "rubric_version": "g1", "run_id": "r", "run_date": "2026-11-05",
    }  # fmt: skip
    return Tendency(**(base | more))


def grade_row(
    system: str, case_id: str, item: str, expected: str | None, given: str | None, error: str | None
) -> Grade:
    absent = expected is None
    label = "invented" if absent and error else "wrong" if error else "absent" if absent else "right"
    return Grade(
        suite=SUITE, edition=EDITION, system_id=system, case_id=case_id, trial=1, pass_name="atomic", judge_id="fields",
        item=item, points=float(not error and not absent), max_points=float(not absent), label=label, error=error,
        expected=expected, given=given, reason=None, quote=None, rubric_version="g1",
    )  # fmt: skip


def profile_row(system: str, case: Case, grades: list[Grade], status: str = "ok") -> Profile:
    wrong = [g for g in grades if g.error]
    return Profile(
        suite=SUITE, edition=EDITION, system_id=system, case_id=case.case_id, trial=1, pair_id=case.pair_id,
        language=case.language, split=case.split, level=case.level, variant=case.variant, layout=case.layout,
        status=status, is_scored=status == "ok", points=sum(g.points for g in grades),
        max_points=sum(g.max_points for g in grades), is_faultless=not wrong, is_valid=True, is_valid_first=True,
        question="answerable", structure="json", deviations=sorted({str(g.error) for g in wrong}),
        critical_path=[Step(item=g.item, error=str(g.error), given=g.given, expected=g.expected) for g in wrong],
        cost_usd=Decimal(0), latency_ms=12, prompt_version="p1", set_version="1.0", rubric_version="g1",
    )  # fmt: skip


def seal_rows(store: Store, model: type[Row], system: str | None, rows: list[Any]) -> None:
    judge = PROGRAM if model is Grade else None
    place = Place(suite=SUITE, edition=rows[0].edition if rows else EDITION, system=system, judge=judge)
    seal(store, model, place, [write_part(store, model, place, "k0", 0, rows)])


def numbers_of(system: str) -> list[Tendency]:
    if system == "rules":
        return [
            tendency_row(system, "field_accuracy", 0.9312, low=0.91, high=0.952, n_left_out=1),
            tendency_row(system, "faultless", 0.5, low=0.0947, high=0.9056, n_left_out=1),
            tendency_row(system, "valid", 1.0, low=0.3424, high=1.0, n_left_out=1),
            tendency_row(system, "valid_first", 0.99999, n_left_out=1),
            tendency_row(system, "latency_p50_ms", 12.4, n_left_out=1),
            tendency_row(system, "latency_p90_ms", 1534.0, n_left_out=1),
            tendency_row(system, "cost_per_1000_usd", 0.0, n_left_out=1),
            tendency_row(system, "field_accuracy", None, split="private", note="fewer_than_5_private", n_documents=1),
        ]
    return [
        tendency_row(system, "field_accuracy", 0.8, low=0.75, high=0.85, n_documents=3, n_items=36),
        tendency_row(system, "faultless", 0.25, low=0.1, high=0.4, n_documents=3),
        tendency_row(system, "cost_per_1000_usd", 12.5, n_documents=3),
        tendency_row(system, "field_accuracy", 0.96, low=0.955, high=0.99, split="private", n_documents=7),
        tendency_row(system, "field_accuracy", 0.7, low=0.6, high=0.8, dimension="language", group_name="cs"),
        tendency_row(system, "field_accuracy", 0.9, low=0.85, high=0.95, dimension="language", group_name="en"),
        tendency_row(system, "language_gap", -0.2, low=-0.25, high=-0.1),
        tendency_row(system, "error_count", 3.0, dimension="error", group_name="lost_diacritics"),
        tendency_row(system, "error_count", 0.0, dimension="error", group_name="wrong_rate"),
        tendency_row(system, "coverage", 1.0, dimension="language", group_name="cs", n_documents=2),
        tendency_row(system, "field_accuracy", 0.5, low=0.4, high=0.6, dimension="field", group_name="supplier"),
    ]


def fill(root: Path) -> Store:
    """Three public documents and a private one; `rules` cannot take the picture, `ocr-rules` errs."""
    store = Store.open(root)
    digest = store.put_blob(picture())
    cases = [
        case_row(
            "invoices-cs-0001", {"supplier": "Horák & syn", "total": "1210.00"}, text="Faktura <b>1</b> Horák & syn"
        ),
        case_row(
            "invoices-en-0001", {"supplier": "Acme Tools LLC", "tax_by_rate": {"8.25": "82.50"}}, text="Invoice 1"
        ),
        case_row("invoices-cs-0002", {"supplier": "Novák, a.s.", "tax_id": None}, level="image", image_sha256=digest),
        case_row("invoices-cs-0003", {"supplier": SECRET_NAME, "total": "9876543.21"}, split="private", canary=CANARY),
    ]
    seal_rows(store, Case, None, cases)
    first, second, third, private = cases
    for system in ("rules", "ocr-rules"):
        bad = system == "ocr-rules"
        given = "Horak & syn" if bad else "Horák & syn"
        marks = {
            first.case_id: [
                grade_row(system, first.case_id, "supplier", "Horák & syn", given, "lost_diacritics" if bad else None),
                grade_row(system, first.case_id, "total", "1210.00", None if bad else "1 210,00", "missing" if bad else None),
            ],
            second.case_id: [
                grade_row(system, second.case_id, "supplier", "Acme Tools LLC", "Acme Tools LLC", None),
                grade_row(system, second.case_id, "tax_by_rate", '{"8.25": "82.50"}', '{"8.25": "82.50"}', None),
            ],
            private.case_id: [grade_row(system, private.case_id, "supplier", SECRET_NAME, SECRET_NAME, None)],
        }  # fmt: skip
        if bad:
            marks[third.case_id] = [
                grade_row(system, third.case_id, "supplier", "Novák, a.s.", "Novák, a.s.", None),
                grade_row(system, third.case_id, "tax_id", None, "CZ12345678", "wrong_value"),
            ]
        answered = [c for c in cases if c.case_id in marks]
        seal_rows(store, Grade, system, [g for found in marks.values() for g in found])
        seal_rows(store, Profile, system, [profile_row(system, c, marks[c.case_id]) for c in answered])
        seal_rows(store, Tendency, system, numbers_of(system))
    return store


def chromium() -> str | None:
    """Playwright's own browser (None) where it is there, else the distribution's."""
    with sync_playwright() as p:
        if Path(p.chromium.executable_path).exists():
            return None
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextmanager
def a_browser() -> Iterator[Browser]:
    """A browser without a window, closed at the end; meanwhile its thread runs a loop, and no test there can run one of its own."""
    path = chromium()
    with sync_playwright() as p:
        found = p.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


LOW_CONTRAST = """() => {
  const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
  const lum = (c) => { const [r, g, b] = rgb(c).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] !== 0) return c; } };
  document.querySelectorAll('details').forEach(d => { d.open = true; });
  const low = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const isSvg = e instanceof SVGElement;
    const a = lum(isSvg ? style.fill : style.color), b = lum(paper(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push([e.className, e.textContent.slice(0, 30), ratio]);
  }
  return low;
}"""
"""Opens all details, and tells what is written with a contrast below 4.5."""
