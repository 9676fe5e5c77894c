"""Verdicts made elsewhere: the same reading and the same rules as a panel's, and each counts once (J-1, J-4, J-6)."""

import json
from pathlib import Path
from typing import Any

import pytest
from jury_support import pool_file

from datasets import checks as records
from datasets.store import Store
from schemas.errors import UsageError
from tasks.audience import import_votes
from tasks.jury_audit import audit, read_overview
from tasks.publish import publish_report
from tasks.recorded_verdicts import import_verdicts

GOOD = json.dumps({"verdict": "UMÍ", "reason": "Zvládá to.", "since": "2024-02"}, ensure_ascii=False)


@pytest.fixture
def root(tmp_path: Path) -> str:
    Store.open(tmp_path / "store")
    return str(tmp_path / "store")


def line(system: str, text: str = GOOD, **changed: Any) -> dict[str, Any]:
    base = {"claim": "book-vacation", "system": system, "vendor": f"V {system}", "family": system, "date": "2026-03-01"}
    return {**base, "text": text, **changed}


def file_of(tmp_path: Path, *lines: Any) -> Path:
    file = tmp_path / "verdicts.jsonl"
    written = (entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False) for entry in lines)
    file.write_text("\n".join(written), encoding="utf-8")
    return file


def test_the_verdicts_of_a_claim_and_day_are_one_check(tmp_path: Path, root: str) -> None:
    lines = [
        line("a"),
        line("b", "NEUMÍ"),
        line("c", f"Zde:\n```json\n{GOOD}\n```"),
        line("a", "UMÍ", date="2026-04-01"),
    ]
    assert import_verdicts(root, file_of(tmp_path, *lines)).problems == ()
    checks = records.read_checks(Store.open(root))
    told = [(f"{c.checked_at:%Y-%m-%d}", c.able, c.unable, c.jurors, c.is_incomplete, c.source) for c in checks]
    assert told == [("2026-03-01", 2, 1, 3, False, "recorded"), ("2026-04-01", 1, 0, 1, True, "recorded")]
    (claim,) = [c for c in read_overview(root).claims if c.checks]
    assert (claim.id, claim.state, claim.percent) == ("book-vacation", "SPORNÉ", 75)
    assert {(x.juror, x.draw) for x in audit(root, "book-vacation")} == {(s, "recorded") for s in "abc"}


def test_a_file_that_comes_again_counts_once_and_only_its_new_lines_are_taken(tmp_path: Path, root: str) -> None:
    """J-4."""
    import_verdicts(root, file_of(tmp_path, line("a"), line("b")))
    before = records.read_votes(Store.open(root))
    assert import_verdicts(root, file_of(tmp_path, line("a"), line("b"))).taken == 0
    found = import_verdicts(root, file_of(tmp_path, line("a", "NEUMÍ"), line("c")))
    assert found.taken == 1
    assert found.problems[0].endswith("the verdict of 'a' on 'book-vacation' of 2026-03-01 is in the record already.")
    after = records.read_votes(Store.open(root))
    assert all(vote in after for vote in before)
    assert len(after) == 3


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("{", "the line: invalid JSON"),
        (line("x", claim="book-vacaton"), "there is no claim 'book-vacaton'; did you mean 'book-vacation'?"),
        (line("x", "Možná."), "it is no verdict: The reply holds no JSON object."),
        (line("x", '{"verdict": "ANO"}'), "it is no verdict: `verdict` is none of the words UMÍ, NEUMÍ, NEROZHODNUTO."),
        (line("X y"), "system: string should match pattern"),
        (line("x", date="soon"), "date: "),
        (line("x", date="2999-01-01"), "the date 2999-01-01 is still to come."),
        (line("x", vendor=None), "vendor is missing, and 'x' is not in the file of systems."),
        (line("x", family=None), "family is missing"),
        ({**line("x"), "verdict": "UMÍ"}, "verdict: extra inputs are not permitted. Known: "),
        (line("a", "NEUMÍ"), "'book-vacation' has a verdict of the system 'a' of 2026-03-01."),
        (line("x", vendor="v A"), "'book-vacation' has a verdict of the vendor 'v A' of 2026-03-01."),
        (line("x", family="A"), "has a verdict of the family 'A'"),
    ],
)
def test_a_wrong_line_is_told_with_its_number_and_the_rest_is_taken(
    tmp_path: Path, root: str, entry: Any, told: str
) -> None:
    found = import_verdicts(root, file_of(tmp_path, line("a"), "", entry, line("b")))
    assert found.taken == 2
    (problem,) = found.problems
    assert problem.startswith("verdicts.jsonl, line 3: ")
    assert told in problem
    assert {v.system_id for v in records.read_votes(Store.open(root))} == {"a", "b"}


def test_vendor_and_family_of_a_known_system_come_from_its_entry(
    tmp_path: Path, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(pool_file(tmp_path, "http://127.0.0.1:9/v1", ["umi"])))
    import_verdicts(root, file_of(tmp_path, line("sentinel-0", vendor=None, family=None)))
    (vote,) = records.read_votes(Store.open(root))
    assert (vote.vendor, vote.family) == ("Vajgar", "kmen0")


def test_a_reason_that_names_its_juror_is_withheld_and_a_month_to_come_is_none(tmp_path: Path, root: str) -> None:
    """J-6, J-2."""
    named = json.dumps({"verdict": "UMÍ", "reason": "Jako model acme to vím.", "since": "2026-04"})
    import_verdicts(root, file_of(tmp_path, line("a", named, family="acme")))
    (vote,) = records.read_votes(Store.open(root))
    assert (vote.is_withheld, vote.reason, vote.since) == (True, "Jako model [model] to vím.", None)
    (claim,) = [c for c in read_overview(root).claims if c.checks]
    assert claim.checks[0].reasons[0].text is None


def test_a_file_that_is_not_there_is_told(tmp_path: Path, root: str) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        import_verdicts(root, tmp_path / "none.jsonl")


def test_a_record_without_a_run_has_its_chapter_in_the_report(tmp_path: Path, root: str) -> None:
    """J-4: a claim with two of four verdicts is shown as they say; a store without a record has no chapter."""
    assert not publish_report(root).with_name("suite-jury.html").exists()
    import_verdicts(root, file_of(tmp_path, line("a"), line("b"), line("c", "NEUMÍ"), line("d", "NEUMÍ")))
    page = publish_report(root).with_name("suite-jury.html").read_text(encoding="utf-8")
    assert 'data-suite="jury"' in page
    assert 'id="jury-book-vacation" data-state="disputed"' in page
    assert "převzaté verdikty" in page
    assert not [word for word in ("V a", "recorded-", "kmen") if word in page]


def test_votes_of_an_audience_alone_have_their_chapter_too(tmp_path: Path, root: str) -> None:
    file = tmp_path / "web.csv"
    file.write_text("claim_id,yes,no\nbook-vacation,3,1\n", encoding="utf-8")
    import_votes(root, file)
    page = publish_report(root).with_name("suite-jury.html").read_text(encoding="utf-8")
    assert 'id="jury-book-vacation" data-state="never"' in page
