"""The files of wordings: each wording is found, and names one field only."""

from pathlib import Path

import pytest
import yaml

import tasks.readers
from schemas.exchange import DocumentLanguage
from tasks.readers.page import open_page
from tasks.readers.vocabulary import fold
from tasks.readers.written import patterns

FOLDER = Path(tasks.readers.__file__).parent


def wordings(language: str) -> list[tuple[str, str, str]]:
    labels = yaml.safe_load((FOLDER / f"labels.{language}.yaml").read_text("utf-8"))["labels"]
    return [(field, label["kind"], word) for field, label in labels.items() for word in label["words"]]


@pytest.mark.parametrize("language", ["cs", "en"])
def test_no_wording_stands_twice(language: DocumentLanguage) -> None:
    folded = [" ".join(fold(word).replace(".", " ").split()) for _, _, word in wordings(language)]
    assert sorted({word for word in folded if folded.count(word) > 1}) == []


@pytest.mark.parametrize("language", ["cs", "en"])
def test_every_wording_is_found_on_a_page_as_its_field(language: DocumentLanguage) -> None:
    wrong = []
    for field, _, word in wordings(language):
        for written in (word.lstrip("^"), word.lstrip("^").upper()):
            labels = open_page(f"{written} 1", language).labels
            if not labels or labels[0].field != field or labels[0].start != 0:
                wrong.append((field, written, [label.field for label in labels]))
    assert wrong == []


@pytest.mark.parametrize("language", ["cs", "en"])
def test_every_kind_has_a_pattern(language: DocumentLanguage) -> None:
    kinds = {kind for _, kind, _ in wordings(language)}
    assert kinds - set(patterns(language)) == {"block", "none"}


def test_folding_keeps_positions() -> None:
    text = "Faktura č. 10 – IČO: ĹŘÔ ßﬁ İ ½"
    assert len(fold(text)) == len(text)
