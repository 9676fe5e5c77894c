"""Bare httpx on aiohttp's transport: the bodies of a file posted to an address, nothing else done; wall and processor seconds are printed.

python -m benchmarks.bare URL FILE AT_ONCE    (a JSON list of texts; `benchmarks.door` runs it in a process of its own)
"""

import asyncio
import json
import sys
import time
from pathlib import Path

import httpx
from httpx_aiohttp import HttpxAiohttpClient


async def _post_all(url: str, bodies: list[bytes], at_once: int) -> None:
    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    async with HttpxAiohttpClient(limits=limits, timeout=None, trust_env=False) as http:
        near = asyncio.Semaphore(at_once)

        async def one(body: bytes) -> None:
            async with near:
                (await http.post(url, content=body)).raise_for_status().json()

        started, used = time.monotonic(), time.process_time()
        await asyncio.gather(*map(one, bodies))
        print(time.monotonic() - started, time.process_time() - used)


if __name__ == "__main__":
    given = [text.encode() for text in json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))]
    asyncio.run(_post_all(sys.argv[1], given, int(sys.argv[3])))
