"""Prices from an entry and from a gateway's list on loopback: good, kept, old, unreachable, nonsense (M-8)."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from datasets.store import Store
from schemas.system import System
from tasks import prices
from tasks.prices import Prices, base_of, fetch

D = Decimal
GOOD = {
    "data": [
        {"id": "a/one", "pricing": {"prompt": "0.0000005", "completion": "0.0000015"}},
        {"id": "a/pictures", "pricing": {"prompt": 2e-6, "completion": 8e-6, "request": "0.005", "image": "0.001"}},
        {"id": "a/free", "pricing": {"prompt": "0", "completion": "0"}},
        {"id": "a/router", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "a/half", "pricing": {"prompt": "0.1"}},
        {"id": "a/wild", "pricing": {"prompt": "NaN", "completion": "1e999"}},
        {"id": "a/dear", "pricing": {"prompt": "5000", "completion": "1"}},
        {"id": "a/true", "pricing": {"prompt": True, "completion": False}},
        {"id": "a/nothing"},
        {"id": 7, "pricing": {"prompt": "0", "completion": "0"}},
        "a/string",
    ]
}


class Gateway:
    """A local server of one answer; counts what it was asked."""

    def __init__(self) -> None:
        self.status, self.body, self.asked = 200, json.dumps(GOOD).encode(), list[str]()
        self.drip_s, self.sent = 0.0, 0
        self.headers: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                outer.headers.append({k.lower(): v for k, v in self.headers.items()})
                self.send_response(outer.status)
                self.send_header("Location", "http://127.0.0.1:9/")
                self.send_header("Content-Length", str(len(outer.body)))
                self.end_headers()
                if not outer.drip_s:
                    self.wfile.write(outer.body)
                    return
                with contextlib.suppress(OSError):  # whoever asked has gone
                    for at in range(min(len(outer.body), 100)):
                        outer.sent = at
                        self.wfile.write(outer.body[at : at + 1])
                        time.sleep(outer.drip_s)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/api/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    made = Gateway()
    yield made
    made.stop()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def system(model: str = "a/one", url: str | None = None, client: str = "openai", **more: Any) -> System:
    options = {"model": model, **({"url": url} if url else {})}
    entry = {"id": "x", "name": "x", "vendor": "v", "family": "f", "client": client, "suites": (), "inputs": ("text",)}
    return System.model_validate({**entry, "options": options, **more})


def test_the_entry_comes_before_the_list(gateway: Gateway, store: Store) -> None:
    price = {"usd_per_million_in": "2", "usd_per_million_out": "8"}
    quote = Prices(store).of(system(url=gateway.url, price=price))
    assert quote
    assert (quote.source, quote.cost(1000, 250)) == ("entry", D("0.004"))
    assert gateway.asked == []


@pytest.mark.parametrize("client", ["rules", "ocr_rules", "recorded", "scripted", "local"])
def test_programs_of_ones_own_cost_nothing(client: str) -> None:
    quote = Prices().of(system(client=client))
    assert quote
    assert (quote.source, quote.cost(10**6, 10**6, 3)) == ("free", 0)


def test_the_list_by_hand(gateway: Gateway, store: Store) -> None:
    """0.5 USD a million in, 1.5 out: 1,000 and 200 tokens are 0.0008 USD. With pictures: 0.002 + 0.0016 + 0.005 + 2 × 0.001."""
    found = Prices(store)
    one, pictures, free = (
        found.of(system(f"a/{m}", gateway.url + "/chat/completions")) for m in ("one", "pictures", "free")
    )
    assert one
    assert pictures
    assert free
    assert (one.price.usd_per_million_in, one.price.usd_per_million_out) == (D("0.5"), D("1.5"))
    assert (one.cost(1000, 200), one.cost(1000, 200, 5)) == (D("0.0008"), D("0.0008"))
    assert pictures.cost(1000, 200, 2) == D("0.0106")
    assert free.cost(1000, 200) == 0
    assert one.source == f"127.0.0.1:{gateway.server.server_port}"
    assert gateway.asked == ["/api/v1/models"]


@pytest.mark.parametrize("model", ["router", "half", "wild", "dear", "true", "nothing", "missing", "string"])
def test_what_is_no_price_is_unknown(model: str, gateway: Gateway) -> None:
    assert Prices().of(system(f"a/{model}", gateway.url)) is None


def test_a_list_of_today_is_not_asked_for_again(gateway: Gateway, store: Store) -> None:
    first = Prices(store).of(system(url=gateway.url))
    gateway.stop()
    again = Prices(store).of(system(url=gateway.url))
    assert first == again is not None
    [name] = store.names("prices")
    assert name == f"prices/127.0.0.1-{gateway.server.server_port}.json"
    kept = json.loads(store.get(name))
    assert kept["date"] == first.date if first else False
    assert kept["prices"]["a/one"] == {"prompt": "0.0000005", "completion": "0.0000015", "request": "0", "image": "0"}


def keep(store: Store, gateway: Gateway, prompt: str, change: Any = None) -> None:
    """A list of long ago in the store."""
    base = base_of(system(url=gateway.url)) or ""
    price = {"prompt": prompt, "completion": "0", "request": "0", "image": "0"}
    kept = {"url": base, "date": "2020-01-01", "prices": {"a/one": price}, **(change or {})}
    store.put(prices._name(base), json.dumps(kept).encode())


def test_an_old_list_is_asked_for_again_and_stands_in_where_it_cannot_be_had(gateway: Gateway, store: Store) -> None:
    keep(store, gateway, "0.000009")
    fresh = Prices(store, keep=False).of(system(url=gateway.url))
    assert fresh
    assert fresh.price.usd_per_million_in == D("0.5")
    gateway.status = 503
    old = Prices(store).of(system(url=gateway.url))
    assert old
    assert (old.price.usd_per_million_in, old.date) == (D(9), "2020-01-01")
    gateway.stop()
    assert Prices(store).of(system(url=gateway.url)) == old


def test_a_dry_run_writes_no_list(gateway: Gateway, store: Store) -> None:
    assert Prices(store, keep=False).of(system(url=gateway.url)) is not None
    assert store.names("prices") == []


@pytest.mark.parametrize(
    "change",
    [{"url": "http://elsewhere.example"}, {"date": None}, {"prices": 7}, {"prices": {"a/one": {"prompt": "x"}}}],
)
def test_a_broken_list_in_the_store_is_no_list(change: Any, gateway: Gateway, store: Store) -> None:
    keep(store, gateway, "0.1", change)
    gateway.stop()
    assert Prices(store).of(system(url=gateway.url)) is None
    store.put(prices._name(gateway.url), b"\xff{")
    assert Prices(store).of(system(url=gateway.url)) is None


NONSENSE = [
    b"", b"null", b"7", b'"data"', b"<html>login</html>", b'{"data": 7}', b'{"data": null}', b'{"error": {"code": 401}}',
    b"[" * 100_000, b'{"data": [', b"\xff\xfe", b'{"data": [{"id": ["x"], "pricing": []}, null, 3]}', b"{}",
]  # fmt: skip


@pytest.mark.parametrize("body", NONSENSE)
def test_a_list_of_nonsense_is_unknown(body: bytes, gateway: Gateway, store: Store) -> None:
    gateway.body = body
    assert Prices(store).of(system(url=gateway.url)) is None


@pytest.mark.parametrize("status", [301, 401, 404, 429, 500])
def test_a_refused_list_is_unknown(status: int, gateway: Gateway) -> None:
    gateway.status = status
    assert Prices().of(system(url=gateway.url)) is None
    assert len(gateway.asked) == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1", "ftp://x/v1", "http://[", "http://x:99999/", "?", ""]
)  # fmt: skip
def test_an_address_that_leads_nowhere_is_unknown(url: str) -> None:
    assert Prices().of(system(url=url)) is None


def test_other_kinds_of_client_and_no_model_are_unknown(gateway: Gateway) -> None:
    assert Prices().of(system(client="command")) is None
    assert Prices().of(system(client="service", url=gateway.url)) is None
    assert Prices().of(system(url=gateway.url, options={"url": gateway.url})) is None
    assert gateway.asked == []


def test_a_list_that_is_too_large_or_too_slow_is_given_up(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prices, "MOST_BYTES", 100)
    assert fetch(gateway.url) is None
    monkeypatch.undo()
    monkeypatch.setattr(prices, "SECONDS", 0.3)  # each byte comes in time, the whole list does not
    gateway.drip_s = 0.1
    assert fetch(gateway.url) is None
    assert gateway.sent < len(gateway.body)


def test_no_secret_of_an_address_is_sent_or_kept(gateway: Gateway, store: Store) -> None:
    """A password or key in the address stays out of the store and out of the question."""
    url = gateway.url.replace("//", "//me:geheim@") + "?key=geheim"
    assert Prices(store).of(system(url=url)) is not None
    kept = b"".join(store.get(n) for n in store.names("prices"))
    assert b"geheim" not in kept
    assert "authorization" not in gateway.headers[0]
    assert gateway.asked == ["/api/v1/models"]


def test_the_gateway_of_openrouter_is_known() -> None:
    assert base_of(system(client="openrouter", provider="p")) == "https://openrouter.ai/api/v1"
    assert base_of(system(client="openrouter", url="http://127.0.0.1:8/v1", provider="p")) == "http://127.0.0.1:8/v1"
    assert base_of(system(client="openai")) is None


def test_a_system_priced_by_its_list_for_a_budget(gateway: Gateway) -> None:
    found = Prices()
    priced = found.priced(system(url=gateway.url))
    assert priced.price
    assert priced.price.usd_per_million_out == D("1.5")
    assert found.priced(system("a/missing", gateway.url)).price is None
    assert found.priced(system(client="rules")).price is None
