"""Heartbeats of flow runs: sent while a flow runs, and not waited for when it has ended."""

import threading
from types import SimpleNamespace

import pytest

import flows.runner  # noqa: F401 - what is tested

pytestmark = pytest.mark.usefixtures("prefect_server")


def test_the_end_of_a_flow_does_not_wait_for_its_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prefect's own engine joins the thread, which sleeps whole seconds; ours lets it see the end by itself."""
    import prefect.flow_engine
    from prefect import flow
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    class Thread(threading.Thread):
        joined = False

        def start(self) -> None:
            threads.append(self)
            super().start()

        def join(self, timeout: float | None = None) -> None:
            self.joined = True
            super().join(timeout)

    threads: list[Thread] = []
    fakes = SimpleNamespace(**{**vars(threading), "Thread": Thread})
    monkeypatch.setattr(prefect.flow_engine, "threading", fakes)
    sent = threading.Event()

    def body() -> bool:
        return sent.wait(30)

    monkeypatch.setattr(prefect.flow_engine.FlowRunEngine, "_emit_flow_run_heartbeat", lambda *given: sent.set())
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: 30}):
        assert flow(name="beats")(body)(), "no heartbeat was sent"
    assert [t.joined for t in threads] == [False]
    threading.Thread.join(threads[0], 10)
    assert not threads[0].is_alive(), "the thread did not see the end of the run"
