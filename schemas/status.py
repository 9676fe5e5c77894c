"""One vocabulary of statuses for every call and every case (G-11)."""

from typing import Literal, get_args

Status = Literal["ok", "filtered", "refused", "truncated", "timeout", "invalid", "pin_violated", "api_error"]

STATUSES: tuple[Status, ...] = get_args(Status)

GRADED: frozenset[str] = frozenset({"ok", "refused", "truncated", "invalid"})
"""Answers that are graded: a refusal in words, a cut-off and an invalid answer are answers (G-11, M-4, D-17).

The others were not given by the system (the provider's filter, a time-out, another provider, an error of the API): never scored,
never 0, and counted as left out.
"""
