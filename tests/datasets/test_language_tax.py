"""The cases of the language tax: every paragraph word for word as the whole prompt, and the messages of the overhead (D-18, G-8)."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

import datasets
from datasets import language_tax
from datasets.editions import edition_for
from schemas.case import Case
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Message

FOLDER = Path(datasets.__file__).parent / "paragraphs"
LANGUAGES = ("cs", "de", "en", "es", "fr", "pl")


def texts(language: str) -> dict[str, str]:
    corpus = yaml.safe_load((FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    return {p["id"]: p["text"] for p in corpus["paragraphs"]}


def edition(size: int, seed: int = 1) -> Edition:
    return edition_for("language_tax", "1.0", seed, size, "secret")


def cases(size: int) -> list[Case]:
    wanted = edition(size)
    return [m.case for m in language_tax.make_cases(wanted, "secret", 0, language_tax.units(wanted))]


@pytest.mark.parametrize("size", [1, 5, 50])
def test_every_paragraph_is_a_whole_prompt_in_every_language(size: int) -> None:
    """The exact text, not a space more; the first paragraphs of the corpus, six languages each."""
    found = {(c.to_truth()["paragraph"], c.language): c for c in cases(size) if c.variant != "overhead"}
    wanted = {(f"p{n:02}", language) for n in range(1, size + 1) for language in LANGUAGES}
    assert found.keys() == wanted
    corpora = {language: texts(language) for language in LANGUAGES}
    for (paragraph, language), case in found.items():
        brief = case.to_brief()
        text = corpora[language][paragraph]
        assert brief.prompt == text
        assert case.to_truth()["characters"] == len(text)
        assert (brief.max_tokens, brief.answer_schema, brief.attachments) == (1, None, ())
        assert language_tax.next_message(brief, ()) == Message(role="user", text=text)


def test_two_messages_measure_what_a_message_costs() -> None:
    """One of empty text and a full stop, once an edition, with the same lowest limit."""
    probes = [c for c in cases(5) if c.variant == "overhead"]
    assert [(c.layout, c.to_brief().prompt, c.to_brief().max_tokens) for c in probes] == [
        ("no_text", "", 1),
        ("full_stop", ".", 1),
    ]
    assert {c.to_truth()["paragraph"] for c in probes} == {None}
    assert len(cases(5)) == 5 * 6 + 2


def test_it_is_asked_once() -> None:
    brief = cases(1)[2].to_brief()
    said = (Message(role="user", text=brief.prompt), Message(role="assistant", text=""))
    assert language_tax.next_message(brief, said) is None


def test_all_of_it_is_public_and_no_seed_changes_it() -> None:
    """G-8: a third of every generated set is private; this one is authored and published."""
    assert {c.split for c in cases(50)} == {"public"}
    one, two = (
        [m.case.brief for m in language_tax.make_cases(edition(3, seed), secret, 0, 4)]
        for seed, secret in ((1, "a"), (2, "b"))
    )
    assert one == two


def test_a_larger_set_asks_the_same_of_the_same_paragraphs() -> None:
    """M-4: from 5 paragraphs to 50 only the new ones are asked."""
    small, large = ({c.case_id: c.brief for c in cases(n)} for n in (5, 50))
    assert small.items() <= large.items()
    assert Counter(c.language for c in cases(50)) == {**dict.fromkeys(LANGUAGES, 50), "en": 52}


def test_more_paragraphs_than_there_are_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="The size 51 is more than the 50 paragraphs of language_tax"):
        language_tax.units(edition(51))
    old = edition_for("language_tax", "0.9", 1, 5, "secret")
    with pytest.raises(UsageError, match=r"is of version '0\.9' of language_tax; this generator makes '1\.0'"):
        next(language_tax.make_cases(old, "secret", 0, 1))


def test_versions_are_those_of_the_files() -> None:
    """A changed word changes the version of its language and that of every prompt."""
    assert set(language_tax.versions()) == set(LANGUAGES)
    assert len(set(language_tax.versions().values())) == 6
    assert {c.prompt_version for c in cases(2)} == {language_tax.corpus_version()}
