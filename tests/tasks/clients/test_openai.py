"""Any endpoint by URL: what is sent, what every kind of reply becomes, and where the key never is (M-1 to M-7, G-11)."""

import asyncio
import base64
import hashlib
import json
import logging
import time
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from gateway_stub import Gateway

from schemas.errors import UsageError
from schemas.exchange import Attachment, Form, Message, Reply, Request
from schemas.system import System
from tasks.clients import openai
from tasks.clients.chat import read_reply
from tasks.settings import secret

NOON = 1_800_014_400.0
"""12:00:00 UTC on a day, the time of the gateway and the client alike."""

KEY = "sk-or-v1-SENTINEL0f3c9a7b51d2"
PNG = b"\x89PNG\r\n\x1a\n\x00\xff"
SCHEMA = {
    "type": "object",
    "properties": {"supplier": {"type": ["string", "null"]}, "account": {"type": "string"}},
    "required": ["supplier", "account"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)


def system(url: str, model: str = "stub/ok", **more: Any) -> System:
    limits = {"seconds": 5, "at_once": 8, "max_tokens": 400, **more.pop("limits", {})}
    options = {"url": url, "model": model, **more.pop("options", {})}
    entry = {
        "id": "m",
        "name": "m",
        "vendor": "v",
        "family": "f",
        "client": "openai",
        "suites": (),
        "inputs": ("text", "image"),
    }
    return System.model_validate({**entry, "key_env": "STUB_KEY", "options": options, "limits": limits, **more})


def request(
    text: str = "Přečti fakturu.",
    form: Form = "schema",
    schema: Any = SCHEMA,
    attachments: Sequence[Attachment] = (),
    **more: Any,
) -> Request:
    messages = (Message(role="user", text=text, attachments=tuple(attachments)),)
    entry = {"system_id": "m", "suite": "invoices", "case_id": "c", "language": "cs", "messages": messages}
    return Request.model_validate({**entry, "form": form, "answer_schema": schema, **more})


def attached(kind: Any, data: bytes) -> Attachment:
    media_type = "text/plain" if kind == "text" else "image/png"
    return Attachment(kind=kind, media_type=media_type, sha256=hashlib.sha256(data).hexdigest(), data=data)


def ask(one: System, *requests: Request, module: Any = openai) -> list[Reply]:
    async def all_of_them() -> list[Reply]:
        client = module.make(one)
        await client.open()
        try:
            return list(await asyncio.gather(*(client.complete(r) for r in requests)))
        finally:
            await client.close()

    return asyncio.run(all_of_them())


TABLE: list[tuple[str, Form, str, str | None, tuple[float, float] | None, bool, str]] = [
    # scenario, form → status, fault, range of seconds to wait, whether it cost money, part of the text or error
    ("ok", "schema", "ok", None, None, True, '{"supplier": null, "account": ""}'),
    ("ok", "none", "ok", None, None, True, "Odpověď bez obsahu."),
    ("fenced", "schema", "ok", None, None, True, "```json"),
    ("prose", "schema", "ok", None, None, True, "bohužel"),
    ("badjson", "schema", "ok", None, None, True, ",,"),
    ("badjson-once", "schema", "ok", None, None, True, ",,"),
    ("parts", "none", "ok", None, None, True, "dvě části"),
    ("refusal", "none", "ok", None, None, True, "S tím pomoci nemohu."),
    ("reasoning", "schema", "ok", None, None, True, ""),
    ("null", "schema", "ok", None, None, True, ""),
    ("length", "schema", "truncated", None, None, True, '{"supplier"'),
    ("empty", "schema", "filtered", None, None, False, "content filter"),
    ("filter", "schema", "filtered", None, None, False, "content filter"),
    ("moderated", "schema", "filtered", None, None, False, "flagged"),
    ("nousage", "schema", "ok", None, None, False, "supplier"),
    ("nanusage", "schema", "ok", None, None, False, "supplier"),
    ("otherprovider", "schema", "ok", None, None, True, "supplier"),
    (
        "err200",
        "schema",
        "api_error",
        "server",
        None,
        False,
        "error 502 in a reply of status 200: Provider returned error",
    ),
    ("errchoice", "schema", "api_error", "server", None, True, "Provider disconnected"),
    ("noschema", "schema", "api_error", "schema_rejected", None, False, "HTTP 400: This response_format type"),
    ("noschema", "json", "api_error", "schema_rejected", None, False, "HTTP 400"),
    ("noschema", "none", "ok", None, None, True, "Odpověď"),
    ("noschema-object", "schema", "api_error", "schema_rejected", None, False, "not supported"),
    ("noschema-object", "json", "ok", None, None, True, "{}"),
    ("noparameters", "schema", "api_error", "schema_rejected", None, False, "requested parameters"),
    ("wantsjson", "json", "ok", None, None, True, "{}"),
    ("limit-0", "schema", "api_error", "rate_limit", (1.0, 2.0), False, "HTTP 429: Rate limit exceeded"),
    ("reset", "schema", "api_error", "rate_limit", (4.0, 4.0), False, "Rate limit exceeded"),
    ("daily", "schema", "api_error", "daily_quota", (43_200.0, 43_200.0), False, "per-day"),
    ("inflight", "schema", "api_error", "rate_limit", (3.0, 3.0), False, "in flight"),
    ("credits", "schema", "api_error", "credits", None, False, "HTTP 402: Insufficient credits"),
    ("afford", "schema", "api_error", "credits", None, False, "can only afford 312"),
    ("key", "schema", "api_error", "key", None, False, "HTTP 401: No auth credentials found"),
    ("gone", "schema", "api_error", "gone", None, False, "HTTP 404: No endpoints found"),
    ("page", "schema", "api_error", "gone", None, False, "page of HTML"),
    ("noapi", "schema", "api_error", "gone", None, False, "no chat completion"),
    ("echo", "schema", "api_error", "request", None, False, "HTTP 400: Bad header 'Bearer [key]'"),
    ("parrot", "schema", "ok", None, None, True, "Bearer [key]"),
    ("html", "schema", "api_error", "server", None, False, "HTTP 502: 502 Bad Gateway"),
    ("cut", "schema", "api_error", "network", None, False, "connection: ClientPayloadError"),
    ("drop", "schema", "api_error", "network", None, False, "connection: ServerDisconnectedError"),
    ("hang", "schema", "timeout", "timeout", None, False, "no whole answer in 0.5 s"),
    ("drip", "schema", "timeout", "timeout", None, False, "no whole answer in 0.5 s"),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[1]}")
def test_every_scenario_ends_in_its_status(
    gateway: Gateway, row: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At noon of a day, which lasts until the reply is read: waits that are told as moments are exact."""
    monkeypatch.setattr(time, "time", lambda: NOON)
    caplog.set_level(logging.DEBUG)
    name, form, status, fault, wait, is_paid, said = row
    seconds = 0.5 if name in ("hang", "drip") else 5
    (reply,) = ask(system(gateway.url, f"stub/{name}", limits={"seconds": seconds}), request(form=form))
    assert (reply.status, reply.fault) == (status, fault)
    assert (reply.cost_usd > 0) == is_paid
    assert said in (reply.text if status in ("ok", "truncated") else reply.error or "")
    assert reply.wait_s is None if wait is None else wait[0] <= (reply.wait_s or 0) <= wait[1]
    assert (reply.error is None) == (status in ("ok", "truncated"))
    assert len((reply.error or "").splitlines()) <= 1
    assert KEY not in reply.model_dump_json() + caplog.text
    assert "SENTINEL" not in reply.model_dump_json() + caplog.text
    assert gateway.asked == [] or gateway.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_flaky_endpoints_give_answers_and_passing_faults(gateway: Gateway) -> None:
    replies = ask(system(gateway.url, "stub/flaky-40"), *(request(str(n)) for n in range(60)))
    assert {r.fault for r in replies} == {None, "server", "network"}
    assert all((r.status == "ok") == (r.fault is None) for r in replies)


def test_what_a_reply_tells_is_kept(gateway: Gateway) -> None:
    (reply,) = ask(system(gateway.url), request("x" * 4000, schema=None))
    (asked,) = gateway.asked
    tokens_in = len(json.dumps(asked.request["messages"][0], ensure_ascii=False)) // 4
    assert reply.tokens_in == tokens_in
    assert reply.tokens_out == 4
    assert reply.cost_usd == tokens_in * Decimal("0.0000005") + 4 * Decimal("0.0000015")
    assert reply.generation_id == "gen-" + hashlib.sha256(asked.body).hexdigest()[:12]
    assert (reply.provider, reply.finish_reason) == ("StubHost", "stop")


def test_the_latency_is_that_of_the_request(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.server, "latency_s", 0.25)
    (reply,) = ask(system(gateway.url), request())
    assert reply.latency_ms >= 250


def test_unknown_usage_is_unknown_and_strings_are_numbers(gateway: Gateway) -> None:
    without, odd = (ask(system(gateway.url, f"stub/{name}"), request())[0] for name in ("nousage", "nanusage"))
    assert (without.tokens_in, without.tokens_out, without.cost_usd) == (None, None, 0)
    assert (odd.tokens_in, odd.tokens_out, odd.cost_usd) == (12, 3, 0)


def body_of(gateway: Gateway, one: System, *requests: Request) -> dict[str, Any]:
    ask(one, *requests)
    return gateway.asked[-1].request


def test_the_body_of_a_schema(gateway: Gateway) -> None:
    body = body_of(gateway, system(gateway.url, options={"seed": 7}), request())
    assert body == {
        "model": "stub/ok",
        "messages": [{"role": "user", "content": "Přečti fakturu."}],
        "temperature": 0,
        "seed": 7,
        "max_tokens": 400,
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA}},
    }
    assert list(body) == sorted(body)
    assert list(body["response_format"]["json_schema"]["schema"]["properties"]) == ["supplier", "account"]


def test_options_change_the_body(gateway: Gateway) -> None:
    options = {
        "temperature": None,
        "output_limit_name": "max_completion_tokens",
        "extra_body": {"top_p": 1, "model": "other"},
    }
    body = body_of(gateway, system(gateway.url, options=options), request(form="none"))
    assert body == {
        "model": "stub/ok",
        "messages": [{"role": "user", "content": "Přečti fakturu."}],
        "max_completion_tokens": 400,
        "top_p": 1,
    }


@pytest.mark.parametrize(
    ("text", "language", "form", "schema", "sent"),
    [
        ("Přečti fakturu.", "cs", "json", SCHEMA, "Přečti fakturu.\n\nOdpověz jedním objektem JSON."),
        ("Read the invoice.", "en", "json", SCHEMA, "Read the invoice.\n\nAnswer with one JSON object."),
        ("Vrať Json.", "cs", "json", SCHEMA, "Vrať Json."),
        ("Přečti fakturu.", "cs", "none", SCHEMA, "Přečti fakturu."),
        ("Přečti fakturu.", "cs", "json", None, "Přečti fakturu."),
    ],
)
def test_the_word_json_is_there_where_a_gateway_wants_it(
    gateway: Gateway, text: str, language: str, form: Form, schema: Any, sent: str
) -> None:
    body = body_of(gateway, system(gateway.url), request(text, form, schema, language=language))
    assert body["messages"] == [{"role": "user", "content": sent}]
    assert ("response_format" in body) == (form == "json" and schema is not None)


def test_the_word_json_goes_to_the_last_question(gateway: Gateway) -> None:
    turns = (Message(role="user", text="a"), Message(role="assistant", text="b"), Message(role="user", text="c"))
    body = body_of(gateway, system(gateway.url), request(form="json", messages=turns))
    assert [m["content"] for m in body["messages"]] == ["a", "b", "c\n\nOdpověz jedním objektem JSON."]


def test_documents_go_as_words_and_as_data_urls(gateway: Gateway) -> None:
    files = [attached("image", PNG), attached("text", "Dodavatel: Pekařství Vrána\n".encode())]
    body = body_of(gateway, system(gateway.url), request(attachments=files, form="json"))
    words, image = body["messages"][0]["content"]
    assert words["text"] == (
        "Přečti fakturu.\n\n--- Začátek přiloženého dokumentu ---\nDodavatel: Pekařství Vrána\n--- Konec přiloženého dokumentu ---"
        "\n\nOdpověz jedním objektem JSON."
    )
    head, _, data = image["image_url"]["url"].partition(",")
    assert (image["type"], head, base64.b64decode(data)) == ("image_url", "data:image/png;base64", PNG)


def test_the_same_request_is_the_same_bytes(gateway: Gateway) -> None:
    one = system(gateway.url, options={"extra_body": {"b": {"d": 1, "c": 2}, "a": 1}})
    other = system(gateway.url, options={"extra_body": {"a": 1, "b": {"c": 2, "d": 1}}})
    ask(one, request(attachments=[attached("image", PNG)]))
    ask(other, request(attachments=[attached("image", PNG)]))
    first, second = (asked.body for asked in gateway.asked)
    assert first == second


def test_many_calls_share_one_client_and_its_connections(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.server, "latency_s", 0.05)
    replies = ask(system(gateway.url), *(request(str(n), schema=None) for n in range(100)))
    assert [r.status for r in replies] == ["ok"] * 100
    assert gateway.server.connections == 8
    assert gateway.server.ledger.peak_in_flight == 8


def test_an_endpoint_that_is_not_there_is_told() -> None:
    (reply,) = ask(system("http://127.0.0.1:9/v1"), request())
    assert (reply.status, reply.fault) == ("api_error", "network")
    assert reply.error is not None
    assert "127.0.0.1:9" in reply.error


def test_cancelling_a_call_cancels_it(gateway: Gateway) -> None:
    async def cancelled() -> bool:
        client = openai.make(system(gateway.url, "stub/hang"))
        await client.open()
        task = asyncio.create_task(client.complete(request()))
        await asyncio.sleep(0.1)
        task.cancel()
        (result,) = await asyncio.gather(task, return_exceptions=True)
        await client.close()
        return isinstance(result, asyncio.CancelledError)

    assert asyncio.run(cancelled())


def completion(**usage: Any) -> str:
    return json.dumps({"choices": [{"finish_reason": "stop", "message": {"content": ""}}], "usage": usage})


@pytest.mark.parametrize(
    ("body", "status", "cost"),
    [
        (completion(cost=0), "filtered", "0"),
        (completion(cost="0", completion_tokens=0), "filtered", "0"),
        (completion(cost=0, completion_tokens=40), "ok", "0"),  # a free model that thought and said nothing
        (completion(), "ok", "0"),  # a server of one's own states no cost
        (completion(cost=0.0000195), "ok", "0.0000195"),
        (completion(cost=0.00001234567891), "ok", "0.000012346"),
        (completion(cost=-1), "ok", "0"),
        (completion(cost="NaN"), "ok", "0"),
        (completion(cost=float("inf")), "ok", "0"),
        (completion(cost=0.001, is_byok=True, cost_details={"upstream_inference_cost": 0.02}), "ok", "0.021"),
        (completion(cost=0.001, is_byok=False, cost_details={"upstream_inference_cost": 0.02}), "ok", "0.001"),
    ],
)
def test_an_empty_answer_is_a_filter_only_at_a_stated_cost_of_zero(body: str, status: str, cost: str) -> None:
    reply = read_reply(200, {}, body, form_sent=False, now=0.0, latency_ms=1)
    assert (reply.status, reply.cost_usd) == (status, Decimal(cost))


@pytest.mark.parametrize(
    ("choice", "status", "text"),
    [
        ({"finish_reason": "stop", "native_finish_reason": "SAFETY", "message": {"content": None}}, "filtered", ""),
        ({"finish_reason": "content_filter", "message": {"content": "Začátek"}}, "filtered", "Začátek"),
        ({"finish_reason": "length", "message": {"content": None, "reasoning": "…"}}, "truncated", ""),
        ({"finish_reason": None, "message": {"content": "a\ud83d"}}, "ok", "a\ufffd"),
        ({"finish_reason": "stop", "message": None}, "ok", ""),
        ({"message": {"content": {"odd": 1}}}, "ok", ""),
    ],
)
def test_odd_messages(choice: dict[str, Any], status: str, text: str) -> None:
    reply = read_reply(200, {}, json.dumps({"choices": [choice]}), form_sent=False, now=0.0, latency_ms=1)
    assert (reply.status, reply.text) == (status, text)
    reply.model_dump_json().encode()


@pytest.mark.parametrize("body", ['{"choices": []}', '{"choices": [null]}', "[]", "7", '{"choices": 5}', "[" * 100_000])
def test_bodies_without_a_choice_are_errors(body: str) -> None:
    reply = read_reply(200, {}, body, form_sent=False, now=0.0, latency_ms=1)
    assert reply.status == "api_error"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"url": ""}, "options.url is to be http(s)://…/v1, not ''"),
        ({"url": "ftp://example.org"}, "not 'ftp://example.org'"),
        ({"url": "https://me:pass@example.org/v1"}, "holds a password"),
        ({"options": {"model": None}}, "options.model is to name a model, not None"),
        ({"limits": {"seconds": 0}}, "limits.seconds is to be a number above 0, not 0"),
        ({"limits": {"at_once": "many"}}, "limits.at_once is to be a number above 0, not 'many'"),
    ],
)
def test_wrong_entries_are_told(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        openai.make(system(**{"url": "https://example.org/v1", **changes}))
    assert told in str(caught.value)
    assert "pass@" not in str(caught.value)


def test_a_key_that_no_header_can_carry_is_told_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", "sk-klíč\n-SENTINEL")
    with pytest.raises(UsageError, match="STUB_KEY") as caught:
        openai.make(system("https://example.org/v1"))
    assert "SENTINEL" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["https://example.org/v1", "https://example.org/v1/", "https://example.org/v1/chat/completions"]
)
def test_the_address(url: str) -> None:
    assert str(openai.make(system(url)).url) == "https://example.org/v1/chat/completions"


def test_what_is_missing_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    one = system("https://example.org/v1")
    assert openai.missing(one) is None
    monkeypatch.setenv("STUB_KEY", " ")
    assert openai.missing(one) == "its key is missing: set the environment variable STUB_KEY"
    assert openai.missing(one.model_copy(update={"key_env": None})) is None


def test_without_a_key_no_header_goes_out(gateway: Gateway) -> None:
    ask(system(gateway.url, key_env=None), request())
    assert "authorization" not in gateway.asked[0].headers


def test_a_secret_is_a_variable_or_a_block_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import prefect.blocks.system

    class Block:
        @classmethod
        def load(cls, name: str) -> "Block":
            if name != "other-key":
                raise ValueError(f"no block {name}")
            return cls()

        def get(self) -> str:
            return "from a block"

    monkeypatch.setattr(prefect.blocks.system, "Secret", Block)
    assert secret("STUB_KEY") == KEY
    assert secret("OTHER_KEY") is None  # nobody to ask
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    assert secret("OTHER_KEY") == "from a block"
    assert secret("NO_KEY") is None
