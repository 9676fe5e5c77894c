"""The jury as flows and commands against a real Prefect server: a run, a sitting, a retry, no pool (J-4, J-7)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_stub import Gateway
from jury_support import pool_file

from datasets import checks as records
from datasets.store import Store
from tasks import throttle

pytestmark = pytest.mark.usefixtures("prefect_server")

MODELS = ("umi", "umi-fenced", "umi-word", "umi-named", "neumi", "mozna-once", "nerozhodnuto", "umi", "neumi")


@pytest.fixture
def gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gateway]:
    """With a pool of nine models of eight vendors."""
    throttle._THROTTLES.clear()
    with Gateway() as running:
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(pool_file(tmp_path, running.url, MODELS)))
        yield running


def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    """`zkusebna` in this process: exit code, standard output, standard error."""
    from flows.cli import main

    monkeypatch.setattr("sys.argv", ["zkusebna", *words])
    monkeypatch.setenv("COLUMNS", "220")
    capsys.readouterr()
    code = 0
    try:
        main()
    except SystemExit as end:
        code = int(str(end.code or 0))
    return code, *capsys.readouterr()


def test_a_run_checks_every_claim_once_and_a_second_run_nothing(gateway: Gateway, store: str) -> None:
    """As in every suite: the same command twice does nothing the second time."""
    from flows.nightly import nightly

    first = nightly(root=store, suites=["jury"], size=4)
    assert [o.table for o in first] == ["cases", "answers", "grades", "profiles", "tendencies"]
    assert len(records.read_checks(Store.open(store))) == 4
    paid = gateway.server.ledger.shown()["answered"]
    second = nightly(root=store, suites=["jury"], size=4)
    assert [o.made for o in second] == [0] * 5
    assert gateway.server.ledger.shown()["answered"] == paid
    assert (Path(store) / "report" / "index.html").exists()
    order = json.loads(next((Path(store) / "runs").iterdir()).read_text())["order"]
    assert order["parts"][0]["systems"] == ["panel"]


def test_the_command_sits_shows_and_audits(
    gateway: Gateway, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = command(capsys, monkeypatch, "jury", "sit", "--claims", "2", "--store", store)
    assert (code, err) == (0, "")
    assert "2 checks made with" in out
    assert "10 verdicts in 2 checks of 48 claims" in out
    claim = records.read_checks(Store.open(store))[0].claim_id
    votes = tmp_path / "anketa.csv"
    votes.write_text(f"claim_id,yes,no\n{claim},1,99\n{claim}x,1,1\n", encoding="utf-8")
    code, out, err = command(capsys, monkeypatch, "votes", "import", str(votes), "--store", store)
    assert code == 0
    assert f"anketa.csv, line 3: there is no claim '{claim}x'; did you mean '{claim}'?" in out
    assert "1 claims' votes were taken, 1 lines were not." in out
    code, out, _ = command(capsys, monkeypatch, "jury", "show", "--store", store)
    assert code == 0
    assert claim in out
    assert "sentinel" not in out.casefold()
    code, out, _ = command(capsys, monkeypatch, "jury", "audit", claim, "--store", store)
    assert code == 0
    assert out.count("sentinel-") == 5
    assert out.count("repeated") == 5
    code, _, err = command(capsys, monkeypatch, "jury", "audit", "nothing", "--store", store)
    assert code == 2
    assert "Unknown claim 'nothing'" in err


def test_a_sitting_that_is_run_again_under_its_id_makes_the_same_checks_and_no_more(
    gateway: Gateway, store: str
) -> None:
    """J-4: a retry from the UI runs the flow's body again."""
    from flows.jury import sit

    sit(store, 2, run_id="s1")
    paid = gateway.server.ledger.shown()["answered"]
    again = sit(store, 2, run_id="s1")
    assert sum(o.made for o in again) == 0
    assert gateway.server.ledger.shown()["answered"] == paid
    assert len(records.read_checks(Store.open(store))) == 2


def test_without_a_pool_a_sitting_is_left_out_and_the_command_says_what_is_missing(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from flows.jury import sit

    assert sit(store, 2) == []
    code, _, err = command(capsys, monkeypatch, "jury", "sit", "--store", store)
    assert code == 2
    assert err.startswith("zkusebna: The pool of jurors has 0 models of 0 vendors and 0 families; a panel needs 5")
    assert len(err.strip().splitlines()) == 1


def test_a_dry_run_tells_what_the_first_checks_would_cost(
    gateway: Gateway, store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """M-8."""
    words = ("run", "--suites", "jury", "--size", "4", "--dry-run", "--store", store)
    code, out, err = command(capsys, monkeypatch, *words)
    assert (code, err) == (0, "")
    row = next(line.split() for line in out.splitlines() if line.split()[:2] == ["jury", "panel"])
    assert row[2:6] == ["judge", "4", "0", "20"]
    low, expected, most = map(float, row[6:9])
    assert 0 < low < expected < most
