"""compose.yaml and Dockerfile against the Compose Specification's own schema and against this repository; no container engine is needed."""

import copy
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tasks.settings import PLACES, Settings

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "compose.yaml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
ONCE = {"bucket", "deploy"}
"""Services that end when they have done their work."""

SECRET = re.compile(r"PASSWORD|SECRET|_KEY|AUTH_STRING|SEED|_URL$")


@pytest.fixture(scope="module")
def validator() -> Any:
    """The schema of the Compose Specification as check-jsonschema brings it."""
    schema = json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_bytes())
    return jsonschema.validators.validator_for(schema)(schema)


def test_the_file_keeps_the_schema(validator: Any) -> None:
    assert [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(COMPOSE)] == []


@pytest.mark.parametrize(
    "broken",
    [
        lambda c: c["services"]["worker"].update(comand=["x"]),
        lambda c: c["services"]["database"]["healthcheck"].update(interval=["10s"]),
        lambda c: c["services"]["server"]["depends_on"]["database"].update(condition="service_well"),
        lambda c: c["volumes"].update(database="here"),
        lambda c: c.update(servces={}),
    ],
)
def test_the_schema_sees_a_mistake(validator: Any, broken: Any) -> None:
    changed = copy.deepcopy(COMPOSE)
    broken(changed)
    assert list(validator.iter_errors(changed))


def test_what_services_name_is_there() -> None:
    volumes = set()
    for service in SERVICES.values():
        assert set(service.get("depends_on", {})) <= set(SERVICES)
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            volumes |= {source} if re.fullmatch(r"\w+", source) else set()
        for name, how in service.get("depends_on", {}).items():
            assert how["condition"] == ("service_completed_successfully" if name in ONCE else "service_healthy")
            assert name in ONCE or "healthcheck" in SERVICES[name]
    assert volumes == set(COMPOSE["volumes"])
    assert {s for s, about in SERVICES.items() if about.get("restart") == "no"} == ONCE
    unwatched = {s for s, about in SERVICES.items() if "healthcheck" not in about} - ONCE
    assert unwatched == {"dask-worker"}, "its scheduler watches it"
    assert {s for s, about in SERVICES.items() if about.get("profiles") == ["dask"]} == {
        "dask-scheduler",
        "dask-worker",
    }


def test_no_secret_stands_in_it_and_none_is_optional_that_has_to_be_there() -> None:
    for name, service in SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            if SECRET.search(variable) and "PREFECT_API_URL" not in variable:
                assert "${" in value, (name, variable)
    asked = {v: m for v, _, m in re.findall(r"\$\{(\w+)(:\?)([^}]*)\}", TEXT)}
    assert set(asked) == {
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "POSTGRES_PASSWORD", "PREFECT_API_AUTH_STRING", "ZKUSEBNA_PRIVATE_SEED",
    }  # fmt: skip
    assert all(asked.values()), "each says what is missing"


def test_the_example_of_the_environment_names_every_variable_and_gives_no_secret_a_value() -> None:
    example = (ROOT / "docs" / "compose.env.example").read_text(encoding="utf-8")
    there = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", example, re.MULTILINE))
    assert set(re.findall(r"\$\{(\w+)", TEXT)) == set(there)
    for variable in re.findall(r"\$\{(\w+):\?", TEXT):
        assert there[variable] == ""
    assert ".env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def test_every_setting_is_one_of_ours() -> None:
    known = {f"ZKUSEBNA_{name.upper()}" for name in Settings.model_fields} | PLACES
    for service in SERVICES.values():
        ours = {name for name in service.get("environment", {}) if name.startswith("ZKUSEBNA_")}
        assert ours <= known
    assert {"ZKUSEBNA_STORE", "ZKUSEBNA_RUNNER", "ZKUSEBNA_DASK_ADDRESS"} <= set(SERVICES["worker"]["environment"])
    assert SERVICES["dask-worker"]["environment"] == SERVICES["worker"]["environment"], "or the workers would refuse"


def test_ports_are_open_to_this_machine_alone() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_image_is_made_from_what_is_here_and_from_the_lock_files() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]]
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in allowed or any(
            a.endswith("*") and name.startswith(a[1:-1]) for a in allowed if a[0] == "!"
        ), name
    assert {"requirements.lock", "requirements-dev.lock", "prefect.toml", "prefect.yaml", "flows", "tasks"} <= set(
        copied
    )
    text = "\n".join(lines)
    assert "-r requirements.lock" in text
    assert "-c requirements-dev.lock" in text
    assert re.search(r"^USER (?!root)", text, re.MULTILINE), "not as root"
