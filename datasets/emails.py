"""The suite `emails` as a source: pairs of synthetic e-mails to a supplier, Czech and American (D-1, D-5, D-9)."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from datasets import twins
from datasets.prompts import Prompt, read_prompt
from datasets.synth.email import draw_email
from datasets.synth.email_plan import Words, draw_plan
from datasets.synth.priority import told_rules, told_words
from datasets.synth.shares import read_shares
from datasets.twins import LANGUAGES, TEXT_LEVEL, Twins
from schemas.case import MadeCase
from schemas.edition import Edition
from schemas.emails import CATEGORIES, FIELDS, FORMS
from schemas.exchange import Brief, Message, Transcript

SUITE = "emails"
SET_VERSION = "1.0"
SHARES = Path(__file__).parent / "documents" / "emails.yaml"
_DEALT = ("deadline", "order_number", "invoice_number", "amount", "customer")


@cache
def prompt_of(suite: str, language: str) -> Prompt:
    """The prompt: its file with the words and rules of `schemas/emails.yaml` in it; the version is of both."""
    text = read_prompt(suite, language).text
    for slot, told in (
        ("{categories}", told_words("categories", language)),
        ("{sentiments}", told_words("sentiments", language)),
        ("{priorities}", told_rules(language)),
    ):
        text = text.replace(slot, told)
    return Prompt(text=text, version=hashlib.sha256(text.encode()).hexdigest()[:12])


_TWINS = Twins(SUITE, SET_VERSION, FIELDS, CATEGORIES, FORMS, prompt_of)


def units(edition: Edition) -> int:
    """Number of pairs. `UsageError` for a size whose public part cannot hold every form; `--levels` changes nothing (D-8)."""
    return _TWINS.check_size(edition.size, FORMS)


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of pairs start … stop - 1, Czech before English, the same to the byte wherever the shard begins (D-3).

    private_seed: the secret from which the private third is drawn (G-8). `UsageError` for another version of the set, a size too
    small, shares that do not add up to 100, a broken vocabulary.
    """
    units(edition)
    shares = read_shares(SHARES)
    dealt = {name: _TWINS.deal(edition, private_seed, name, shares[name]) for name in _DEALT}
    for pair in _TWINS.pairs(edition, TEXT_LEVEL, private_seed, start, stop):
        words = Words(**{name: dealt[name][pair.number] for name in _DEALT})
        plan = draw_plan(pair.stream("structure"), pair.place.layout, pair.place.variant, words, shares)
        for language in LANGUAGES:
            email = draw_email(pair.stream(language), plan, language)
            yield _TWINS.text_case(edition, pair, language, email.text, email.truth)


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """First the prompt with the e-mail, then what `datasets.twins.next_message` says."""
    return twins.next_message(brief, transcript)


def versions() -> dict[str, str]:
    """Versions of the prompts, by language, words and rules included; what else decides is told by `SET_VERSION`."""
    return _TWINS.versions()
