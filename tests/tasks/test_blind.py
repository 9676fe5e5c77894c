"""Graders are blind: a sentinel identity goes in with the system and never arrives at a grader (G-6)."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from pipeline_support import run_stages

from grading import invoices

SENTINEL = "sentinel-q7x"


def test_the_identity_of_a_system_never_arrives_at_a_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that reaches both passes is searched for the id, the vendor, the family and the provider of the system."""
    system = {
        "id": SENTINEL, "name": SENTINEL, "vendor": SENTINEL, "family": SENTINEL, "client": "scripted", "suites": [],
        "inputs": ["text", "image"], "options": {"replies": ['{"supplier": "x"}'], "cost_usd": "0.25"}, "default": False,
    }  # fmt: skip
    file = tmp_path / "systems.yaml"
    file.write_text(yaml.safe_dump([system]), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    seen: list[str] = []

    def spied(mark: Any) -> Any:
        def spy(exam: Any) -> Any:
            seen.append(repr(exam) + exam.model_dump_json())
            return mark(exam)

        return spy

    for name in ("atomic", "holistic"):
        monkeypatch.setattr(invoices, name, spied(getattr(invoices, name)))
    done = run_stages(str(tmp_path / "store"), "invoices", [SENTINEL], 2, ("text",))
    assert len(seen) == 2 * sum(o.rows for o in done if o.table == "answers") == 8
    assert not [exam for exam in seen if SENTINEL in exam or "0.25" in exam]
