"""Claims as cases: the file itself, what is wrong with a broken one, and the conversation with a juror (J-1, J-2)."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from datasets import jury
from datasets.editions import edition_for
from schemas.errors import UsageError
from schemas.exchange import Message
from schemas.jury import PANEL_SIZES, SUITE, VERDICTS

RAW: dict[str, Any] = yaml.safe_load(jury.CLAIMS_FILE.read_text(encoding="utf-8"))


def cases(size: int = 48) -> list[Any]:
    edition = edition_for(SUITE, jury.SET_VERSION, 1, size, "x")
    return [made.case for made in jury.make_cases(edition, "x", 0, jury.units(edition))]


def test_at_least_forty_claims_over_ten_fields() -> None:
    assert len(RAW["claims"]) >= 40
    assert len({claim["field"] for claim in RAW["claims"]}) >= 10
    assert RAW["version"] == jury.SET_VERSION
    assert {f["id"] for f in RAW["fields"]} == {claim["field"] for claim in RAW["claims"]}
    assert list(PANEL_SIZES) == [3, 4, 5, 6, 7]


def test_every_claim_is_a_case_in_both_languages_with_the_whole_prompt() -> None:
    found = {case.case_id: case for case in cases()}
    assert len(found) == 2 * len(RAW["claims"])
    for claim in RAW["claims"]:
        for language in ("cs", "en"):
            case = found[f"jury-{language}-{claim['id']}"]
            brief = case.to_brief()
            assert claim[language] in brief.prompt
            assert claim[f"measure_{language}"] in brief.prompt
            assert (case.split, case.pair_id, case.area) == ("public", claim["id"], claim["field"])
            assert jury.claim_of(case.case_id) == claim["id"]
            shown = jury.dated(brief, "2026-03-09").prompt
            assert "{{" not in shown
            assert ("9. 3. 2026" if language == "cs" else "2026-03-09") in shown
            assert all(word in shown for word in VERDICTS)


def test_a_set_has_the_first_claims() -> None:
    assert {c.pair_id for c in cases(3)} == {claim["id"] for claim in RAW["claims"][:3]}
    with pytest.raises(UsageError, match="The size 49 is more than the 48 claims of jury"):
        cases(49)


@pytest.mark.parametrize(
    ("replies", "messages"),
    [
        (['{"verdict": "UMÍ", "reason": "Ano."}'], 1),
        (["UMÍ"], 1),
        (['Zde:\n```json\n{"verdict": "NEUMÍ"}\n```'], 1),
        (["Nevím.", '{"verdict": "NEUMÍ"}'], 2),
        (["Nevím.", "Opravdu nevím.", "Ne!"], 2),
        (['{"verdict": "MOŽNÁ"}', "UMÍ"], 2),
    ],
)
def test_a_juror_is_asked_once_more_where_its_reply_is_no_verdict(replies: list[str], messages: int) -> None:
    """J-4, M-2."""
    brief = cases(1)[0].to_brief()
    transcript: tuple[Message, ...] = ()
    for reply in replies:
        message = jury.next_message(brief, transcript)
        if message is None:
            break
        transcript = (*transcript, message, Message(role="assistant", text=reply))
    assert jury.next_message(brief, transcript) is None
    assert len(transcript) == 2 * messages
    assert transcript[0].text == brief.prompt


def test_the_schema_of_the_answer_takes_what_the_prompt_asks_for() -> None:
    import jsonschema

    validator = jsonschema.Draft202012Validator(jury.ANSWER_SCHEMA)
    for verdict, since in (("UMÍ", "2023-03"), ("UMÍ", None), ("NEUMÍ", None), ("NEROZHODNUTO", None)):
        assert validator.is_valid({"verdict": verdict, "reason": "Proto.", "since": since})
    for wrong in ({"verdict": "ANO"}, {"since": "2023"}, {"reason": ""}):
        assert not validator.is_valid({"verdict": "UMÍ", "reason": "Proto.", "since": None, **wrong})


GOOD = """version: "1"
fields:
  - {id: law, cs: Právo, en: Law}
claims:
  - id: first
    field: law
    cs: Umí AI A?
    en: Can AI A?
    measure_cs: Udělá A.
    measure_en: It does A.
    since: 2023-05
"""


def told_of(tmp_path: Path, text: str) -> str:
    file = tmp_path / "claims.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        jury.read_claims(file)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("field: law", "field: lav", "line 6: claims.0.field: 'lav' is no field; did you mean 'law'? Known: law."),
        ("measure_cs", "mesure_cs", "line 9: claims.0.mesure_cs: there is no such key; did you mean 'measure_cs'?"),
        ("    cs: Umí AI A?\n", "", "line 5: claims.0.cs: it is missing; expected: the claim in Czech"),
        ("2023-05", "2023-15", "line 11: claims.0.since: '2023-15' does not match"),
        ("id: first", "id: First One", "line 5: claims.0.id: 'First One' does not match"),
        ("    since: 2023-05\n", "    since: 2023-05\n" + GOOD.partition("claims:\n")[2], "line 12: claims.1.id: 'first' stood there before"),
        ("    field: law", "    field: [law", "line 7: it is no YAML"),
    ],
)  # fmt: skip
def test_a_broken_file_is_told_by_line_with_the_nearest_right_thing(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    assert GOOD.count(old) == 1
    words = told_of(tmp_path, GOOD.replace(old, new))
    assert words.startswith("claims.yaml, line")
    assert told in words


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    words = told_of(tmp_path, GOOD.replace("2023-05", "soon").replace("cs: Umí AI A?", "cs: ''"))
    assert "claims.0.since" in words
    assert "claims.0.cs" in words


def test_the_small_file_is_read_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "claims.yaml"
    file.write_text(GOOD, encoding="utf-8")
    (claim,) = jury.read_claims(file).claims
    assert (claim.id, claim.since, claim.words("en")) == ("first", "2023-05", ("Can AI A?", "It does A."))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"The file of claims '.*none.yaml' cannot be read: No such file"):
        jury.read_claims(tmp_path / "none.yaml")


def test_versions_change_with_what_jurors_read() -> None:
    assert set(jury.versions()) == {"claims", "cs", "en"}
    truth = {json.dumps(case.to_truth()) for case in cases()}
    assert truth == {json.dumps({"since": claim["since"]}) for claim in RAW["claims"]}
