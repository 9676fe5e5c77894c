"""The gateway: one pinned provider, asked for and verified (M-1, M-5)."""

import asyncio
from typing import Any

import pytest
from gateway_stub import Gateway
from pydantic import ValidationError

from schemas.exchange import Message, Reply, Request
from schemas.system import System
from tasks.clients import openrouter
from tasks.clients.openrouter import same_provider

SCHEMA = {"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or-v1-SENTINEL77")


def system(url: str, model: str = "stub/ok", provider: str | None = "stubhost", **more: Any) -> System:
    entry = {
        "id": "m",
        "name": "m",
        "vendor": "v",
        "family": "f",
        "client": "openrouter",
        "suites": (),
        "inputs": ("text",),
    }
    return System.model_validate({**entry, "provider": provider, "options": {"url": url, "model": model}, **more})


def ask(one: System, schema: Any = SCHEMA) -> Reply:
    messages = (Message(role="user", text="Kolik?"),)
    request = Request(
        system_id="m", suite="invoices", case_id="c", language="cs", messages=messages, answer_schema=schema
    )

    async def once() -> Reply:
        client = openrouter.make(one)
        await client.open()
        try:
            return await client.complete(request)
        finally:
            await client.close()

    return asyncio.run(once())


def test_the_pin_and_the_cost_are_asked_for(gateway: Gateway) -> None:
    assert ask(system(gateway.url)).status == "ok"
    body = gateway.asked[0].request
    pin = {"order": ["stubhost"], "only": ["stubhost"], "allow_fallbacks": False}
    assert body["provider"] == {**pin, "require_parameters": True}
    assert body["usage"] == {"include": True}
    ask(system(gateway.url), schema=None)
    assert gateway.asked[1].request["provider"] == pin


def test_a_model_without_a_pinned_provider_is_refused(gateway: Gateway) -> None:
    """M-1."""
    with pytest.raises(ValidationError, match="provider is missing"):
        system(gateway.url, provider=None)


@pytest.mark.parametrize(
    ("model", "provider", "status", "fault"),
    [
        ("ok", "stubhost", "ok", None),
        ("otherprovider", "stubhost", "pin_violated", None),
        ("otherprovider", "somebody-else/fp8", "ok", None),
        ("length", "stubhost", "truncated", None),
        ("filter", "stubhost", "filtered", None),
        ("err200", "stubhost", "api_error", "server"),
        ("moderated", "elsewhere", "filtered", None),
        ("noparameters", "stubhost", "api_error", "schema_rejected"),
    ],
)
def test_replies_are_held_against_the_pin(
    gateway: Gateway, model: str, provider: str | None, status: str, fault: str | None
) -> None:
    reply = ask(system(gateway.url, f"stub/{model}", provider))
    assert (reply.status, reply.fault) == (status, fault)


def test_a_violated_pin_keeps_text_cost_and_provider(gateway: Gateway) -> None:
    reply = ask(system(gateway.url, "stub/otherprovider"))
    assert reply.error == "served by 'SomebodyElse', pinned was 'stubhost'"
    assert (reply.provider, reply.text) == ("SomebodyElse", '{"total": ""}')
    assert reply.cost_usd > 0


def test_an_answer_that_does_not_say_who_gave_it_violates_the_pin() -> None:
    client = openrouter.make(system("https://example.org/v1"))
    assert client.checked(Reply(status="ok", text="7")).status == "pin_violated"
    assert client.checked(Reply(status="filtered")).status == "filtered"
    assert client.checked(Reply(status="filtered", provider="Other")).status == "pin_violated"


@pytest.mark.parametrize(
    ("slug", "name", "is_same"),
    [
        ("deepinfra", "DeepInfra", True),
        ("deepinfra/fp8", "DeepInfra", True),
        ("google-vertex", "Google", True),
        ("google-vertex/us-east5", "Google", True),
        ("google-vertex", "Google AI Studio", False),
        ("google-ai-studio", "Google AI Studio", True),
        ("google-ai-studio", "Google", False),
        ("z-ai", "Z.AI", True),
        ("Mistral", "Mistral", True),
        ("azure", "OpenAI", False),
        ("open", "OpenAI", False),
    ],
)
def test_names_of_providers(slug: str, name: str, is_same: bool) -> None:
    assert same_provider(slug, name) == is_same


def test_without_an_option_the_address_is_the_gateways(monkeypatch: pytest.MonkeyPatch) -> None:
    one = system("x").model_copy(update={"options": {"model": "a/b"}})
    assert str(openrouter.make(one).url) == "https://openrouter.ai/api/v1/chat/completions"
    assert openrouter.missing(one) is None
    monkeypatch.delenv("OPENROUTER_API_KEY")
    assert "OPENROUTER_API_KEY" in (openrouter.missing(one) or "")
    assert "MY_KEY" in (openrouter.missing(one.model_copy(update={"key_env": "MY_KEY"})) or "")
