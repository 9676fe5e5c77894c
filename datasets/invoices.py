"""The suite `invoices` as a source: pairs of synthetic invoices, Czech and American, and what to say to a system (D-1 to D-8)."""

from collections.abc import Iterator

from datasets import twins
from datasets.showing import show
from datasets.strengths import shares_of
from datasets.synth.invoice import Invoice, to_truth
from datasets.synth.invoicing import draw_invoice
from datasets.synth.structure import draw_structure
from datasets.synth.wording import to_page
from datasets.twins import LANGUAGES, Pair, Twins
from datasets.typeset import typeset
from schemas.case import MadeCase
from schemas.edition import Edition
from schemas.errors import DocumentError
from schemas.exchange import Brief, DocumentLanguage, Message, Transcript
from schemas.invoices import FIELDS, VARIANTS

SUITE = "invoices"
SET_VERSION = "2.0"
LAYOUTS = ("classic", "ledger", "banner", "sidebar", "letter", "printout", "slip", "summary")
_TWINS = Twins(SUITE, SET_VERSION, FIELDS, VARIANTS, LAYOUTS)


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
    for pair in _TWINS.pairs(edition, shares_of(edition.levels, edition.size), private_seed, start, stop):
        structure = draw_structure(pair.stream("structure"), pair.place.variant, pair.place.layout)
        made = []
        for language in LANGUAGES:
            invoice = draw_invoice(pair.stream(language), structure, language)
            try:
                made.append(_make_case(edition, pair, language, invoice))
            except DocumentError as error:
                name, is_private = f"{SUITE}-{pair.number + 1:04}", pair.place.split == "private"
                raise DocumentError(str(error), unit=pair.number, pair_id=name, is_private=is_private) from error
        yield from made


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """First the prompt with the document, then what `datasets.twins.next_message` says."""
    return twins.next_message(brief, transcript)


def versions() -> dict[str, str]:
    """Versions of the prompts, by language; what else decides about the cases is told by `SET_VERSION`."""
    return _TWINS.versions()


def _make_case(edition: Edition, pair: Pair, language: DocumentLanguage, invoice: Invoice) -> MadeCase:
    """Typeset one document and put brief and truth into a row."""
    canary = pair.canary(language)
    pdf = typeset(to_page(invoice), keywords=(canary,) if canary else ())
    text, attachment = show(pdf, pair.place.level, pair.stream(language, pair.place.level))
    truth = to_truth(invoice)
    case = _TWINS.case(edition, pair, language, truth=truth, attachment=attachment, text=text, document=pdf)
    return MadeCase(case=case, blobs=(attachment,) if attachment.kind == "image" else ())
