"""Plumbing that all suites of documents share: pairs of twins, their keys, their places, their rows, and what is said to a system.

What a document is stands in the suite; here stands what is the same for invoices, e-mails and PII texts (D-1, D-8, G-8, M-2).
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from datasets.allotment import Allotment, Place
from datasets.draw import Share, apportion, deal, stream
from datasets.prompts import Prompt, read_prompt
from schemas.case import Case, MadeCase
from schemas.edition import Edition, private_numbers
from schemas.errors import UsageError
from schemas.exchange import Attachment, Brief, DocumentLanguage, Message, Transcript
from schemas.fields import Field, answer_schema
from schemas.replies import has_object

LANGUAGES: tuple[DocumentLanguage, ...] = ("cs", "en")
CANARY = "ZKUSEBNA-CANARY-"
TEXT_LEVEL: Mapping[str, Share] = {"text": 1}
"""The one level of texts; `--levels` is a matter of invoices and changes nothing in them (D-8)."""

_Key = tuple[str | int, ...]


@dataclass(frozen=True)
class Pair:
    """One pair of a set: its number from 0, its place, and the key of all streams that it is drawn from."""

    suite: str
    number: int
    place: Place
    key: _Key

    def stream(self, *what: str | int) -> Random:
        """A random stream of its own for one thing of this pair: `"structure"`, or a language and more."""
        return stream(*self.key, self.number, *what)

    def canary(self, language: DocumentLanguage) -> str | None:
        """The canary of one document; None for a public one (G-8)."""
        if self.place.split == "public":
            return None
        return f"{CANARY}{self.stream(language, 'canary').getrandbits(128):032x}"


@dataclass(frozen=True)
class Twins:
    """A suite of pairs: its word, the version of its set and its fields.

    prompt_of: the prompt of a suite in a language, where it is more than a file. variants: kinds of document; layouts: forms of
    document (for texts: how the text is built). Each is balanced to within one in the public part, in the private part and in the
    whole, and the two are not crossed (D-8).
    """

    suite: str
    set_version: str
    fields: tuple[Field, ...]
    variants: tuple[str, ...]
    layouts: tuple[str, ...]
    prompt_of: Callable[[str, str], Prompt] = read_prompt

    def pairs(
        self, edition: Edition, levels: Mapping[str, Share], private_seed: str, start: int, stop: int
    ) -> Iterator[Pair]:
        """The pairs start … stop - 1; public ones know the edition's seed alone, private ones the secret too (G-8).

        levels: the shares of the levels. `UsageError` for an edition of another version of the set.
        """
        if edition.set_version != self.set_version:
            raise UsageError(
                f"Edition {edition.id!r} is of version {edition.set_version!r} of the {self.suite}; "
                f"this generator makes {self.set_version!r}."
            )
        shares = tuple(levels.items())
        allotment = _allot(self, edition.seed, edition.size, shares, private_seed)
        for number in range(start, min(stop, edition.size)):
            place = allotment[number]
            is_private = place.split == "private"
            key = self._private_key(edition.seed, private_seed) if is_private else self._public_key(edition.seed)
            yield Pair(suite=self.suite, number=number, place=place, key=key)

    def deal(self, edition: Edition, private_seed: str, name: str, shares: Mapping[str, Share]) -> tuple[str, ...]:
        """A word for each pair by number, in exact shares within the public part and within the private part.

        name: what is dealt, so that two deals are independent; like places, public words know the edition's seed alone (G-8).
        """
        return _deal(self, edition.seed, edition.size, name, tuple(shares.items()), private_seed)

    def check_size(self, size: int, strata: Sequence[str]) -> int:
        """The size, where its public part holds every stratum at least once; else `UsageError` that says the smallest that works."""
        least = next(n for n in range(1, 3 * len(strata)) if n - len(private_numbers(n)) >= len(strata))
        if size < least:
            raise UsageError(
                f"The size {size} is too small for the suite {self.suite}: the public part has to hold each of the {len(strata)} kinds "
                f"({', '.join(strata)}); the smallest size that works is {least}."
            )
        return size

    def versions(self) -> dict[str, str]:
        """Versions of the prompts, by language; what else decides about the cases is told by the version of the set."""
        return {language: self.prompt_of(self.suite, language).version for language in LANGUAGES}

    def case(
        self,
        edition: Edition,
        pair: Pair,
        language: DocumentLanguage,
        *,
        truth: Mapping[str, Any],
        attachment: Attachment,
        text: str | None,
        document: bytes,
    ) -> Case:
        """The row of one document.

        text: what is shown at the level text, else None; attachment: what goes to a system; document: the bytes that
        `document_sha256` is the hash of.
        """
        prompt = self.prompt_of(self.suite, language)
        case_id = f"{self.suite}-{language}-{pair.number + 1:04}"
        brief = Brief(
            suite=self.suite,
            case_id=case_id,
            language=language,
            prompt=prompt.text,
            prompt_version=prompt.version,
            answer_schema=answer_schema(self.fields, language),
            attachments=(attachment,),
        )
        place = pair.place
        return Case(
            suite=self.suite,
            edition=edition.id,
            case_id=case_id,
            pair_id=f"{self.suite}-{pair.number + 1:04}",
            language=language,
            split=place.split,
            level=place.level,
            variant=place.variant,
            layout=place.layout,
            prompt_version=prompt.version,
            set_version=self.set_version,
            brief=brief.model_dump_json(),
            truth=json.dumps(truth, ensure_ascii=False),
            text=text,
            document_sha256=hashlib.sha256(document).hexdigest(),
            image_sha256=attachment.sha256 if attachment.kind == "image" else None,
            canary=pair.canary(language),
        )

    def text_case(
        self, edition: Edition, pair: Pair, language: DocumentLanguage, text: str, truth: Mapping[str, Any]
    ) -> MadeCase:
        """The case of a document that is a text: the text stands in the row, its attachment carries the hash alone."""
        data = text.encode()
        case = self.case(
            edition, pair, language, truth=truth, attachment=text_attachment(text), text=text, document=data
        )
        return MadeCase(case=case)

    def _public_key(self, seed: int) -> _Key:
        return (self.suite, self.set_version, "public", seed)

    def _private_key(self, seed: int, private_seed: str) -> _Key:
        return (self.suite, self.set_version, "private", seed, private_seed)


def text_attachment(text: str) -> Attachment:
    """A text as an attachment that carries only its hash; the text itself stands in the row."""
    return Attachment(kind="text", media_type="text/plain", sha256=hashlib.sha256(text.encode()).hexdigest())


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """First the prompt with the document; once more a request for valid JSON where the answer holds none (M-2); then None."""
    if not transcript:
        return Message(role="user", text=brief.prompt, attachments=brief.attachments)
    asked = sum(message.role == "user" for message in transcript)
    if asked == 1 and transcript[-1].role == "assistant" and not has_object(transcript[-1].text):
        return Message(role="user", text=read_prompt("valid_json", brief.language).text)
    return None


@lru_cache(maxsize=64)
def _deal(
    twins: Twins, seed: int, size: int, name: str, shares: tuple[tuple[str, Share], ...], private_seed: str
) -> tuple[str, ...]:
    private = private_numbers(size)
    public_counts = apportion(dict(shares), size - len(private))
    private_counts = apportion(dict(shares), len(private), ties_from_end=True)
    public = iter(deal(public_counts, stream(*twins._public_key(seed), "deal", name)))
    secret = iter(deal(private_counts, stream(*twins._private_key(seed, private_seed), "deal", name)))
    return tuple(next(secret if number in private else public) for number in range(size))


@lru_cache(maxsize=4)
def _allot(twins: Twins, seed: int, size: int, shares: tuple[tuple[str, Share], ...], private_seed: str) -> Allotment:
    public_key, private_key = twins._public_key(seed), twins._private_key(seed, private_seed)
    return Allotment(size, dict(shares), twins.variants, twins.layouts, public_key=public_key, private_key=private_key)
