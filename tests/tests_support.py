"""Rows for tests, made by hand."""

import hashlib
import json
from typing import Any

from schemas.case import Case
from schemas.exchange import Brief


def case_of(case_id: str, **changes: Any) -> Case:
    """A public Czech case with a brief that wants an object."""
    brief = Brief(
        suite="invoices",
        case_id=case_id,
        language="cs",
        prompt=f"Přečti fakturu {case_id}.",
        prompt_version="p1",
        answer_schema={"type": "object"},
    )
    row: dict[str, Any] = {
        "suite": "invoices",
        "edition": "v1-s1-n2-p0",
        "case_id": case_id,
        "pair_id": case_id,
        "language": "cs",
        "split": "public",
        "level": "text",
        "variant": "ordinary",
        "layout": "classic",
        "prompt_version": "p1",
        "set_version": "1",
        "brief": brief.model_dump_json(),
        "truth": json.dumps({"supplier": "Pekařství Vrána"}),
        "text": "Faktura",
        "document_sha256": hashlib.sha256(case_id.encode()).hexdigest(),
        "image_sha256": None,
        "canary": None,
    }
    return Case.model_validate({**row, **changes})
