"""A key is nowhere after a run: not in the store, not in logs, not in Prefect's database (item 9 of the door; M-3)."""

import logging
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import gateway_process

pytestmark = pytest.mark.usefixtures("prefect_server")

KEY = "sk-zk-SENTINEL-4f1d0c7a9be2"


@pytest.mark.parametrize("model", ["ok", "echo", "key"])
def test_a_key_is_nowhere_after_a_run(
    model: str, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also where the gateway says the key back in its error (`echo`), and where it refuses it (`key`)."""
    from prefect.settings import get_current_settings

    from flows.nightly import nightly
    from schemas.errors import StageError

    monkeypatch.setenv("STUB_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    with gateway_process() as url:
        system: dict[str, Any] = {
            "id": "keyed", "name": "keyed", "vendor": "t", "family": "t", "client": "openai", "suites": [], "inputs": ["text"],
            "options": {"url": url, "model": f"stub/{model}"}, "key_env": "STUB_KEY", "limits": {"at_once": 2}, "default": False,
        }  # fmt: skip
        file = tmp_path / "systems.yaml"
        file.write_text(yaml.safe_dump([system]), encoding="utf-8")
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
        order: dict[str, Any] = {
            "suites": ["invoices"],
            "systems": ["keyed"],
            "size": 2,
            "levels": ("text",),
            "root": store,
        }
        if model != "key":
            nightly(**order)
        else:
            with pytest.raises(StageError) as told:
                nightly(**order)
            assert KEY not in str(told.value)
    database = Path(str(get_current_settings().server.database.connection_url.get_secret_value()).split("///")[-1])
    assert database.exists()
    searched = [p for p in Path(store).rglob("*") if p.is_file()] + list(database.parent.glob(f"{database.name}*"))
    assert len(searched) > 5
    assert not [p for p in searched if KEY.encode() in p.read_bytes()]
    assert KEY not in caplog.text
