"""The suite `invoices` as a source: pairs of synthetic invoices, Czech and American, and what to say to a system (D-1 to D-8)."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import yaml

from datasets import raster, twins
from datasets.synth.invoice import Invoice, to_truth
from datasets.synth.invoicing import draw_invoice
from datasets.synth.structure import draw_structure
from datasets.synth.wording import to_page
from datasets.twins import LANGUAGES, Pair, Twins, text_attachment
from datasets.typeset import typeset
from schemas.case import MadeCase
from schemas.edition import Edition
from schemas.errors import unknown
from schemas.exchange import Attachment, Brief, DocumentLanguage, Message, Transcript
from schemas.invoices import FIELDS, VARIANTS

SUITE = "invoices"
SET_VERSION = "1.0"
LAYOUTS = ("classic", "ledger")
_TWINS = Twins(SUITE, SET_VERSION, FIELDS, VARIANTS, LAYOUTS)
_LEVELS = Path(__file__).parent / "documents" / "levels.yaml"


def units(edition: Edition) -> int:
    """Number of pairs: each gives a Czech case and its American twin. `UsageError` for a level that the set does not have."""
    _shares(edition.levels)
    return edition.size


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of pairs start … stop - 1, Czech before English, the same to the byte wherever the shard begins (D-3).

    private_seed: the secret from which the private third is drawn, documents and allotment; public pairs know the
    edition's seed alone (G-8). `UsageError` for a level that the set does not have or another version of the set.
    """
    for pair in _TWINS.pairs(edition, _shares(edition.levels), private_seed, start, stop):
        structure = draw_structure(pair.stream("structure"), pair.place.variant, pair.place.layout)
        for language in LANGUAGES:
            invoice = draw_invoice(pair.stream(language), structure, language)
            yield _make_case(edition, pair, language, invoice)


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """First the prompt with the document, then what `datasets.twins.next_message` says."""
    return twins.next_message(brief, transcript)


def versions() -> dict[str, str]:
    """Versions of the prompts, by language; what else decides about the cases is told by `SET_VERSION`."""
    return _TWINS.versions()


def _shares(levels: tuple[str, ...]) -> dict[str, int]:
    """The shares of the wanted levels, all where none is named (D-8)."""
    shares: dict[str, int] = yaml.safe_load(_LEVELS.read_text(encoding="utf-8"))
    for level in levels:
        if level not in shares:
            raise unknown("level", level, shares)
    return {level: share for level, share in shares.items() if not levels or level in levels}


def _make_case(edition: Edition, pair: Pair, language: DocumentLanguage, invoice: Invoice) -> MadeCase:
    """Typeset one document and put brief and truth into a row."""
    canary = pair.canary(language)
    pdf = typeset(to_page(invoice), keywords=(canary,) if canary else ())
    text, attachment = _show(pdf, pair.place.level)
    truth = to_truth(invoice)
    case = _TWINS.case(edition, pair, language, truth=truth, attachment=attachment, text=text, document=pdf)
    return MadeCase(case=case, blobs=(attachment,) if attachment.kind == "image" else ())


def _show(pdf: bytes, level: str) -> tuple[str | None, Attachment]:
    """What the level shows of a document: the text for the row, or None, and the attachment.

    A text attachment carries only its hash, the text stands in the row; a picture carries its bytes.
    """
    if level == "text":
        text = raster.text_layer(pdf)
        return text, text_attachment(text)
    if level == "image":
        data = raster.image(pdf)
        return None, Attachment(
            kind="image", media_type="image/png", sha256=hashlib.sha256(data).hexdigest(), data=data
        )
    raise ValueError(f"no way to show a document at the level {level!r}: expected 'text' or 'image'")
