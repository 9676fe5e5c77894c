"""Two sides of a suite, paired by case: every number that both have, group by group, and the cases that newly fail or pass (G-3, S-2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from profiles.comparison import Difference, compare, corrected
from profiles.intervals import Array, generator
from profiles.measures import COUNTS, DIMENSIONS, MAIN, WHOLLY, sign_of
from schemas import readings

if TYPE_CHECKING:
    import pandas as pd

Verdict = Literal["better", "worse", "open"]


@dataclass(frozen=True)
class Line:
    """One compared number; is_fit: whether what judged it is fit to decide anything (S-5)."""

    dimension: str
    group: str
    metric: str
    judge_id: str
    found: Difference
    is_fit: bool = True

    @property
    def verdict(self) -> Verdict:
        """Whether B is decisively better or worse than A; `open` where the data cannot tell."""
        if not (self.found.is_decisive and self.is_fit):
            return "open"
        return "better" if self.found.value * sign_of(self.metric) > 0 else "worse"


@dataclass(frozen=True)
class Paired:
    """A whole comparison: its lines, and how many cases each side has and both share.

    newly_failing, newly_passing: public cases that were faultless in all trials on one side only; n_private_…: how many private ones,
    None where there are too few private cases to tell (G-8).
    """

    lines: tuple[Line, ...]
    n_left: int
    n_right: int
    n_shared: int
    newly_failing: tuple[str, ...] = ()
    newly_passing: tuple[str, ...] = ()
    n_private_failing: int | None = None
    n_private_passing: int | None = None


def pair(left: "pd.DataFrame", right: "pd.DataFrame", seed: int, key: Sequence[str] = ()) -> Paired:
    """Compare two frames of `profiles.measures.measures` over the cases that both have.

    Groups and fields are those of public cases; of private ones only the whole is compared, from `readings.PRIVATE_FLOOR` documents on (G-8).
    Holm corrects two families: the numbers over the whole set, and those of groups and fields. seed, key: of the test's flips (S-4).
    """
    mine, theirs = set(left["case_id"]), set(right["case_id"])
    shared = mine & theirs
    a, b = (f[f["case_id"].isin(shared)] for f in (left, right))
    lines = [line for masks in (_whole(a), _groups(a)) for line in _corrected(list(_lines(a, b, masks, seed, key)))]
    failing, passing = _changed(a, b)
    return Paired(tuple(lines), len(mine), len(theirs), len(shared), **_told(failing, passing, a))


Mask = tuple[str, str, "Mapping[str, object]"]


def _whole(frame: "pd.DataFrame") -> Iterator[Mask]:
    yield "overall", "all", {"split": "public", "item": ""}
    private = frame[frame["split"] == "private"]
    if private["case_id"].nunique() >= readings.PRIVATE_FLOOR:
        yield "overall", "private", {"split": "private", "item": ""}


def _groups(frame: "pd.DataFrame") -> Iterator[Mask]:
    public = frame[frame["split"] == "public"]
    for dimension in DIMENSIONS:
        values = sorted({str(v) for v in public[dimension].dropna()} - {""})
        if len(values) > 1:
            yield from ((dimension, value, {"split": "public", "item": "", dimension: value}) for value in values)
    for field in sorted(set(public["item"]) - {""}):
        yield "field", field, {"split": "public", "item": field}


def _lines(
    a: "pd.DataFrame", b: "pd.DataFrame", masks: Iterator[Mask], seed: int, key: Sequence[str]
) -> Iterator[Line]:
    for dimension, group, wanted in masks:
        mine, theirs = (_of(f, wanted) for f in (a, b))
        if dimension not in ("overall", "field"):
            mine, theirs = (f[f["metric"].isin(MAIN)] for f in (mine, theirs))
        mine, theirs = (f[f["metric"] != WHOLLY] for f in (mine, theirs))
        names = sorted(
            set(zip(mine["metric"], mine["judge_id"], strict=True))
            & set(zip(theirs["metric"], theirs["judge_id"], strict=True))
        )
        for metric, judge in names:
            sides = aligned(*(f[(f["metric"] == metric) & (f["judge_id"] == judge)] for f in (mine, theirs)))
            rng = generator(seed, *key, dimension, group, metric, judge)
            found = compare(*sides, rng, is_share=metric not in COUNTS)
            if found is not None:
                yield Line(dimension, group, metric, judge, found)


def _of(frame: "pd.DataFrame", wanted: "Mapping[str, object]") -> "pd.DataFrame":
    keep = np.ones(len(frame), dtype=bool)
    for column, value in wanted.items():
        keep &= (frame[column] == value).to_numpy(dtype=bool)
    return frame.loc[keep]


def aligned(mine: "pd.DataFrame", theirs: "pd.DataFrame") -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Points and points possible of both sides, one number a cluster that both have, trials pooled."""
    cluster = "pair_id" if readings.BOOTSTRAP_CLUSTER == "pair" else "case_id"
    cases = set(mine["case_id"]) & set(theirs["case_id"])
    sums = [
        f[f["case_id"].isin(cases)].groupby(cluster, observed=True)[["points", "possible"]].sum().sort_index()
        for f in (mine, theirs)
    ]
    left, right = ((s["points"].to_numpy(dtype=np.float64), s["possible"].to_numpy(dtype=np.float64)) for s in sums)
    return left, right


def _corrected(lines: Sequence[Line]) -> list[Line]:
    found = corrected([line.found for line in lines])
    return [replace(line, found=one) for line, one in zip(lines, found, strict=True)]


def _changed(a: "pd.DataFrame", b: "pd.DataFrame") -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Case and split of those that were whole on one side only: newly failing, newly passing."""
    before, after = (_wholly(f) for f in (a, b))
    both = sorted(before.keys() & after.keys())
    failing = [c for c in both if before[c] and not after[c]]
    passing = [c for c in both if after[c] and not before[c]]
    return failing, passing


def _wholly(frame: "pd.DataFrame") -> dict[tuple[str, str], bool]:
    """Whether a case was faultless in all its trials, where the suite tells it; by case and split."""
    rows = frame[frame["metric"].isin(("faultless", WHOLLY)) & (frame["item"] == "")]
    found: dict[tuple[str, str], bool] = {}
    for case, split, points in zip(rows["case_id"], rows["split"], rows["points"], strict=True):
        found[case, split] = found.get((case, split), True) and points >= 1
    return found


def _told(
    failing: Sequence[tuple[str, str]], passing: Sequence[tuple[str, str]], frame: "pd.DataFrame"
) -> dict[str, Any]:
    n_private = frame.loc[frame["split"] == "private", "case_id"].nunique()
    told: dict[str, Any] = {
        "newly_failing": tuple(c for c, split in failing if split == "public"),
        "newly_passing": tuple(c for c, split in passing if split == "public"),
    }
    if n_private >= readings.PRIVATE_FLOOR:
        told["n_private_failing"] = sum(split == "private" for _, split in failing)
        told["n_private_passing"] = sum(split == "private" for _, split in passing)
    return told
