"""The one JSON object in a reply; the oracle is a table written by hand, and RFC 8259 as `orjson` implements it (D-13, D-16, M-2)."""

import json
from decimal import Decimal

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.replies import MAX_CANDIDATES, MAX_DEPTH, find_json

A = {"a": "1"}

FOUND = [
    ('{"a": "1"}', A, "json"),
    ('\n\t {"a": "1"} \r\n', A, "json"),
    ('\ufeff{"a": "1"}', A, "json"),
    ('\u00a0\u202f\u2003{"a": "1"}\u200b\u3000', A, "json"),
    ('\u2028\ufeff \u2060{"a": "1"}', A, "json"),
    ("{}", {}, "json"),
    ('```json\n{"a": "1"}\n```', A, "fenced"),
    ('```\n{"a": "1"}```', A, "fenced"),
    ('``` JSON\r\n{"a": "1"}\r\n```\n', A, "fenced"),
    ('~~~json\n{"a": "1"}\n~~~', A, "fenced"),
    ('````json5\n{"a": "1"}\n````', A, "fenced"),
    ('```json\n{"a": "1"}', A, "fenced"),
    ('Zde je výsledek:\n{"a": "1"}', A, "embedded"),
    ('{"a": "1"}\nHope this helps!', A, "embedded"),
    ('Here:\n```json\n{"a": "1"}\n```\nDone.', A, "embedded"),
    ('json\n{"a": "1"}', A, "embedded"),
    ('The format is {name: value} and the answer {"a": "1"}.', A, "embedded"),
    ('An illustration {"a": ...} and the answer {"a": "1"}.', A, "embedded"),
    ('[1] says so: {"a": "1"}', A, "embedded"),
    ('[{"a": "1"}]', A, "embedded"),
    ('```json\n[{"a": "1"}]\n```', A, "embedded"),
    ('{"a": "1"} {"a": "1"}', A, "embedded"),
    ('{"a": "1", "b": "2"}\n{"b": "2", "a": "1"}', {"a": "1", "b": "2"}, "embedded"),
    ('{"a": "} { [ \\" {"}', {"a": '} { [ " {'}, "json"),
    ('{"a": "\\\\"}', {"a": "\\"}, "json"),
    ('{"a": {"b": {"c": []}}}', {"a": {"b": {"c": []}}}, "json"),
    ('{"a": null, "b": true}', {"a": None, "b": True}, "json"),
    ('{"a": 177041, "b": -0, "c": 00}'.replace("00}", "0}"), {"a": 177041, "b": 0, "c": 0}, "json"),
    ('{"a": "\\ud800"}', {"a": "\ud800"}, "json"),
]

NONE = [
    ("", "The reply is empty."),
    (" \u00a0\ufeff\n", "The reply is empty."),
    ("Nedokážu to přečíst.", "The reply holds no JSON object."),
    ("null", "The reply holds no JSON object."),
    ("12", "The reply holds no JSON object."),
    ('"{}"', "The reply is a JSON string, not one object."),
    ('"{\\"a\\": \\"1\\"}"', "The reply is a JSON string, not one object."),
    ("[]", "The reply is a JSON list, not one object."),
    ("[1, 2]", "The reply is a JSON list, not one object."),
    ('[{"a": "1"}, {"a": "1"}]', "The reply is a JSON list, not one object."),
    ('[[{"a": "1"}]]', "The reply is a JSON list, not one object."),
    ('{"a": "1"} {"a": "2"}', "The reply holds different objects."),
    ('{"a": "1"} {"a": 1}', "The reply holds different objects."),
    ('{"a": 1} {"a": true}', "The reply holds different objects."),
    ('```json\n{}\n```\n```json\n{"a": 1}\n```', "The reply holds different objects."),
    ('{"a": "1"', "An object in the reply is cut off."),
    ('{"a": {"21": "1.00"}, "b": "1', "An object in the reply is cut off."),
    ('{"a": "1\\', "An object in the reply is cut off."),
    ('{"a": "1"} and {"b":', "An object in the reply is cut off."),
    ('{"a": {"b": "1"},}', "no valid JSON"),
    ('{"a": "1",}', "no valid JSON"),
    ('{\'a\': {"b": "1"}}', "no valid JSON"),
    ('{a: {"b": "1"}}', "no valid JSON"),
    ('{"a": {"b": "1"}, // comment\n "c": 1}', "no valid JSON"),
    ('{\u00a0"a": {"b": "1"}}', "no valid JSON"),
    ('{"a": 1 "b": 2}', "no valid JSON"),
    ('{"a": "line\nbreak"}', "no valid JSON"),
    ('{"a": "\\x41"}', "no valid JSON"),
    ('{"a": NaN}', "NaN and Infinity are no JSON"),
    ('{"a": -Infinity}', "NaN and Infinity are no JSON"),
    ('{"a": "1", "a": "1"}', "a key stands twice"),
    ('{"a": {"b": 1, "b": 2}}', "a key stands twice"),
    ('{"a": 01}', "no valid JSON"),
    ('{"a": 1,210.00}', "no valid JSON"),
    ('{"a": .5}', "no valid JSON"),
    ('{"a": +5}', "no valid JSON"),
    ('{"a": True}', "no valid JSON"),
    ('{"a": 1e99999999999999999999}', "a number is out of range"),
    ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), "nested deeper"),
]


@pytest.mark.parametrize(("text", "value", "structure"), FOUND)
def test_an_object_is_found(text: str, value: dict[str, object], structure: str) -> None:
    found = find_json(text)
    assert (found.value, found.structure, found.problem) == (value, structure, None)


@pytest.mark.parametrize(("text", "problem"), NONE)
def test_no_object_has_a_reason(text: str, problem: str) -> None:
    found = find_json(text)
    assert (found.value, found.structure) == (None, "none")
    assert problem in (found.problem or "")


def test_numbers_keep_their_digits() -> None:
    found = find_json('{"a": 1210.00, "b": 1210, "c": 1.21e3, "d": 0.1000000000000000000000000000001}')
    assert found.value is not None
    assert [str(v) for v in found.value.values()] == ["1210.00", "1210", "1.21E+3", "0.1000000000000000000000000000001"]
    assert [type(v) for v in found.value.values()] == [Decimal, int, Decimal, Decimal]


def test_the_deepest_allowed_object_is_found() -> None:
    text = '{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH
    assert find_json(text).value == json.loads(text)


MEGABYTE = 1_000_000
HOSTILE = {
    "open braces": "{" * MEGABYTE,
    "open brackets": "[" * MEGABYTE,
    "keys that nest": '{"a":' * (MEGABYTE // 5),
    "lists inside an object": '{"a":' + "[" * MEGABYTE,
    "quotes": '"' * MEGABYTE,
    "escaped quotes": '{"' + '\\"' * (MEGABYTE // 2),
    "backslashes": '{"' + "\\" * MEGABYTE,
    "empty objects": "{}" * (MEGABYTE // 2),
    "broken objects": '{"}{"}' * (MEGABYTE // 6),
    "broken pairs": '{"a"}' * (MEGABYTE // 5),
    "empty lists": '{"a":[' + "[]," * (MEGABYTE // 3) + "[]]}",
    "a long string": '{"a": "' + "x" * MEGABYTE + '"}',
    "a long integer": '{"a": ' + "1" * MEGABYTE + "}",
    "a long fraction": '{"a": 0.' + "1" * MEGABYTE + "}",
    "white space": " " * MEGABYTE + "{" + " " * MEGABYTE,
    "fences": "`" * MEGABYTE + "{}" + "`" * MEGABYTE,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_megabytes_come_back(text: str) -> None:
    """A quadratic reading would take minutes here; a recursive one would end the process."""
    assert find_json(text).structure in ("json", "fenced", "embedded", "none")


def test_a_crowd_of_objects_is_none() -> None:
    assert find_json("{}" * MAX_CANDIDATES).value == {}
    assert find_json("{}" * (MAX_CANDIDATES + 1)).value is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=4)
PROSE = st.text(st.characters(exclude_characters='{}[]"`~', exclude_categories=["Cs"]))


@settings(deadline=None)
@given(OBJECTS, PROSE, PROSE)
def test_any_object_is_found_in_any_prose(value: dict[str, object], before: str, after: str) -> None:
    assert find_json(before + json.dumps(value, ensure_ascii=False) + after).value == value


@settings(deadline=None)
@given(OBJECTS.filter(bool), st.data())
def test_a_cut_off_object_is_never_one(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    assert find_json(text[: data.draw(st.integers(0, len(text) - 1))]).value is None


@settings(deadline=None, max_examples=300)
@given(OBJECTS.filter(bool), st.data())
def test_a_broken_whole_is_refused_as_by_another_parser(value: dict[str, object], data: st.DataObject) -> None:
    """One character replaced: where the whole is read as the object, a strict parser reads the same; and the other way round."""
    text = json.dumps(value, ensure_ascii=False)
    at = data.draw(st.integers(0, len(text) - 1))
    text = text[:at] + data.draw(st.sampled_from('{}[]",:\\0a \u00a0')) + text[at + 1 :]
    found = find_json(text)
    try:
        other = orjson.loads(text)
    except orjson.JSONDecodeError:
        other = None
    if found.structure == "json":
        assert found.value == other
    elif isinstance(other, dict):
        assert "twice" in (found.problem or "")


@settings(deadline=None)
@given(st.text(st.sampled_from('{}[]",:\\a1 `\n')) | st.text())
def test_no_text_raises(text: str) -> None:
    found = find_json(text)
    assert (found.value is None) == (found.structure == "none") == (found.problem is not None)
