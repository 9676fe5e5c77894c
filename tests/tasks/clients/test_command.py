"""Programs as systems, with real processes: what they see, how they end, what they leave behind."""

import asyncio
import json
import os
import stat
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import psutil
import pytest

from schemas.errors import UsageError
from schemas.exchange import Attachment, Message, Reply, Request
from schemas.system import System
from tasks.clients import command, process

PROMPT = "Přečti fakturu: žluťoučký kůň {folder} {prompt}"


def system_of(*words: str, **changes: Any) -> System:
    options = {"command": list(words), **changes.pop("options", {})}
    entry: dict[str, Any] = {
        "id": "program",
        "name": "Program",
        "vendor": "ours",
        "family": "program",
        "client": "command",
        "suites": [],
        "inputs": ["text", "image"],
        "options": options,
        "limits": {"seconds": 60},
    }
    return System.model_validate({**entry, **changes})


def python(code: str, *words: str, **changes: Any) -> System:
    """A system that is a program in Python."""
    return system_of(sys.executable, "-c", code, *words, **changes)


def request_of(**changes: Any) -> Request:
    texts = changes.pop("attachments", ())
    asked = {"system_id": "program", "suite": "invoices", "case_id": "c1", "language": "cs"}
    return Request.model_validate(
        {**asked, "messages": (Message(role="user", text=PROMPT, attachments=texts),), **changes}
    )


def ask(system: System, request: Request | None = None) -> Reply:
    return asyncio.run(command.make(system).complete(request or request_of()))


def document(kind: str, data: bytes) -> Attachment:
    media = {"text": "text/plain", "image": "image/png"}[kind]
    return Attachment.model_validate({"kind": kind, "media_type": media, "sha256": "0" * 64, "data": data})


SEEN = """
import json, os, sys
print(json.dumps({
    "stdin": sys.stdin.buffer.read().decode(), "argv": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ),
    "files": {n: open(n, "rb").read().decode("latin-1") for n in sorted(os.listdir())},
    "modes": {n: oct(os.stat(n).st_mode & 0o777) for n in [".", *sorted(os.listdir())]},
}))
"""


def test_the_program_sees_the_request_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder, standard input, the filled-in command line, a cleared environment; all gone afterwards."""
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "a secret of this process")
    monkeypatch.setenv("ACME_REGION", "Plzeň")
    system = python(SEEN, "--in={folder}/document.txt", "{prompt}", options={"env": ["ACME_REGION"]})
    documents = (document("text", "Faktura č. 7".encode()), document("image", b"\x89PNG\xff"), document("text", b"two"))
    reply = ask(system, request_of(attachments=documents, answer_schema={"type": "object", "title": "Dodavatel ř"}))
    assert reply.status == "ok", reply
    seen = json.loads(reply.text)
    assert seen["stdin"] == PROMPT
    assert seen["argv"] == [f"--in={seen['cwd']}/document.txt", PROMPT]  # braces inside the prompt stay as they are
    files = {name: content.encode("latin-1") for name, content in seen["files"].items()}
    assert files.pop("prompt.md").decode() == PROMPT
    assert json.loads(files.pop("schema.json")) == {"type": "object", "title": "Dodavatel ř"}
    assert files == {
        "document.txt": "Faktura č. 7".encode(),
        "document.png": b"\x89PNG\xff",
        "document-2.txt": b"two",
    }
    modes = seen["modes"]
    assert {modes.pop(".")} == {oct(stat.S_IRUSR | stat.S_IXUSR)}
    assert set(modes.values()) == {oct(stat.S_IRUSR)}
    assert seen["env"].pop("HOME") == seen["cwd"]
    assert seen["env"].pop("PATH") == os.environ["PATH"]
    assert seen["env"].pop("ACME_REGION") == "Plzeň"
    assert set(seen["env"]) <= {"LANG", "LC_CTYPE"}  # Python itself adds LC_CTYPE where LANG is C
    assert not Path(seen["cwd"]).exists()


def test_a_conversation_is_told_turn_by_turn() -> None:
    turns = (
        Message(role="user", text="Ahoj."),
        Message(role="assistant", text="Dobrý den."),
        Message(role="user", text="Kolik je hodin?"),
    )
    reply = ask(system_of("cat"), request_of(messages=turns))
    assert reply.text == "## user\n\nAhoj.\n\n## assistant\n\nDobrý den.\n\n## user\n\nKolik je hodin?"


def test_the_answer_is_standard_output_as_it_is() -> None:
    reply = ask(python("import sys; sys.stderr.write('warming up'); print('  Pekařství\\n\\nVrána\\n')"))
    assert (reply.status, reply.text) == ("ok", "  Pekařství\n\nVrána")
    assert (reply.cost_usd, reply.fault, reply.error) == (Decimal(0), None, None)
    assert reply.provider == Path(sys.executable).name


def test_an_answer_inside_json() -> None:
    code = "import json; print(json.dumps({'turns': [{'said': {'město': 'Plzeň'}}], 'half': '\\ud800'}))"
    assert json.loads(ask(python(code, options={"answer": "turns.0.said"})).text) == {"město": "Plzeň"}
    assert ask(python(code, options={"answer": "half"})).text.encode() == b"?"
    gone = ask(python(code, options={"answer": "turns.1.said"}))
    assert (gone.status, gone.fault) == ("api_error", "server")
    assert "turns.1.said" in (gone.error or "")
    prose = ask(python("print('Sorry, try later.')", options={"answer": "said"}))
    assert (prose.status, prose.fault) == ("api_error", "server")
    assert "Sorry, try later." in (prose.error or "")


def test_an_exit_code_is_an_error_with_the_last_line_of_what_went_wrong() -> None:
    code = (
        "import sys; print('half an answer'); sys.stderr.write('first\\n' * 9999 + 'out of quota\\n\\n'); sys.exit(3)"
    )
    reply = ask(python(code))
    assert (reply.status, reply.fault, reply.text) == ("api_error", "server", "")
    assert (reply.error or "").endswith("exit code 3: out of quota")
    killed = ask(python("import os; os.kill(os.getpid(), 9)"))
    assert (killed.status, killed.fault) == ("api_error", "server")
    assert "signal 9" in (killed.error or "")


LINGERING = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(str(child.pid))
print("done", flush=True)
time.sleep(float(sys.argv[2]))
"""


def is_gone(pid: int) -> bool:
    for _ in range(500):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


def test_the_time_limit_ends_the_program_and_what_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    reply = ask(python(LINGERING, str(note), "600", limits={"seconds": 1.5}))
    assert (reply.status, reply.fault, reply.text) == ("timeout", "timeout", "")
    assert "1.5 s" in (reply.error or "")
    assert 1500 <= reply.latency_ms < 60_000
    assert is_gone(int(note.read_text(encoding="utf-8")))


def test_what_a_program_leaves_behind_neither_holds_up_the_answer_nor_stays(tmp_path: Path) -> None:
    """Its child holds standard output open for ten minutes; the time limit would pass first."""
    note = tmp_path / "pid"
    reply = ask(python(LINGERING, str(note), "0", limits={"seconds": 60}))
    assert (reply.status, reply.text) == ("ok", "done")
    assert is_gone(int(note.read_text(encoding="utf-8")))


def test_a_process_that_set_itself_free_does_not_hold_up_the_answer(tmp_path: Path) -> None:
    """It has left the group and holds the pipes; nobody waits for it."""
    note = tmp_path / "pid"
    free = LINGERING.replace('time.sleep(600)"]', 'time.sleep(600)"], start_new_session=True')
    reply = ask(python(free, str(note), "0", limits={"seconds": 60}))
    psutil.Process(int(note.read_text(encoding="utf-8"))).kill()
    assert (reply.status, reply.text) == ("ok", "done")
    assert reply.latency_ms < 60_000


def test_a_cancelled_call_leaves_no_process(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    async def cancel() -> None:
        call = asyncio.ensure_future(command.make(python(LINGERING, str(note), "600")).complete(request_of()))
        while not (note.exists() and note.read_text(encoding="utf-8")):
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(cancel())
    assert is_gone(int(note.read_text(encoding="utf-8")))


def test_endless_output_is_cut_at_the_limit() -> None:
    code = "import sys\nwhile True: sys.stdout.write('ab' * 5000)"
    reply = ask(python(code))
    assert (reply.status, reply.finish_reason) == ("truncated", "length")
    assert reply.text == "ab" * (process.MOST_BYTES // 2)
    whole = ask(python(f"import sys; sys.stdout.write('a' * {process.MOST_BYTES})"))
    assert (whole.status, len(whole.text)) == ("ok", process.MOST_BYTES)


def test_a_flood_of_errors_and_an_unread_prompt_block_nothing() -> None:
    """Both pipes are full of more than they hold; the program reads nothing of its input."""
    code = "import sys; sys.stderr.write('x' * 5_000_000); sys.stdin.close(); print('ok')"
    long = request_of(messages=(Message(role="user", text="ž" * 1_000_000),))
    reply = ask(python(code), long)
    assert (reply.status, reply.text) == ("ok", "ok")


def test_a_prompt_that_no_command_line_takes() -> None:
    for text in ("ž" * 1_000_000, "a\0b"):
        reply = ask(system_of("echo", "{prompt}"), request_of(messages=(Message(role="user", text=text),)))
        assert (reply.status, reply.fault) == ("api_error", "request")


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    reply = ask(system_of("no-such-program"))
    assert (reply.status, reply.fault) == ("api_error", "gone")
    assert "no-such-program" in (command.missing(system_of("no-such-program")) or "")
    assert "full path" in (command.missing(system_of("./tool")) or "")
    script = tmp_path / "tool"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    assert "cannot be run" in (command.missing(system_of(str(script))) or "")
    script.chmod(0o700)
    assert command.missing(system_of(str(script))) is None


def test_the_key_is_passed_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """M-3: neither text nor error holds the key, also where the program repeats it, whole or in part."""
    key = "sk-tajny-0123456789"
    assert "ACME_API_KEY" in (command.missing(python("", key_env="ACME_API_KEY")) or "")
    assert "ACME_TOKEN" in (command.missing(python("", options={"env": ["ACME_TOKEN"]})) or "")
    monkeypatch.setenv("ACME_API_KEY", key)
    monkeypatch.setenv("ACME_TOKEN", key[::-1])
    assert command.missing(python("", key_env="ACME_API_KEY")) is None
    options = {"env": ["ACME_TOKEN"]}
    told = ask(
        python(
            "import os; print(os.environ['ACME_API_KEY'], os.environ['ACME_TOKEN'])",
            key_env="ACME_API_KEY",
            options=options,
        )
    )
    assert told.text == "[key] [key]"
    code = "import os, sys; sys.exit('refused: ' + os.environ['ACME_API_KEY'][:12] + '… ' + os.environ['ACME_API_KEY'])"
    refused = ask(python(code, key_env="ACME_API_KEY"))
    assert (refused.error or "").endswith("refused: [key] [key]")


def test_the_version_is_that_of_the_command_and_of_what_it_says(tmp_path: Path) -> None:
    """M-4: a new version is asked anew."""
    said = tmp_path / "version"
    said.write_text("acme 1.3\n", encoding="utf-8")
    options = {"version_command": ["cat", str(said)]}
    first = command.make(system_of("cat", options=options))
    assert command.make(system_of("cat", options=options)).version == first.version
    assert asyncio.run(first.complete(request_of())).provider == "cat acme 1.3"
    said.write_text("acme 1.4\n", encoding="utf-8")
    versions = {
        first.version,
        command.make(system_of("cat", options=options)).version,
        command.make(system_of("cat")).version,
        command.make(system_of("cat", "-")).version,
    }
    assert len(versions) == 4
    for wrong in (["cat", str(tmp_path / "none")], ["no-such-program"]):
        with pytest.raises(UsageError, match=r"'program', options.version_command"):
            command.make(system_of("cat", options={"version_command": wrong}))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"command": []}, "options.command"),
        ({"command": ["cat"], "anser": "a"}, "options.anser"),
        ({}, "it is missing"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], words: str) -> None:
    system = system_of("cat").model_copy(update={"options": options})
    with pytest.raises(UsageError, match=words):
        command.make(system)


@pytest.mark.parametrize("seconds", [0, -1, "ten", True])
def test_a_wrong_time_limit_is_named(seconds: Any) -> None:
    with pytest.raises(UsageError, match=r"limits\.seconds"):
        command.make(system_of("cat", limits={"seconds": seconds}))


def test_many_at_once_from_a_thread_that_is_not_the_main_one() -> None:
    """Calls run on the asking loop, which has a thread of its own."""
    replies: list[Reply] = []

    async def all_of_them() -> None:
        client = command.make(system_of("cat", "prompt.md"))
        replies.extend(await asyncio.gather(*(client.complete(request_of()) for _ in range(12))))

    thread = threading.Thread(target=lambda: asyncio.run(all_of_them()))
    thread.start()
    thread.join()
    assert [reply.text for reply in replies] == [PROMPT] * 12
