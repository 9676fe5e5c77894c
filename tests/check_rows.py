"""Votes and checks of the jury for tests: a number decides the check and its day."""

import datetime as dt
from typing import Any

from schemas.vote import Check, Vote

NOV = dt.datetime(2026, 11, 30, 22, tzinfo=dt.UTC)


def vote(number: int, juror: str, **changed: Any) -> Vote:
    row: dict[str, Any] = {
        "suite": "jury", "edition": "ever", "claim_id": "book-vacation", "check_id": f"c{number:06}", "system_id": juror, "vendor": juror,
        "family": juror, "place": 1, "verdict": "UMÍ", "reason": "Ano.", "is_withheld": False, "since": "2024-01", "text": "UMÍ",
        "pool": [], "key_mark": None, "request_hash": None, "language": "cs", "source": "panel", "panel_size": 3, "is_incomplete": False,
        "checked_at": NOV + dt.timedelta(days=number), "prompt_version": "p", "set_version": "1.0", "run_id": "r",
    }  # fmt: skip
    return Vote.model_validate({**row, **changed})


def check(number: int, **changed: Any) -> Check:
    row: dict[str, Any] = {
        "suite": "jury", "edition": "ever", "claim_id": "book-vacation", "check_id": f"c{number:06}",
        "checked_at": NOV + dt.timedelta(days=number), "able": 1, "unable": 0, "undecided": 0, "jurors": 1, "panel_size": 3,
        "is_incomplete": True, "is_small_pool": False, "language": "cs", "source": "panel", "prompt_version": "p", "set_version": "1.0",
        "run_id": "r",
    }  # fmt: skip
    return Check.model_validate({**row, **changed})
