"""What went wrong with a call: from an HTTP status, headers and body to status, fault and seconds to wait (M-5).

Pure, and for one attempt; what to do about it is the door's. Gateways wrap errors in many ways, so the codes and words of all layers count:
the HTTP status, `error.code`, `error.metadata` (with the upstream's own body in `raw` and headers in `headers`), `detail`, `message`.
Readings where the rules are silent:

- A gateway's own time limit (408, 504, 524) is weather: `server`. Only our deadline makes the status `timeout`.
- 402 is `credits`, except a limit on spending in flight, which passes by itself: `rate_limit`. 403 is `key`, but `credits` where a budget is
  spent, and the status `filtered` where a moderator stopped the request (M-6). 429 that says `insufficient_quota` is `credits`.
- A refused form of the answer (400, 422, or 404 for parameters that the pinned provider lacks) is `schema_rejected` only where one was sent.
- A page of HTML or a redirect where an answer was due says that no API stands there: `gone`, unless its status is an error of a server.
- `X-RateLimit-Reset`: milliseconds or seconds since 1970, else milliseconds from now.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from schemas.exchange import Fault
from schemas.status import Status

LONGEST_ERROR = 300
"""Characters of an error, which is one line."""

_CODES = {
    "rate_limit_exceeded": 429,
    "insufficient_quota": 402,
    "invalid_api_key": 401,
    "model_not_found": 404,
    "content_filter": 403,
}
"""Words that stand where a number of HTTP was expected, in replies of status 200."""

_DAY = re.compile(r"per[\s_-]*day|\bdaily|_daily|\b[rt]pd\b", re.IGNORECASE)
_DAY_HEADER = re.compile(r"remaining.*day")
_FORM = re.compile(
    r"response_?format|schema|structured[ _-]?output|json[ _-]?(?:mode|object)|word.{0,4}json|grammar", re.I
)
_FORM_PARAMETERS = re.compile(r"requested parameters|response_?format|structured", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"not a valid model|model_not_found|model\b.{0,80}\b(?:not exist|not found|no longer)", re.IGNORECASE
)
_INPUT_KIND = re.compile(r"support (?:image|file|audio|video) input", re.IGNORECASE)
_SPENT = re.compile(
    r"(?:key|guardrail|workspace|budget)[ _](?:limit|budget)|insufficient[ _](?:credit|fund|balance|quota)",
    re.IGNORECASE,
)
_IN_FLIGHT = re.compile(r"in_flight_budget", re.IGNORECASE)
_FILTER = re.compile(
    r"content_(?:filter|policy)|data_?inspection_?failed|ResponsibleAI|moderation|flagged", re.IGNORECASE
)
_AGAIN = re.compile(r"(?:retry(?:Delay\W+|\s+in\s+)|try again in\s+)(?:(\d+)m(?!s))?(\d+(?:\.\d+)?)(ms|s)\b")
_PASSING = frozenset({408, 409, 425, 498})


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no answer: status `api_error`, or `filtered` without a fault; wait_s in seconds; error in one line without a key."""

    status: Status
    fault: Fault | None
    wait_s: float | None
    error: str


def read_trouble(
    code: int, headers: Mapping[str, str], body: str, *, form_sent: bool, now: float, where: str = ""
) -> Trouble:
    """What a reply without an answer means; never raises.

    code: of HTTP. body: as text, of any kind. form_sent: whether the request asked for a form of the answer (`response_format`).
    now: seconds since 1970, used where the reply has no date of its own. where: put before the error.
    """
    payload = _parsed(body)
    if payload is None:
        return _no_json(code, headers, body, form_sent=form_sent, now=now)
    said = _Said.of(payload)
    lowered = {k.lower(): str(v) for k, v in [*said.headers.items(), *headers.items()]}
    number = said.code if code < 300 else code
    status, fault = _judge(number, said, lowered, form_sent=form_sent)
    wait = _wait_s(lowered, said.text, now, longest=fault == "daily_quota") if status == "api_error" else None
    shown = where or (
        f"HTTP {code}" if code >= 300 else f"error {said.word or 'without a code'} in a reply of status {code}"
    )
    return Trouble(status, fault, wait, one_line(f"{shown}: {said.message}"))


def one_line(text: str) -> str:
    """At most 300 characters in one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_ERROR else line[: LONGEST_ERROR - 1] + "…"


@dataclass(frozen=True, slots=True)
class _Said:
    """What the layers of an error say: its number (502 where there is none), its word, all words, the headers quoted in it."""

    code: int
    word: str
    message: str
    text: str
    headers: dict[str, Any]

    @classmethod
    def of(cls, payload: Any) -> "_Said":
        error = payload.get("error") or payload if isinstance(payload, dict) else payload
        outer: dict[str, Any] = error if isinstance(error, dict) else {"message": error}
        metadata = outer.get("metadata") if isinstance(outer.get("metadata"), dict) else {}
        assert isinstance(metadata, dict)
        quoted = metadata.get("headers")
        word = str(next((outer[k] for k in ("code", "type") if outer.get(k)), ""))
        number = int(word) if word.isascii() and word.isdigit() and 300 <= int(word) < 600 else _CODES.get(word, 502)
        messages = [m for m in _messages(outer) if m]
        return cls(
            code=number,
            word=word,
            message=" · ".join(dict.fromkeys(messages)) or json.dumps(payload, ensure_ascii=False, default=str),
            text=json.dumps(payload, ensure_ascii=False, default=str).replace("\\", ""),
            headers=quoted if isinstance(quoted, dict) else {},
        )


def _messages(error: dict[str, Any]) -> Iterator[str]:
    """The sentences of an error, outermost first: its own, then the upstream's."""
    for key in ("message", "detail", "error"):
        value = error.get(key)
        if isinstance(value, str):
            yield value
        elif value:
            yield json.dumps(value, ensure_ascii=False, default=str)
    metadata = error.get("metadata")
    if isinstance(metadata, dict) and metadata.get("raw"):
        raw = metadata["raw"]
        inner = _parsed(raw) if isinstance(raw, str) else raw
        yield _Said.of(inner).message if isinstance(inner, dict) else str(raw)


def _judge(code: int, said: _Said, headers: Mapping[str, str], *, form_sent: bool) -> tuple[Status, Fault | None]:
    if code in (400, 403) and _FILTER.search(said.text):
        return "filtered", None
    return "api_error", _fault(code, said.text, headers, form_sent=form_sent)


def _fault(code: int, text: str, headers: Mapping[str, str], *, form_sent: bool) -> Fault:
    if code == 429:
        if "insufficient_quota" in text:
            return "credits"
        spent = any(_DAY_HEADER.search(name) and value.strip() == "0" for name, value in headers.items())
        return "daily_quota" if spent or _DAY.search(text) else "rate_limit"
    if code == 402:
        return "rate_limit" if _IN_FLIGHT.search(text) else "credits"
    if code in (401, 403):
        return "credits" if code == 403 and _SPENT.search(text) else "key"
    if code in (404, 405, 410):
        if code == 404 and form_sent and _FORM_PARAMETERS.search(text):
            return "schema_rejected"
        return "request" if code == 404 and _INPUT_KIND.search(text) else "gone"
    if code >= 500 or code in _PASSING:
        return "server"
    if 300 <= code < 400:
        return "gone"
    if form_sent and code in (400, 422) and _FORM.search(text):
        return "schema_rejected"
    return "gone" if code == 400 and _NO_MODEL.search(text) else "request"


def _no_json(code: int, headers: Mapping[str, str], body: str, *, form_sent: bool, now: float) -> Trouble:
    lowered = {k.lower(): v for k, v in headers.items()}
    start = body.lstrip("\ufeff \t\r\n")[:200].lower()
    is_page = start.startswith("<") or "html" in lowered.get("content-type", "")
    fault: Fault
    if code < 300 and is_page:
        fault, told = "gone", "a page of HTML where an answer was expected; does the URL lead to an API?"
    elif code < 300:
        fault, told = "network", f"the body is no whole JSON: {body[:80]!r}"
    else:
        told = re.sub(r"<[^>]*>", " ", re.sub(r"(?is)<(style|script)\b.*?</\1>", " ", body)) if is_page else body
        fault = _fault(code, told, lowered, form_sent=form_sent)
    place = f" to {lowered['location']}" if 300 <= code < 400 and "location" in lowered else ""
    wait = _wait_s(lowered, told, now, longest=fault == "daily_quota")
    return Trouble("api_error", fault, wait, one_line(f"HTTP {code}{place}: {told}"))


def _parsed(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _wait_s(headers: Mapping[str, str], text: str, now: float, *, longest: bool) -> float | None:
    """Seconds that the server asks to wait: Retry-After first, else the reset of the limit, else what the words say.

    longest: the longest of them, for a quota of a day whose Retry-After speaks of a shorter limit.
    """
    now = _date(headers.get("date", ""), now)
    told = [
        _number(headers.get("retry-after-ms", ""), 0.001),
        _retry_after(headers.get("retry-after", ""), now),
        _reset(headers.get("x-ratelimit-reset", ""), now),
        _in_words(text),
    ]
    waits = [max(w, 0.0) for w in told if w is not None]
    return None if not waits else max(waits) if longest else waits[0]


def _number(text: str, unit: float = 1.0) -> float | None:
    try:
        value = float(text) * unit
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _retry_after(text: str, now: float) -> float | None:
    seconds = _number(text)
    if seconds is not None:
        return seconds
    moment = _date(text, math.nan)
    return None if math.isnan(moment) else moment - now


def _reset(text: str, now: float) -> float | None:
    value = _number(text)
    if value is None:
        return None
    if value >= 1e11:
        return value / 1000 - now
    return value - now if value >= 1e9 else value / 1000


def _in_words(text: str) -> float | None:
    found = _AGAIN.search(text)
    if not found:
        return None
    return int(found[1] or 0) * 60 + float(found[2]) * (0.001 if found[3] == "ms" else 1)


def _date(text: str, default: float) -> float:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return default
