"""The course of a draft: three steps through the door, a person's decision after each, nothing asked twice (L-4, M-4)."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from draft_support import CASE, FACTS, LEAK, ORDER, REFERENCE, WISHED, changed
from gateway_stub import Gateway
from hypothesis import given
from hypothesis import strategies as st
from legal_support import case_text

from datasets import drafts as shelf
from datasets.legal_files import read_own
from datasets.store import Store
from datasets.systems import load_systems
from datasets.tables import Place, read
from schemas.call import Call
from schemas.drafts import Choice, Closed, Decision, ToDecide, ToMake
from schemas.errors import BudgetError, StageError, StoreError, UsageError
from schemas.legal import LegalCase
from schemas.marked import parse
from tasks import attempts, budget, throttle
from tasks.attempts import SystemStoppedError
from tasks.drafts import close_draft, decide, description, make_version, open_draft, where


@pytest.fixture(scope="module")
def running() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


class Desk:
    """One draft in a store of its own, with a model of the gateway."""

    def __init__(self, root: Path, gateway: Gateway, systems: Path) -> None:
        self.root, self.gateway, self.systems = str(root / "store"), gateway, systems
        self.run_id, self.budget_usd, self.entry = "r1", None, {}  # type: str, Decimal | None, dict[str, Any]

    def open(self, model: str = "draft", **order: Any) -> "Desk":
        load_systems.cache_clear()
        self.system = f"m-{model}"
        entry = {
            "id": self.system,
            "name": "m",
            "vendor": "v",
            "family": "f",
            "client": "openai",
            "suites": [],
            "inputs": ["text"],
        }
        entry |= {
            "options": {"url": self.gateway.url, "model": f"stub/{model}"},
            "limits": {"seconds": 5, "at_once": 4},
        }
        self.systems.write_text(yaml.safe_dump([{**entry, **self.entry}]), encoding="utf-8")
        asked = {"source_file": "", **ORDER, "system": self.system, **order}
        self.draft = open_draft(self.root, **{**asked, "law_as_of": date.fromisoformat(asked["law_as_of"])})
        return self

    def go(self) -> ToDecide | Closed:
        """Make what comes next until a person is asked, or the draft is closed."""
        while isinstance(now := where(self.root, self.draft), ToMake):
            make_version.fn(self.root, self.draft, now, run_id=self.run_id, budget_usd=self.budget_usd)
        return close_draft(self.root, now) if isinstance(now, Closed) else now

    def say(self, choice: Choice, who: str = "Jana Nová", reason: str = "", corrected: str = "") -> ToDecide | Closed:
        now = self.go()
        assert isinstance(now, ToDecide)
        decide(self.root, self.draft, now, choice, who, reason, corrected, run_id="r1")
        return self.go()

    def asked(self) -> int:
        return len(self.gateway.asked)

    def files(self) -> list[str]:
        return [p.name for p in sorted(Path(self.root, "drafts", self.draft).glob("*.json"))]

    def calls(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = read(
            Store.open(self.root), Call, Place(suite="legal", edition=f"draft-{self.draft}", system=self.system)
        ).to_pylist()
        return found


@pytest.fixture
def desk(running: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    running.reset()
    throttle._THROTTLES.clear()
    monkeypatch.setattr(attempts, "LONGEST_WAIT_S", 0.05)
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "systems.yaml"))
    return Desk(tmp_path, running, tmp_path / "systems.yaml")


def told(now: ToDecide | Closed) -> str:
    assert isinstance(now, ToDecide)
    return now.told


def shown(now: ToDecide | Closed) -> dict[str, Any]:
    """The version that a person is asked about, read by YAML itself."""
    assert isinstance(now, ToDecide)
    found: dict[str, Any] = yaml.safe_load(now.version.text)
    return found


def test_three_approvals_make_a_case_with_who_and_when(desk: Desk) -> None:
    """L-4: draft, reviewed, approved; the file is a case that the loader of cases takes; every call is one of drafting, none twice."""
    now = desk.open().go()
    assert shown(now) == FACTS
    now = desk.say("approve", "Jana Nová")
    assert {**shown(now), "may_contain": []} == {
        **CASE, "version": "1.0", "jurisdiction": "cz", "language": "cs", "area": "labour", "category": "legislative-amendment",
        "law_as_of": date(2025, 5, 20), "state": "draft", "references": FACTS["references"],
        "must_not_contain": [{"id": "N1", "text": "Zkušební doba skončí po čtyřech měsících."}],
    }  # fmt: skip
    now = desk.say("approve", "Jana Nová")
    assert isinstance(now, ToDecide)
    assert (now.version.step, now.version.problems, now.version.judged_by) == ("check", (), "m-draft")
    assert (shown(now)["state"], shown(now)["reviewed_by"]) == ("reviewed", "Jana Nová")
    assert not Path(desk.root, "cases").exists()
    closed = desk.say("approve", "Petr Malý")
    assert isinstance(closed, Closed)
    assert (closed.is_approved, closed.name) == (True, "cases/legal/cz/zkusebni-doba-z-kvetna.yaml")

    law = read_own(Path(desk.root, "cases/legal/cz"), "cz")
    assert law.problems == ()
    (case,) = law.cases
    today = datetime.now(UTC).date()
    assert (case.state, case.reviewed_by, case.reviewed_on) == ("approved", "Petr Malý", today)
    assert case.reference == REFERENCE
    kinds = ["001-facts", "002-decision", "003-case", "004-decision", "005-check", "006-decision", "order"]
    assert desk.files() == [f"{kind}.json" for kind in kinds]
    decision = json.loads(Path(desk.root, "drafts", desk.draft, "006-decision.json").read_text())
    assert (decision["who"], decision["choice"], decision["decided_at"][:10]) == ("Petr Malý", "approve", str(today))

    calls = desk.calls()
    assert (
        len(calls) == desk.asked() == len({c["request_hash"] for c in calls}) == 6
    )  # two drafts; two statements of two texts
    assert {c["purpose"] for c in calls} == {"draft"}
    assert desk.gateway.server.ledger.shown()["answered_twice"] == 0


def test_a_step_that_was_lost_is_made_again_without_a_call(desk: Desk) -> None:
    """M-4: what was answered is known by the request; so a run that was killed before it wrote the step down pays nothing twice."""
    desk.open().go()
    desk.say("approve")
    desk.say("approve")
    asked = desk.asked()
    for name in ("005-check.json", "004-decision.json", "003-case.json", "002-decision.json", "001-facts.json"):
        path = Path(desk.root, "drafts", desk.draft, name)
        before = json.loads(path.read_text())
        path.unlink()
        if "decision" not in name:
            now = desk.go()
            assert isinstance(now, ToDecide)
            assert (now.version.text, now.version.problems) == (before["text"], tuple(before["problems"]))
            path.unlink()
    assert desk.asked() == asked


def test_a_stop_between_reply_and_record_costs_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open()
    with monkeypatch.context() as patch:
        patch.setattr(shelf, "append", lambda *_: (_ for _ in ()).throw(OSError("stopped")))
        with pytest.raises(OSError, match="stopped"):
            desk.go()
    assert (desk.files(), desk.asked()) == (["order.json"], 1)
    assert shown(desk.go()) == FACTS
    assert desk.asked() == 1


def test_a_refused_draft_is_kept_with_its_reason_and_nothing_else(desk: Desk) -> None:
    desk.open().go()
    desk.say("approve")
    closed = desk.say("refuse", "Petr Malý", "Novela se vykládá jinak.")
    assert closed == Closed(draft=desk.draft, is_approved=False, who="Petr Malý", reason="Novela se vykládá jinak.")
    assert not Path(desk.root, "cases").exists()
    asked = desk.asked()
    assert desk.open().go() == closed
    assert desk.asked() == asked


@pytest.mark.parametrize(
    ("choice", "who", "reason", "corrected", "sentence"),
    [
        ("approve", " ", "", "", "`who` is empty; the name of the person who decides was expected."),
        ("refuse", "J", " ", "", "`reason` is empty; a refusal says why."),
        ("change", "J", "", "as shown", "Nothing is changed; a wish in `reason` or a corrected text in `corrected` was expected."),
        ("approve", "J", "", "facts: []", "The text in `corrected` was changed; choose `change`, so that it is checked before it is approved."),
        ("change", "J", "", "facts: [Ano.\n", "facts, line 1: it is no YAML: "),
        ("change", "J", "", "facts: [Ano.]\ngeneral_rule: a\nexceptions: b\nreferences: []", "facts, line 1: exception: it is missing; "
         "expected: what makes the general rule wrong here. And 2 more like it."),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_told_in_a_sentence_and_asked_again(
    desk: Desk, choice: Choice, who: str, reason: str, corrected: str, sentence: str
) -> None:
    now = desk.open().go()
    assert isinstance(now, ToDecide)
    again = desk.say(
        choice, who, reason, now.version.text.replace("\n", "\r\n") if corrected == "as shown" else corrected
    )
    assert isinstance(again, ToDecide)
    assert again.told.startswith(sentence) if sentence.endswith(": ") else again.told == sentence
    assert (again.version, again.number) == (now.version, now.number + 1)
    assert sentence[:20] in description(desk.root, desk.draft, again)
    assert desk.asked() == 1
    assert isinstance(desk.say("approve"), ToDecide)


def test_a_corrected_case_is_checked_and_shown_again_before_it_counts(desk: Desk) -> None:
    desk.open().go()
    desk.say("approve")
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    asked = desk.asked()
    leaking = now.version.text.replace("Kdy mi to skončí?", "Kdy mi to skončí podle § 35?")
    bad = desk.say("change", "Petr Malý", corrected=leaking)
    assert isinstance(bad, ToDecide)
    assert bad.version.author == "Petr Malý"
    assert "holds the citation '§ 35'" in bad.version.problems[0]
    assert (
        desk.asked() == asked + 4
    )  # another question: two statements of two texts are judged anew, nothing is drafted
    assert told(desk.say("approve")).startswith(
        "It cannot be approved as it is; change or refuse it. The question holds"
    )
    good = desk.say("change", "Petr Malý", corrected=leaking.replace("podle § 35?", "v práci?"))
    assert isinstance(good, ToDecide)
    assert (good.version.problems, shown(good)["state"]) == ((), "draft")
    assert isinstance(desk.say("approve", "Petr Malý"), Closed)
    (case,) = read_own(Path(desk.root, "cases/legal/cz"), "cz").cases
    assert case.question.endswith("Kdy mi to skončí v práci?")


def test_a_wish_goes_to_the_model_with_the_text_and_is_shown_with_what_changed(desk: Desk) -> None:
    desk.open().go()
    desk.say("approve")
    now = desk.say("change", reason="Ať je to z knihovny.")
    assert shown(now)["question"] == WISHED
    assert isinstance(now, ToDecide)
    words = desk.gateway.asked[-1].request["messages"][0]["content"]
    assert "Ať je to z knihovny." in words
    assert CASE["question"] in words
    page = description(desk.root, desk.draft, now)
    assert "nastoupila do knihovny" in changed(page, "+")
    assert "nastoupila do kanceláře" in changed(page, "-")


def test_a_leak_is_mended_by_one_round(desk: Desk) -> None:
    desk.open("draft-leaks").go()
    now = desk.say("approve")
    assert shown(now)["question"] == LEAK
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert (now.version.problems, shown(now)["question"], shown(now)["state"]) == ((), CASE["question"], "draft")
    prompts = [asked.request["messages"][0]["content"] for asked in desk.gateway.asked]
    assert len([words for words in prompts if "holds the citation '§ 35'" in words]) == 1
    assert "Podle § 35" in changed(description(desk.root, desk.draft, now), "-")


def test_what_one_round_does_not_mend_stands_and_cannot_be_approved(desk: Desk) -> None:
    desk.open("draft-leaks-on").go()
    desk.say("approve")
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert "holds the citation '§ 35'" in now.version.problems[0]
    revisions = [a for a in desk.gateway.asked if "## Dosavadní návrh" in a.request["messages"][0]["content"]]
    assert len(revisions) == 1
    assert told(desk.say("approve")).startswith("It cannot be approved as it is")
    assert not Path(desk.root, "cases").exists()


def test_a_reply_that_breaks_the_format_is_asked_for_once_more(desk: Desk) -> None:
    """M-2: told what is wrong, with the line that a person would see."""
    desk.open("draft-broken").go()
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert now.version.problems == ()
    last = desk.gateway.asked[-1].request["messages"]
    assert [m["role"] for m in last] == ["user", "assistant", "user"]
    assert "one statement at least was expected to have `key_exception: true`" in last[-1]["content"]


def test_a_format_that_stays_broken_is_shown_and_waits_for_a_correction(desk: Desk) -> None:
    desk.open("draft-broken-on").go()
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert "`key_exception: true`" in now.version.problems[0]
    assert told(desk.say("approve")).startswith("It cannot be approved as it is")
    mended = now.version.text.replace("key_exception: false", "key_exception: true", 1)
    assert isinstance(desk.say("change", corrected=mended), ToDecide)
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert now.version.step == "check"


def test_signals_of_a_case_are_used_instead_of_a_model(desk: Desk) -> None:
    signals = {
        "case": CASE["id"],
        "rules": {"M1": {"all": [["tři měsíc", "třech měsících"]]}, "N1": {"all": [["čtyřech měsících"]]}},
    }
    Store.open(desk.root).put(
        f"cases/legal/cz/signals/{CASE['id']}.yaml", yaml.safe_dump(signals, allow_unicode=True).encode()
    )
    desk.open().go()
    desk.say("approve")
    asked = desk.asked()
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert (now.version.judged_by, now.version.problems, desk.asked()) == ("signals", (), asked)


def test_an_id_that_is_taken_is_told(desk: Desk) -> None:
    text = case_text(CASE["id"])
    Store.open(desk.root).put(f"cases/legal/cz/{CASE['id']}.yaml", text.encode())
    desk.open().go()
    now = desk.say("approve")
    assert isinstance(now, ToDecide)
    assert now.version.problems == (
        "case, line 1: id: 'zkusebni-doba-z-kvetna' is the id of another case already, expected one of its own.",
    )


def test_a_decision_about_a_past_version_changes_nothing(desk: Desk) -> None:
    """Two runs of one draft: the second answer comes too late."""
    first = desk.open().go()
    assert isinstance(first, ToDecide)
    desk.say("approve")
    now = where(desk.root, desk.draft)
    decide(desk.root, desk.draft, first, "refuse", "Kdo", "Pozdě.")
    assert where(desk.root, desk.draft) == now
    (version,) = [e for e in shelf.record(Store.open(desk.root), desk.draft) if e.number == 2]
    assert isinstance(version, Decision)
    assert version.choice == "approve"
    with pytest.raises(StoreError, match=r"entry 2 of draft .* stands in its record already"):
        shelf.append(Store.open(desk.root), desk.draft, version)
    assert desk.files() == ["001-facts.json", "002-decision.json", "003-case.json", "order.json"]


def test_a_system_that_stops_is_told_and_the_next_run_goes_on(desk: Desk) -> None:
    with pytest.raises(SystemStoppedError, match="m-credits: "):
        desk.open("credits").go()
    assert desk.files() == ["order.json"]
    with pytest.raises(StageError, match=r"m-empty could not be asked for the step 'facts' of a draft \(filtered"):
        desk.open("empty").go()


PRICED = {
    "price": {"usd_per_million_in": 0.5, "usd_per_million_out": 1.5},
    "limits": {"seconds": 5, "at_once": 4, "max_tokens": 1000},
}


def paid(desk: Desk) -> Decimal:
    return sum((call["cost_usd"] for call in desk.calls()), Decimal(0)) if desk.asked() else Decimal(0)


def until_the_end_or_the_budget(desk: Desk) -> bool:
    """Approve whatever comes; whether the end was reached."""
    try:
        while isinstance(desk.go(), ToDecide):
            desk.say("approve")
    except BudgetError:
        return False
    return True


@pytest.mark.parametrize("usd", ["0", "0.0030", "0.0040", "0.0050", "0.0070", "0.1"])
def test_a_draft_never_passes_its_budget_and_goes_on_with_a_higher_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, usd: str
) -> None:
    """M-8; then all of it is done without a call that was answered before."""
    monkeypatch.setattr(budget, "_BUDGETS", {})
    desk.entry, desk.budget_usd = PRICED, Decimal(usd)
    is_done = until_the_end_or_the_budget(desk.open())
    assert paid(desk) <= Decimal(usd)
    assert is_done == (usd == "0.1")
    assert (desk.asked() == 0) == (usd == "0")
    desk.run_id, desk.budget_usd = "r2", Decimal(1)
    assert until_the_end_or_the_budget(desk)
    ledger = desk.gateway.server.ledger.shown()
    assert (ledger["answered"], ledger["answered_twice"]) == (6, 0)
    assert len(desk.calls()) == 6


def test_what_a_draft_spent_before_it_waited_counts_after_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each resumed run is a process of its own, which has seen nothing paid: the limit is that of the draft."""
    monkeypatch.setattr(budget, "_BUDGETS", {})
    desk.entry, desk.budget_usd = PRICED, Decimal("0.0040")
    now = desk.open().go()
    assert isinstance(now, ToDecide)
    first = paid(desk)
    assert 0 < first < Decimal("0.0010")
    budget._BUDGETS.clear()
    desk.budget_usd = first + Decimal("0.0020")  # more than step 1 cost, less than that and a call of step 2 at most
    with pytest.raises(BudgetError, match=rf"for the draft does not allow the next call \(spent {first}"):
        desk.say("approve")
    assert (desk.asked(), paid(desk)) == (1, first)
    assert desk.files() == ["001-facts.json", "002-decision.json", "order.json"]


def test_a_model_whose_price_is_unknown_keeps_no_budget(desk: Desk) -> None:
    desk.budget_usd = Decimal(1)
    desk.run_id = "r-unknown"
    with pytest.raises(BudgetError, match=r"'m-draft' can cost at most is unknown, so no budget can be kept"):
        desk.open().go()
    assert desk.asked() == 0


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ({"source": ""}, "Either `source`, a text, or `source_file`"),
        ({"source_file": "a.txt"}, "Either `source`, a text, or `source_file`"),
        (
            {"source": "", "source_file": "clanek.txt"},
            r"no file 'clanek.txt' in the folder `inbox` .* did you mean 'clánek.txt'",
        ),
        ({"source": "", "source_file": "../zkusebna.json"}, r"There is no file '../zkusebna.json'"),
        ({"source": "", "source_file": "latin.txt"}, "cannot be read as text in UTF-8"),
        ({"source": "", "source_file": "empty.txt"}, "The source 'empty.txt' is empty"),
    ],
)
def test_a_wrong_order_is_told(desk: Desk, order: dict[str, Any], sentence: str) -> None:
    store = Store.open(desk.root)
    files = {"clánek.txt": b"Text.", "latin.txt": "Příliš".encode("latin2"), "empty.txt": b" \n"}
    for name, data in files.items():
        store.put(f"inbox/{name}", data)
    with pytest.raises(UsageError, match=sentence):
        desk.open(**order)


def test_a_source_from_the_inbox_is_the_same_draft_as_its_text(desk: Desk) -> None:
    Store.open(desk.root).put("inbox/zdroj.txt", ORDER["source"].encode())
    by_text = desk.open().draft
    assert desk.open(source="", source_file="zdroj.txt").draft == by_text


texts = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")) | st.sampled_from("\n\u00a0:#|>-'\"§"), min_size=1).map(
    str.strip
).filter(bool)  # fmt: skip


@given(texts, texts, texts)
def test_a_case_written_as_yaml_reads_back_the_same(question: str, foil: str, statement: str) -> None:
    case = parse(LegalCase, case_text().encode(), "a").model
    assert case is not None
    rules = (case.must_contain[0].model_copy(update={"text": statement}),)
    changed = LegalCase.model_validate({**dict(case), "question": question, "foil": foil, "must_contain": rules})
    assert parse(LegalCase, shelf.case_yaml(changed).encode(), "a").model == changed


def test_prompts_have_no_unfilled_place() -> None:
    """Every place of a prompt is filled by the step that uses it; an unknown one would raise."""
    order = {**ORDER, "law_as_of": date(2025, 5, 20)}
    filled: list[Callable[[], Any]] = [
        lambda: shelf.words("facts", **order),
        lambda: shelf.words("case", **order, facts="x"),
        lambda: shelf.words("revise", task="x", text="y", wishes=["z"]),
        lambda: shelf.words("again", problems=["x"]),
    ]
    for fill in filled:
        assert "{{" not in fill().text
