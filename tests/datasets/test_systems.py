"""The file of systems: a wrong entry is told by file, id and key; an unknown id by the nearest one (M-7)."""

import pytest
import yaml

from datasets.systems import SYSTEMS_FILE, load_systems
from schemas.errors import UsageError

GOOD = {"id": "a", "name": "A", "vendor": "v", "family": "f", "client": "rules", "suites": [], "inputs": ["text"]}


def told_of(tmp_path, text):
    file = tmp_path / "systems.yaml"
    file.write_text(text if isinstance(text, str) else yaml.safe_dump(text), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_systems(file)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("systems.yaml")
    return str(caught.value)


def test_the_file_of_the_project_is_read_whole_and_in_order():
    raw = yaml.safe_load(SYSTEMS_FILE.read_text(encoding="utf-8"))
    found = load_systems()
    assert list(found) == [entry["id"] for entry in raw]
    for entry in raw:
        system = found[entry["id"]]
        assert system.is_default == entry.get("default", True)
        assert (system.client, list(system.inputs), list(system.suites)) == (
            entry["client"],
            entry["inputs"],
            entry["suites"],
        )
        assert set(system.note) == {"cs", "en"}


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"client": "magic"}, "client"), ({"inputs": ["sound"]}, "inputs.0"), ({"nonsense": 1}, "nonsense"), ({"id": "Capital"}, "id"),
        ({"default": "perhaps"}, "default"), ({"limits": 3}, "limits"), ({"suites": "invoices"}, "suites"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_told_by_id_and_key(tmp_path, changed, key):
    wrong = {**GOOD, **changed}
    told = told_of(tmp_path, [{**GOOD, "id": "fine"}, wrong])
    assert f"system {wrong['id']!r}, {key}: " in told


@pytest.mark.parametrize("key", ["name", "vendor", "client", "suites", "inputs"])
def test_a_missing_key_is_told(tmp_path, key):
    assert f"system 'a', {key}: " in told_of(tmp_path, [{k: v for k, v in GOOD.items() if k != key}])


def test_an_id_that_stands_there_twice_is_told(tmp_path):
    assert "the id 'a' stands there twice" in told_of(tmp_path, [GOOD, {**GOOD, "id": "b"}, {**GOOD, "name": "B"}])


@pytest.mark.parametrize("text", ["", "a: 1", "- rules", "- [", "- id: a\n  id: \t x: y"])
def test_what_is_no_list_of_entries_is_told(tmp_path, text):
    assert "systems.yaml" in told_of(tmp_path, text)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match=r"The file of systems '.*none.yaml' cannot be read: No such file"):
        load_systems(tmp_path / "none.yaml")


def test_a_gateways_model_without_a_pinned_provider_is_told(tmp_path):
    """M-1."""
    assert "provider is missing" in told_of(tmp_path, [{**GOOD, "client": "openrouter"}])
