"""A bucket for tests: moto's server, which speaks S3 over HTTP, in a process of its own; looked into by boto3."""

import contextlib
import os
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from botocore.config import Config

BUCKET = "zkusebna-test"


class Bucket:
    """An address below which a test has the bucket for itself, and a client that is not ours."""

    def __init__(self, endpoint: str) -> None:
        self.prefix = f"t{uuid.uuid4().hex[:10]}/store"
        self.address = f"s3://{BUCKET}/{self.prefix}"
        self.client = boto3.client("s3", endpoint_url=endpoint, config=Config(retries={"max_attempts": 2}))

    def names(self, below: str = "") -> set[str]:
        """What the bucket holds below the address, by boto3."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=f"{self.prefix}/{below}")
        return {one["Key"].removeprefix(f"{self.prefix}/") for page in pages for one in page.get("Contents", [])}

    def read(self, name: str) -> bytes:
        """An object by boto3."""
        return self.client.get_object(Bucket=BUCKET, Key=f"{self.prefix}/{name}")["Body"].read()

    def write(self, name: str, data: bytes) -> None:
        """An object by boto3."""
        self.client.put_object(Bucket=BUCKET, Key=f"{self.prefix}/{name}", Body=data)


@contextlib.contextmanager
def s3_server() -> Iterator[str]:
    """moto's server on a free port; its endpoint."""
    program = (
        "import sys; from moto.server import ThreadedMotoServer; server = ThreadedMotoServer('127.0.0.1', 0);"
        " server.start(); print(server.get_host_and_port()[1], flush=True); sys.stdin.read()"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        line = b""
        while not line.strip().isdigit():
            line = server.stdout.readline()
            assert line, "moto's server ended"
        endpoint = f"http://127.0.0.1:{line.decode().strip()}"
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(endpoint, timeout=5).read()
                break
            time.sleep(0.1)
        yield endpoint
    finally:
        server.kill()
        server.wait()
        server.stdin.close()
        server.stdout.close()


@contextlib.contextmanager
def bucket_server(cache: Path) -> Iterator[str]:
    """An S3 server with a bucket, and the environment that leads there; its endpoint."""
    with pytest.MonkeyPatch.context() as patch, s3_server() as endpoint:
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setenv("AWS_REGION", "eu-central-1")
        patch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
        patch.setenv("AWS_ENDPOINT_URL", endpoint)
        patch.setenv("XDG_CACHE_HOME", str(cache))
        place = {"LocationConstraint": os.environ["AWS_REGION"]}
        boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration=place)
        yield endpoint
