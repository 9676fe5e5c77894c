"""The suite `invoices` as a source: pairs of synthetic invoices, Czech and American, and what to say to a system (D-1 to D-8)."""

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from datasets.allotment import Allotment, Place
from datasets.draw import stream
from datasets.prompts import read_prompt
from datasets.showing import show
from datasets.strengths import shares_of
from datasets.synth.invoice import Invoice, to_truth
from datasets.synth.invoicing import draw_invoice
from datasets.synth.structure import draw_structure
from datasets.synth.wording import to_page
from datasets.typeset import typeset
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import DocumentError, UsageError
from schemas.exchange import Brief, DocumentLanguage, Message, Transcript
from schemas.fields import answer_schema
from schemas.invoices import FIELDS, VARIANTS
from schemas.replies import find_json

Key = tuple[str | int, ...]

SUITE = "invoices"
SET_VERSION = "2.0"
LAYOUTS = ("classic", "ledger", "banner", "sidebar", "letter", "printout", "slip", "summary")
LANGUAGES: tuple[DocumentLanguage, ...] = ("cs", "en")
CANARY = "ZKUSEBNA-CANARY-"


def units(edition: Edition) -> int:
    """Number of pairs: each gives a Czech case and its American twin. `UsageError` for what `strengths.shares_of` refuses."""
    shares_of(edition.levels, edition.size)
    return edition.size


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of pairs start … stop - 1, Czech before English, the same to the byte wherever the shard begins (D-3).

    private_seed: the secret from which the private third is drawn, documents and allotment; public pairs know the
    edition's seed alone (G-8). `UsageError` for a level that the set does not have or another version of the set; `DocumentError`
    that names the pair where one of its documents cannot be made.
    """
    if edition.set_version != SET_VERSION:
        raise UsageError(
            f"Edition {edition.id!r} is of version {edition.set_version!r} of the invoices; this generator makes {SET_VERSION!r}."
        )
    allotment = _allot(edition.seed, edition.size, edition.levels, private_seed)
    for number in range(start, min(stop, edition.size)):
        place = allotment[number]
        key = _private_key(edition.seed, private_seed) if place.split == "private" else _public_key(edition.seed)
        structure = draw_structure(stream(*key, number, "structure"), place.variant, place.layout)
        pair = []
        for language in LANGUAGES:
            invoice = draw_invoice(stream(*key, number, language), structure, language)
            canary = None
            if place.split == "private":
                canary = f"{CANARY}{stream(*key, number, language, 'canary').getrandbits(128):032x}"
            try:
                wear = stream(*key, number, language, place.level)
                pair.append(_make_case(edition, number, place, invoice, canary, wear))
            except DocumentError as error:
                raise DocumentError(
                    str(error), unit=number, pair_id=f"{SUITE}-{number + 1:04}", is_private=place.split == "private"
                ) from error
        yield from pair


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """First the prompt with the document; once more a request for valid JSON where the answer holds none (M-2); then None."""
    if not transcript:
        return Message(role="user", text=brief.prompt, attachments=brief.attachments)
    asked = sum(message.role == "user" for message in transcript)
    if asked == 1 and transcript[-1].role == "assistant" and find_json(transcript[-1].text).value is None:
        return Message(role="user", text=read_prompt("valid_json", brief.language).text)
    return None


def versions() -> dict[str, str]:
    """Versions of the prompts, by language; what else decides about the cases is told by `SET_VERSION`."""
    return {language: read_prompt(SUITE, language).version for language in LANGUAGES}


def _public_key(seed: int) -> Key:
    return (SUITE, SET_VERSION, "public", seed)


def _private_key(seed: int, private_seed: str) -> Key:
    return (SUITE, SET_VERSION, "private", seed, private_seed)


@lru_cache(maxsize=4)
def _allot(seed: int, size: int, levels: tuple[str, ...], private_seed: str) -> Allotment:
    wanted = shares_of(levels, size)
    public_key, private_key = _public_key(seed), _private_key(seed, private_seed)
    return Allotment(size, wanted, VARIANTS, LAYOUTS, public_key=public_key, private_key=private_key)


def _make_case(
    edition: Edition, number: int, place: Place, invoice: Invoice, canary: str | None, wear: Random
) -> MadeCase:
    """Typeset one document and put brief and truth into a row."""
    language: DocumentLanguage = "cs" if invoice.language == "cs" else "en"
    pdf = typeset(to_page(invoice), keywords=(canary,) if canary else ())
    text, attachment = show(pdf, place.level, wear)
    case_id = f"{SUITE}-{language}-{number + 1:04}"
    prompt = read_prompt(SUITE, language)
    brief = Brief(
        suite=SUITE,
        case_id=case_id,
        language=language,
        prompt=prompt.text,
        prompt_version=prompt.version,
        answer_schema=answer_schema(FIELDS, language),
        attachments=(attachment,),
    )
    case = Case(
        suite=SUITE,
        edition=edition.id,
        case_id=case_id,
        pair_id=f"{SUITE}-{number + 1:04}",
        language=language,
        split=place.split,
        level=place.level,
        variant=place.variant,
        layout=place.layout,
        prompt_version=prompt.version,
        set_version=SET_VERSION,
        brief=brief.model_dump_json(),
        truth=json.dumps(to_truth(invoice), ensure_ascii=False),
        text=text,
        document_sha256=hashlib.sha256(pdf).hexdigest(),
        image_sha256=attachment.sha256 if attachment.kind == "image" else None,
        canary=canary,
    )
    return MadeCase(case=case, blobs=(attachment,) if attachment.kind == "image" else ())
