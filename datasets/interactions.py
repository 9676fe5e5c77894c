"""Scenarios of interactions that several tasks share, read from `datasets/interactions/` (A-4)."""

from pathlib import Path

import yaml

from schemas.errors import unknown
from schemas.scenario import Scenario

FOLDER = Path(__file__).parent / "interactions"


def known_scenarios() -> list[str]:
    """Ids of the scenarios, in order."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load_scenario(scenario_id: str) -> Scenario:
    """The scenario of an id; UsageError where there is none."""
    if scenario_id not in known_scenarios():
        raise unknown("scenario", scenario_id, known_scenarios())
    text = (FOLDER / f"{scenario_id}.yaml").read_text(encoding="utf-8")
    return Scenario.model_validate(yaml.safe_load(text))
