"""The data dictionary in Czech: nothing missing, nothing left over, rules and names of the English description kept."""

import re

import pytest

from schemas.dictionary import czech, entries, table_description, view_description
from schemas.tables import TABLES
from tasks.views import ORDER, SQL

ENGLISH = {
    *(table_description(model) for model in TABLES.values()),
    *(entry.description for model in TABLES.values() for entry in entries(model)),
    *(view_description((SQL / f"{name}.sql").read_text(encoding="utf-8")) for name in ORDER),
}


def test_every_description_is_told_in_czech_and_none_is_left_over() -> None:
    assert set(czech()) == ENGLISH


@pytest.mark.parametrize("words", sorted(ENGLISH))
def test_rules_and_names_of_the_schema_are_those_of_the_english_description(words: str) -> None:
    """Ids of rules and words in backticks are the same; a full stop at the end stands in both or in neither."""
    told = czech()[words]
    for pattern in (r"\b[GDMLARJS]-\d+\b", r"`[^`]+`"):
        assert re.findall(pattern, told) == re.findall(pattern, words)
    assert told.endswith(".") == words.endswith(".")
    assert told != words
