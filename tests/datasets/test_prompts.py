"""Prompts name every field of their language and carry the version of their file (M-1, G-9)."""

import hashlib
import re

import pytest

from datasets.prompts import FOLDER, read_prompt
from schemas.fields import of_language
from schemas.invoices import FIELDS


@pytest.mark.parametrize("language", ["cs", "en"])
def test_the_prompt_names_exactly_the_fields_of_its_language(language):
    text = read_prompt("invoices", language).text
    named = re.findall(r"^- `([a-z_]+)`:", text, re.MULTILINE)
    assert named == [field.name for field in of_language(FIELDS, language)]
    assert "`null`" in text
    assert "YYYY-MM-DD" in text or "RRRR-MM-DD" in text


@pytest.mark.parametrize("name", ["invoices", "valid_json"])
@pytest.mark.parametrize("language", ["cs", "en"])
def test_versions_are_hashes_of_the_files(name, language):
    written = (FOLDER / f"{name}.{language}.md").read_bytes()
    assert read_prompt(name, language).version == hashlib.sha256(written).hexdigest()[:12]
    assert written.endswith(b"\n")


def test_czech_is_czech():
    text = read_prompt("invoices", "cs").text
    assert set("ěščřžýáíéůú") <= set(text)
    assert not re.search(r"\b(the|and|date|supplier's)\b", text)
