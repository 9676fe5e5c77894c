"""Grades beside the answers that they were given for, by numbers of rows (G-2, G-11)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

KEY = ["case_id", "trial"]
WORDS = ["case_id", "item", "label", "error"]


def graded_items(answers: "pd.DataFrame", grades: "pd.DataFrame") -> tuple[NDArray[np.int64], "pd.DataFrame"]:
    """The grades of scored answers in the order of answers and items, and the row of the answer of each; words are categories.

    Rows are found by their numbers and not by a merge of frames, which for ten million grades would write out every word of every row.
    answers: case_id (a category), trial, is_scored; grades: case_id, trial, item, points, max_points, label, error, in any order.
    """
    marks = grades[["case_id", "trial", "item", "points", "max_points", "label", "error"]].copy()
    marks[WORDS] = marks[WORDS].astype("category")
    places = answers["case_id"].cat.categories.get_indexer(marks["case_id"].cat.categories)
    n_trials = 1 + max(answers["trial"].max(), marks["trial"].max() if len(marks) else 0)
    scored = np.flatnonzero(answers["is_scored"].to_numpy() == 1)
    n_places = len(answers["case_id"].cat.categories) + 1  # the last place: a case without an answer
    rows = np.full(n_places * n_trials, -1)
    rows[(answers["case_id"].cat.codes.to_numpy(np.int64) * n_trials + answers["trial"].to_numpy())[scored]] = scored
    at = rows[places[marks["case_id"].cat.codes] * n_trials + marks["trial"].to_numpy()]
    items = marks["item"].cat
    order = at * len(items.categories) + items.categories.argsort().argsort()[items.codes]
    kept = np.argsort(order, kind="stable")
    kept = kept[at[kept] >= 0]
    return at[kept], marks.take(kept).drop(columns=KEY).reset_index(drop=True)
