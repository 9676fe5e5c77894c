"""The vocabularies of PII texts: names in all cases against a hand-written table, twins' situations, and broken entries told (issue 6)."""

import shutil
from pathlib import Path

import pytest

from datasets.synth.pii_templates import parse, times, write
from datasets.synth.pii_vocabulary import FOLDER, words
from schemas.errors import UsageError

# From the handbook of Czech declension, written down here by hand: nominative, genitive, dative, accusative, vocative, locative, instrumental.
DECLENSIONS = {
    "Zdeněk": "Zdeněk Zdeňka Zdeňku Zdeňka Zdeňku Zdeňku Zdeňkem",
    "Jiří": "Jiří Jiřího Jiřímu Jiřího Jiří Jiřím Jiřím",
    "Daniel": "Daniel Daniela Danielu Daniela Danieli Danielu Danielem",
    "Olga": "Olga Olgy Olze Olgu Olgo Olze Olgou",
    "Věra": "Věra Věry Věře Věru Věro Věře Věrou",
    "Marie": "Marie Marie Marii Marii Marie Marii Marií",
    "Libuše": "Libuše Libuše Libuši Libuši Libuše Libuši Libuší",
    "Blanka": "Blanka Blanky Blance Blanku Blanko Blance Blankou",
    "Hájek": "Hájek Hájka Hájkovi Hájka Hájku Hájkovi Hájkem",
    "Vrabec": "Vrabec Vrabce Vrabcovi Vrabce Vrabče Vrabcovi Vrabcem",
    "Hrdlička": "Hrdlička Hrdličky Hrdličkovi Hrdličku Hrdličko Hrdličkovi Hrdličkou",
    "Šťastný": "Šťastný Šťastného Šťastnému Šťastného Šťastný Šťastném Šťastným",
    "Krejčí": "Krejčí Krejčího Krejčímu Krejčího Krejčí Krejčím Krejčím",
    "Kříž": "Kříž Kříže Křížovi Kříže Kříži Křížovi Křížem",
    "Říha": "Říha Říhy Říhovi Říhu Řího Říhovi Říhou",
    "Petrů": "Petrů Petrů Petrů Petrů Petrů Petrů Petrů",
    "Horáková": "Horáková Horákové Horákové Horákovou Horáková Horákové Horákovou",
    "Tichá": "Tichá Tiché Tiché Tichou Tichá Tiché Tichou",
    "Hořejší": "Hořejší Hořejšího Hořejšímu Hořejšího Hořejší Hořejším Hořejším",
}


def forms() -> dict[str, list[list[str]]]:
    people = words("people", "cs")
    every = [*people["men"], *people["women"], *(form for pair in people["surnames"] for form in pair)]
    found: dict[str, list[list[str]]] = {}
    for entry in every:
        found.setdefault(entry[0], []).append(entry)
    return found


@pytest.mark.parametrize("name", DECLENSIONS)
def test_a_name_is_declined_as_the_table_says(name: str) -> None:
    assert DECLENSIONS[name].split() in forms()[name]


def test_declensions_keep_the_rules_that_hold_for_all() -> None:
    """Second opinions on every entry: whatever the pattern, these endings follow from the gender and the nominative."""
    people = words("people", "cs")
    for nominative, genitive, dative, accusative, _, locative, instrumental in people["women"]:
        assert accusative.endswith(("u", "i")), nominative
        assert dative == locative != nominative
        assert instrumental.endswith("ou" if nominative.endswith("a") else "í")
        assert genitive == nominative[:-1] + ("y" if nominative.endswith("a") else "e")
    for nominative, genitive, dative, accusative, _, locative, instrumental in people["men"]:
        assert genitive == accusative != nominative
        assert dative == locative or nominative == "Jiří"
        assert instrumental.endswith(("em", "ím"))
    for man, woman in people["surnames"]:
        assert man[1] == man[3] or man[0].endswith("a")
        if woman[0].endswith("ová"):
            root = woman[0][:-1]
            assert woman == [root + "á", root + "é", root + "é", root + "ou", root + "á", root + "é", root + "ou"]
            assert man[2] == man[5] == woman[0][:-3] + "ovi"
        if man[0].endswith("a"):
            assert man[3] == man[0][:-1] + "u"
            assert man[6] == man[0][:-1] + "ou"


def test_every_situation_has_its_twin() -> None:
    czech, american = words("situations", "cs"), words("situations", "en")
    assert list(czech) == list(american)
    for kind in czech:
        assert list(czech[kind]) == list(american[kind])
        assert len(czech[kind]) == 10
        for word, entry in czech[kind].items():
            assert {k: entry.get(k) for k in ("voice", "p", "q")} == {
                k: american[kind][word].get(k) for k in ("voice", "p", "q")
            }
    for part in ("attributes", "distractors"):
        for name, styles in words("frames", "cs")[part].items():
            assert set(styles) == set(words("frames", "en")[part][name]) or set(styles) - {"record"} == set(
                words("frames", "en")[part][name]
            ) - {"record"}


BROKEN = [
    ("people.cs.yaml", "  - [Jan, Jana, Janu, Jana, Jane, Janu, Janem]", "  - [Jan, Jana]", r"\['Jan', 'Jana'\].*all 7 cases of a name"),
    ("people.cs.yaml", "[Horák, Horáka, Horákovi, Horáka, Horáku, Horákovi, Horákem], ", "", "the forms of a man and of a woman|all 7 cases"),
    ("people.cs.yaml", "women:", "women: {", "people.cs.yaml is not YAML"),
    ("frames.cs.yaml", "E-mail: <x.email>", "E-mail: <x.emial>", "E-mail: <x.emial>.*a known place instead of <x.emial>"),
    ("frames.cs.yaml", "E-mail: <x.email>", "E-mail: <x.email", "places as <name>, opened and closed"),
    ("frames.cs.yaml", "E-mail: <x.email>", "E-mail: pište", "the place <x.email> exactly once, in every choice"),
    ("frames.cs.yaml", "E-mail: <x.email>", "{E-mail|Mail: <x.email>", "a closing brace for every opening one"),
    ("frames.cs.yaml", "    third:", "    thrid:", "one of labels, record, third, near, first"),
    ("frames.en.yaml", "  switchboard:", "  switchbord:", "'switchbord'.*did you mean 'switchboard'"),
    ("situations.en.yaml", "<p>'s {file|folder}", "{<p>'s file|The folder}", "the full name <p> exactly once, in every choice"),
    ("situations.cs.yaml", "    voice: third", "    voice: second", "'hire'.*voice: third or first"),
    ("situations.cs.yaml", "record:", "records:", "the kinds of text record, ticket, minutes, email"),
    ("situations.en.yaml", "    lead:", "    leed:", "has not the parts of its kind: 'lead' is missing"),
    ("layout.cs.yaml", "Komu: <g>", "Komu: <g>}", "a closing brace with an opening one before it"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "right", "wrong", "told"), BROKEN)
def test_a_broken_entry_is_told_with_its_file_and_what_was_expected(
    file: str, right: str, wrong: str, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "pii"
    shutil.copytree(FOLDER, folder)
    content = (folder / file).read_text(encoding="utf-8")
    assert right in content
    (folder / file).write_text(content.replace(right, wrong, 1), encoding="utf-8")
    name, language, _ = file.split(".")
    with pytest.raises(UsageError, match=told) as problem:
        words(name, language, folder)
    assert file in str(problem.value)
    assert "\n" not in str(problem.value)


def test_choices_are_drawn_and_counted() -> None:
    from random import Random

    template = parse("{a|{b|c}} <p>{|!}")
    assert {write(template, Random(seed), str.upper) for seed in range(60)} == {
        f"{letter} P{mark}" for letter in "abc" for mark in ("", "!")
    }
    assert times(parse("{<p>|<p> <q>} <p>"), lambda place: place == "p") == (2, 2)
