"""Connections of a client to its endpoint: httpx on aiohttp's transport, one for a shard.

Requests go to the transport as they are, without httpx's client in front of it, whose cookies, merged headers and redirects a POST to one
address has no use for; what that saves is measured by `python -m benchmarks.door`. No cookies are kept, so no call can learn of another, and
nothing is read from `.netrc`.
"""

import functools
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from httpx_aiohttp.transport import AiohttpTransport

from schemas.errors import UsageError

_JSON = {"Content-Type": "application/json"}

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def open_session(url: httpx.URL, headers: Mapping[str, str], at_once: int, connect_s: float) -> aiohttp.ClientSession:
    """Connections to an address, `at_once` at most, with these headers in every request; no deadline but that of connecting.

    Call it inside the loop. A proxy that the environment names is used; UsageError for one that is none.
    """
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=at_once, ssl=_certificates() if url.scheme == "https" else False),
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=connect_s),
        proxy=proxy_of(url),
    )


def open_transport(
    url: httpx.URL, headers: Mapping[str, str], at_once: int, connect_s: float
) -> httpx.AsyncBaseTransport:
    """The same as a transport of httpx; call it inside the loop."""
    verify = _certificates() if url.scheme == "https" else False
    return AiohttpTransport(verify=verify, client=open_session(url, headers, at_once, connect_s))


async def post(transport: httpx.AsyncBaseTransport, url: httpx.URL, body: bytes, connect_s: float) -> httpx.Response:
    """One POST and the whole reply to it, whatever its status; `httpx.HTTPError` or an error of aiohttp where the connection fails."""
    extensions = {"timeout": {"connect": connect_s}}
    request = httpx.Request("POST", url, headers=_JSON, content=body, extensions=extensions)
    response = await transport.handle_async_request(request)
    try:
        await response.aread()
    finally:
        await response.aclose()
    return response


def proxy_of(url: httpx.URL) -> str | None:
    """The proxy for an address by `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; loopback is never reached through one.

    UsageError for a proxy of another kind than HTTP; it is told without its password.
    """
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or url.host in LOOPBACK or proxy_bypass(url.host):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme not in ("http", "https"):
        raise UsageError(
            f"The proxy for {url.scheme}://{url.host} in the environment is to be http(s)://…, not {urlsplit(proxy).scheme}://…"
        )
    return proxy


@functools.cache
def _certificates() -> ssl.SSLContext:
    """The trusted certificates, read once a process: 45 ms of processor time each time otherwise."""
    return httpx.create_ssl_context()
