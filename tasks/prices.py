"""What a model costs: the price in its entry, else the price list of its gateway, kept in the store with its date (M-8).

A list that cannot be had, or cannot be read, makes prices unknown; it never stops a run. The list is asked without a key, since public
gateways show it to everybody, and at most once a process and gateway. Its price is the model's; a pinned provider may ask another one,
and what was really paid stands in `calls`.
"""

import json
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, DecimalException
from typing import Any
from urllib.parse import urlsplit

import httpx

from datasets.store import Store
from schemas.exchange import Frozen
from schemas.system import Price, System
from tasks.budget import FREE

OPENROUTER = "https://openrouter.ai/api/v1"
SECONDS = 10.0
"""For the whole list."""
MOST_BYTES = 32_000_000
DEAREST = Decimal(10)
"""USD a token or picture; a larger number is no price but a broken list."""


class Quote(Frozen):
    """The price of a model and where it comes from: `entry`, `free` (a program of one's own), or the gateway's host and a date."""

    price: Price
    source: str
    date: str | None = None

    def cost(self, tokens_in: int, tokens_out: int, images: int = 0) -> Decimal:
        """What one call costs, in USD.

        >>> Quote(price=Price(usd_per_million_in=Decimal(2), usd_per_million_out=Decimal(8)), source="entry").cost(1000, 250)
        Decimal('0.004')
        """
        tokens = tokens_in * self.price.usd_per_million_in + tokens_out * self.price.usd_per_million_out
        return tokens / 1_000_000 + self.price.usd_per_request + images * self.price.usd_per_image


NOTHING = Price(usd_per_million_in=Decimal(0), usd_per_million_out=Decimal(0))


class Prices:
    """The prices of systems: entries first, then lists of gateways.

    store: where lists are kept as `prices/<host>.json`; a list of today is not asked for again, and an older one stands in, with its
    date, where the gateway cannot be reached. keep: whether a new list is written (a dry run writes nothing).
    """

    def __init__(self, store: Store | None = None, *, keep: bool = True) -> None:
        self.store, self.keep = store, keep
        self._lists: dict[str, dict[str, Quote]] = {}

    def of(self, system: System) -> Quote | None:
        """The price of a system's model; None where it is unknown. Never an exception for what a gateway does."""
        if system.price is not None:
            return Quote(price=system.price, source="entry")
        if system.client in FREE:
            return Quote(price=NOTHING, source="free")
        base = base_of(system)
        model = system.options.get("model")
        if base is None or not isinstance(model, str):
            return None
        if base not in self._lists:
            self._lists[base] = self._list(base)
        return self._lists[base].get(model)

    def priced(self, system: System) -> System:
        """The system with the price of its gateway's list in its entry, for a budget; unchanged where there is none."""
        quote = self.of(system) if system.price is None and system.client not in FREE else None
        return system if quote is None else system.model_copy(update={"price": quote.price})

    def _list(self, base: str) -> dict[str, Quote]:
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        kept = self._kept(base)
        if kept and kept[0] == today:
            return _quotes(kept[1], base, today)
        fetched = fetch(base)
        if fetched is None:
            return _quotes(kept[1], base, kept[0]) if kept else {}
        if self.store and self.keep:
            self.store.put(_name(base), json.dumps({"url": base, "date": today, "prices": fetched}, indent=1).encode())
        return _quotes(fetched, base, today)

    def _kept(self, base: str) -> tuple[str, Mapping[str, Any]] | None:
        """The date and prices of a list in the store; None where there is none, or a broken one, or one of another address."""
        try:
            found = json.loads(self.store.get(_name(base))) if self.store else None
            if found and found["url"] == base and isinstance(found["date"], str):
                return found["date"], dict(found["prices"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None


def base_of(system: System) -> str | None:
    """The address of a system's gateway without a user's name, password or query; None where it has none.

    >>> entry = {"id": "x", "name": "x", "vendor": "v", "family": "f", "client": "openai", "suites": (), "inputs": ()}
    >>> base_of(System(**entry, options={"url": "https://me:secret@gate.example/v1/?key=secret"}))
    'https://gate.example/v1'
    """
    url = system.options.get("url", OPENROUTER if system.client == "openrouter" else None)
    if system.client not in ("openai", "openrouter") or not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}".removesuffix("/chat/completions")


def _host(base: str) -> str:
    return urlsplit(base).netloc


def _name(base: str) -> str:
    return f"prices/{re.sub(r'[^A-Za-z0-9.-]+', '-', _host(base))}.json"


def fetch(base: str) -> dict[str, dict[str, str]] | None:
    """The price list of a gateway: by model, what it asks for a `prompt` and a `completion` token, a `request`, an `image`, in USD.

    None where the gateway cannot be reached, takes too long or answers no list. Models without a whole price are left out.
    """
    try:
        found = json.loads(_read(f"{base}/models"), parse_float=Decimal)
        models = found["data"] if isinstance(found, dict) else found
        return {m["id"]: price for m in models if isinstance(m, dict) and (price := _price(m))}
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _read(url: str) -> bytes:
    """The body of a page; OSError for a wrong status, a body that is too large or takes too long altogether."""
    deadline = time.monotonic() + SECONDS
    body = bytearray()
    away = urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1")  # loopback is never reached through a proxy
    with httpx.stream("GET", url, timeout=SECONDS, headers={"Accept": "application/json"}, trust_env=away) as reply:
        if reply.status_code != httpx.codes.OK:
            raise OSError(f"status {reply.status_code}")
        for piece in reply.iter_bytes():
            body += piece
            if len(body) > MOST_BYTES or time.monotonic() > deadline:
                raise OSError("the list is too large or too slow")
    return bytes(body)


def _price(model: Mapping[str, Any]) -> dict[str, str] | None:
    pricing = model.get("pricing")
    if not isinstance(model.get("id"), str) or not isinstance(pricing, dict):
        return None
    price = {}
    for name in ("prompt", "completion", "request", "image"):
        amount = _amount(pricing.get(name, None if name in ("prompt", "completion") else 0))
        if amount is None:
            return None
        price[name] = f"{amount:f}"
    return price


def _amount(given: object) -> Decimal | None:
    """An amount from 0 to `DEAREST`; None for all else (a router's price is -1)."""
    if isinstance(given, bool) or not isinstance(given, str | int | Decimal):
        return None
    try:
        amount = Decimal(given)
    except (DecimalException, ValueError):
        return None
    return amount if amount.is_finite() and 0 <= amount <= DEAREST else None


def _quotes(prices: Mapping[str, Any], base: str, date: str) -> dict[str, Quote]:
    """Quotes by model; entries that are no prices are left out."""
    quotes = {}
    for model, price in prices.items():
        if isinstance(price, dict) and (kept := _price({"id": model, "pricing": price})):
            asked = {name: Decimal(amount) for name, amount in kept.items()}
            quotes[model] = Quote(
                price=Price(
                    usd_per_million_in=asked["prompt"] * 1_000_000,
                    usd_per_million_out=asked["completion"] * 1_000_000,
                    usd_per_request=asked["request"],
                    usd_per_image=asked["image"],
                ),
                source=_host(base),
                date=date,
            )
    return quotes
