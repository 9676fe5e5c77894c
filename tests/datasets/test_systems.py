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


@pytest.mark.parametrize("limit", [0, -1, "many", {"invoices": 0}, {"invoices": "many"}, [2]])
def test_a_limit_of_cases_is_a_number_or_numbers_by_suite(tmp_path, limit):
    assert "system 'a', cases_at_most" in told_of(tmp_path, [{**GOOD, "cases_at_most": limit}])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"clinet": "rules"}, "clinet: there is no such key; did you mean 'client'?"),
        ({"client": "ruls"}, "client: 'ruls' is not one of the known words; did you mean 'rules'?"),
        ({"is_default": 1, "x": 1}, "x: there is no such key."),
        ({"limits": {"second": 3}}, "limits.second: there is no such limit; did you mean 'seconds'?"),
        ({"limits": {"seconds": 0}}, "limits.seconds: a number above 0 was expected, not 0."),
        ({"limits": {"max_tokens": True}}, "limits.max_tokens: a number above 0 was expected, not True."),
        ({"limits": {"max_tokens": "500"}}, "limits.max_tokens: a number above 0 was expected, not '500'."),
        ({"limits": {"max_cost_usd": "dear"}}, "limits.max_cost_usd: a number above 0 was expected, not 'dear'."),
        ({"price": {"usd_per_milion_in": 1, "usd_per_million_out": 1}}, "did you mean 'usd_per_million_in'?"),
        ({"price": {"usd_per_million_in": 1}}, "price.usd_per_million_out: it is missing."),
    ],
)
def test_what_was_expected_is_told_with_the_nearest_name(tmp_path, changed, told):
    assert told in told_of(tmp_path, [{**GOOD, **changed}])


def test_limits_that_are_right_are_taken(tmp_path):
    limits = {"max_tokens": 5, "seconds": 0.5, "at_once": 1, "max_cost_usd": "0.05"}
    (tmp_path / "fine.yaml").write_text(yaml.safe_dump([{**GOOD, "limits": limits}]), encoding="utf-8")
    assert load_systems(tmp_path / "fine.yaml")["a"].limits == limits
