"""Requests that a store in a bucket takes, by kind, for `docs/scaling.md`: all five stages over one shard.

python -m benchmarks.bucket [--pairs 30] [--systems rules,ocr-rules]

The stages run without Prefect over moto's server in this process; every method of the store's client is one request (a list is one for every 1,000
names, and none is that long here). Counts do not hang on the machine.
"""

import logging
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

import boto3
import typer

WRITES = ("put", "put_new", "put_over", "copy", "remove")
LOOKS = ("get", "head", "names")
NAME = "zkusebna-bench"


def counted(method: Callable[..., Any], kind: str, counts: Counter[str]) -> Callable[..., Any]:
    """The same method, its calls counted, those that fail too."""

    @wraps(method)
    def asked(*given: Any, **named: Any) -> Any:
        counts[kind] += 1
        return method(*given, **named)

    return asked


def main(pairs: int = 30, systems: str = "rules,ocr-rules") -> None:
    """Run the stages and print the requests of each."""
    from moto.server import ThreadedMotoServer

    from benchmarks.scaling import acts
    from datasets.objects import Bucket
    from tasks.settings import be_quiet

    be_quiet()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_SECRET_ACCESS_KEY": "bench",
            "XDG_CACHE_HOME": folder,
            "ZKUSEBNA_PRIVATE_SEED": "bench-7d1f",
        }
        boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"]).create_bucket(Bucket=NAME)
        for kind in WRITES + LOOKS:
            setattr(Bucket, kind, counted(getattr(Bucket, kind), kind, counts))
        whole: Counter[str] = Counter()
        for act in acts(f"s3://{NAME}/store", pairs, systems.split(",")):
            counts.clear()
            act()
            whole += counts
            print(f"{act.__name__:9} {told(counts)}")
        print(f"{'all':9} {told(whole)}")
    server.stop()


def told(counts: Counter[str]) -> str:
    """How many requests, how many of them write, and of which kind."""
    writes = sum(counts[kind] for kind in WRITES)
    kinds = ", ".join(f"{kind} {counts[kind]}" for kind in WRITES + LOOKS if counts[kind])
    return f"{counts.total():4} requests, {writes} write: {kinds}"


if __name__ == "__main__":
    typer.run(main)
