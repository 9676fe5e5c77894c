"""What the gateway of the tests says: one function a scenario, from a request to a reply (see `gateway_stub.py`)."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from draft_support import drafted

USD_IN, USD_OUT = 0.0000005, 0.0000015
HOST = "StubHost"
Manner = Literal["whole", "drip", "cut", "drop", "hang"]


@dataclass
class Asked:
    """One request: how often its body came, and what it says."""

    body: bytes
    headers: dict[str, str]
    nth: int = 1
    request: dict[str, Any] = field(default_factory=dict)

    @property
    def form(self) -> str | None:
        """Type of the wanted form of the answer."""
        return (self.request.get("response_format") or {}).get("type")

    @property
    def good(self) -> str:
        """A valid answer: an instance of the schema where there is one."""
        if self.form == "json_schema":
            schema = self.request["response_format"]["json_schema"]["schema"]
            return json.dumps(smallest(schema, schema), ensure_ascii=False)
        return "{}" if self.form == "json_object" else "Odpověď bez obsahu."


@dataclass
class Told:
    """One reply and the manner in which it goes out."""

    body: dict[str, Any] | str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    manner: Manner = "whole"

    @property
    def is_paid(self) -> bool:
        """Whether it is an answer that costs money and arrives."""
        if not isinstance(self.body, dict) or self.status != 200 or self.manner in ("cut", "drop", "hang"):
            return False
        choices = self.body.get("choices") or [{}]
        return choices[0].get("finish_reason") != "error" and bool((choices[0].get("message") or {}).get("content"))


def smallest(schema: dict[str, Any], root: dict[str, Any], depth: int = 0) -> Any:
    """A small instance of a JSON schema, null wherever null is allowed."""
    if depth > 20 or "null" in (kinds := _kinds(schema)):
        return None
    if ref := schema.get("$ref"):
        target = root
        for step in ref.removeprefix("#/").split("/"):
            target = target[step]
        return smallest(target, root, depth + 1)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        return smallest(choice, root, depth + 1)
    if "object" in kinds or "properties" in schema:
        parts = schema.get("properties", {})
        return {name: smallest(parts.get(name, {}), root, depth + 1) for name in schema.get("required", parts)}
    if "array" in kinds:
        return [smallest(schema.get("items", {}), root, depth + 1)] * schema.get("minItems", 0)
    plain = {"string": "x" * schema.get("minLength", 0), "boolean": False}
    return plain.get(next(iter(kinds), ""), schema.get("minimum", 0) if kinds & {"integer", "number"} else None)


def _kinds(schema: dict[str, Any]) -> set[str]:
    said = schema.get("type", [])
    inner = {
        k for option in (*schema.get("anyOf", ()), *schema.get("oneOf", ())) for k in _kinds(option) if k == "null"
    }
    return {said} | inner if isinstance(said, str) else set(said) | inner


def answer(asked: Asked, text: str | None, finish: str = "stop", *, free: bool = False, **more: Any) -> Told:
    """A chat completion; `more` replaces fields of its body, `message` of its message."""
    tokens = sum(len(json.dumps(m, ensure_ascii=False)) for m in asked.request.get("messages", ())) // 4
    out = max(1, len(text or "") // 4)
    usage: dict[str, float] = {"prompt_tokens": tokens, "completion_tokens": out, "total_tokens": tokens + out}
    usage["cost"] = round(tokens * USD_IN + out * USD_OUT, 9)
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    body = {
        "id": "gen-" + hashlib.sha256(asked.body).hexdigest()[:12],
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.request.get("model"),
        "provider": ((asked.request.get("provider") or {}).get("only") or [HOST])[0],
        "choices": [{"index": 0, "finish_reason": finish, "native_finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0} if free else usage,
    }
    return Told({k: v for k, v in {**body, **more}.items() if v != "leave out"})


def refuse(status: int, message: str, headers: dict[str, str] | None = None, **metadata: Any) -> Told:
    """An error as the gateway words it."""
    body = {"error": {"code": status, "message": message, "metadata": {"provider_name": HOST, **metadata}}}
    return Told(body, status, headers or {})


def _in_choice(asked: Asked) -> Told:
    told = answer(asked, "", "error")
    assert isinstance(told.body, dict)
    told.body["choices"][0]["error"] = {"code": 502, "message": "Provider disconnected"}
    return told


def _first_only(bad: Callable[[Asked], Told]) -> Callable[[Asked], Told]:
    return lambda asked: bad(asked) if asked.nth == 1 else answer(asked, asked.good)


def _unless(is_fine: Callable[[Asked], bool], status: int, message: str) -> Callable[[Asked], Told]:
    return lambda asked: answer(asked, asked.good) if is_fine(asked) else refuse(status, message)


def _broken(asked: Asked) -> Told:
    return answer(asked, asked.good[:-1] + ",,")


def _reset_headers() -> dict[str, str]:
    return {
        "X-RateLimit-Limit": "20",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": str(round(time.time() * 1000) + 4000),
    }


def _midnight() -> str:
    return str((int(time.time()) // 86400 + 1) * 86_400_000)


def judge(asked: Asked, *, quote: str | None = None, wrap: str = "{}", **given: Any) -> Told:
    """A judge that finds every answer right, on a quote that stands in it; `given` replaces fields where the schema has them."""
    text = asked.request["messages"][0]["content"]
    which = "2" if "**druhou**" in text else "1" if "**první**" in text else ""
    words = (text.partition(f"<odpoved{'-' if which else ''}{which}>")[2].partition("</odpoved")[0]).split()
    good = {
        "points": 1, "verdict": 1, "unsafe_completeness": 0, "looks_complete": True, "argument": 1, "citations": 1, "completeness": 1,
        "behaviour": "aware", "better": {"1": "first", "2": "second"}.get(which), "quote": " ".join(words[:6]), "reason": "Je to tam.",
    }  # fmt: skip
    wanted = asked.request.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", good)
    said = {name: given.get(name, good[name]) for name in wanted if name in good}
    if quote is not None:
        said["quote"] = quote
    return answer(asked, wrap.replace("{}", json.dumps(said, ensure_ascii=False)))


def sees(asked: Asked, *, points: float = 1, reason: str = "") -> Told:
    """A judge of web pages: all criteria that its schema has, with one value and reason each."""
    wanted = asked.request.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {})
    said = {name: reason if name.endswith("_reason") else points for name in wanted}
    return answer(asked, json.dumps(said, ensure_ascii=False))


def ballot(verdict: str, reason: str, since: str | None) -> str:
    """What a juror is asked for."""
    return json.dumps({"verdict": verdict, "reason": reason, "since": since}, ensure_ascii=False)


PAGE = "<!DOCTYPE html><html><head><style>h1 {color: red}</style></head><body><h1>502 Bad Gateway</h1></body></html>"
HTML = {"Content-Type": "text/html"}
NEEDS_WORD = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
AFFORD = (
    "This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 312."
)
DAILY = "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day"

SCENARIOS: dict[str, Callable[[Asked], Told]] = {
    "ok": lambda a: answer(a, a.good),
    "fenced": lambda a: answer(a, f"Tady je výsledek:\n```json\n{a.good}\n```"),
    "prose": lambda a: answer(a, "Na dokumentu bohužel nic takového není."),
    "badjson": _broken,
    "badjson-once": lambda a: _broken(a) if a.nth == 1 and len(a.request["messages"]) < 3 else answer(a, a.good),
    "length": lambda a: answer(a, a.good[: len(a.good) // 2], "length"),
    "empty": lambda a: answer(a, "", free=True),
    "filter": lambda a: answer(a, "", "content_filter", free=True),
    "null": lambda a: answer(a, None),
    "reasoning": lambda a: answer(a, None, message={"reasoning": "Nejdřív najdu dodavatele."}),
    "refusal": lambda a: answer(a, None, message={"refusal": "S tím pomoci nemohu."}),
    "parts": lambda a: answer(
        a, "", message={"content": [{"type": "text", "text": "dvě "}, {"type": "text", "text": "části"}]}
    ),
    "nousage": lambda a: answer(a, a.good, usage="leave out"),
    "nanusage": lambda a: answer(a, a.good, usage={"prompt_tokens": "12", "completion_tokens": "3", "cost": None}),
    "otherprovider": lambda a: answer(a, a.good, provider="SomebodyElse"),
    "err200": _first_only(lambda a: Told(refuse(502, "Provider returned error").body)),
    "errchoice": _first_only(_in_choice),
    "noschema": _unless(lambda a: a.form is None, 400, "This response_format type is unavailable now"),
    "noschema-object": _unless(
        lambda a: a.form != "json_schema", 400, "response_format json_schema is not supported with this model"
    ),
    "wantsjson": _unless(
        lambda a: a.form != "json_object" or b"json" in json.dumps(a.request["messages"]).lower().encode(),
        400,
        NEEDS_WORD,
    ),
    "noempty": _unless(
        lambda a: all(m["content"] for m in a.request["messages"]),
        400,
        "messages: text content blocks must be non-empty",
    ),
    "noparameters": _unless(
        lambda a: a.form is None, 404, "No endpoints found that can handle the requested parameters."
    ),
    "umi": lambda a: answer(a, ballot("UMÍ", "Několik veřejných systémů to zvládá.", "2023-03")),
    "umi-fenced": lambda a: answer(
        a, f"Po úvaze:\n```json\n{ballot('UMÍ', 'Zvládá to i běžná služba.', '2022-11')}\n```\nHotovo."
    ),
    "umi-word": lambda a: answer(a, "**UMÍ**"),
    "umi-named": lambda a: answer(a, ballot("UMÍ", f"Jako {a.request['model']} to zvládám denně.", "2024-01")),
    "neumi": lambda a: answer(a, ballot("NEUMÍ", "Žádný veřejný systém měřítko nesplňuje.", None)),
    "nerozhodnuto": lambda a: answer(a, ballot("NEROZHODNUTO", "Chybějí doklady.", None)),
    "mozna": lambda a: answer(a, ballot("MOŽNÁ", "Kdo ví.", None)),
    "mozna-once": lambda a: answer(
        a, ballot("MOŽNÁ" if len(a.request["messages"]) < 3 else "NEUMÍ", "Po druhé otázce jistě.", None)
    ),
    "reset": lambda a: refuse(429, "Rate limit exceeded", headers=_reset_headers()),
    "daily": lambda a: Told(
        {"error": {"code": 429, "message": DAILY, "metadata": {"headers": {"X-RateLimit-Reset": _midnight()}}}}, 429
    ),
    "inflight": lambda a: refuse(
        402, "Too much in flight", {"Retry-After": "3"}, limit_source="openrouter_in_flight_budget"
    ),
    "credits": lambda a: refuse(402, "Insufficient credits"),
    "afford": lambda a: refuse(402, AFFORD),
    "key": lambda a: refuse(401, "No auth credentials found"),
    "gone": lambda a: refuse(404, "No endpoints found for this model"),
    "moderated": lambda a: refuse(403, "The model requires moderation and the input was flagged", reasons=["violence"]),
    "echo": lambda a: refuse(400, f"Bad header {a.headers.get('authorization')!r}", raw=a.headers.get("authorization")),
    "parrot": lambda a: answer(a, a.headers.get("authorization"), provider=a.headers.get("authorization")),
    "judge": judge,
    "judge-first": lambda a: judge(a, better="first"),
    "judge-invents": lambda a: judge(a, quote="tuto větu odpověď nikde neobsahuje"),
    "judge-wraps": lambda a: judge(a, wrap="Tady je můj posudek:\n```json\n{}\n```\nHezký den."),
    "judge-odd": lambda a: judge(a, verdict=0.7, points=0.6),
    "judge-sees": sees,
    "judge-sees-half": lambda a: sees(a, points=0.5, reason="Na interact-1.png tlačítko nic nezměnilo."),
    "judge-sees-silent": lambda a: sees(a, points=0.5),
    "judge-mute": lambda a: answer(a, "Nechci se k tomu vyjadřovat."),
    "draft": lambda a: answer(a, drafted(a.request)),
    "draft-leaks": lambda a: answer(a, drafted(a.request, "leaks")),
    "draft-leaks-on": lambda a: answer(a, drafted(a.request, "leaks-on")),
    "draft-broken": lambda a: answer(a, drafted(a.request, "broken")),
    "draft-broken-on": lambda a: answer(a, drafted(a.request, "broken-on")),
    "html": lambda a: Told(PAGE, 502, HTML),
    "page": lambda a: Told("<html><body>Welcome</body></html>", 200, HTML),
    "noapi": lambda a: Told({"status": "fine"}),
    "hang": lambda a: Told({}, manner="hang"),
    "drip": lambda a: Told(answer(a, a.good).body, manner="drip"),
    "cut": lambda a: Told(answer(a, a.good).body, manner="cut"),
    "drop": lambda a: Told({}, manner="drop"),
}
