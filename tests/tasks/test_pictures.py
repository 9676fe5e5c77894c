"""Invoices as pictures through the whole door: what a gateway was sent is what the store holds (M-1, M-2, item 10 of the door)."""

import base64
import hashlib
from pathlib import Path

import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import run_stages, stable_rows

from datasets.store import Store
from tasks import throttle

PNG = b"\x89PNG\r\n\x1a\n"
PROMPTS = Path(__file__).parents[2] / "datasets" / "prompts"


def test_a_vision_model_gets_the_pictures_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each case once: a PNG whose hash is a blob of the store, the prompt of its language, the schema, temperature 0."""
    throttle._THROTTLES.clear()
    root = str(tmp_path / "s")
    with Gateway() as gateway:
        entry = {
            "id": "vision", "name": "v", "vendor": "v", "family": "f", "client": "openai", "suites": [], "inputs": ["image"],
            "options": {"url": gateway.url, "model": "stub/ok"}, "limits": {"max_tokens": 700},
        }  # fmt: skip
        (tmp_path / "mine.yaml").write_text(yaml.safe_dump([entry]), encoding="utf-8")
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "mine.yaml"))
        run_stages(root, "invoices", ["vision"], 2, ("image",))
        asked = [request.request for request in gateway.asked]
    rows = stable_rows(root)
    by_picture = {row["image_sha256"]: row for row in rows["cases"]}
    store, seen = Store.open(root), set()
    for body in asked:
        [message] = body["messages"]
        words, picture = message["content"]
        assert (message["role"], words["type"], picture["type"]) == ("user", "text", "image_url")
        head, _, coded = picture["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        data = base64.b64decode(coded, validate=True)
        digest = hashlib.sha256(data).hexdigest()
        assert data.startswith(PNG)
        assert store.get_blob(digest) == data
        case = by_picture[digest]
        prompt = (PROMPTS / f"invoices.{case['language']}.md").read_text(encoding="utf-8")
        assert len(words["text"]) > 200
        assert words["text"].strip() in prompt
        assert body["response_format"]["type"] == "json_schema"
        assert set(body["response_format"]["json_schema"]["schema"]["required"]) >= {"supplier", "total"}
        assert (body["temperature"], body["max_tokens"]) == (0, 700)
        seen.add(case["case_id"])
    assert len(asked) == len(seen) == len(rows["cases"]) == 4
    assert {row["language"] for row in rows["cases"]} == {"cs", "en"}
    assert {a["status"] for a in rows["answers"]} == {"ok"}
    assert len(rows["profiles"]) == 4
