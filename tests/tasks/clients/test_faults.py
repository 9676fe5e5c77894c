"""What errors mean, by a table written by hand from the errors that gateways send (M-5, M-6)."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.clients.faults import LONGEST_ERROR, read_trouble

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC).timestamp()


def error(message: str, **more: Any) -> str:
    return json.dumps({"error": {"message": message, **more}})


RAW = json.dumps(
    {"error": {"message": "Invalid schema for response_format 'answer': too deep", "param": "response_format"}}
)
GEMINI = '[{"error": {"code": 429, "details": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}], "message": "Quota exceeded"}}]'

TABLE: list[tuple[str, int, dict[str, str], str, bool, str, str | None, float | None]] = [
    # name, HTTP status, headers, body, was a form asked for → status, fault, seconds to wait
    ("seconds", 429, {"Retry-After": "7"}, error("slow down"), False, "api_error", "rate_limit", 7.0),
    ("half seconds", 429, {"retry-after": "0.5"}, error("slow down"), False, "api_error", "rate_limit", 0.5),
    ("a date", 429, {"Retry-After": "Sun, 01 Mar 2026 12:00:30 GMT"}, error("x"), False, "api_error", "rate_limit", 30.0),
    ("a date and a clock", 429, {"Retry-After": "Sun, 01 Mar 2026 13:00:30 GMT", "Date": "Sun, 01 Mar 2026 13:00:00 GMT"},
     error("x"), False, "api_error", "rate_limit", 30.0),
    ("a date gone by", 429, {"Retry-After": "Sun, 01 Mar 2026 11:00:00 GMT"}, error("x"), False, "api_error", "rate_limit", 0.0),
    ("no number", 429, {"Retry-After": "soon"}, error("x"), False, "api_error", "rate_limit", None),
    ("endless", 429, {"Retry-After": "inf"}, error("x"), False, "api_error", "rate_limit", None),
    ("milliseconds", 429, {"retry-after-ms": "1500", "retry-after": "2"}, error("x"), False, "api_error", "rate_limit", 1.5),
    ("reset at, ms", 429, {"X-RateLimit-Reset": "1772366405000"}, error("x"), False, "api_error", "rate_limit", 5.0),
    ("reset at, s", 429, {"X-RateLimit-Reset": "1772366405"}, error("x"), False, "api_error", "rate_limit", 5.0),
    ("reset in, ms", 429, {"X-RateLimit-Reset": "2500"}, error("x"), False, "api_error", "rate_limit", 2.5),
    ("reset quoted", 429, {}, error("x", metadata={"headers": {"X-RateLimit-Reset": "1772366405000"}}), False,
     "api_error", "rate_limit", 5.0),
    ("in words", 429, {}, error("Please try again in 1m2.5s."), False, "api_error", "rate_limit", 62.5),
    ("in words, ms", 429, {}, error("Please try again in 250ms."), False, "api_error", "rate_limit", 0.25),
    ("in details", 429, {}, '{"error": {"details": [{"retryDelay": "37s"}]}}', False, "api_error", "rate_limit", 37.0),
    ("a day, words", 429, {}, error("Rate limit exceeded: free-models-per-day."), False, "api_error", "daily_quota", None),
    ("a day, source", 429, {"Retry-After": "60", "X-RateLimit-Reset": "1772409600000"},
     error("x", metadata={"limit_source": "openrouter_free_tier_daily"}), False, "api_error", "daily_quota", 43200.0),
    ("a day, short", 429, {}, error("Limit 1000 on requests per day (RPD)"), False, "api_error", "daily_quota", None),
    ("a day, upstream", 429, {}, GEMINI, False, "api_error", "daily_quota", None),
    ("a day, header", 429, {"x-ratelimit-remaining-requests-day": "0"}, error("x"), False, "api_error", "daily_quota", None),
    ("a day left", 429, {"x-ratelimit-remaining-requests-day": "12"}, error("x"), False, "api_error", "rate_limit", None),
    ("today", 429, {}, error("Today is a busy one"), False, "api_error", "rate_limit", None),
    ("no quota", 429, {}, error("You exceeded your quota", code="insufficient_quota"), False, "api_error", "credits", None),
    ("credits", 402, {}, error("Insufficient credits"), True, "api_error", "credits", None),
    ("in flight", 402, {"Retry-After": "3"}, error("x", metadata={"limit_source": "openrouter_in_flight_budget"}), False,
     "api_error", "rate_limit", 3.0),
    ("key", 401, {}, error("No auth credentials found"), False, "api_error", "key", None),
    ("no right", 403, {}, error("Insufficient permissions"), False, "api_error", "key", None),
    ("key spent", 403, {}, error("Key limit exceeded (total limit)"), False, "api_error", "credits", None),
    ("budget spent", 403, {}, error("x", metadata={"limit_source": "openrouter_workspace_budget"}), False,
     "api_error", "credits", None),
    ("moderated", 403, {}, error("requires moderation and your input was flagged"), False, "filtered", None, None),
    ("filter", 400, {"Retry-After": "1"}, error("stopped", code="content_filter"), True, "filtered", None, None),
    ("gone", 404, {}, error("No endpoints found for x/y."), True, "api_error", "gone", None),
    ("gone, 400", 400, {}, error("x/y is not a valid model ID"), True, "api_error", "gone", None),
    ("gone, upstream", 404, {}, '{"detail": "Not Found"}', False, "api_error", "gone", None),
    ("no images", 404, {}, error("No endpoints found that support image input"), True, "api_error", "request", None),
    ("wrong method", 405, {}, "", False, "api_error", "gone", None),
    ("moved", 307, {"Location": "https://example.org/login"}, "", False, "api_error", "gone", None),
    ("no parameters", 404, {}, error("No endpoints found that can handle the requested parameters."), True,
     "api_error", "schema_rejected", None),
    ("no parameters, no form", 404, {}, error("No endpoints found that can handle the requested parameters."), False,
     "api_error", "gone", None),
    ("form", 400, {}, error("This response_format type is unavailable now"), True, "api_error", "schema_rejected", None),
    ("form, unasked", 400, {}, error("This response_format type is unavailable now"), False, "api_error", "request", None),
    ("word json", 400, {}, error("'messages' must contain the word 'json' in some form"), True,
     "api_error", "schema_rejected", None),
    ("form, upstream", 400, {}, error("Provider returned error", metadata={"raw": RAW}), True,
     "api_error", "schema_rejected", None),
    ("form, 422", 422, {}, '{"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}', True,
     "api_error", "schema_rejected", None),
    ("too long", 400, {}, error("maximum context length is 8192 tokens"), True, "api_error", "request", None),
    ("too large", 413, {}, "<html>413</html>", True, "api_error", "request", None),
    ("no memory", 500, {}, error("oops"), True, "api_error", "server", None),
    ("down a while", 503, {"Retry-After": "20"}, error("down"), True, "api_error", "server", 20.0),
    ("proxy", 502, {"Content-Type": "text/html"}, "<html><body>502</body></html>", False, "api_error", "server", None),
    ("proxy, slow", 524, {}, "<!DOCTYPE html><p>A timeout occurred", False, "api_error", "server", None),
    ("gateway's time", 408, {}, error("timed out"), False, "api_error", "server", None),
    ("200, 502", 200, {}, error("Provider returned error", code=502), True, "api_error", "server", None),
    ("200, 429", 200, {}, error("slow", code="429"), True, "api_error", "rate_limit", None),
    ("200, word", 200, {}, error("slow", code="rate_limit_exceeded"), True, "api_error", "rate_limit", None),
    ("200, no code", 200, {}, error("Provider disconnected"), True, "api_error", "server", None),
    ("200, a string", 200, {}, '{"error": "busy"}', True, "api_error", "server", None),
    ("200, a page", 200, {"content-type": "text/html"}, "<html>Hello", True, "api_error", "gone", None),
    ("200, cut", 200, {"content-type": "application/json"}, '{"choices": [{"mess', True, "api_error", "network", None),
    ("200, nothing", 200, {}, "", True, "api_error", "network", None),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_what_an_error_means(row: Any) -> None:
    _, code, headers, body, form_sent, status, fault, wait_s = row
    trouble = read_trouble(code, headers, body, form_sent=form_sent, now=NOW)
    assert (trouble.status, trouble.fault, trouble.wait_s) == (status, fault, pytest.approx(wait_s))
    assert trouble.error


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (error("can only afford 312 tokens"), "can only afford 312"),
        (
            error("Provider returned error", metadata={"raw": RAW}),
            "HTTP 400: Provider returned error · Invalid schema for",
        ),
        (error("Provider returned error", metadata={"raw": "busy\nhere"}), "Provider returned error · busy here"),
        ('{"detail": "no such thing"}', "HTTP 400: no such thing"),
        ("<html><style>h1 {}</style><h1>400 Bad</h1></html>", "HTTP 400: 400 Bad"),
    ],
)
def test_errors_tell_what_was_said(body: str, told: str) -> None:
    assert told in read_trouble(400, {}, body, form_sent=False, now=NOW).error


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["error", "metadata", "message", "code", "raw", "headers"]), inner)
    ),
)


@given(
    code=st.integers(200, 599),
    headers=st.dictionaries(st.sampled_from(["Retry-After", "X-RateLimit-Reset", "Date"]), st.text()),
    body=st.text() | JSON.map(json.dumps),
    form_sent=st.booleans(),
)
def test_nothing_a_server_sends_raises(code: int, headers: dict[str, str], body: str, form_sent: bool) -> None:
    trouble = read_trouble(code, headers, body, form_sent=form_sent, now=NOW)
    assert (trouble.status == "filtered") == (trouble.fault is None)
    assert trouble.fault != "schema_rejected" or form_sent
    assert len(trouble.error) <= LONGEST_ERROR
    assert len(trouble.error.splitlines()) == 1
    assert trouble.wait_s is None or trouble.wait_s >= 0
