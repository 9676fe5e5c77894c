"""EIN: the assigned prefixes and the place of the hyphen (D-4)."""

import pytest
from stdnum.us import ein as public_ein

from schemas.ids import ein
from schemas.ids.errors import InvalidIdentifier

UNASSIGNED = ["00", "07", "08", "09", "17", "18", "19", "28", "29", "49", "69", "70", "78", "79", "89", "96", "97"]


def test_exactly_the_assigned_prefixes_are_accepted() -> None:
    refused = [f"{prefix:02}" for prefix in range(100) if not ein.is_valid(f"{prefix:02}-1234567")]
    assert refused == UNASSIGNED
    assert [prefix for prefix in refused if public_ein.is_valid(f"{prefix}1234567")] == []


@pytest.mark.parametrize("text", ["123456789", "12-3456789", "12 3456789", "12\u00a0-\u00a03456789"])
def test_the_hyphen_is_optional(text: str) -> None:
    assert ein.validate(text) == "123456789"
    assert ein.format(text) == "12-3456789"


@pytest.mark.parametrize("text", ["123-456789", "1-23456789", "12--3456789", "12-345678", "12-34567890", "12–3456789"])
def test_another_shape_is_refused(text: str) -> None:
    with pytest.raises(InvalidIdentifier, match="9 digits, with or without a hyphen"):
        ein.validate(text)
