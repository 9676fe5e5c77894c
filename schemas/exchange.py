"""What goes to a system and what comes back: messages, attachments, requests, replies."""

from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from schemas.status import Status

Language = Literal["cs", "en", "de", "fr", "es", "pl"]
"""Languages of prompts: those of documents, and those of the language tax (D-18)."""

DocumentLanguage = Literal["cs", "en"]
"""Languages of documents: Czech and American English (D-1)."""


class Frozen(BaseModel):
    """A value object: frozen, no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Attachment(Frozen):
    """A document beside the words: the text layer of a PDF, or an image.

    sha256 is the hash of `data`; an attachment in a brief carries no data until the task reads it from the store. name: of its file,
    where the words speak of it by name (A-1).
    """

    kind: Literal["text", "image"]
    media_type: str = Field(description="`text/plain`, `image/png` or `image/jpeg`")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    name: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9.-]*$")
    data: bytes = Field(default=b"", repr=False, exclude=True)


class Message(Frozen):
    """One turn: who speaks, the words, the documents attached to them."""

    role: Literal["user", "assistant"]
    text: str
    attachments: tuple[Attachment, ...] = ()


Transcript = tuple[Message, ...]


class Brief(Frozen):
    """All that a system under test may know of a case: never the truth, the split or how the case was made."""

    suite: str
    case_id: str
    language: Language
    prompt: str = Field(description="The words of the prompt, in the language of the document (M-1)")
    prompt_version: str
    answer_schema: dict[str, Any] | None = Field(
        default=None, description="JSON schema of the answer, where one is wanted (M-2)"
    )
    max_tokens: int | None = Field(
        default=None, description="Output tokens at most, where the case wants fewer than the system's limit"
    )
    temperature: float | None = Field(
        default=None, description="Where the suite sets another one than the system's own, which is 0 (M-1, R-10)"
    )
    messages: tuple[str, ...] = Field(
        default=(),
        description="What is said after the answers, one message after each, where a conversation is planned (R-1)",
    )
    attachments: tuple[Attachment, ...] = ()


Form = Literal["schema", "json", "none"]
"""How an object is asked for: by JSON schema, as any JSON object, in words alone (M-2)."""

Fault = Literal[
    "rate_limit", "daily_quota", "server", "network", "timeout", "schema_rejected", "key", "credits", "gone", "request"
]  # fmt: skip
"""Why there is no answer, as far as it decides what to do next (M-5).

rate_limit, server, network, timeout: ask again later. daily_quota: park the rest. schema_rejected: ask again in another form.
key, credits, gone: stop and say what is missing. request: the request itself is refused; asking again cannot help.
"""


CostFrom = Literal["stated", "price", "most"]
"""Where a cost comes from: the endpoint's own word; its tokens at the system's price; the most that the call can cost (M-8)."""


class Request(Frozen):
    """One call: what a client gets. `case_id` is for `recorded`, `scripted` and `controls` alone, and part of the request's hash for them alone."""

    system_id: str
    suite: str
    case_id: str
    language: Language
    trial: int = 1
    messages: Transcript
    answer_schema: dict[str, Any] | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    form: Form = "schema"


class Reply(Frozen):
    """One answer of a client to one request, or why there is none."""

    status: Status
    text: str = ""
    error: str | None = None
    fault: Fault | None = None
    wait_s: float | None = Field(
        default=None, description="Seconds that the server asks to wait before the next request"
    )
    finish_reason: str | None = None
    provider: str | None = None
    generation_id: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: Decimal = Decimal(0)
    cost_from: CostFrom | None = None
    latency_ms: int = 0
