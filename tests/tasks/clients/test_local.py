"""The embedded model, for real: its weights, its server, its death; oracles are the server's own tokenizer, jsonschema and the process table."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import psutil
import pytest

from schemas.errors import UsageError
from schemas.exchange import Attachment, Message, Reply, Request
from schemas.system import System
from tasks import model_server
from tasks.clients import chat, local
from tasks.loop import run

ROOT = Path(__file__).parents[3]
SHORT = {"max_tokens": 3, "seconds": 300}


def system_of(**changes: Any) -> System:
    entry: dict[str, Any] = {
        "id": "smollm2",
        "name": "SmolLM2",
        "vendor": "Hugging Face",
        "family": "smollm",
        "client": "local",
        "suites": [],
        "inputs": ["text"],
        "options": {"context": 512},
        "limits": {"max_tokens": 12, "seconds": 300},
    }
    return System.model_validate({**entry, **changes})


def request_of(text: str, **changes: Any) -> Request:
    message = Message(role="user", text=text, attachments=changes.pop("attachments", ()))
    asked = {"system_id": "smollm2", "suite": "jury", "case_id": "c1", "language": "en", "messages": (message,)}
    return Request.model_validate({**asked, **changes})


def is_gone(pid: int, within_s: float = 20.0) -> bool:
    """Whether a process has ended (or is only waited for) within some seconds."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def pid_of(client: local.LocalClient) -> int:
    assert client._server is not None
    assert client._server.pid is not None
    return client._server.pid


@pytest.fixture(scope="module")
def client() -> Iterator[local.LocalClient]:
    made = local.make(system_of())
    run(made.open())
    yield made
    run(made.close())


def ask(client: local.LocalClient, request: Request) -> Reply:
    return run(client.complete(request))


def test_a_short_question_is_answered_and_the_same_again(client: local.LocalClient) -> None:
    """M-1, M-3: temperature 0 repeats exactly; tokens as the server's own template and tokenizer count them; cost 0."""
    request = request_of("Say hello in one short sentence.")
    first, second = ask(client, request), ask(client, request)
    assert first.status in ("ok", "truncated")
    assert first.text.strip()
    assert (first.text, first.tokens_in, first.tokens_out) == (second.text, second.tokens_in, second.tokens_out)
    assert (first.provider, first.cost_usd, first.fault) == ("local", Decimal(0), None)
    base = str(client.url).removesuffix("/v1/chat/completions")
    messages = [{"role": "user", "content": request.messages[0].text}]
    prompt = httpx.post(f"{base}/apply-template", json={"messages": messages}).json()["prompt"]
    tokens = httpx.post(f"{base}/tokenize", json={"content": prompt, "parse_special": True}).json()["tokens"]
    assert first.tokens_in == len(tokens)
    assert first.tokens_out is not None
    assert 0 < first.tokens_out <= 12


def test_no_part_of_a_prompt_comes_from_a_cache(client: local.LocalClient) -> None:
    """With the cache, what was asked before could change a text; the server itself says how much it took from there."""
    body = chat.write_body(client.system, request_of("Say hello in one short sentence."))
    ask(client, request_of("Say hello in one short sentence."))
    usage = httpx.post(client.url, content=body, timeout=300).json()["usage"]
    assert usage["prompt_tokens"] > 30
    assert usage["prompt_tokens_details"]["cached_tokens"] == 0


def test_a_schema_is_enforced() -> None:
    """M-2: a model of this size would never write this object by itself."""
    colour = {"type": "string", "enum": ["červená", "modrá"]}
    number = {"type": "string", "pattern": "^[0-9]{3}$"}
    schema = {
        "type": "object",
        "properties": {"colour": colour, "number": number},
        "required": ["colour", "number"],
        "additionalProperties": False,
    }
    client = local.make(system_of(limits={"max_tokens": 80, "seconds": 300}))
    try:
        reply = ask(client, request_of("Write a poem about the sea.", answer_schema=schema, form="schema"))
    finally:
        run(client.close())
    assert reply.status == "ok", reply
    jsonschema.validate(json.loads(reply.text), schema)


def test_a_prompt_longer_than_the_context_is_a_clear_error(client: local.LocalClient) -> None:
    """M-5: asking again cannot help; the sentence says how long the prompt is and which option would help."""
    reply = ask(client, request_of("hello " * 1000))
    assert (reply.status, reply.fault) == ("api_error", "request")
    assert reply.error is not None
    for words in ("1031 tokens", "512", "options.context"):
        assert words in reply.error


def test_an_image_is_refused(client: local.LocalClient) -> None:
    image = Attachment(kind="image", media_type="image/png", sha256="0" * 64, data=b"\x89PNG")
    reply = ask(client, request_of("Read it.", attachments=(image,)))
    assert (reply.status, reply.fault) == ("api_error", "request")
    assert reply.error is not None
    assert "images" in reply.error


def test_shards_share_one_server_and_the_last_one_ends_it() -> None:
    system = system_of(options={"context": 256}, limits=SHORT)
    one, other = local.make(system), local.make(system)
    tiny = request_of("Hi")
    assert ask(one, tiny).text == ask(other, tiny).text
    pid = pid_of(one)
    assert pid_of(other) == pid
    run(one.close())
    assert not is_gone(pid, within_s=0.5)
    assert ask(other, tiny).status in ("ok", "truncated")
    run(other.close())
    assert is_gone(pid)
    assert not [p for p in psutil.Process().children(recursive=True) if p.pid == pid]


def test_a_server_that_ended_by_itself_starts_again() -> None:
    client = local.make(system_of(options={"context": 384}, limits=SHORT))
    try:
        before = ask(client, request_of("Hi"))
        pid = pid_of(client)
        psutil.Process(pid).kill()
        assert client._server is not None
        while client._server.pid is not None:  # its threads end one by one
            time.sleep(0.005)
        after = ask(client, request_of("Hi"))
        assert after.text == before.text
        assert pid_of(client) != pid
    finally:
        run(client.close())


PARENT = """
import sys, time
from pathlib import Path
from tasks import model_server
from tasks.loop import run
server = model_server.lease(model_server.Plan(Path(sys.argv[1]), 256))
if sys.argv[2] == "ready":
    run(server.ready())
else:
    import threading
    threading.Thread(target=lambda: run(server.ready()), daemon=True).start()
    while server.pid is None:
        time.sleep(0.001)
print(server.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("moment", ["ready", "loading"])
def test_the_server_dies_with_a_killed_parent(moment: str) -> None:
    """kill -9 leaves nothing behind, neither of a server that waits nor of one that still loads its weights."""
    file = local.weights(system_of())
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(file), moment], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    while str(file) not in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8"):
        time.sleep(0.005)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert is_gone(pid)


def test_the_weights_are_found_without_importing_their_package() -> None:
    file = local.weights(system_of())
    assert file is not None
    assert file.read_bytes()[:4] == b"GGUF"
    assert local.WEIGHTS not in sys.modules
    assert local.missing(system_of()) is None


def test_what_is_missing_is_told_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tmp_path / "notes.gguf"
    text.write_text("# not a model", encoding="utf-8")
    wrong = {
        str(tmp_path / "none.gguf"): "No such file",
        str(text): "GGUF was expected",
    }
    for gguf, words in wrong.items():
        own = system_of(options={"gguf": gguf})
        assert words in (local.missing(own) or "")
        with pytest.raises(UsageError, match="smollm2"):
            local.make(own)
    monkeypatch.setattr(local, "WEIGHTS", "no_such_package")
    assert "`make setup`" in (local.missing(system_of()) or "")
    monkeypatch.setattr(model_server, "RUNTIME", "no_such_package")
    assert "`make setup`" in (local.missing(system_of()) or "")


def test_a_wrong_option_is_named() -> None:
    for options, words in (({"contxt": 512}, "contxt"), ({"context": 0}, "context"), ({"gguf": 5}, "gguf")):
        with pytest.raises(UsageError, match=f"'smollm2'.*options.{words}"):
            local.make(system_of(options=options))


def test_a_broken_model_file_stops_the_system(tmp_path: Path) -> None:
    """The weights are not there as far as asking on goes: fault `gone`, with the server's first word on why."""
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    client = local.make(system_of(options={"gguf": str(broken)}))
    try:
        reply = ask(client, request_of("Hi"))
    finally:
        run(client.close())
    assert (reply.status, reply.fault) == ("api_error", "gone")
    assert reply.error is not None
    assert "broken.gguf" in reply.error
    assert "gguf" in reply.error.split("did not start")[1]


def test_the_version_is_that_of_the_weights_and_of_the_runtime(tmp_path: Path) -> None:
    """M-4: another file under the same name is another model."""
    own = tmp_path / "own.gguf"
    system = system_of(options={"gguf": str(own)})
    versions = set()
    for content in (b"GGUF one", b"GGUF two"):
        own.write_bytes(content)
        versions.add(local.make(system).version)
    assert len(versions) == 2
    assert all(f"xllamacpp-{model_server.runtime_version()}" in version for version in versions)
