"""A gateway of our own for tests: answers `POST …/chat/completions` on loopback as public gateways do on good days and bad ones.

Standard library only. The model's name chooses what happens:

    stub/ok  stub/fenced  stub/prose  stub/badjson  stub/badjson-once    answers: valid, in a fence, in words, broken, broken once
    stub/length  stub/empty  stub/filter  stub/null  stub/reasoning  stub/refusal  stub/parts    cut off, empty, filtered; unusual messages
    stub/nousage  stub/nanusage  stub/otherprovider          valid, but without usage, with odd usage, from another provider
    stub/err200  stub/errchoice                              status 200 with an error, in the body or in a choice (the first time)
    stub/noschema  stub/noschema-object  stub/wantsjson  stub/noparameters    refuse a form of the answer
    stub/noempty                                             refuses a message without text
    stub/umi  stub/umi-fenced  stub/umi-word  stub/umi-named  stub/neumi  stub/nerozhodnuto  stub/mozna  stub/mozna-once    jurors
    stub/limit-N  stub/flaky-P  stub/spent-N                 N answers a second; P per cent fail; the credits suffice for N answers
    stub/reset  stub/daily  stub/inflight                    other limits: X-RateLimit-Reset in ms, a quota of the day, money in flight
    stub/credits  stub/afford  stub/key  stub/gone  stub/moderated      402, 402 with an amount, 401, 404, 403
    stub/echo  stub/parrot                                   say the key back, in an error and in an answer
    stub/judge  stub/judge-first  stub/judge-invents  stub/judge-wraps  stub/judge-odd  stub/judge-mute    judges, good and bad
    stub/draft  stub/draft-leaks  stub/draft-leaks-on  stub/draft-broken  stub/draft-broken-on    draft a case of law, well and badly
    stub/html  stub/page  stub/noapi  stub/hang  stub/drip  stub/cut  stub/drop    what stands between: proxies, lost connections

`--latency-ms L` delays every answer. `GET /ledger` tells what was asked and which bodies were answered for money (`answered_twice` should
stay 0), `POST /ledger/reset` forgets it, `GET …/models` is a price list. In a test: `with Gateway() as gateway:` runs it in a thread
(`gateway.url`, `gateway.asked`), `with gateway_process() as url:` in a process of its own.
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Coroutine, Iterator
from email.utils import formatdate
from typing import Any

from gateway_scenarios import SCENARIOS, USD_IN, USD_OUT, Asked, Told, refuse


class Ledger:
    """What was asked and answered since the last reset; `span_s` is from the first request to the last reply."""

    def __init__(self) -> None:
        self.requests = self.in_flight = self.peak_in_flight = 0
        self.began = self.ended = 0.0
        self.seen: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.status: Counter[str] = Counter()

    def shown(self) -> dict[str, Any]:
        """As `GET /ledger` tells it."""
        return {
            "requests": self.requests,
            "answered": self.paid.total(),
            "distinct_answered": len(self.paid),
            "answered_twice": self.paid.total() - len(self.paid),
            "peak_in_flight": self.peak_in_flight,
            "span_s": self.ended - self.began,
            "status": dict(self.status),
            "by_body": dict(self.paid),
        }


class Server:
    """The gateway inside an event loop."""

    def __init__(self, latency_ms: float = 0.0, seed: int = 0) -> None:
        self.latency_s, self.random = latency_ms / 1000, random.Random(seed)
        self.ledger = Ledger()
        self.asked: deque[Asked] = deque(maxlen=200)
        self.connections = 0
        self._starts: dict[str, deque[float]] = {}
        self._handlers: set[asyncio.Task[Any]] = set()

    async def start(self, port: int = 0) -> int:
        """Listen on loopback; returns the port."""
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", port, limit=1 << 26)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop listening and drop all connections."""
        self._server.close()
        for handler in self._handlers:
            handler.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            self._handlers.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its reply; False where the connection is over."""
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if method == "POST" and path.endswith("/chat/completions"):
            return await self._send(writer, await self._complete(Asked(body, headers)))
        return await self._send(writer, self._other(method, path))

    def _other(self, method: str, path: str) -> Told:
        if (method, path) == ("GET", "/ledger"):
            return Told(self.ledger.shown())
        if (method, path) == ("POST", "/ledger/reset"):
            self.ledger = Ledger()
            return Told({})
        if method == "GET" and path.endswith("/models"):
            prices = {"prompt": f"{USD_IN:.7f}", "completion": f"{USD_OUT:.7f}"}
            names = [*SCENARIOS, "limit-20", "flaky-20"]
            return Told({"data": [{"id": f"stub/{name}", "pricing": prices} for name in names]})
        return refuse(404, "Not found")

    async def _complete(self, asked: Asked) -> Told:
        ledger, key = self.ledger, hashlib.sha256(asked.body).hexdigest()
        ledger.began = ledger.began or time.monotonic()
        ledger.requests += 1
        ledger.seen[key] += 1
        ledger.in_flight += 1
        ledger.peak_in_flight = max(ledger.peak_in_flight, ledger.in_flight)
        try:
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
            asked.nth, asked.request = ledger.seen[key], json.loads(asked.body)
            self.asked.append(asked)
            told = self._decide(asked)
        except (ValueError, LookupError, TypeError) as problem:
            told = refuse(400, f"Bad request: {problem!r}")
        finally:
            ledger.in_flight -= 1
            ledger.ended = time.monotonic()
        ledger.status[str(told.status)] += 1
        if told.is_paid:
            ledger.paid[key] += 1
        return told

    def _decide(self, asked: Asked) -> Told:
        name = str(asked.request["model"]).removeprefix("stub/")
        kind, _, number = name.partition("-")
        if kind == "flaky" and self.random.randrange(100) < int(number):
            status = self.random.choice((500, 502, 503, 524, 0))
            return refuse(status, "Provider returned error") if status else Told({}, manner="drop")
        if kind == "limit" and not self._has_room(name, int(number)):
            later = self.random.choice(("1", formatdate(time.time() + 2, usegmt=True)))
            return refuse(429, "Rate limit exceeded", {"Retry-After": later})
        if kind == "spent" and self.ledger.paid.total() >= int(number):
            return refuse(402, "Insufficient credits")
        return SCENARIOS["ok" if kind in ("flaky", "limit", "spent") else name](asked)

    def _has_room(self, name: str, rate: int) -> bool:
        now, starts = time.monotonic(), self._starts.setdefault(name, deque())
        while starts and now - starts[0] >= 1:
            starts.popleft()
        if len(starts) >= rate:
            return False
        starts.append(now)
        return True

    async def _send(self, writer: asyncio.StreamWriter, told: Told) -> bool:
        if told.manner == "hang":
            await asyncio.Event().wait()
        if told.manner == "drop":
            return False
        data = (told.body if isinstance(told.body, str) else json.dumps(told.body, ensure_ascii=False)).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **told.headers}
        head = [f"HTTP/1.1 {told.status} Stub", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        writer.write("\r\n".join(head).encode())
        if told.manner == "drip":
            for at in range(len(data)):
                writer.write(data[at : at + 1])
                await asyncio.sleep(0.05)
        writer.write(b"" if told.manner == "drip" else data[: len(data) // 2] if told.manner == "cut" else data)
        await writer.drain()
        return told.manner != "cut"


class Gateway:
    """The gateway in a thread of this process: `with Gateway() as gateway: gateway.url`."""

    def __init__(self, latency_ms: float = 0.0, seed: int = 0) -> None:
        self.server = Server(latency_ms, seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gateway", daemon=True)

    def __enter__(self) -> "Gateway":
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._run(self.server.start())}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self.server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @property
    def asked(self) -> list[Asked]:
        """The last 200 requests, in order."""
        return list(self.server.asked)

    def reset(self) -> None:
        """Forget what was asked."""
        self.server.ledger = Ledger()
        self.server.asked.clear()
        self.server.connections = 0


@contextlib.contextmanager
def gateway_process(latency_ms: float = 0.0, seed: int = 0) -> Iterator[str]:
    """The gateway in a process of its own; its URL with `/v1`."""
    command = [sys.executable, __file__, "--latency-ms", str(latency_ms), "--seed", str(seed)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.terminate()
        process.communicate()


async def _serve(port: int, latency_ms: float, seed: int) -> None:
    print(await Server(latency_ms, seed).start(port), flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Serve until killed; the port is printed first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--latency-ms", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    asyncio.run(_serve(given.port, given.latency_ms, given.seed))


if __name__ == "__main__":
    main()
