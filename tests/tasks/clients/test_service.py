"""HTTP APIs described by an entry, against a real server on loopback that writes down what it was sent."""

import asyncio
import base64
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from datasets.systems import load_systems
from schemas.errors import UsageError
from schemas.exchange import Attachment, Message, Reply, Request
from schemas.system import System
from tasks.clients import service
from tasks.clients.command import CommandOptions
from tasks.clients.local import LocalOptions
from tasks.clients.options import read_options

ROOT = Path(__file__).parents[3]
KEY = "sk-tajny-0123456789"
PROMPT = "Přečti „fakturu“: {text} {key}\n"
BODY = {"task": {"words": "{prompt}", "lines": ["{language}", "<{text}>", 5, None, True]}, "picture": "{image}"}


class Server(ThreadingHTTPServer):
    """Answers every request with the next of `replies` (code, headers, body), the last one for ever."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[tuple[int, dict[str, str], bytes]] = []
        self.seen: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v2/ask"

    def says(self, document: Any, code: int = 200, **headers: str) -> None:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.replies = [(code, {k.replace("_", "-"): v for k, v in headers.items()}, body)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def answer(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append(
            {"method": self.command, "path": self.path, "headers": self.headers, "body": sent.decode()}
        )
        replies = self.server.replies
        code, headers, body = replies.pop(0) if len(replies) > 1 else replies[0]
        if code == 0:  # never
            time.sleep(30)
            return
        self.send_response(code)
        length = len(body) * (2 if "X-Cut" in headers else 1)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(length), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = "X-Cut" in headers

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def do_PUT(self) -> None:
        self.answer()

    def do_PATCH(self) -> None:
        self.answer()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_API_KEY", KEY)


def system_of(url: str, options: dict[str, Any] | None = None, **changes: Any) -> System:
    entry: dict[str, Any] = {
        "id": "acme",
        "name": "Acme",
        "vendor": "Acme",
        "family": "acme",
        "client": "service",
        "suites": [],
        "inputs": ["text", "image"],
        "key_env": "ACME_API_KEY",
        "options": {
            "url": url,
            "headers": {"X-Api-Key": "Key {key}"},
            "body": BODY,
            "answer": "result.0.text",
            **(options or {}),
        },
        "limits": {"seconds": 20},
    }
    return System.model_validate({**entry, **changes})


def document(kind: str, data: bytes) -> Attachment:
    media = {"text": "text/plain", "image": "image/png"}[kind]
    return Attachment.model_validate({"kind": kind, "media_type": media, "sha256": "0" * 64, "data": data})


def request_of(*attachments: Attachment) -> Request:
    message = Message(role="user", text=PROMPT, attachments=attachments)
    return Request(system_id="acme", suite="invoices", case_id="c1", language="cs", messages=(message,))


def ask(system: System, request: Request | None = None) -> Reply:
    async def once() -> Reply:
        client = service.make(system)
        await client.open()
        try:
            return await client.complete(request or request_of())
        finally:
            await client.close()

    return asyncio.run(once())


def test_what_is_sent_is_the_template_filled_in(server: Server) -> None:
    """Braces inside the prompt and the document stay; numbers and null stay; the key is in the header and nowhere else."""
    server.says({"result": [{"text": "Pekařství Vrána"}], "usage": {"usd": 0.00012}})
    documents = (document("text", b"Faktura {prompt}"), document("image", b"\x89PNG\xff"))
    reply = ask(system_of(server.url, {"cost": "usage.usd"}), request_of(*documents))
    assert (reply.status, reply.text, reply.cost_usd) == ("ok", "Pekařství Vrána", Decimal("0.00012"))
    assert (reply.error, reply.fault, reply.provider) == (None, None, "127.0.0.1")
    (sent,) = server.seen
    assert (sent["method"], sent["path"], sent["headers"]["X-Api-Key"]) == ("POST", "/v2/ask", f"Key {KEY}")
    assert sent["headers"]["Content-Type"] == "application/json"
    assert KEY not in sent["body"]
    assert json.loads(sent["body"]) == {
        "task": {"words": PROMPT, "lines": ["cs", "<Faktura {prompt}>", 5, None, True]},
        "picture": base64.b64encode(b"\x89PNG\xff").decode(),
    }


@pytest.mark.parametrize("method", ["PUT", "PATCH", "GET"])
def test_the_method_is_that_of_the_entry(server: Server, method: str) -> None:
    """GET has no body: the entries go into the query."""
    server.says({"result": [{"text": "ano"}]})
    body = {"q": "{prompt}", "lang": "{language}"}
    assert ask(system_of(server.url, {"method": method, "body": body})).text == "ano"
    (sent,) = server.seen
    assert sent["method"] == method
    if method == "GET":
        assert parse_qs(urlsplit(sent["path"]).query) == {"q": [PROMPT], "lang": ["cs"]}
        assert sent["body"] == ""
    else:
        assert json.loads(sent["body"]) == {"q": PROMPT, "lang": "cs"}


@pytest.mark.parametrize(
    ("document_sent", "answer", "text"),
    [
        ({"a": [{"b": "c"}]}, "a.0.b", "c"),
        ({"a": {"město": "Plzeň"}}, "a", '{"město": "Plzeň"}'),
        ({"a": None}, "a", ""),
        (["x", "y"], "-1", "y"),
        ({"a": "\ud800!"}, "a", "?!"),
        ({"0": "nula"}, "0", "nula"),
    ],
)
def test_where_the_answer_stands(server: Server, document_sent: Any, answer: str, text: str) -> None:
    server.says(document_sent)
    reply = ask(system_of(server.url, {"answer": answer}))
    assert (reply.status, reply.text) == ("ok", text)


def test_a_reply_without_the_answer(server: Server) -> None:
    """No answer where the entry says: asking again cannot help. An error of the service's own is read as such. The cost is kept."""
    server.says({"result": [], "usd": "0.5"})
    reply = ask(system_of(server.url, {"cost": "usd"}))
    assert (reply.status, reply.fault, reply.cost_usd) == ("api_error", "request", Decimal("0.5"))
    assert "result.0.text" in (reply.error or "")
    server.says({"error": {"code": 429, "message": "slow down"}})
    reply = ask(system_of(server.url))
    assert (reply.status, reply.fault) == ("api_error", "rate_limit")
    assert "slow down" in (reply.error or "")


@pytest.mark.parametrize("cost", [None, "free", -1, "NaN", "Infinity", True, {}])
def test_a_cost_that_is_none_is_nothing(server: Server, cost: Any) -> None:
    server.says({"result": [{"text": "ano"}], "usd": cost})
    reply = ask(system_of(server.url, {"cost": "usd"}))
    assert (reply.status, reply.cost_usd) == ("ok", Decimal(0))


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (401, "key"),
        (402, "credits"),
        (404, "gone"),
        (429, "rate_limit"),
        (400, "request"),
        (500, "server"),
        (302, "gone"),
    ],
)
def test_errors_of_http(server: Server, code: int, fault: str) -> None:
    """M-5: what decides what to do next, the seconds to wait, and no trace of the key that the service repeats, whole or in part."""
    server.says({"message": f"not for {KEY}, nor {KEY[:11]}***"}, code, Retry_After="7", Location="/elsewhere")
    reply = ask(system_of(server.url))
    assert (reply.status, reply.fault, reply.text) == ("api_error", fault, "")
    assert reply.wait_s == 7
    assert reply.error is not None
    assert "not for [key], nor [key]" in reply.error
    assert KEY[:8] not in repr(reply)
    assert len(server.seen) == 1  # one attempt, no redirect


def test_a_key_in_the_answer_is_hidden(server: Server) -> None:
    server.says({"result": [{"text": f"Váš klíč je {KEY}."}]})
    assert ask(system_of(server.url)).text == "Váš klíč je [key]."


def test_bodies_that_are_no_answer(server: Server) -> None:
    system = system_of(server.url)
    server.says(b"<html><title>Login</title></html>", Content_Type="text/html")
    assert ask(system).fault == "gone"
    server.says(b'{"result": [{"te')
    assert ask(system).fault == "network"
    server.says(b'{"result"', X_Cut="1")
    reply = ask(system)
    assert (reply.status, reply.fault) == ("api_error", "network")
    server.says(b'"' + b"a" * (service.MOST_BYTES + 1) + b'"')
    reply = ask(system)
    assert (reply.status, reply.fault) == ("api_error", "request")
    assert "longer than" in (reply.error or "")
    server.says(b"[" * 100_000)
    assert ask(system).status == "api_error"


def test_a_service_that_never_answers(server: Server) -> None:
    server.replies = [(0, {}, b"")]
    reply = ask(system_of(server.url, limits={"seconds": 0.5}))
    assert (reply.status, reply.fault) == ("timeout", "timeout")
    assert 500 <= reply.latency_ms < 20_000
    assert "0.5 s" in (reply.error or "")


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    reply = ask(system_of(f"http://127.0.0.1:{port}/"))
    assert (reply.status, reply.fault) == ("api_error", "network")


def test_a_document_that_the_template_leaves_out_is_no_silent_loss(server: Server) -> None:
    server.says({"result": [{"text": "ano"}]})
    system = system_of(server.url, {"body": {"q": "{prompt}"}})
    assert ask(system).status == "ok"
    for kind in ("text", "image"):
        reply = ask(system, request_of(document(kind, b"x")))
        assert (reply.status, reply.fault) == ("api_error", "request")
        assert f"{{{kind}}}" in (reply.error or "")
    assert len(server.seen) == 1


def test_connections_serve_many_calls_at_once(server: Server) -> None:
    server.says({"result": [{"text": "ano"}]})

    async def many() -> list[Reply]:
        client = service.make(system_of(server.url))
        await client.open()
        replies = await asyncio.gather(*(client.complete(request_of()) for _ in range(40)))
        await client.close()
        return replies

    assert [reply.text for reply in asyncio.run(many())] == ["ano"] * 40
    assert len(server.seen) == 40


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"url": "ftp://acme.example"}, r"options\.url"),
        ({"url": "http://me:word@acme.example/"}, "holds a password"),
        ({"method": "DELETE"}, r"options\.method"),
        ({"body": {"q": "{promt}"}}, r"unknown \{promt\}"),
        ({"body": {"q": "{key}"}}, r"unknown \{key\}"),
        ({"method": "GET", "body": ["{prompt}"]}, "for GET"),
        ({"headers": {"X": "{prompt}"}}, "only {key}"),
        ({"headers": {"X": "ř"}}, "no header can carry"),
        ({"anser": "a"}, r"options\.anser"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        service.make(system_of("http://acme.example/", options))


def test_the_key_is_missing_or_cannot_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    system = system_of("http://acme.example/")
    assert service.missing(system) is None
    with pytest.raises(UsageError, match="key_env"):
        service.make(system_of("http://acme.example/", key_env=None))
    monkeypatch.setenv("ACME_API_KEY", "sk-řeřicha-0123456789")
    with pytest.raises(UsageError, match="ACME_API_KEY") as told:
        service.make(system)
    assert "řeřicha" not in str(told.value)
    monkeypatch.delenv("ACME_API_KEY")
    assert "ACME_API_KEY" in (service.missing(system) or "")


def test_the_examples_of_the_manual_are_valid_entries(tmp_path: Path) -> None:
    """Every entry of docs/systems.md is read, and its options are those that its client knows."""
    page = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if block.startswith("- id")]
    file = tmp_path / "systems.yaml"
    file.write_text("\n".join(blocks), encoding="utf-8")
    systems = load_systems(file)
    assert [s.client for s in systems.values()] == ["openrouter", "openai", "local", "command", "service"]
    service.make(systems["acme-extract"])
    read_options(systems["my-model"], LocalOptions)
    read_options(systems["my-reader"], CommandOptions)
