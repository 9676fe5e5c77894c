"""The course of a draft from source to approved case, step by step, each step followed by a person's decision (L-4).

All that happened stands in the store in order (`datasets/drafts.py`); what comes next follows from that record alone. So a run that is
retried, resumed or killed anywhere goes on where the record ends, and neither a model nor a person is asked the same again (M-4).

| last entry of the record | what comes next |
|---|---|
| none | step `facts` is made |
| a version | a person decides |
| a decision that was not taken | the person decides again, and is told why |
| change | the same step is made anew, by the model or from the corrected text, checked, and shown again |
| approve | the next step; after `check` the case is written into the store |
| refuse | the end; nothing is written |
"""

import difflib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal

from prefect import task

from datasets import drafts as shelf
from datasets.drafts import form_words as form_words
from datasets.store import Store
from schemas.drafts import Choice, Closed, Decision, DraftOrder, Step, ToDecide, ToMake, Version
from schemas.errors import StageError, UsageError
from schemas.legal import Area, Category, LegalCase, State
from schemas.marked import parse
from tasks.ask import why_missing
from tasks.choose import find_system
from tasks.draft_steps import make_step, read_case, stamped, tidied
from tasks.drafting import Table
from tasks.progress import advance, begin

LOG = logging.getLogger("zkusebna.drafts")

AFTER: dict[Step, Step] = {"facts": "case", "case": "check"}
STATES: dict[Step, State] = {"facts": "draft", "case": "reviewed", "check": "approved"}
"""What a person's approval of a step makes of the case (L-4)."""


def open_draft(
    root: str, source: str, source_file: str, area: Area, category: Category, law_as_of: date, system: str
) -> str:
    """Open the draft of a case, or find that of the same order; returns its id. UsageError for what a person gave wrongly."""
    store = Store.open(root)
    if bool(source.strip()) == bool(source_file):
        raise UsageError("Either `source`, a text, or `source_file`, a file in the inbox of the store, was expected.")
    text = source if source.strip() else shelf.read_source(store, source_file)
    if not text.strip():
        raise UsageError(f"The source {source_file!r} is empty; a text was expected.")
    if reason := why_missing(find_system(system)):
        raise UsageError(f"{system!r} cannot run here: {reason}.")
    order = DraftOrder(source=text, area=area, category=category, law_as_of=law_as_of, system=system)
    shelf.keep_order(store, order)
    return order.id


def where(root: str, draft: str) -> ToMake | ToDecide | Closed:
    """What comes next in a draft."""
    entries = shelf.record(Store.open(root), draft)
    versions = [entry for entry in entries if isinstance(entry, Version)]
    if not versions:
        return ToMake(step="facts")
    last, version = entries[-1], versions[-1]
    if isinstance(last, Version) or last.problem:
        told = last.problem if isinstance(last, Decision) else ""
        return ToDecide(version=version, number=last.number + 1, told=told, before=_before(entries, version))
    if last.choice == "refuse":
        return Closed(draft=draft, is_approved=False, who=last.who, reason=last.reason)
    if last.choice == "change":
        if last.text:
            return ToMake(step=last.step, text=last.text, author=last.who)
        return ToMake(step=last.step, text=version.text, wish=last.reason)
    if last.step in AFTER:
        return ToMake(step=AFTER[last.step], text=last.text)
    return Closed(draft=draft, is_approved=True, who=last.who, reason=last.reason)


def _before(entries: Sequence[shelf.Entry], version: Version) -> str:
    """What a person saw, or approved, before a version of the same text; empty where there is none."""
    above = [entry for entry in entries if entry.number < version.number]
    same = [entry.text for entry in above if isinstance(entry, Version) and entry.step == version.step]
    approved = [
        entry.text for entry in above if isinstance(entry, Decision) and entry.choice == "approve" and not entry.problem
    ]
    return same[-1] if same else approved[-1] if approved and version.step == "check" else ""


@task(name="draft", task_run_name="draft {draft} {todo.step}")
def make_version(
    root: str, draft: str, todo: ToMake, judge: str = "", run_id: str = "", budget_usd: Decimal | None = None
) -> None:
    """Make the step that comes next and add it to the record; nothing happens where another run has made it.

    judge: the system that judges foil and reference answer where the case has no signals; empty: the one that drafts. budget_usd: what the draft may
    spend at most, with what it spent before; BudgetError before a call that could pass it (M-8).
    """
    store = Store.open(root)
    begin("draft", 1)
    with _alone(store, draft):
        if where(root, draft) != todo:
            return
        order, entries = shelf.load_order(store, draft), shelf.record(store, draft)
        facts = next((e.text for e in entries if isinstance(e, Decision) and _approves(e, "facts")), "")
        system = find_system(order.system)
        table = Table(root=root, draft=draft, step=todo.step, run_id=run_id, budget_usd=budget_usd)
        made = make_step(table, order, todo, facts, system, find_system(judge) if judge else system)
        number = len(entries) + 1
        version = Version(number=number, step=todo.step, run_id=run_id, made_at=datetime.now(UTC), **dict(made))
        shelf.append(store, draft, version)
    advance("draft")


def _approves(entry: Decision, step: Step) -> bool:
    return entry.step == step and entry.choice == "approve" and not entry.problem


def decide(
    root: str,
    draft: str,
    asked: ToDecide,
    choice: Choice,
    who: str,
    reason: str = "",
    corrected: str = "",
    run_id: str = "",
) -> None:
    """Record a person's decision, taken or not, with who and when; one about a version that is past changes nothing.

    reason: why it is refused, or what the model is to change. corrected: the version's text as the person changed it.
    """
    store = Store.open(root)
    with _alone(store, draft):
        if where(root, draft) != asked:
            LOG.warning(
                "Draft %s has moved on; the decision of %s about its entry %d is late.", draft, who, asked.number - 1
            )
            return
        now = datetime.now(UTC)
        text, state, problem = "", "draft", ""
        try:
            text, state = _weighed(store, asked.version, choice, who.strip(), reason.strip(), corrected, now.date())
        except UsageError as told:
            problem = str(told)
        decision = Decision(
            number=asked.number,
            step=asked.version.step,
            choice=choice,
            who=who.strip(),
            reason=reason.strip(),
            text=text or (corrected if problem else ""),
            state=state,
            problem=problem,
            run_id=run_id,
            decided_at=now,
        )
        shelf.append(store, draft, decision)


def _weighed(
    store: Store, version: Version, choice: Choice, who: str, reason: str, corrected: str, day: date
) -> tuple[str, State]:
    """The text that a decision takes, and its state; UsageError in one sentence for one that cannot be taken."""
    given = corrected.replace("\r\n", "\n").strip()
    is_edited = bool(given) and given != version.text.strip()
    if not who:
        raise UsageError("`who` is empty; the name of the person who decides was expected.")
    if choice == "refuse":
        if not reason:
            raise UsageError("`reason` is empty; a refusal says why.")
        return "", "draft"
    if choice == "change":
        if not (is_edited or reason):
            raise UsageError("Nothing is changed; a wish in `reason` or a corrected text in `corrected` was expected.")
        text, problems = tidied(store, version.step, given) if is_edited else ("", ())
        if problems:
            raise UsageError(_together(problems))
        return text, "draft"
    if is_edited:
        raise UsageError(
            "The text in `corrected` was changed; choose `change`, so that it is checked before it is approved."
        )
    if version.problems:
        raise UsageError(f"It cannot be approved as it is; change or refuse it. {_together(version.problems)}")
    return _approved(store, version, who, day), STATES[version.step]


def _together(problems: Sequence[str]) -> str:
    """The first of some problems, and how many more there are."""
    return problems[0] if len(problems) == 1 else f"{problems[0]} And {len(problems) - 1} more like it."


def _approved(store: Store, version: Version, who: str, day: date) -> str:
    if version.step == "facts":
        return version.text
    case, problems = read_case(store, version.text)
    if case is None:  # its id was taken meanwhile
        raise UsageError(_together(problems))
    return shelf.case_yaml(stamped(case, STATES[version.step], who, day))


def close_draft(root: str, closed: Closed) -> Closed:
    """End a draft: an approved case is written into the store, whole and once; a refused one stays in its record alone."""
    if not closed.is_approved:
        return closed
    store = Store.open(root)
    written = shelf.record(store, closed.draft)[-1].text.encode()
    case = parse(LegalCase, written, "case").model
    assert case is not None
    name = shelf.case_name(case.id)
    if store.exists(name) and store.get(name) != written:
        raise StageError(f"{name} in the store is another case by now; draft {closed.draft} was not written over it.")
    store.put(name, written)
    return closed.model_copy(update={"name": name})


def description(root: str, draft: str, asked: ToDecide) -> str:
    """What a person is shown when asked to decide, in Markdown: the text, what changed, what is wrong with it, how to answer."""
    version = asked.version
    now = shelf.folded(version.text)
    lines = difflib.unified_diff(shelf.folded(asked.before), now, n=1, lineterm="")  # its first two name files
    order = shelf.load_order(Store.open(root), draft)
    return shelf.words(
        "decision",
        **version.model_dump(include={"step", "problems", "author", "judged_by"}),
        text="\n".join(now),
        told=asked.told,
        difference="\n".join(list(lines)[2:]) if asked.before else "",
        source=order.source,
    ).text


@contextmanager
def _alone(store: Store, draft: str) -> Iterator[None]:
    """One writer a draft; whoever comes second waits (the lock goes with its process)."""
    with store.lock(f"drafts/{draft}/lock"):
        yield
