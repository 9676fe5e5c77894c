"""The chapter of web pages: who is fit, who stands where, drift first, pictures bounded, both languages (A-7 to A-10, G-9, S-5)."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from page_grades import STAMP, answer, case, check, grades
from PIL import Image
from report_support import tendency_row

from datasets.systems import load_systems
from profiles import artifacts
from profiles.page_agreement import Point
from profiles.report.chapters import chapter_of
from profiles.report.material import Section, ShownCase, ShownPage
from profiles.report.page import render
from profiles.report.page_pictures import LARGEST_MB, shrink, shrink_all, width_for
from schemas.evidence import FULL, PICTURES
from schemas.row import to_table
from schemas.system import System
from schemas.tendency import Tendency


def noise(height: int = 800) -> bytes:
    """A picture that no coding makes small."""
    pixels = np.random.default_rng(7).integers(0, 255, (height, 1280, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def system(name: str, **other: object) -> System:
    return load_systems()["recorded"].model_copy(update={"id": name, "name": name, **other})


def page(task: str, trial: int, **other: object) -> ShownPage:
    told = [
        *grades("acme", 1, 0.5, 1, 1, case_id=task, trial=trial),
        *grades("person-x", 1, 1, 1, 1, case_id=task, trial=trial),
        check("console", "console_errors", case_id=task, trial=trial),
    ]
    shown = ShownPage("s1", task, trial, f"<p>{task} {trial}</p>", tuple(told), {"shot-3.png": noise()})
    return replace(shown, **other)  # type: ignore[arg-type]  # fields of the test's own choice


def rows(pages: list[ShownPage]) -> list[Tendency]:
    profiles = [
        artifacts.profile(case(p.case_id), answer(p.case_id, p.trial), [*p.grades, check("page"), check("load")])
        for p in pages
    ]
    frame = to_table(type(profiles[0]), profiles).to_pandas()
    return artifacts.tendencies(frame, frame, STAMP)


@pytest.fixture(scope="module")
def section() -> Section:
    pages = [page(task, trial) for task in ("t1", "t2") for trial in (1, 2)]
    cases = tuple(ShownCase(case(task), None, {}) for task in ("t1", "t2"))
    control = tendency_row("controls", "control_right_holistic", 0.9, judge_id="acme", low=0.8, high=0.97, n_items=30)
    more = (control, control.model_copy(update={"judge_id": "measurements", "low": 0.5}))
    systems = {"s1": system("s1"), "controls": load_systems()["controls"]}
    return Section("artifacts", "e1", (*rows(pages), *more), systems, cases, 2, pages=tuple(pages))


def test_controls_are_no_system_of_the_standing(section: Section) -> None:
    view = chapter_of(section).view
    for _, whole, tasks in view.standing:
        assert [line.heading.en.split(" (")[0] for line in whole.lines] == ["s1"]
        assert [line.heading.cs for line in tasks.lines] == ["Úloha t1", "Úloha t2"]


def test_what_an_unfit_judge_says_is_not_decisive(section: Section) -> None:
    """S-5: acme is fit, the mechanical judge is not, people need no controls."""
    standing = {title.en: whole for title, whole, _ in chapter_of(section).view.standing}
    decisive = {
        name: {cell.is_decisive for cell in table.lines[0].cells if cell.value} for name, table in standing.items()
    }
    assert decisive["acme"] == {True}
    assert decisive["Median of the people"] == {True}
    (fit,) = [t for t in [chapter_of(section).view.fit] if t]
    heads = zip(fit.columns, fit.lines[0].cells, strict=True)
    assert [(head.en, cell.is_decisive) for head, cell in heads] == [
        ("acme", True),
        ("Mechanical judge (measurements alone)", False),
    ]


def test_repeatability_agreement_and_badges_are_shown(section: Section) -> None:
    view = chapter_of(section).view
    assert view.repeated is not None
    assert [line.cells[3].value.en for line in view.repeated.lines] == ["steady quality, similar code"] * 2
    by_trial = view.agreement[1]
    acme = next(line for line in by_trial.lines if line.heading.en == "acme")
    assert [cell.value.en for cell in acme.cells] == [
        "4",
        "12.5%",
        "12.5%",
        "0.0%",
        "0.0%",
        "12.5%",
        "−12.5\u00a0pp",
        "100.0%",
    ]
    assert len(view.badges) == 4
    by_task = next(t for t in view.agreement if t.id == "artifacts-acme-by-task")
    assert [(line.cells[0].value.en, line.cells[-1].value.en) for line in by_task.lines] == [("2", "2"), ("2", "2")]


def test_drift_is_told_before_any_number(section: Section) -> None:
    """A-10."""
    history = (
        Point("r1", "2026-11-01", "s1", "acme", 0.05, 0.02, 0.08, 8),
        Point("r2", "2026-11-29", "s1", "acme", 0.3, 0.2, 0.4, 8),
    )
    written = render([replace(section, history=history)])
    told = "acme, pages of s1: the mean difference from people was 5.0% on 1\u00a0Nov\u00a02026 and is 30.0% on 29\u00a0Nov\u00a02026."
    assert told in written
    assert written.index(told) < written.index('id="artifacts-web_fitness"')
    assert "the mean difference from people was" not in render([section])


def test_both_languages_stand_on_the_page_and_nothing_is_loaded(section: Section) -> None:
    written = render([section])
    assert "Pořadí nikdo nepodepsal." in written
    assert "Nobody has signed the ranking." in written
    assert 'src="data:image/webp' in written
    assert not re.findall(r'(?:src|href)="https?:', written)


def test_a_section_without_any_page_says_so() -> None:
    bare = Section(
        "artifacts",
        "e1",
        (tendency_row("controls", "control_right_holistic", 0.9, judge_id="measurements"),),
        {"controls": load_systems()["controls"]},
    )
    written = render([bare])
    assert "Zatím nevytvořil stránky žádný model." in written


def test_pictures_are_cut_and_shrunk() -> None:
    small = shrink(FULL, noise(8000), 320)
    assert (small.width, small.height) == (320, 960)
    assert small.uri.startswith("data:image/webp;base64,")
    assert [s.name for s in shrink_all({"interact-1.png": noise(), "shot-1.png": noise()}, 200)] == [
        "shot-1.png",
        "interact-1.png",
    ]


def test_the_more_pictures_the_smaller(section: Section) -> None:
    """Three hundred pages of seven pictures stay near the bound even where each is as large as the measured average."""
    widths = [width_for(n) for n in (7, 400, 1200, 2100)]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 720
    assert LARGEST_MB > 2100 * 5 * 4 / 3 / 1024
    assert len(PICTURES) == 7
