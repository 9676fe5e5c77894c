"""Names in texts, by sentences in which a person has marked them (J-6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.naming import mask

NAMES = ("acme/large-2", "Rožmitál AI", "Google", "xAI", "o3", "Meta AI", "GPT", "Claude")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jako model Acme Large 2 to vím.", "Jako model [model] to vím."),
        ("acme-large-2, ACME_LARGE_2 i AcmeLarge2", "[model], [model] i [model]"),
        ("Byl jsem vytvořen v Rožmitálu AI.", "Byl jsem vytvořen v [model]."),
        ("Byl jsem vytvořen firmou Rozmital AI.", "Byl jsem vytvořen firmou [model]."),
        ("Na Googlu, od Googlu a s Googlem; Googleplex ne", "Na [model], od [model] a s [model]; Googleplex ne"),
        ("GPT-4o i GPT 4.5 a GPT4", "[model] i [model] a [model]"),
        ("S Claudem, u Claudea; v Claudele ne.", "S [model], u [model]; v Claudele ne."),
        ("Model o3 ano, foto3 ne, O3 ano.", "Model [model] ano, foto3 ne, [model] ano."),
        ("metadata, metaanalýza a Meta AI", "metadata, metaanalýza a [model]"),
        ("maxAI a xAI.", "maxAI a [model]."),
        ("Go\u0308ogle není Google", "[model] není [model]"),
        ("Claude\u0301, prý", "[model], prý"),
        ("Nic tu není.", "Nic tu není."),
    ],
)
def test_names_as_a_person_marks_them(text: str, expected: str) -> None:
    found = mask(text, NAMES)
    assert found.text == expected
    assert found.count == expected.count("[model]")


def test_nothing_is_sought_where_there_is_no_name() -> None:
    assert mask("Cokoli 3.", ["", "  ", "-", "()", "3"]).text == "Cokoli 3."


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(NAMES))
def test_a_name_between_spaces_is_always_found_and_the_rest_stays(before: str, after: str, name: str) -> None:
    found = mask(f"{before} {name} {after}", [name])
    assert found.count >= 1
    assert mask(found.text.replace("[model]", " "), [name]).count == 0 or found.count > 1
