"""`build_legal_case`: a case of law from a source text, in three steps, each of which a person approves (L-4).

The run is suspended while it waits: no process is alive, nothing costs anything, and the server may be restarted. Resuming runs this
body again from its beginning; what was made and decided stands in the store, so it goes on behind it.
"""

from datetime import date
from decimal import Decimal
from typing import Any

from prefect import flow, suspend_flow_run
from prefect.input import RunInput
from prefect.runtime import flow_run
from pydantic import Field, create_model

from schemas.drafts import Choice, Closed, ToDecide, ToMake
from schemas.errors import UsageError
from schemas.legal import Area, Category
from tasks.drafts import close_draft, decide, description, form_words, make_version, open_draft, where


class Answer(RunInput):
    """What a person decides; only what a form can check is checked here, so that a slip does not end the run."""

    choice: Choice
    who: str = Field(min_length=1)
    reason: str = ""
    corrected: str = ""


@flow(name="build_legal_case", flow_run_name="build_legal_case {area} {category}")
def build_legal_case(
    area: Area,
    category: Category,
    law_as_of: date,
    system: str,
    source: str = "",
    source_file: str = "",
    judge: str = "",
    root: str = "store",
    budget_usd: Decimal | None = None,
) -> Closed:
    """Make a case of law from a source, with a person's decision after each of the three steps.

    Args:
        area: area of law
        category: the error that the case is made for
        law_as_of: the day whose wording of the law decides
        system: id of the system that drafts
        source: the text that the case is made from; or
        source_file: a file in the folder `inbox` of the store
        judge: id of the system that checks foil and reference answer where the case has no signals; empty is the one that drafts
        root: path of the store
        budget_usd: what the draft may spend at most, all its steps and runs together; a run that reached it goes on with a higher one
    """
    run_id = str(flow_run.get_id() or "")
    draft = open_draft(root, source, source_file, area, category, law_as_of, system)
    while not isinstance(now := where(root, draft), Closed):
        if isinstance(now, ToMake):
            make_version(root, draft, now, judge, run_id, budget_usd)
        else:
            given = ask_person(now, description(root, draft, now))
            decide(root, draft, now, **given, run_id=run_id)
    return close_draft(root, now)


def ask_person(asked: ToDecide, told: str) -> dict[str, Any]:
    """What a person says: the first time the run is suspended here, when it is resumed the answer is there.

    The key names the entry of the record, so an answer is never taken for that to another question.
    """
    try:
        answer = suspend_flow_run(
            wait_for_input=form_of(asked.version.text, told), key=f"{asked.version.step}-{asked.number}"
        )
    except RuntimeError as problem:
        raise UsageError(
            f"This run cannot wait for a person ({problem}); start it as a run of the deployment `build-legal-case`."
        ) from problem
    return dict(answer)


def form_of(text: str, told: str) -> type[Answer]:
    """The form that Prefect's UI shows, with the names and explanations of the case's jurisdiction.

    The draft stands in the description of the first field: what Prefect calls the description of the input shrinks to a few lines, or to none
    on a small screen, since it alone gives way to the fields. Its lines end in carriage returns, which Markdown takes as well: of line
    feeds the form makes spaces.
    """
    words: Any = form_words()
    fields: dict[str, Any] = {
        "choice": (Choice, Field(title=words["choice"]["title"], description=told.replace("\n", "\r"))),
        "who": (str, Field(min_length=1, **words["who"])),
        "reason": (str, Field(default="", **words["reason"])),
        "corrected": (str, Field(default=text, **words["corrected"])),
    }
    return create_model("Answer", __base__=Answer, **fields)
