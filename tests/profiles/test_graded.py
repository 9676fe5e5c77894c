"""Grades beside their answers; the oracle is a merge of whole frames by pandas."""

import numpy as np
import pandas as pd
import pytest

from profiles.graded import graded_items

SHOWN = ["case_id", "trial", "item", "points", "max_points", "label", "error"]


@pytest.mark.parametrize("as_words", [True, False])
def test_the_same_rows_in_the_same_order_as_a_merge(as_words: bool) -> None:
    """Cases without an answer, answers that are not scored, several trials, rows and categories in any order."""
    draw = np.random.default_rng(3)
    answers = pd.DataFrame([{"case_id": f"c{i:02d}", "trial": t} for i in range(30) for t in (1, 2, 4)])
    answers = answers.assign(is_scored=draw.random(len(answers)) < 0.8)
    grades = pd.DataFrame(
        [{"case_id": f"c{i:02d}", "trial": t, "item": x} for i in range(5, 36) for t in (1, 2, 4) for x in "zab"]
    )
    grades = grades.assign(points=draw.random(len(grades)), max_points=1.0, label="right", error=None)
    grades = grades.sample(frac=1, random_state=1)
    if not as_words:
        grades = grades.astype(
            {"case_id": pd.CategoricalDtype(grades["case_id"].unique()), "item": pd.CategoricalDtype(list("zab"))}
        )
    at, found = graded_items(answers.assign(case_id=answers["case_id"].astype("category")), grades)
    plain = grades.astype({"case_id": "str", "item": "str"})
    wanted = plain.merge(answers[answers["is_scored"]], on=["case_id", "trial"]).sort_values(
        ["case_id", "trial", "item"]
    )
    told = answers.loc[at, ["case_id", "trial"]].reset_index(drop=True).join(found)[SHOWN]
    assert len(wanted) > 100
    for name in ("case_id", "trial", "item", "points", "label"):
        assert list(told[name]) == list(wanted[name]), name
