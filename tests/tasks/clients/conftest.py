"""A gateway on loopback for the tests of clients."""

from collections.abc import Iterator

import pytest
from gateway_stub import Gateway


@pytest.fixture(scope="session")
def _gateway() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def gateway(_gateway: Gateway) -> Gateway:
    """A gateway that has not been asked anything yet."""
    _gateway.reset()
    return _gateway
