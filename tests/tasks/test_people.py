"""People's grades come in by line: what is wrong is told with its line and the nearest right thing, the rest is taken (L-5, A-5)."""

from pathlib import Path

import pytest
from pipeline_support import places_of, run_stages

from datasets.store import Store
from datasets.tables import read
from schemas.errors import UsageError
from schemas.grade import Grade
from schemas.profile import Profile
from tasks.people import import_grades

HEAD = "case,system,item,points,who,when,reason\n"
CASES = 2


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with control answers to two cases."""
    root = tmp_path_factory.mktemp("people") / "store"
    run_stages(str(root), "legal", ["controls"], CASES)
    return root


def case_in(root: Path) -> str:
    store = Store.open(str(root))
    return str(min(r["case_id"] for p in places_of(store, Profile) for r in read(store, Profile, p).to_pylist()))


def rows_of_people(root: Path) -> dict[tuple[str, int, str], tuple[float, str, str | None]]:
    store = Store.open(str(root))
    rows = [
        r
        for p in places_of(store, Grade)
        for r in read(store, Grade, p).to_pylist()
        if r["judge_id"].startswith("person-")
    ]
    return {(r["judge_id"], r["trial"], r["item"]): (r["points"], r["label"], r["error"]) for r in rows}


def test_lines_are_taken_or_told(graded: Path, tmp_path: Path) -> None:
    case = case_in(graded)
    file = tmp_path / "grades.csv"
    lines = [
        f"{case},controls,M1,1,Jana Novotná,2025-11-30,Říká to výslovně.",
        f'{case},controls,M1,"0,5",Jana Novotná,2025-11-30,',
        f"{case}x,controls,M1,1,Jana Novotná,2025-11-30,",
        f"{case},control,M1,1,Jana Novotná,2025-11-30,",
        f"{case},controls,M11,1,Jana Novotná,2025-11-30,",
        f"{case},controls,N1,0,Jana Novotná,30. 11. 2025,",
        f"{case},controls,N1,0,,2025-11-30,",
        f"{case},controls,N1,0,Jana Novotná,2025-11-30,",
        f"{case},controls,verdict,0.5,Jana Novotná,2025-11-30,",
        f"{case},controls,unsafe_completeness,0.37,Jana Novotná,2025-11-30,",
        f"{case},controls,unsafe_completeness,1.37,Jana Novotná,2025-11-30,",
    ]
    file.write_text("\ufeff" + HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    told = import_grades(str(graded), file, "legal")
    assert told.taken == 4
    starts = [
        "grades.csv, line 3: points of M1: 0 or 1 was expected, not '0,5'.",
        f"grades.csv, line 4: there is no case '{case}x'; did you mean '{case}'?",
        "grades.csv, line 5: there is no system 'control' with answers; did you mean 'controls'? Known: controls.",
        "grades.csv, line 6: there is no item 'M11'; did you mean 'M1'? Known: ",
        "grades.csv, line 7: when: a day as 2025-11-30 was expected, not '30. 11. 2025'.",
        "grades.csv, line 8: who: a name was expected, not ''.",
        "grades.csv, line 12: points of unsafe_completeness: a number from 0 to 1 was expected, not '1.37'.",
    ]
    assert len(told.problems) == len(starts)
    assert all(problem.startswith(start) for problem, start in zip(told.problems, starts, strict=True)), told.problems
    assert rows_of_people(graded) == {
        ("person-jana-novotna", 1, "M1"): (1, "fulfilled", None),
        ("person-jana-novotna", 1, "N1"): (0, "violated", "violated"),
        ("person-jana-novotna", 1, "verdict"): (0.5, "partly", None),
        ("person-jana-novotna", 1, "unsafe_completeness"): (0.37, "0.37", None),
    }


def test_a_later_grade_replaces_an_earlier_one_and_a_run_keeps_them(graded: Path, tmp_path: Path) -> None:
    """Grades of people stay when the programs grade again, and go into the profile of the answer that they were given for."""
    case = case_in(graded)
    file = tmp_path / "again.csv"
    file.write_text(
        HEAD + f"{case},controls,M1,0,Petr Malý,2025-11-29,\n{case},controls,M1,1,Petr Malý,2025-11-30,\n",
        encoding="utf-8",
    )
    assert import_grades(str(graded), file, "legal").taken == 2
    run_stages(str(graded), "legal", ["controls"], CASES)
    kept = rows_of_people(graded)
    assert kept["person-petr-maly", 1, "M1"] == (1, "fulfilled", None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("case,system,item,point,who,when,reason\n", "'points' is missing; did you mean 'point'?"),
        ("", "'case' is missing"),
    ],
)
def test_a_file_without_its_columns_is_told(graded: Path, tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "g.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as problem:
        import_grades(str(graded), file, "legal")
    assert told in str(problem.value)


def test_a_suite_that_programs_compare_takes_none(graded: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing for a person to grade"):
        import_grades(str(graded), tmp_path / "g.csv", "invoices")
