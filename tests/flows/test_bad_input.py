"""Bad input to the command where models are asked: one sentence, the right exit code, and what was answered stays (M-4, M-5, M-8)."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import stable_rows

from datasets.systems import load_systems
from tasks import attempts, throttle

pytestmark = pytest.mark.usefixtures("prefect_server")

KEY = "sk-zk-0123456789abcdef"
Told = tuple[int, str, str]
Run = Callable[..., Told]


@pytest.fixture(scope="module")
def running() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def gateway(running: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """A gateway that was not asked yet, and short waits after faults."""
    running.reset()
    throttle._THROTTLES.clear()
    monkeypatch.setattr(attempts, "LONGEST_WAIT_S", 0.02)
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    return running


@pytest.fixture
def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`zkusebna run` in this process over four cases: exit code, standard output, standard error."""

    def command(*words: str) -> Told:
        from flows.cli import main

        sized = ["--suites", "invoices", "--size", "2", "--levels", "text", "--store", str(tmp_path / "s")]
        monkeypatch.setattr("sys.argv", ["zkusebna", "run", *sized, *words])
        monkeypatch.setenv("COLUMNS", "200")
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        told = capsys.readouterr()
        assert "Traceback" not in told.out + told.err
        return code, told.out, told.err

    return command


@pytest.fixture
def systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Writes the file of systems: one model `m`, changed as wanted, or any text."""

    def write(text: str | None = None, *, url: str = "", name: str = "ok", **changes: Any) -> None:
        entry = {
            "id": "m", "name": "m", "vendor": "v", "family": "f", "client": "openai", "suites": [], "inputs": ["text"],
            "options": {"url": url, "model": f"stub/{name}"}, "limits": {"at_once": 1, "seconds": 5, "max_tokens": 300},
        }  # fmt: skip
        file = tmp_path / "mine.yaml"
        file.write_text(yaml.safe_dump([{**entry, **changes}]) if text is None else text, encoding="utf-8")
        load_systems.cache_clear()
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))

    return write


def sentence(told: Told, code: int) -> str:
    """The one line on standard error."""
    assert told[0] == code, told
    [line] = told[2].splitlines()
    assert line.startswith("zkusebna: ")
    assert line.endswith(".")
    return line.removeprefix("zkusebna: ")


def test_no_key(gateway: Gateway, systems: Any, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("STUB_KEY", raising=False)
    systems(url=gateway.url, key_env="STUB_KEY")
    told = sentence(run("--systems", "m"), 2)
    assert told == ("None of the systems can run here: m: its key is missing: set the environment variable STUB_KEY.")
    assert not gateway.asked


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("key", "m: the key is refused (HTTP 401: No auth credentials found)."),
        ("gone", "m: the model is not there (HTTP 404: No endpoints found for this model)."),
        ("page", "(HTTP 200: a page of HTML where an answer was expected; does the URL lead to an API?)."),
        ("noapi", "a reply that is no chat completion; does the URL lead to one?)."),
    ],
)
def test_what_stops_a_system_is_told_with_what_is_missing(
    name: str, why: str, gateway: Gateway, systems: Any, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wrong key, a model that is gone, an endpoint that is no API: one call, then the run says what it lacks."""
    monkeypatch.setenv("STUB_KEY", KEY)
    systems(url=gateway.url, name=name, key_env="STUB_KEY")
    told = sentence(run("--systems", "m"), 1)
    assert told.startswith("answers of suite=invoices/")
    assert f"{why} 4 of 4 cases of the shard have no answer. What is done is kept; run again to do the rest." in told
    assert KEY not in told
    assert gateway.server.ledger.requests == 1
    rows = stable_rows(tmp_path / "s")
    assert len(rows["cases"]) == 4
    assert [c["status"] for c in rows["calls"]] == ["api_error"]


def test_without_credit_what_was_answered_stays_and_the_rest_follows(
    gateway: Gateway, systems: Any, run: Run, tmp_path: Path
) -> None:
    """M-4: three answers are paid; after new credits only the fourth goes out."""
    systems(url=gateway.url, name="spent-3")
    told = sentence(run("--systems", "m"), 1)
    assert "m: the credits do not suffice (HTTP 402: Insufficient credits). 1 of 4 cases of the shard" in told
    assert [c["status"] for c in stable_rows(tmp_path / "s")["calls"]].count("ok") == 3
    gateway.reset()
    code, out, err = run("--systems", "m")
    assert (code, err) == (0, "")
    assert "1 calls" in out
    assert gateway.server.ledger.requests == 1
    rows = stable_rows(tmp_path / "s")
    assert [a["status"] for a in rows["answers"]] == ["ok"] * 4
    assert len(rows["calls"]) == 5


def test_where_a_filter_stopped_is_shown(gateway: Gateway, systems: Any, run: Run) -> None:
    """M-6: both pairs are public, all four cases filtered at the first message; that is an answer of the provider's, so the exit code is 0."""
    systems(url=gateway.url, name="filter")
    code, out, err = run("--systems", "m")
    assert (code, err) == (0, "")
    told = [line.split() for line in out.splitlines()]
    assert ["m", "StubHost", "1", "4", "0", "0"] in told


def test_nobody_at_the_address(closed_port: int, gateway: Gateway, systems: Any, run: Run, tmp_path: Path) -> None:
    """A connection that fails may come back: the run ends, lists what it lacks, and says so by its exit code."""
    systems(url=f"http://127.0.0.1:{closed_port}/v1")
    told = sentence(run("--systems", "m"), 1)
    assert told.startswith("Some answers could not be had; the next run asks again: invoices m: 4 of 4 (connection: ")
    assert {a["status"] for a in stable_rows(tmp_path / "s")["answers"]} == {"api_error"}


def test_a_price_list_that_cannot_be_had_is_unknown(closed_port: int, gateway: Gateway, systems: Any, run: Run) -> None:
    systems(url=f"http://127.0.0.1:{closed_port}/v1")
    code, out, err = run("--systems", "m", "--dry-run")
    assert (code, err) == (0, "")
    [row] = [line.split() for line in out.splitlines() if line.split()[:2] == ["invoices", "m"]]
    assert row == ["invoices", "m", "system", "4", "0", "4", "unknown", "unknown", "unknown"]
    assert "m: unknown" in out


def test_a_request_that_is_refused_is_told_and_is_no_failure_beside_others(
    gateway: Gateway, systems: Any, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gateway takes Czech and refuses English: told on standard output; where it refuses all, the run says so by its exit code."""
    from gateway_scenarios import SCENARIOS, refuse

    def picky(asked: Any) -> Any:
        is_czech = "faktur" in str(asked.request["messages"]).lower()
        return SCENARIOS["ok"](asked) if is_czech else refuse(400, "only Czech here")

    monkeypatch.setitem(SCENARIOS, "picky", picky)
    systems(url=gateway.url, name="picky")
    code, out, err = run("--systems", "m")
    assert (code, err) == (0, "")
    assert "refused invoices m: 2 of 4 (HTTP 400: only Czech here)" in out
    monkeypatch.setitem(SCENARIOS, "deaf", lambda asked: refuse(400, "no"))
    systems(url=gateway.url, name="deaf")
    assert "the next run asks again: invoices m: 4 of 4 (HTTP 400: no)." in sentence(run("--systems", "m"), 1)


GOOD = "- {id: a, name: A, vendor: v, family: f, client: openai, suites: [], inputs: [text]"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- [", "mine.yaml is no YAML: "),
        ("a: 1", "mine.yaml: a list of entries was expected, each with an `id`."),
        (f"{GOOD}, clinet: x}}", "mine.yaml: system 'a', clinet: there is no such key; did you mean 'client'? Known: "),
        (GOOD.replace("openai", "opnai") + "}", "mine.yaml: system 'a', client: 'opnai' is not one of the known words; did you mean 'openai'?"),
        (GOOD.replace("name: A, ", "") + "}", "mine.yaml: system 'a', name: it is missing."),
        (f"{GOOD}, limits: {{max_token: 3}}}}", "system 'a', limits.max_token: there is no such limit; did you mean 'max_tokens'?"),
        (f"{GOOD}, limits: {{seconds: many}}}}", "system 'a', limits.seconds: a number above 0 was expected, not 'many'."),
        (f"{GOOD}, limits: {{at_once: 0}}}}", "system 'a', limits.at_once: a number above 0 was expected, not 0."),
        (f"{GOOD}, price: {{usd_per_milion_in: 1}}}}", "price.usd_per_milion_in: there is no such key; did you mean 'usd_per_million_in'?"),
        (GOOD.replace("client: openai", "client: openrouter") + "}", "system 'a', provider is missing: "),
    ],
)  # fmt: skip
def test_a_broken_file_of_systems(text: str, told: str, systems: Any, run: Run, tmp_path: Path) -> None:
    """The file, the entry, what was expected, the nearest known name; nothing is begun."""
    systems(text)
    assert told in sentence(run("--systems", "a"), 2)
    assert not (tmp_path / "s" / "editions").exists()


@pytest.mark.parametrize("budget", ["-1", "much", "nan", "inf", "2,50", ""])
def test_a_budget_that_is_no_amount(budget: str, run: Run, tmp_path: Path) -> None:
    told = sentence(run("--systems", "rules", "--budget", budget), 2)
    assert told == f"The budget {budget!r} is not an amount in USD; give e.g. --budget 2.50."
    assert not (tmp_path / "s").exists()


def test_a_budget_of_nothing_and_one_that_cannot_be_kept(gateway: Gateway, systems: Any, run: Run) -> None:
    """M-8: nothing goes out; with a price, without one, and without a limit of the answer's length."""
    systems(url=gateway.url)  # the price is in the gateway's list
    told = sentence(run("--systems", "m", "--budget", "0"), 1)
    assert (
        "The budget of 0 USD for the run does not allow the next call (spent 0, in flight 0, this one at most 0.00"
        in told
    )
    systems(url=gateway.url, limits={})
    told = sentence(run("--systems", "m", "--budget", "5"), 1)
    assert (
        "What a call of 'm' can cost at most is unknown, so no budget can be kept; give its entry limits.max_tokens."
        in told
    )
    systems(url=gateway.url, name="nobody-knows")
    told = sentence(run("--systems", "m", "--budget", "5"), 1)
    assert "give its entry a price or limits.max_cost_usd." in told
    assert not gateway.asked


def test_a_status_that_does_not_exist(run: Run, tmp_path: Path) -> None:
    told = sentence(run("--retry-status", "filterd"), 2)
    assert told.startswith("Unknown status to be asked again 'filterd'; did you mean 'filtered'? Known: ")
    assert not (tmp_path / "s").exists()
