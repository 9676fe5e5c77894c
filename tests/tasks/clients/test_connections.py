"""How an endpoint is reached: proxies of the environment by the rules of its variables, never on loopback; no cookies (M-1)."""

import asyncio

import httpx
import pytest
from gateway_stub import Gateway

from schemas.errors import UsageError
from tasks.clients.connections import open_session, proxy_of

AWAY = "http://models.example/v1/chat/completions"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("url", "environment", "proxy"),
    [
        (AWAY, {}, None),
        (AWAY, {"HTTP_PROXY": "http://p:3128"}, "http://p:3128"),
        (AWAY, {"HTTPS_PROXY": "http://p:3128"}, None),
        ("https://models.example/v1", {"HTTPS_PROXY": "http://me:word@p:3128"}, "http://me:word@p:3128"),
        ("https://models.example/v1", {"ALL_PROXY": "p:3128"}, "http://p:3128"),
        (AWAY, {"HTTP_PROXY": "http://p:3128", "NO_PROXY": "localhost,.example"}, None),
        (AWAY, {"HTTP_PROXY": "http://p:3128", "NO_PROXY": "*"}, None),
        (AWAY, {"HTTP_PROXY": "http://p:3128", "NO_PROXY": "other.example"}, "http://p:3128"),
        ("http://127.0.0.1:8080/v1", {"HTTP_PROXY": "http://p:3128"}, None),
        ("http://[::1]:8080/v1", {"ALL_PROXY": "http://p:3128"}, None),
    ],
)
def test_the_proxy_of_an_address(
    url: str, environment: dict[str, str], proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(httpx.URL(url)) == proxy


def test_a_proxy_of_another_kind_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://me:word@p:1080")
    with pytest.raises(UsageError, match=r"is to be http\(s\)://…, not socks5://…") as caught:
        proxy_of(httpx.URL(AWAY))
    assert "word" not in str(caught.value)


def test_requests_go_to_the_proxy_and_carry_no_cookies(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in answers for the host that it is asked for; it cannot be found by its name."""
    monkeypatch.setenv("HTTP_PROXY", gateway.url.removesuffix("/v1"))

    async def post() -> list[int]:
        async with open_session(httpx.URL(AWAY), {"X-Own": "1"}, 2, 5) as session:
            session.cookie_jar.update_cookies({"a": "b"})
            body = b'{"model": "stub/ok", "messages": []}'
            return [(await session.post(AWAY, data=body)).status for _ in range(2)]

    assert asyncio.run(post()) == [200, 200]
    assert [asked.headers["host"] for asked in gateway.asked] == ["models.example"] * 2
    assert all("cookie" not in asked.headers and asked.headers["x-own"] == "1" for asked in gateway.asked)
