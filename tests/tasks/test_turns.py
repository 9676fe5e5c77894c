"""One writing run a store: the second waits or says so, a dead one is no obstacle, and what it left is ended (M-4)."""

import logging
import multiprocessing
import socket
import threading
import time
from pathlib import Path

import pytest
import storage_children

from datasets.store import FORMAT, Store
from schemas.errors import StageError, StoreError
from tasks import turns
from tasks.turns import in_turn, turn, writing

children = multiprocessing.get_context("forkserver")


@pytest.fixture
def holder(tmp_path):
    """Another process that has the lock, and the way to kill it."""
    Store.open(tmp_path / "s")
    ours, theirs = children.Pipe()
    child = children.Process(target=storage_children.hold_lock, args=(str(tmp_path / "s"), theirs))
    child.start()
    assert ours.recv_bytes() == b"held"
    yield child
    child.kill()
    child.join()


def test_a_command_says_at_once_that_another_run_is_writing(tmp_path, holder):
    with pytest.raises(StoreError, match="Another run is writing to the store"), writing(str(tmp_path / "s")):
        pass


def test_a_deployment_s_run_waits_says_so_and_goes_on_when_the_other_is_dead(tmp_path, holder, monkeypatch, caplog):
    """The other process is killed with the lock in its hand; the waiting run then has it."""
    monkeypatch.setattr(turns, "LOOK_EVERY_S", 0.02)
    began = threading.Event()

    @in_turn
    def body(root: str) -> str:
        began.set()
        return "done"

    told = []
    waiting = threading.Thread(target=lambda: told.append(body(str(tmp_path / "s"))))
    with caplog.at_level(logging.WARNING, "zkusebna.turns"):
        waiting.start()
        assert not began.wait(0.5)
        holder.kill()
        assert began.wait(30)
        waiting.join()
    assert told == ["done"]
    assert [r.message for r in caplog.records] == ["another run is writing to the store; this one waits for it to end"]


def test_a_run_that_waited_too_long_gives_up_with_a_sentence(tmp_path, holder, monkeypatch):
    monkeypatch.setattr(turns, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(turns, "LONGEST_WAIT_S", 0.05)
    with (
        pytest.raises(StoreError, match=r"Another run is writing to the store at .*; wait for it to end\."),
        turn(str(tmp_path / "s")),
    ):
        pass


def test_stages_of_a_run_take_no_second_turn_and_other_runs_none_of_its(tmp_path):
    """Nested, in a store given by another spelling of its path; a thread of another run is kept out."""
    (tmp_path / "link").symlink_to(tmp_path / "s")
    with writing(str(tmp_path / "s")), turn(str(tmp_path / "s" / ".." / "s")), turn(str(tmp_path / "link")):
        out = []

        def other() -> None:
            try:
                with writing(str(tmp_path / "s")):
                    out.append("in")
            except StoreError:
                out.append("kept out")

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert out == ["kept out"]
    with writing(str(tmp_path / "s")):
        pass


def test_the_turn_is_given_back_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), turn(str(tmp_path / "s")):
        raise ZeroDivisionError
    with writing(str(tmp_path / "s")):
        pass


def test_many_runs_go_one_after_another(tmp_path, monkeypatch):
    """Eight runs at once: never two inside, and all of them done."""
    monkeypatch.setattr(turns, "LOOK_EVERY_S", 0.005)
    Store.open(tmp_path / "s")
    inside, most, done = [0], [0], []

    @in_turn
    def body(number: int, root: str = str(tmp_path / "s")) -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.01)
        inside[0] -= 1
        done.append(number)

    threads = [threading.Thread(target=body, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert sorted(done) == list(range(8))


@pytest.mark.parametrize("name", ["nightly", "evaluate", "synthesize", "dual_pass", "run_build", "run_test", "run_grade", "run_profile",
                                  "run_tendency", "run_publish", "compact_store"])  # fmt: skip
def test_every_writing_flow_takes_its_turn(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not begin while another run is writing; and an older version refuses a newer store with a sentence and leaves it as it is."""
    from flows import compact, dual_pass, evaluate, nightly, stages, synthesize

    modules = (compact, dual_pass, evaluate, nightly, stages, synthesize)
    flow = next(getattr(m, name) for m in modules if hasattr(m, name))
    root = tmp_path / "s"
    root.mkdir()
    (root / "zkusebna.json").write_text(f'{{"format": {FORMAT + 1}}}')
    given = {"suite": "s", "edition": "e", "systems": ["x"], "seed": 1, "size": 1}
    wanted = {n: v for n, v in given.items() if n in flow.parameters.properties and n in flow.parameters.required}
    with pytest.raises(StoreError, match=f"has format {FORMAT + 1}, newer than this version's {FORMAT}"):
        flow.fn(root=str(root), **wanted)
    assert [p.name for p in root.iterdir()] == ["zkusebna.json"]
    monkeypatch.setattr(turns, "LONGEST_WAIT_S", 0.0)
    with Store.open(tmp_path / "t").locked(), pytest.raises(StoreError, match="Another run is writing"):
        flow.fn(root=str(tmp_path / "t"), **wanted)


def test_a_server_that_goes_away_is_told_in_a_sentence(tmp_path, monkeypatch):
    """A stage that Prefect's own engine cannot begin, and a request of its client that finds nobody."""
    import httpx
    from prefect import flow
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{probe.getsockname()[1]}/api"
    begun = []

    def stage(root: str) -> None:
        flow(name="stage")(lambda: begun.append(1))()

    def ask(root: str) -> None:
        httpx.get(away)

    for body in (stage, ask):
        with temporary_settings({PREFECT_API_URL: away}), pytest.raises(StageError) as caught:
            in_turn(body)(str(tmp_path / "s"))
        assert str(caught.value).startswith(f"The Prefect server at {away} went away during the run (")
        assert str(caught.value).endswith("Start the server and press Retry, or give the same command again.")
    assert not begun


def test_another_server_that_does_not_answer_is_not_taken_for_prefects(tmp_path):
    """A model's gateway, say; with a server of Prefect's named and with none."""
    import httpx
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        gateway = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"

    def ask(root: str) -> None:
        httpx.get(gateway)

    for api in ("http://127.0.0.1:4200/api", None):
        with temporary_settings({PREFECT_API_URL: api}), pytest.raises(httpx.ConnectError):
            in_turn(ask)(str(tmp_path / "s"))


def test_other_errors_of_a_body_stay_what_they_are(tmp_path):
    def body(root: str) -> None:
        raise RuntimeError("the page crashed")

    with pytest.raises(RuntimeError, match="the page crashed"):
        in_turn(body)(str(tmp_path / "s"))
