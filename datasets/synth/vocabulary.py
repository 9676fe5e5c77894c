"""The vocabularies of the generators: YAML files beside this module, read once."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "vocab"


@cache
def read(name: str) -> Any:
    """The content of `vocab/<name>.yaml`; treat it as frozen, all callers share it."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
