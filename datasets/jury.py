"""The suite `jury` as a source: claims "Umí AI …?", each a case in Czech and one in English, all public (J-1, J-2).

A set of n has the first n claims of `datasets/claims/claims.yaml`. Nothing is drawn, so the seed changes no case, and the set is authored:
G-8 keeps a third of every *generated* set private, claims are published as a whole. A case holds the whole prompt but the date, which a
check writes in when it is opened (`dated`), so that a case is the same to the byte whenever it is made (D-3).
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import yaml

from datasets.prompts import read_prompt
from schemas.ballot import read_ballot
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Brief, DocumentLanguage, Message, Transcript
from schemas.jury import MONTH, SUITE, VERDICTS, Claim, ClaimSet, Truth
from schemas.marked import parse

SET_VERSION = "1.0"

CLAIMS_FILE = Path(__file__).parent / "claims" / "claims.yaml"

LANGUAGES: tuple[DocumentLanguage, ...] = get_args(DocumentLanguage)

TODAY = "{{ today }}"
"""Stands in a prompt until a check writes its day there."""

MAX_TOKENS = 2000
"""Of an answer: three keys and one sentence, and room for a model that thinks aloud."""

ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": list(VERDICTS)},
        "reason": {"type": "string", "minLength": 1},
        "since": {"anyOf": [{"type": "string", "pattern": MONTH}, {"type": "null"}]},
    },
    "required": ["verdict", "reason", "since"],
    "additionalProperties": False,
}
"""J-2: the word, one sentence of reason, and for UMÍ the month when the ability first appeared."""


@cache
def read_claims(file: Path = CLAIMS_FILE) -> ClaimSet:
    """The claims in the order of the file; UsageError that tells all that is wrong, each with its line and the nearest right thing."""
    try:
        written = file.read_bytes()
    except OSError as problem:
        raise UsageError(f"The file of claims {str(file)!r} cannot be read: {problem.strerror}.") from problem
    found = parse(ClaimSet, written, file.name)
    if found.model is None:
        raise UsageError(" ".join(found.problems))
    return found.model


def claims_by_id(file: Path = CLAIMS_FILE) -> dict[str, Claim]:
    """All claims by id."""
    return {claim.id: claim for claim in read_claims(file).claims}


@cache
def method() -> dict[str, str]:
    """The page on the method in Markdown, by language: how it is judged, and why jurors are never named (J-6)."""
    return {lang: (CLAIMS_FILE.parent / f"method.{lang}.md").read_text(encoding="utf-8") for lang in LANGUAGES}


@cache
def known_names() -> tuple[str, ...]:
    """Well-known makers and models of language models, which no reason may name (J-6)."""
    return tuple(yaml.safe_load((CLAIMS_FILE.parent / "names.yaml").read_text(encoding="utf-8")))


def versions() -> dict[str, str]:
    """Hashes of the claims and of the prompts."""
    claims = hashlib.sha256(CLAIMS_FILE.read_bytes()).hexdigest()[:12]
    return {"claims": claims, **{language: _prompt(language).version for language in LANGUAGES}}


def units(edition: Edition) -> int:
    """Each claim is a unit; UsageError for more claims than there are."""
    there = len(read_claims().claims)
    if edition.size > there:
        raise UsageError(f"The size {edition.size} is more than the {there} claims of {SUITE}.")
    return edition.size


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of claims start … stop - 1, one a language (D-3); UsageError for another version of the set.

    private_seed is not used: nothing is private.
    """
    del private_seed  # nothing is private
    if edition.set_version != SET_VERSION:
        raise UsageError(
            f"Edition {edition.id!r} is of version {edition.set_version!r} of {SUITE}; this program has {SET_VERSION!r}."
        )
    for claim in read_claims().claims[start : min(stop, units(edition))]:
        for language in LANGUAGES:
            yield MadeCase(case=make_case(edition.id, claim, language))


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """The prompt; once more where the reply is no verdict (J-4, M-2); then the juror has had its say."""
    if not transcript:
        return Message(role="user", text=brief.prompt)
    if len(transcript) > 2 or read_ballot(transcript[-1].text).verdict is not None:
        return None
    return Message(role="user", text=read_prompt("valid_json", brief.language).text)


def case_id_of(claim_id: str, language: str) -> str:
    """The id of a claim's case in a language."""
    return f"{SUITE}-{language}-{claim_id}"


def claim_of(case_id: str) -> str:
    """The claim of a case.

    >>> claim_of("jury-cs-book-vacation")
    'book-vacation'
    """
    return case_id.split("-", 2)[2]


def dated(brief: Brief, today: str) -> Brief:
    """The brief with the day of the check in its prompt; today: YYYY-MM-DD, shown as the language has it.

    Jurors of one check all get the same prompt (J-2).
    """
    year, month, day = today.split("-")
    shown = f"{int(day)}. {int(month)}. {year}" if brief.language == "cs" else today
    return brief.model_copy(update={"prompt": brief.prompt.replace(TODAY, shown)})


def make_case(edition: str, claim: Claim, language: DocumentLanguage) -> Case:
    """One claim in one language as a row."""
    prompt, case_id = _prompt(language), case_id_of(claim.id, language)
    words, measure = claim.words(language)
    brief = Brief(
        suite=SUITE,
        case_id=case_id,
        language=language,
        prompt=prompt.text.replace("{{ claim }}", words).replace("{{ measure }}", measure),
        prompt_version=prompt.version,
        answer_schema=ANSWER_SCHEMA,
        max_tokens=MAX_TOKENS,
    )
    return Case(
        suite=SUITE,
        edition=edition,
        case_id=case_id,
        pair_id=claim.id,
        language=language,
        split="public",
        level="text",
        variant="question",
        layout="question",
        prompt_version=prompt.version,
        set_version=SET_VERSION,
        brief=brief.model_dump_json(),
        truth=Truth(since=claim.since).model_dump_json(),
        text=None,
        document_sha256=None,
        image_sha256=None,
        canary=None,
        area=claim.field,
    )


def _prompt(language: str) -> Any:
    return read_prompt("juror", language, CLAIMS_FILE.parent / "prompts")
