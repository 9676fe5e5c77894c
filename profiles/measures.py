"""What is compared of a profile: the numbers of one answer that have a better and a worse, as points of points possible (G-3, S-2).

Suites that are graded by programs alone are compared by their shares (D-14, D-16) and field by field; the others by what the grades of each
judge come to (`Profile.scores`). Numbers that only describe (turns, tokens) have no better, and are not compared.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

KEY = ("case_id", "trial")
DIMENSIONS = ("language", "level", "variant", "layout", "area", "category", "meta_task")
"""Columns of a profile whose values are groups that are compared on their own."""

WANTED = (
    "case_id", "trial", "pair_id", "split", *DIMENSIONS, "is_scored", "points", "max_points", "is_faultless", "is_valid",
    "is_valid_first", "scores",
)  # fmt: skip
"""Columns of profiles that a comparison reads."""

MARKS = ("case_id", "trial", "pass_name", "item", "points", "max_points")
"""Columns of grades that a comparison reads."""

MAIN = ("field_accuracy", "faultless", "atomic_composite", "trial_score", "sieve", "presence")
"""Numbers that are also compared group by group."""

LESS_IS_BETTER = frozenset(
    {"key_missed", "violated", "unsafe_completeness", "unsafe_completeness_rate", "overclaiming", "underclaiming", "l2_burnt",
     "l3_own_events", "l4_others_act", "l5_repetition", "l6_out_of_play", "l8_plays_user", "unranked", "cut_off"}
)  # fmt: skip
MORE_IS_BETTER = frozenset(
    {"field_accuracy", "faultless", "valid", "valid_first", "atomic_composite", "atomic_composite_flat", "correctness", "avoidance",
     "grounding", "bonus", "holistic_composite", "verdict", "argument", "citations", "completeness", "aware", "trial_score", "conformity",
     "works", "look", "code", "structure", "logic", "process", "sieve", "sieve_bonus", "presence", "l1_played"}
)  # fmt: skip

COUNTS = frozenset(
    {"sieve_bonus", "l1_played", "l3_own_events", "l4_others_act", "l5_repetition", "l6_out_of_play", "l8_plays_user", "cut_off"}
)  # fmt: skip
"""Numbers that are counts an answer and no shares."""

WHOLLY = "wholly"
"""Whether an answer was faultless, in suites whose standing is not told by it: for the list of cases that newly fail."""

SHARES = {"faultless": "is_faultless", "valid": "is_valid", "valid_first": "is_valid_first"}


def sign_of(metric: str) -> int:
    """1 where more of it is better, -1 where less is, 0 where it only describes.

    >>> sign_of("faultless"), sign_of("key_missed"), sign_of("turns")
    (1, -1, 0)
    """
    return int(metric in MORE_IS_BETTER) - int(metric in LESS_IS_BETTER)


def measures(profiles: "pd.DataFrame", marks: "pd.DataFrame | None" = None) -> "pd.DataFrame":
    """One row a number of a scored answer: the case's columns, then metric, judge_id, item, points, possible.

    profiles: the columns `WANTED`; marks: the columns `MARKS` of the counted grades. item: a field, or empty. Answers that are not scored
    have no rows (G-11).
    """
    import pandas as pd

    scored = profiles[profiles["is_scored"].astype(bool)]
    whole = _told_by_scores(scored)
    judged = scored[scored["case_id"].isin(set(whole["case_id"]))]
    rows = [
        whole,
        _base(judged).assign(
            metric=WHOLLY, judge_id="", item="", points=judged["is_faultless"].astype(float), possible=1.0
        ),
    ]
    counted = scored[~scored["case_id"].isin(set(whole["case_id"]))] if len(whole) else scored
    rows += _counted(counted)
    if marks is not None and len(counted):
        rows.append(_by_field(counted, marks))
    return pd.concat([r for r in rows if len(r)] or [whole], ignore_index=True)


def _base(frame: "pd.DataFrame") -> "pd.DataFrame":
    return frame[[*KEY, "pair_id", "split", *DIMENSIONS]]


def _told_by_scores(scored: "pd.DataFrame") -> "pd.DataFrame":
    """What the grades of each judge come to, one row a score that has a better and a worse."""
    import pandas as pd

    has_some = scored["scores"].map(lambda s: s is not None and len(s) > 0).to_numpy(dtype=bool)
    long = scored.loc[has_some].explode("scores", ignore_index=True)
    told: list[Any] = long["scores"].tolist()
    found = _base(long).assign(
        metric=[s["metric"] for s in told], judge_id=[s["judge_id"] for s in told], item="",
        points=[float(s["value"]) for s in told], possible=1.0,
    )  # fmt: skip
    known = found["metric"].map(sign_of).astype(int) != 0 if len(found) else pd.Series([], dtype=bool)
    return found.loc[known.to_numpy(dtype=bool)]


def _counted(scored: "pd.DataFrame") -> "list[pd.DataFrame]":
    """The shares of suites that programs grade."""
    base = _base(scored).assign(judge_id="", item="")
    found = [
        base.assign(
            metric="field_accuracy", points=scored["points"].astype(float), possible=scored["max_points"].astype(float)
        )
    ]
    found += [base.assign(metric=m, points=scored[c].astype(float), possible=1.0) for m, c in SHARES.items()]
    return found


def _by_field(scored: "pd.DataFrame", marks: "pd.DataFrame") -> "pd.DataFrame":
    """One row a graded field of an answer."""
    atomic = marks[(marks["pass_name"] == "atomic") & (marks["max_points"] > 0)]
    joined = _base(scored).merge(atomic, on=list(KEY)).drop(columns="pass_name")
    return joined.rename(columns={"max_points": "possible"}).assign(
        metric="field_accuracy", judge_id="", points=joined["points"].astype(float), possible=joined["max_points"].astype(np.float64),
        item=joined["item"].astype(str),
    ).drop(columns=["max_points"], errors="ignore")  # fmt: skip
