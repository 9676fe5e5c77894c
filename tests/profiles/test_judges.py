"""Agreement against published worked examples and laws (S-3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from legal_grades import grade, model, rules

from profiles import judges

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), part C: four observers, twelve units, some not observed.
OBSERVED = {
    "A": "123321412...", "B": "123322412 5.3".replace(" ", ""), "C": ".3332342251.", "D": "12332441251.",
}  # fmt: skip


def units(told: str) -> dict[tuple[str, ...], float]:
    return {(f"{n:02}",): float(x) for n, x in enumerate(told) if x != "."}


def test_alpha_of_the_published_example() -> None:
    """0.815 for ordinal data."""
    values = {name: units(told) for name, told in OBSERVED.items()}
    assert judges.alpha(values) == pytest.approx(0.815, abs=5e-4)


def test_alpha_says_nothing_where_there_is_nothing_to_say() -> None:
    assert judges.alpha({"A": units("123")}) is None
    assert judges.alpha({"A": units("12."), "B": units("..1")}) is None
    assert judges.alpha({"A": units("111"), "B": units("111")}) is None
    assert judges.alpha({}) is None


def test_kappa_of_published_examples() -> None:
    """Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, table 18.1: observed 0.89, by chance 0.66, kappa 0.68."""
    table = {(0, 0): 75, (0, 1): 1, (0, 2): 4, (1, 0): 5, (1, 1): 4, (1, 2): 1, (2, 2): 10}
    told = [pair for pair, n in table.items() for _ in range(n)]
    assert judges.kappa([a for a, _ in told], [b for _, b in told]) == pytest.approx(
        (0.89 - 0.66) / (1 - 0.66), abs=1e-9
    )


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_kappa_is_symmetric_and_at_most_one(told: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in told], [b for _, b in told]
    found = judges.kappa(first, second)
    assert found == pytest.approx(judges.kappa(second, first)) if found is not None else len({*first, *second}) == 1
    assert found is None or found <= 1
    assert (found == pytest.approx(1)) if found is not None and first == second else True


def test_spearman_and_bias_by_hand() -> None:
    """Ranks 1, 2, 3, 4 against 1, 3, 2, 4: 1 - 6 * 2 / (4 * 15) = 0.8; on average 0.25 higher."""
    first, second = [0.0, 0.25, 0.5, 1.0], [-0.25, 0.25, 0.0, 0.75]
    assert judges.spearman(first, second) == pytest.approx(0.8)
    assert judges.bias(first, second) == pytest.approx((0.25 + 0 + 0.5 + 0.25) / 4)
    assert judges.spearman([1, 2], [1, 2]) is None
    assert judges.spearman([1, 1, 1], [1, 2, 3]) is None


def test_values_of_grades() -> None:
    """Shares of the points possible, both orders one unit, nothing for a grade outside the denominator."""
    grades = [*model("M:1u N:0 B:1", verdict=(1, 0.5)), *rules("M:10 N:0 B:1"), grade("R1", 1, 2, judge_id="citations")]
    of_rules = judges.values_of(grades, ("M", "N"))
    key = ("s1", "a", "1", "atomic")
    assert of_rules == {
        "j1": {(*key, "M1"): 1.0, (*key, "N1"): 0.0},
        "signals": {(*key, "M1"): 1.0, (*key, "M2"): 0.0, (*key, "N1"): 0.0},
    }
    assert judges.values_of(grades, ("verdict",)) == {"j1": {("s1", "a", "1", "holistic", "verdict"): 0.75}}
    assert judges.values_of(grades, ("R",)) == {"citations": {(*key, "R1"): 0.5}}
    (pair,) = judges.pairs(of_rules)
    assert (pair.first, pair.second, pair.n, pair.agreement, pair.kappa, pair.bias) == (
        "j1",
        "signals",
        2,
        1.0,
        1.0,
        0.0,
    )
    assert judges.pairs({"a": {("x",): 1.0}, "b": {("y",): 1.0}}) == []
