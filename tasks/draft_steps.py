"""How each step of a draft is made: by a model's words, from a person's corrected text, and checked before anybody is asked to approve it (L-4)."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from datasets import drafts as shelf
from datasets.store import Store
from schemas.drafts import DRAFTED, DraftOrder, Facts, Step, ToMake, answer_schema
from schemas.exchange import Frozen
from schemas.legal import LegalCase, State
from schemas.marked import Flaw, parse
from schemas.system import System
from tasks.drafting import Table, ask_object, at_desk, judged

Whole = Mapping[str, Any]


class Result(Frozen):
    """What a step came to, without its place in the record."""

    text: str
    author: str
    problems: tuple[str, ...] = ()
    prompt_version: str = ""
    judged_by: str = ""


def read_facts(text: str) -> tuple[Facts | None, tuple[str, ...]]:
    """Step 1 as YAML, and what is wrong with it."""
    found = parse(Facts, text.encode(), "facts")
    return found.model, found.problems


def read_case(store: Store, text: str) -> tuple[LegalCase | None, tuple[str, ...]]:
    """A case as YAML, and what is wrong with it beside what its own keys say: an id that is taken, another country."""
    found = parse(LegalCase, text.encode(), "case")
    if found.model is None:
        return None, found.problems
    flaws = []
    if shelf.is_taken(store, found.model.id):
        flaws.append(Flaw(("id",), f"{found.model.id!r} is the id of another case already, expected one of its own"))
    for key, wanted in (("jurisdiction", shelf.JURISDICTION), ("language", shelf.LANGUAGE)):
        if getattr(found.model, key) != wanted:
            flaws.append(Flaw((key,), f"{getattr(found.model, key)!r} was found, expected {wanted!r}"))
    return (None if flaws else found.model), found.tell(flaws)


def tidied(store: Store, step: Step, text: str) -> tuple[str, tuple[str, ...]]:
    """A text as the project writes it, a case as a draft that nobody reviewed; and what is wrong with it, which leaves it as it is."""
    if step == "facts":
        facts, problems = read_facts(text)
        return (shelf.as_yaml(facts.model_dump()) if facts else text), problems
    case, problems = read_case(store, text)
    return (shelf.case_yaml(stamped(case, "draft")) if case else text), problems


def stamped(case: LegalCase, state: State, who: str | None = None, day: date | None = None) -> LegalCase:
    """A case in another state, with who and when (L-4)."""
    return LegalCase.model_validate({**dict(case), "state": state, "reviewed_by": who, "reviewed_on": day})


def make_step(table: Table, order: DraftOrder, todo: ToMake, facts: str, system: System, judge: System) -> Result:
    """Make the step that comes next; facts: step 1 as it was approved, for steps 2 and 3."""
    store = Store.open(table.root)
    if todo.author:
        result = Result(text=todo.text, author=todo.author)
    elif todo.wish:
        result = _revised(table, order, todo.text, (todo.wish,), facts, system)
    elif todo.step == "check":
        return _mended(table, order, Result(text=todo.text, author=order.system), facts, system, judge)
    else:
        result = _asked(table, system, *_task(order, todo.step, facts), base=_base(order, facts))
    if todo.step == "check":
        return _checked(table, result, judge)
    return result.model_copy(update={"problems": tidied(store, todo.step, result.text)[1]})


def _mended(table: Table, order: DraftOrder, before: Result, facts: str, system: System, judge: System) -> Result:
    """The reviewed case, checked; with one round of repair by the model where something is wrong with it."""
    checked = _checked(table, before, judge)
    if not checked.problems:
        return checked
    mended = _revised(table, order, before.text, checked.problems, facts, system)
    if read_case(Store.open(table.root), mended.text)[0] is None:
        return checked  # what cannot be read mends nothing
    return _checked(table, mended, judge)


def _checked(table: Table, result: Result, judge: System) -> Result:
    case, problems = read_case(Store.open(table.root), result.text)
    if case is None:
        return result.model_copy(update={"problems": problems})
    judged_by, told = judged(table, case, judge)
    return result.model_copy(update={"problems": tuple(told), "judged_by": judged_by})


def _task(order: DraftOrder, step: Step, facts: str) -> tuple[Step, str, str]:
    """The step as the model is asked for it: its kind, words and version."""
    kind: Step = "facts" if step == "facts" else "case"
    about = order.model_dump(include={"area", "category", "law_as_of", "source"})
    found = shelf.words(kind, **about, facts=facts)
    return kind, found.text, found.version


def _revised(table: Table, order: DraftOrder, text: str, wishes: tuple[str, ...], facts: str, system: System) -> Result:
    """A text changed by the model: by a person's wish, or by what a check found."""
    kind, task, version = _task(order, table.step, facts)
    found = shelf.words("revise", task=task, text=text, wishes=wishes)
    case = read_case(Store.open(table.root), text)[0] if kind == "case" else None
    base = stamped(case, "draft").model_dump(exclude_defaults=True) if case else _base(order, facts)
    return _asked(table, system, kind, found.text, f"{version} {found.version}", base=base)


def _base(order: DraftOrder, facts: str) -> Whole:
    """What of a case does not come from step 2."""
    known = read_facts(facts)[0]
    return {
        "version": "1.0",
        "jurisdiction": shelf.JURISDICTION,
        "language": shelf.LANGUAGE,
        **order.model_dump(include={"area", "category", "law_as_of"}),
        "state": "draft",
        "references": [dict(reference) for reference in known.references] if known else [],
    }


def _asked(table: Table, system: System, kind: Step, prompt: str, version: str, *, base: Whole) -> Result:
    """What a model made of a prompt, as YAML; asked once more where it breaks the format."""
    store = Store.open(table.root)
    fields = tuple(Facts.model_fields) if kind == "facts" else DRAFTED
    schema = answer_schema(Facts if kind == "facts" else LegalCase, fields)

    def written(value: Whole) -> str:
        given = {name: value[name] for name in fields if name in value}
        return shelf.as_yaml(given if kind == "facts" else _in_order({**base, **given}))

    def complain(value: dict[str, Any] | None) -> str | None:
        nothing = ("Není v ní jeden platný objekt JSON.",)
        problems = nothing if value is None else tidied(store, kind, written(value))[1]
        return shelf.words("again", problems=problems).text if problems else None

    value = at_desk(table, system, lambda desk: ask_object(desk, table, prompt, version, schema, complain))
    text, problems = tidied(store, kind, written(value))
    return Result(text=text, author=system.id, problems=problems, prompt_version=version)


def _in_order(case: Whole) -> dict[str, Any]:
    """The keys of a case in the order of its file."""
    return {name: case[name] for name in LegalCase.model_fields if name in case}
