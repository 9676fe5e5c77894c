"""The format of chat completions: a request as the bytes of a body, a body as a reply.

Pure. Readings where the rules are silent:

- `finish_reason` length is `truncated`, also without text (the thinking took all tokens).
- Stopped by a filter (M-6): a reason to finish that says so; or no text, no thinking and no output tokens at a cost *stated* as zero.
  Where no cost is stated (a server of one's own) an empty answer is the model's own: `ok` with an empty text.
- Words in `refusal` are an answer (G-11). Thinking without content is no answer: `ok` with an empty text, which the door finds invalid
  where an object was wanted.
- Tokens as strings are numbers, anything else that is no whole number is unknown. Cost is the gateway's, to the ninth decimal, 0 where it
  states none (`charged.py` takes the price of the entry then); with a provider's key of one's own (`is_byok`) what that provider charges is
  added. Errors and filtered replies keep their cost.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from datasets.prompts import read_prompt
from schemas.exchange import Attachment, Message, Reply, Request
from schemas.system import System
from tasks.clients.faults import read_trouble

NAME_OF_SCHEMA = "answer"
_WORDS = [("attached_text", "cs"), ("attached_text", "en"), ("json_word", "cs"), ("json_word", "en")]

VERSION = "chat-1-" + hashlib.sha256("".join(read_prompt(*w).version for w in _WORDS).encode()).hexdigest()[:8]
"""Of this mapping and of the words that it puts around documents; a part of every request's hash."""

FILTERS = frozenset({"content_filter", "safety", "prohibited_content", "blocklist", "spii", "recitation", "refusal"})
_MOST_USD = Decimal(10**8)
_SURROGATE = re.compile("[\ud800-\udfff]")


def write_body(system: System, request: Request, more: Mapping[str, Any] | None = None) -> bytes:
    """The body of a request, the same bytes for the same request.

    Options: model, temperature (0, null: none; a suite may set it), seed, extra_body (fields as they are), output_limit_name (`max_tokens`).
    Keys are sorted, except in the schema: its order is the order in which models write the answer. more: fields of a gateway.
    """
    options = system.options
    body: dict[str, Any] = json.loads(json.dumps(options.get("extra_body") or {}, sort_keys=True))
    body |= more or {}
    temperature = options.get("temperature", 0) if request.temperature is None else request.temperature
    body |= {"model": options["model"], "messages": _messages(request), "temperature": temperature}
    body |= {"seed": options.get("seed"), "response_format": response_format(request)}
    body[options.get("output_limit_name", "max_tokens")] = _output_limit(system, request)
    stated = {key: body[key] for key in sorted(body) if body[key] is not None}
    return json.dumps(stated, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _output_limit(system: System, request: Request) -> int | None:
    limits = [n for n in (system.limits.get("max_tokens"), request.max_tokens) if n is not None]
    return min(limits, default=None)


def response_format(request: Request) -> dict[str, Any] | None:
    """How the body asks for an object, by the form of the request; None where in words alone (M-2)."""
    if request.answer_schema is None or request.form == "none":
        return None
    if request.form == "json":
        return {"type": "json_object"}
    wanted = {"name": NAME_OF_SCHEMA, "strict": True, "schema": request.answer_schema}
    return {"type": "json_schema", "json_schema": wanted}


def _messages(request: Request) -> list[dict[str, Any]]:
    messages = [{"role": m.role, "content": _content(m, request.language)} for m in request.messages]
    if response_format(request) == {"type": "json_object"} and not any(_has_json(m["content"]) for m in messages):
        last = next((m for m in reversed(messages) if m["role"] == "user"), None)
        if last is not None:
            _append(last, read_prompt("json_word", request.language).text)
    return messages


def _content(message: Message, language: str) -> str | list[dict[str, Any]]:
    """The words with the text documents below them; with images a list of parts, words first."""
    texts = [_text_of(a, language) for a in message.attachments if a.kind == "text"]
    words = "\n\n".join([message.text, *texts])
    images = [a for a in message.attachments if a.kind == "image"]
    if not images:
        return words
    return [
        {"type": "text", "text": words},
        *({"type": "image_url", "image_url": {"url": _data_url(a)}} for a in images),
    ]


def _text_of(attachment: Attachment, language: str) -> str:
    frame = read_prompt("attached_text", language).text
    return frame.replace("{document}", attachment.data.decode("utf-8", "replace").strip("\n"))


def _data_url(image: Attachment) -> str:
    return f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"


def _has_json(content: str | list[dict[str, Any]]) -> bool:
    words = content if isinstance(content, str) else content[0]["text"]
    return "json" in words.lower()


def _append(message: dict[str, Any], words: str) -> None:
    if isinstance(message["content"], str):
        message["content"] += f"\n\n{words}"
    else:
        message["content"][0]["text"] += f"\n\n{words}"


def read_reply(
    code: int, headers: Mapping[str, str], body: str, *, form_sent: bool, now: float, latency_ms: int
) -> Reply:
    """What a body says: an answer, or why there is none; never raises."""
    payload = _payload(body)
    choices = payload.get("choices") if isinstance(payload, dict) else None
    told = payload if isinstance(payload, dict) else {}
    usage = told.get("usage") if isinstance(told.get("usage"), dict) else {}
    assert isinstance(usage, dict)
    costs = _costs(usage)
    metadata = {
        "provider": _word(told.get("provider")),
        "generation_id": _word(told.get("id")),
        "tokens_in": _tokens(usage.get("prompt_tokens")),
        "tokens_out": _tokens(usage.get("completion_tokens")),
        "cost_usd": _total(costs),
        "cost_from": "stated" if costs else None,
        "latency_ms": latency_ms,
    }
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    failed = told.get("error") or (choice and choice.get("error"))
    if choice and choice.get("finish_reason") == "error":
        failed = failed or {"message": "the choice ended with an error"}
    if code < 300 and choice and not failed:
        return _answer(choice, metadata, is_free=_states_zero(usage))
    if code < 300 and failed:
        body = json.dumps({"error": failed}, default=str)
    elif code < 300 and isinstance(choices, list):
        body = json.dumps({"error": {"message": "a reply without choices"}})
    elif code < 300 and payload is not None:
        body = json.dumps(
            {"error": {"code": 404, "message": "a reply that is no chat completion; does the URL lead to one?"}}
        )
    trouble = read_trouble(code, headers, body, form_sent=form_sent, now=now)
    finish = _word(choice.get("finish_reason")) if choice else None
    told_why = {
        "status": trouble.status,
        "fault": trouble.fault,
        "wait_s": trouble.wait_s,
        "error": clean(trouble.error),
    }
    return Reply.model_validate({**metadata, **told_why, "finish_reason": finish})


def _answer(choice: dict[str, Any], metadata: dict[str, Any], *, is_free: bool) -> Reply:
    message = choice.get("message") if isinstance(choice.get("message"), dict) else {}
    assert isinstance(message, dict)
    finish = _word(choice.get("finish_reason"))
    text = clean(_text(message.get("content")) or _text(message.get("refusal")))
    reasons = {str(choice.get(key)).lower() for key in ("finish_reason", "native_finish_reason")}
    thought = message.get("reasoning") or message.get("reasoning_content") or message.get("reasoning_details")
    is_nothing = not (text or thought or message.get("tool_calls") or metadata["tokens_out"])
    error = None
    status = "ok"
    if (
        finish == "content_filter"
        or (not text and reasons & FILTERS)
        or (is_nothing and is_free and finish != "length")
    ):
        status, error = "filtered", f"stopped by a content filter (finish_reason {finish!r})"
    elif finish == "length":
        status = "truncated"
    return Reply.model_validate({**metadata, "status": status, "text": text, "finish_reason": finish, "error": error})


def clean(text: str) -> str:
    """A text without halves of surrogate pairs, which no file takes."""
    return _SURROGATE.sub("\ufffd", text)


def _payload(body: str) -> Any:
    try:
        return json.loads(body, parse_float=Decimal)
    except (ValueError, RecursionError, InvalidOperation):
        return None


def _text(content: Any) -> str:
    """Text of a content: a string, a list of parts, or nothing."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _word(value: Any) -> str | None:
    return clean(str(value))[:200] if isinstance(value, str | int) and not isinstance(value, bool) else None


def _tokens(value: Any) -> int | None:
    number = _decimal(value)
    return int(number) if number is not None and 0 <= number < 2**62 and number == int(number) else None


def _decimal(value: Any) -> Decimal | None:
    if not isinstance(value, str | int | Decimal) or isinstance(value, bool):
        return None
    try:
        number = Decimal(value)
    except (InvalidOperation, ValueError):
        return None
    return number if number.is_finite() else None


def _costs(usage: Mapping[str, Any]) -> list[Decimal]:
    """The costs that a reply states: the gateway's, and with a key of one's own the provider's."""
    costs = [_decimal(usage.get("cost"))]
    details = usage.get("cost_details")
    if usage.get("is_byok") is True and isinstance(details, dict):
        costs.append(_decimal(details.get("upstream_inference_cost")))
    return [c for c in costs if c is not None and 0 <= c < _MOST_USD]


def _total(costs: Sequence[Decimal]) -> Decimal:
    total = sum(costs, Decimal(0))
    return total if total == round(total, 9) else round(total, 9)


def _states_zero(usage: Mapping[str, Any]) -> bool:
    cost = _decimal(usage.get("cost"))
    return cost is not None and cost == 0
