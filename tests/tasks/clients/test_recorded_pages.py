"""Recorded pages from a folder of HTML files, or from a file with trials: what is wrong is told, the rest is taken."""

import asyncio
from pathlib import Path

import pytest

from schemas.errors import UsageError
from schemas.exchange import Message, Request
from schemas.system import System
from tasks.clients.recorded import RecordedClient, read_recording


def client(path: Path) -> RecordedClient:
    entry = {
        "id": "x",
        "name": "x",
        "vendor": "v",
        "family": "f",
        "client": "recorded",
        "suites": [],
        "inputs": ["text"],
    }
    return RecordedClient(System.model_validate({**entry, "options": {"file": str(path)}}))


def said(one: RecordedClient, case_id: str, trial: int) -> str:
    request = Request(
        system_id="x", suite="artifacts", case_id=case_id, language="cs", trial=trial, messages=(Message(role="user", text="?"),)
    )  # fmt: skip
    return asyncio.run(one.complete(request)).text


def test_pages_by_name_and_trial(tmp_path: Path) -> None:
    for name in ("had.html", "had.2.html", "had.4.html", "ukoly.htm", "Big Name.html", "styl.css", ".hidden"):
        (tmp_path / name).write_text(f"<p>{name}</p>", encoding="utf-8")
    (tmp_path / "quiz.html").mkdir()
    one = client(tmp_path)
    assert [one.trials(case) for case in ("had", "ukoly", "quiz", "other")] == [2, 1, 0, 0]
    assert one.answers("had")
    assert not one.answers("quiz")
    assert (said(one, "had", 1), said(one, "had", 2)) == ("<p>had.html</p>", "<p>had.2.html</p>")
    assert one.problems(["had"]) == [
        "Big Name.html: a page named as `<case>.html` or `<case>.2.html` was expected",
        "quiz.html: a page named as `<case>.html` or `<case>.2.html` was expected",
        "styl.css: a page named as `<case>.html` or `<case>.2.html` was expected",
        "trial 4 of 'had' is left out: there is no trial 3",
        "1 answers are to unknown cases, e.g. 'ukoly'",
    ]


def test_the_version_follows_names_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "had.html").write_bytes(b"<p>\xff</p>")
    first = read_recording(tmp_path).version
    assert read_recording(tmp_path).version == first
    (tmp_path / "had.html").write_bytes(b"<p>x</p>")
    second = read_recording(tmp_path).version
    (tmp_path / "had.html").rename(tmp_path / "ukoly.html")
    assert len({first, second, read_recording(tmp_path).version}) == 3


def test_a_folder_without_a_page_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no page; pages are named as `<case>\.html`"):
        read_recording(tmp_path)


def test_lines_may_say_their_trial(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    lines = [
        '{"case_id": "had", "text": "a"}',
        '{"case_id": "had", "trial": 2, "text": "b"}',
        '{"case_id": "had", "trial": 0, "text": "c"}',
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    one = client(file)
    assert one.trials("had") == 2
    assert said(one, "had", 2) == "b"
    (told,) = one.problems(["had"])
    assert told.startswith("line 3: expected")
