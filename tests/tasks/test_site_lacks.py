"""A store that lacks something: the site says what, and shows the rest."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from report_support import EDITION, SUITE, case_row, fill, grade_row, profile_row, seal_rows, tendency_row

from datasets.editions import save_edition
from datasets.store import Store
from datasets.tables import Place, seal, write_part
from profiles.report.pages import Missing
from schemas.case import Case
from schemas.edition import Edition
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.tendency import Tendency
from tasks.errata import add
from tasks.missing import missing_of
from tasks.publish import publish_report


def words_of(page: Path) -> str:
    """All words of a page, both languages, without its marks."""
    plain = re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8"))
    return " ".join(html.unescape(plain).replace("\u00a0", " ").split())


def recipe(store: Store, edition: str = EDITION) -> None:
    save_edition(store, Edition(suite=SUITE, id=edition, set_version="1.0", seed=1, size=3, private_hash="00ff" * 8))


def two_systems(root: Path, of: dict[str, list[tuple[str, bool]]], **more: Any) -> Store:
    """Systems by name with the cases that each was asked, right or wrong; nothing private."""
    store = Store.open(root)
    recipe(store)
    names = sorted({name for some in of.values() for name, _ in some})
    cases = {name: case_row(name, {"supplier": "Horák"}, text="x") for name in names}
    seal_rows(store, Case, None, list(cases.values()))
    for system, some in of.items():
        marks = {
            n: [grade_row(system, n, "supplier", "Horák", "Horák" if ok else "H", None if ok else "wrong_value")]
            for n, ok in some
        }
        seal_rows(store, Grade, system, [g for found in marks.values() for g in found])
        seal_rows(store, Profile, system, [profile_row(system, cases[n], marks[n]) for n, _ in some])
        share = sum(ok for _, ok in some) / len(some)
        row = tendency_row(system, "field_accuracy", share, low=0.0, high=1.0, n_documents=len(some), **more)
        seal_rows(store, Tendency, system, [row])
    return store


def test_systems_that_share_no_case_are_said_to_and_both_are_shown(tmp_path: Path) -> None:
    first, second = [(f"invoices-cs-000{n}", True) for n in (1, 2)], [(f"invoices-cs-000{n}", False) for n in (3, 4)]
    store = two_systems(tmp_path / "s", {"rules": first, "ocr-rules": second})
    page = publish_report(str(store.root))
    told = words_of(page)
    assert "dva systémy nemají ani jeden společný hodnocený případ" in told
    assert "žádný společný případ" in told
    assert "100,0 %" in told
    assert (page.parent / "case" / SUITE / "invoices-cs-0004.html").is_file()


def test_a_suite_with_one_case_says_so(tmp_path: Path) -> None:
    store = two_systems(
        tmp_path / "s", {"rules": [("invoices-cs-0001", True)], "ocr-rules": [("invoices-cs-0001", False)]}
    )
    told = words_of(publish_report(str(store.root)))
    assert "veřejný případ je jen jeden, interval proto neříká skoro nic" in told
    assert "neveřejná část chybí" in told
    assert "≈ spolu s jedním dalším" in told


@pytest.mark.parametrize("is_right", [True, False])
def test_all_right_and_all_wrong_decide_nothing(tmp_path: Path, is_right: bool) -> None:
    some = [(f"invoices-cs-000{n}", is_right) for n in range(1, 6)]
    told = words_of(publish_report(str(two_systems(tmp_path / "s", {"rules": some, "ocr-rules": some}).root)))
    assert told.count("≈ spolu s jedním dalším") == 2
    assert "≈ nerozhodnuto" in told
    assert "nan" not in told.lower().split()


def test_a_stage_that_did_not_finish_is_named_and_the_rest_shown(tmp_path: Path) -> None:
    """Profiles of a third system wait in `work/`, and another suite has cases alone: both are told, what is sealed is shown."""
    store = fill(tmp_path / "s")
    recipe(store)
    place = Place(suite=SUITE, edition=EDITION, system="beta")
    case = case_row("invoices-cs-0001", {"supplier": "Horák"})
    write_part(store, Profile, place, "k9", 0, [profile_row("beta", case, [])])
    legal = case_row("pripad-cs", {}, suite="legal", edition="e1", pair_id="pripad")
    at = Place(suite="legal", edition="e1")
    seal(store, Case, at, [write_part(store, Case, at, "k0", 0, [legal])])
    found = missing_of(store, [], {})
    assert Missing("legal", "e1", "not_measured") in found
    page = publish_report(str(store.root))
    told = words_of(page)
    assert "Právo" in told
    assert "případy jsou připravené, ale žádný systém zatím nemá výsledky" in told
    assert "beta" in told
    assert "odpovědi nejsou úplné, fáze test neskončila" in told
    assert "93,1 %" in told


def test_a_broken_manifest_of_a_run_and_no_gate_are_left_out(tmp_path: Path) -> None:
    store = fill(tmp_path / "s")
    store.put("runs/r0.json", b"{half")
    store.put(
        "runs/r1.json",
        json.dumps({"order": {"run_id": "r1", "seed": 1, "parts": []}, "finished_at": "2026-11-05T00:00:00"}).encode(),
    )
    told = words_of(publish_report(str(store.root)).with_name("runs.html"))
    assert "Běh r1 skončil 5. 11. 2026." in told
    assert "r0" not in told
    assert "Žádná brána zatím nezapsala" in told


def test_errata_of_the_store_stand_on_the_card_and_in_the_method(tmp_path: Path) -> None:
    store = fill(tmp_path / "s")
    recipe(store)
    entry = {
        "date": "2026-11-20", "suite": SUITE, "part": "grading", "wrong": {"cs": "Bylo to <b>špatně</b>.", "en": "It was wrong."},
        "changed": {"cs": "Už je dobře.", "en": "It is right."}, "from": "g0", "to": "g1",
    }  # fmt: skip
    add(str(store.root), entry)
    page = publish_report(str(store.root))
    for path in (page.with_name("method.html"), page.parent / "sets" / f"{SUITE}.cs.html"):
        assert "Bylo to <b>špatně</b>." in words_of(path)
        assert "<b>špatně" not in path.read_text(encoding="utf-8")
