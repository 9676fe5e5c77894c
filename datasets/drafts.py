"""Drafts of cases at rest: the record of each in `drafts/<id>/`, the words to the models, and approved cases in `cases/legal/cz/`.

drafts/<id>/order.json            from what it is made
drafts/<id>/001-facts.json        what a step came to, or what a person decided, in the order in which it happened
drafts/<id>/002-decision.json
inbox/<file>                      sources that people put there
cases/legal/cz/<id>.yaml          approved cases, for `ZKUSEBNA_LEGAL_FOLDER`
cases/legal/cz/signals/<id>.yaml  by what the mechanical judge knows a case's statements, where somebody wrote them
"""

import textwrap
from typing import Any

import yaml

from datasets import legal
from datasets.legal_files import read_law
from datasets.prompts import Prompt, read_prompt
from datasets.store import Store
from schemas.drafts import Decision, DraftOrder, Version
from schemas.errors import StoreError, UsageError, nearest
from schemas.legal import LegalCase, Signals
from schemas.marked import parse

FOLDER = legal.FOLDER / "drafting"
JURISDICTION = legal.FOLDER.name
LANGUAGE = "cs"
HOME = f"cases/{legal.SUITE}/{JURISDICTION}"
INBOX = "inbox"

Entry = Version | Decision


def read_source(store: Store, name: str) -> str:
    """The text of a file in the inbox of the store; UsageError that names the nearest one where it is not there or cannot be read."""
    there = [n.removeprefix(f"{INBOX}/") for n in store.names(INBOX)]
    file = store.path(f"{INBOX}/{name}") if name in there else None
    if file is None or not file.resolve().is_relative_to(store.path(INBOX).resolve()):
        raise UsageError(f"There is no file {name!r} in the folder `{INBOX}` of the store{nearest(name, there)}")
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"The file {name!r} of the inbox cannot be read as text in UTF-8: {problem}.") from problem


def keep_order(store: Store, order: DraftOrder) -> None:
    """Open the record of a draft."""
    if not store.exists(f"drafts/{order.id}/order.json"):
        store.put(f"drafts/{order.id}/order.json", order.model_dump_json(indent=1).encode())


def load_order(store: Store, draft: str) -> DraftOrder:
    """The order of a draft; UsageError where there is no such draft."""
    try:
        return DraftOrder.model_validate_json(store.get(f"drafts/{draft}/order.json"))
    except FileNotFoundError as problem:
        raise UsageError(f"There is no draft {draft!r} in the store.") from problem


def record(store: Store, draft: str) -> list[Entry]:
    """All that happened to a draft, in order."""
    names = [n for n in store.names(f"drafts/{draft}", ".json") if not n.endswith("/order.json")]
    return [(Decision if n.endswith("-decision.json") else Version).model_validate_json(store.get(n)) for n in names]


def append(store: Store, draft: str, entry: Entry) -> None:
    """Add to the record of a draft; StoreError where its number is taken, since what is there is never changed."""
    if entry.number in {there.number for there in record(store, draft)}:
        raise StoreError(
            f"The entry {entry.number} of draft {draft!r} stands in its record already; it is not written over."
        )
    kind = entry.step if isinstance(entry, Version) else "decision"
    store.put(f"drafts/{draft}/{entry.number:03}-{kind}.json", entry.model_dump_json(indent=1).encode())


def words(name: str, **places: Any) -> Prompt:
    """A text to a model or a person with its places filled, and the version of its file."""
    from jinja2 import Environment, StrictUndefined

    found = read_prompt(name, LANGUAGE, FOLDER)
    # Plain text and Markdown, not HTML: nothing is escaped.
    environment = Environment(undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)
    return Prompt(text=environment.from_string(found.text).render(places).strip(), version=found.version)


def form_words() -> dict[str, dict[str, str]]:
    """How the fields of a person's form are called and explained: by field, `title` and `description`."""
    found: dict[str, dict[str, str]] = yaml.safe_load((FOLDER / f"form.{LANGUAGE}.yaml").read_text(encoding="utf-8"))
    return found


class _Dumper(yaml.SafeDumper):
    """Long texts as blocks, so that people can read and correct them."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    is_block = "\n" in value or len(value) > 80
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if is_block else None)


_Dumper.add_representer(str, _text)


def as_yaml(value: dict[str, Any]) -> str:
    """Plain values as YAML for people.

    >>> as_yaml({"id": "a", "facts": ["Žalobce podal žalobu."]})
    'id: a\\nfacts:\\n- Žalobce podal žalobu.\\n'
    """
    written: str = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10_000)
    return written


def folded(text: str, width: int = 62) -> list[str]:
    """The lines of a text as a narrow window can show them: long ones broken between words, the rest of each one step deeper.

    >>> folded("  jeden dva tři", 11)
    ['  jeden dva', '    tři']
    """
    found: list[str] = []
    for line in text.splitlines():
        deeper = line[: len(line) - len(line.lstrip())] + "  "
        found += textwrap.wrap(
            line, width, subsequent_indent=deeper, break_long_words=False, break_on_hyphens=False
        ) or [line]
    return found


def case_yaml(case: LegalCase) -> str:
    """A case as the text of its file; keys that have their default are left out, but for the state."""
    values = case.model_dump(exclude_defaults=True)
    return as_yaml(values)


def is_taken(store: Store, case_id: str) -> bool:
    """Whether a case with this id is in the set of the project or among the approved ones."""
    return store.exists(case_name(case_id)) or any(case.id == case_id for case in read_law(legal.FOLDER).cases)


def case_name(case_id: str) -> str:
    """Where an approved case stands in the store."""
    return f"{HOME}/{case_id}.yaml"


def signals_of(store: Store, case: LegalCase) -> tuple[Signals | None, tuple[str, ...]]:
    """The signals that somebody wrote for a case, and what is wrong with them; neither where there are none."""
    name = f"{HOME}/signals/{case.id}.yaml"
    if not store.exists(name):
        return None, ()
    found = parse(Signals, store.get(name), name)
    if found.model is None:
        return None, found.problems
    problems = found.tell(found.model.against(case))
    return (None if problems else found.model), problems
