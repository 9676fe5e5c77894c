"""The hash of a request and the bytes of its body are those of the calls that stores hold already: nobody pays twice (M-4)."""

import hashlib
from types import SimpleNamespace
from typing import Any, cast

import pytest

from schemas.exchange import Attachment, Message, Request
from schemas.system import System
from tasks.ask import request_hash
from tasks.clients import Client
from tasks.clients.chat import write_body

SCHEMA = {
    "type": "object",
    "properties": {"supplier": {"type": ["string", "null"]}, "částka": {"type": "string"}},
    "required": ["supplier", "částka"],
    "additionalProperties": False,
}
PNG = b"\x89PNG\r\n\x1a\n\x00\xff"
PAGE = "Dodavatel: Pekařství Vrána\nCelkem: 1 210,00 Kč\n".encode()


def attached(kind: Any, data: bytes, name: str | None = None) -> Attachment:
    media_type = "text/plain" if kind == "text" else "image/png"
    return Attachment(kind=kind, media_type=media_type, sha256=hashlib.sha256(data).hexdigest(), name=name, data=data)


def system(**more: Any) -> System:
    entry = {
        "id": "m",
        "name": "m",
        "vendor": "v",
        "family": "f",
        "client": "openai",
        "suites": (),
        "inputs": ("text", "image"),
    }
    options = {"model": "acme/large", "url": "http://localhost:1/v1", "seed": 7}
    return System.model_validate({**entry, "options": options, "limits": {"max_tokens": 800, "at_once": 64}, **more})  # fmt: skip


def request(*messages: Message, **more: Any) -> Request:
    base = {"system_id": "m", "suite": "invoices", "case_id": "invoices-cs-0001", "language": "cs"}
    return Request.model_validate(
        {**base, "messages": messages or (Message(role="user", text="Přečti fakturu."),), **more}
    )


TURNS = (
    Message(role="user", text="Ahoj"),
    Message(role="assistant", text='Řekl „ne“ \\ "\u2028'),
    Message(role="user", text="Proč?"),
)
ASKED: dict[str, tuple[System, Request]] = {
    "words": (system(), request()),
    "schema": (system(), request(answer_schema=SCHEMA)),
    "any object": (system(), request(answer_schema=SCHEMA, form="json")),
    "document": (system(), request(Message(role="user", text="Přečti.", attachments=(attached("text", PAGE),)), answer_schema=SCHEMA)),
    "pictures": (system(), request(Message(role="user", text="Přečti.", attachments=(attached("image", PNG, "page-1.png"), attached("text", PAGE))))),
    "conversation": (system(), request(*TURNS, temperature=1.0, trial=3, max_tokens=60, suite="roleplay", language="en")),
    "gateway": (
        system(client="openrouter", provider="deepinfra/fp8", options={"model": "acme/large", "extra_body": {"top_p": 1, "á": [1, {"b": None}]}}),
        request(answer_schema=SCHEMA),
    ),
    "recorded": (system(client="recorded", options={"file": "odpovědi.jsonl", "model": "-"}, limits={}), request()),
    "service": (system(client="service", options={"model": "x", "body": {"q": "{prompt}"}}, limits={"seconds": 5}), request()),
}  # fmt: skip

HASHES = {
    "words": "a0b9e97b67b0ee234e7302cf80d4e5fda36e9496d54564898f9d983758747631",
    "schema": "18eb89fd8dfbd70b4b76e2ac04b358000b5f635bcaeb62e2c3cb037de9759a96",
    "any object": "18eb89fd8dfbd70b4b76e2ac04b358000b5f635bcaeb62e2c3cb037de9759a96",
    "document": "4db8d543b67ffd9ea50f6271a0d7294696fbe44b12199c8d2c48a7a2a42d2ac7",
    "pictures": "131d2e16f8f8bc66888e21a9ac6b5fd3af57a88fe395c26fbf30526a816b48d8",
    "conversation": "f01ffe5cacb7a7f0cd9461b8f19a40fe4e7c13b2f44dfa560af8413c68cbaf9d",
    "gateway": "b2d5f8765337f8f42bc4d6d81d6ee0290b404c3358f0d2a2a2f14730c5519850",
    "recorded": "1ff588f7b72a4d9bbb53c6a74c0e1d2755ca133276b5af9448a4387ec2ff5f94",
    "service": "df7deb455f0ea58299b66d2537aafa8ffc2bee2780964dca5b081d13cd7fa00b",
}
BODIES = {
    "words": "0c6ee01af32918d8",
    "schema": "df1ad159f880ab79",
    "any object": "47d342f39f43d4cf",
    "document": "4cc3fe7b020f8f84",
    "pictures": "2dbc66393c61c01c",
    "conversation": "26449cf8e2ede436",
    "gateway": "f73f8c03e806bb4d",
    "recorded": "edff4de2c38ca8a9",
    "service": "a7357488f9b817f6",
}


@pytest.mark.parametrize("name", ASKED)
def test_a_request_has_the_hash_that_it_always_had(name: str) -> None:
    client = cast(Client, SimpleNamespace(version="fixed-1"))
    assert request_hash(ASKED[name][0], client, ASKED[name][1]) == HASHES[name]


@pytest.mark.parametrize("name", ASKED)
def test_a_body_has_the_bytes_that_it_always_had(name: str) -> None:
    """Where the words around documents change (`chat.VERSION`), these change with them."""
    body = write_body(*ASKED[name], {"usage": {"include": True}} if name == "gateway" else None)
    assert hashlib.sha256(body).hexdigest()[:16] == BODIES[name]
