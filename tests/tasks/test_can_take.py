"""Which cases a system is asked about: those whose documents it takes, whatever words stand in the brief (G-11)."""

import pytest
from tests_support import case_of

from schemas.case import Case
from schemas.exchange import Attachment
from schemas.system import System
from tasks.test import can_take


def system(*inputs: str) -> System:
    entry = {"id": "m", "name": "m", "vendor": "v", "family": "f", "client": "openai", "suites": ()}
    return System.model_validate({**entry, "inputs": inputs})


def case(words: str, *kinds: str) -> Case:
    made = case_of("a")
    documents = tuple(Attachment(kind=k, media_type="x/y", sha256="a" * 64) for k in kinds)  # type: ignore[arg-type]
    brief = made.to_brief().model_copy(update={"prompt": words, "attachments": documents})
    return made.model_copy(update={"brief": brief.model_dump_json()})


@pytest.mark.parametrize("inputs", [(), ("text",), ("image",), ("text", "image")])
@pytest.mark.parametrize("kinds", [(), ("text",), ("image",), ("text", "image"), ("image", "image")])
@pytest.mark.parametrize("words", ["Přečti.", 'What is an "image", what a "text"?', '"kind":"image"'])
def test_a_case_is_taken_where_all_its_documents_are(
    words: str, kinds: tuple[str, ...], inputs: tuple[str, ...]
) -> None:
    assert can_take(system(*inputs), case(words, *kinds)) == (set(kinds) <= set(inputs))
