"""The suite `language_tax` as a source: paragraphs of the parallel corpus, each the whole prompt of a call, and the empty prompt (D-18).

A set of n has the first n paragraphs of `datasets/paragraphs/`, each in six languages, and two messages that measure what a message costs
before its first word: one of empty text, and a full stop for a gateway that refuses that one (`readings.OVERHEAD_BY_FULL_STOP`). Every
call has the lowest output limit, one token. Nothing is drawn, so the seed changes no case. G-8 keeps a third of every *generated* set
private; this corpus is authored and published as a whole, so all of it is public. Nobody gains by training on it either: what is
counted is decided by the tokenizer. `--levels` is a matter of documents and changes nothing here.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Brief, Frozen, Language, Message, Transcript
from schemas.language_tax import BASE, FULL_STOP, LANGUAGES, NO_TEXT, OVERHEAD, Truth

SUITE = "language_tax"
SET_VERSION = "1.0"
MAX_TOKENS = 1
"""The lowest output limit: the answer is of no interest."""

_WORD = SUITE.replace("_", "-")
_FOLDER = Path(__file__).parent / "paragraphs"
_PROBES = ((NO_TEXT, "nothing", ""), (FULL_STOP, "dot", "."))
"""Messages that measure the overhead: layout, name, text."""


class Paragraph(Frozen):
    """One paragraph in one language; the id ties its versions together."""

    id: str
    topic: str
    text: str


class Corpus(Frozen):
    """One file of the corpus."""

    version: str
    language: Language
    paragraphs: tuple[Paragraph, ...]


@cache
def read_corpus(language: Language) -> tuple[Corpus, str]:
    """The corpus in a language, and the first 12 hex digits of its file's SHA-256."""
    written = (_FOLDER / f"{language}.yaml").read_bytes()
    return Corpus.model_validate(yaml.safe_load(written)), hashlib.sha256(written).hexdigest()[:12]


def versions() -> dict[str, str]:
    """Hashes of the corpora, by language."""
    return {language: read_corpus(language)[1] for language in LANGUAGES}


def corpus_version() -> str:
    """One version of the six files, that of every prompt (M-3, G-9): their words are compared, so a change of one changes them all."""
    return hashlib.sha256("".join(versions().values()).encode()).hexdigest()[:12]


def units(edition: Edition) -> int:
    """The overhead is the first unit, then each paragraph is one; `UsageError` for more paragraphs than there are."""
    there = len(read_corpus(BASE)[0].paragraphs)
    if edition.size > there:
        raise UsageError(f"The size {edition.size} is more than the {there} paragraphs of {SUITE}.")
    return edition.size + 1


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of units start … stop - 1: the messages of the overhead, or a paragraph in every language (D-3).

    `UsageError` for another version of the set. private_seed is not used: nothing is private.
    """
    del private_seed  # nothing is private
    if edition.set_version != SET_VERSION:
        raise UsageError(
            f"Edition {edition.id!r} is of version {edition.set_version!r} of {SUITE}; this generator makes {SET_VERSION!r}."
        )
    for number in range(start, min(stop, units(edition))):
        if number == 0:
            for layout, name, text in _PROBES:
                yield _make_case(edition, f"{_WORD}-{name}", 0, BASE, text, (None, OVERHEAD, layout))
            continue
        for language in LANGUAGES:
            paragraph = read_corpus(language)[0].paragraphs[number - 1]
            case_id, kind = f"{_WORD}-{language}-{number:04}", (paragraph.id, paragraph.topic, "plain")
            yield _make_case(edition, case_id, number, language, paragraph.text, kind)


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """The exact text, once."""
    return None if transcript else Message(role="user", text=brief.prompt)


def _make_case(
    edition: Edition, case_id: str, number: int, language: Language, text: str, kind: tuple[str | None, str, str]
) -> MadeCase:
    """One message as a row; kind: paragraph, variant (its topic) and layout."""
    paragraph, variant, layout = kind
    version = corpus_version()
    brief = Brief(
        suite=SUITE, case_id=case_id, language=language, prompt=text, prompt_version=version, max_tokens=MAX_TOKENS
    )
    case = Case(
        suite=SUITE,
        edition=edition.id,
        case_id=case_id,
        pair_id=f"{_WORD}-{number:04}",
        language=language,
        split="public",
        level="text",
        variant=variant,
        layout=layout,
        prompt_version=version,
        set_version=SET_VERSION,
        brief=brief.model_dump_json(),
        truth=Truth(paragraph=paragraph, characters=len(text)).model_dump_json(),
        text=None,
        document_sha256=None,
        image_sha256=None,
        canary=None,
    )
    return MadeCase(case=case)
