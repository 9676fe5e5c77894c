"""The same requests as a task of inspect_ai: the words of each body as a sample, its schema as the wanted form; run in its environment only.

`-T bodies=FILE` is a JSON list of the bodies that ours sends.
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ResponseSchema
from inspect_ai.solver import generate
from inspect_ai.util import JSONSchema


@task
def invoices(bodies: str) -> Task:
    """Ask each body once, without a scorer."""
    asked = [json.loads(text) for text in json.loads(Path(bodies).read_text(encoding="utf-8"))]
    wanted = asked[0]["response_format"]["json_schema"]
    schema = ResponseSchema(name=wanted["name"], json_schema=JSONSchema.model_validate(wanted["schema"]), strict=True)
    config = GenerateConfig(temperature=0, max_tokens=asked[0]["max_tokens"], response_schema=schema)
    samples = [Sample(input=body["messages"][0]["content"], id=number) for number, body in enumerate(asked)]
    return Task(dataset=MemoryDataset(samples), solver=generate(), config=config)
