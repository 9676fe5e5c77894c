"""How many calls are in flight is told: in the log of Prefect's run, and on the terminal with --verbose (M-5)."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import Gateway

pytestmark = pytest.mark.usefixtures("prefect_server")


def prefect_log() -> str:
    """The newest messages that Prefect's server has, after those on their way have arrived."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.sorting import LogSort
    from prefect.logging.handlers import APILogWorker

    APILogWorker.drain_all(timeout=10)
    with get_client(sync_client=True) as client:
        return "\n".join(entry.message for entry in client.read_logs(sort=LogSort.TIMESTAMP_DESC))


def test_shrinking_and_growing_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gateway takes three calls a second and refuses more with 429; eight cases, four in flight at most."""
    from flows.cli import main
    from tasks import throttle

    throttle._THROTTLES.clear()
    with Gateway() as gateway:
        system: dict[str, Any] = {
            "id": "narrow", "name": "n", "vendor": "v", "family": "f", "client": "openai", "suites": [], "inputs": ["text"],
            "options": {"url": gateway.url, "model": "stub/limit-3"}, "limits": {"at_once": 4}, "default": False,
        }  # fmt: skip
        (tmp_path / "mine.yaml").write_text(yaml.safe_dump([system]), encoding="utf-8")
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "mine.yaml"))
        words = ["--suites", "invoices", "--systems", "narrow", "--size", "4", "--levels", "text", "--store"]
        monkeypatch.setattr("sys.argv", ["zkusebna", "run", *words, str(tmp_path / "s"), "--verbose"])
        main()
    name = "openai-stub-limit-3"
    for told in (capsys.readouterr().out, prefect_log()):
        assert f"{name}: up to 4 calls in flight" in told
        assert f"{name}: down to " in told
        assert "narrow: " in told


def test_without_verbose_the_terminal_says_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from flows.cli import main

    words = ["--suites", "invoices", "--systems", "rules", "--size", "1", "--levels", "text", "--store"]
    monkeypatch.setattr("sys.argv", ["zkusebna", "run", *words, str(tmp_path / "s")])
    main()
    told = capsys.readouterr()
    assert "in flight" not in told.out + told.err
    assert "rules: 2 calls, at most" in prefect_log()
