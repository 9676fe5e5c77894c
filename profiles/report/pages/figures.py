"""Rows of `tendencies` as the pages write them: names of numbers, groups and judges, and each value by its kind."""

from profiles.fitness import FitnessOf
from profiles.report import numbers
from profiles.report.play_tables import written
from profiles.report.tables import Cell
from profiles.report.texts import Both, name, read_texts, same, text
from schemas.tendency import Tendency

COUNTS = frozenset(
    {"error_count", "tokens_in", "turns", "cut_off", "sieve_bonus", "unranked", "extreme", "same_vendor"}
    | {"l1_played", "l1_annulled", "l1_not_reached", "l2_burnt", "l3_own_events", "l4_others_act", "l5_repetition", "l6_out_of_play"}
    | {"l7_kindness", "l8_plays_user", "votes_able", "votes_unable", "votes_undecided", "claims_able", "claims_unable", "claims_disputed"}
)  # fmt: skip
DIFFERENCES = frozenset({"language_gap", "people_difference", "people_bias", "order_difference"})
TIMES = frozenset({"latency_p50_ms", "latency_p90_ms"})
MONEY = frozenset({"cost_per_1000_usd", "cost_per_run_usd"})

_METRICS = ("site.metric", "law.metric", "play.metric", "web.metric")
_GROUPS = {"field_cs": "field", "field_en": "field", "error": "error", "task": "web.task"}


def metric_name(metric: str) -> Both:
    """What a number is called, by the texts of the site or of the chapter that knows it."""
    known = read_texts("cs")
    return next((text(f"{kind}.{metric}") for kind in _METRICS if f"{kind}.{metric}" in known), same(metric))


def dimension_name(dimension: str) -> Both:
    """What groups are values of; of `area_draft` the words of `area` and of the state."""
    base, _, state = dimension.rpartition("_")
    if f"site.dimension.{dimension}" in read_texts("cs") or not base:
        return name("site.dimension", dimension)
    kind, of = name("site.dimension", base), name("state", state)
    return Both(f"{kind.cs}, {of.cs}", f"{kind.en}, {of.en}")


def group_name(dimension: str, group: str) -> Both:
    """What a group is called; the word itself where no text knows it."""
    if group == "all":
        return text("site.group.all")
    kind = _GROUPS.get(dimension, dimension)
    if f"{kind}.{group}" in read_texts("cs"):
        return name(kind, group)
    base = kind.rpartition("_")[0]
    return next(
        (name(k, group) for k in (base, f"law.{base}", "law.error") if f"{k}.{group}" in read_texts("cs")), same(group)
    )


def judge_name(judge: str) -> Both:
    """Whose grades; programs and means in words, others by their ids."""
    known = read_texts("cs")
    return next((text(f"{kind}.{judge}") for kind in ("judge", "web.judge") if f"{kind}.{judge}" in known), same(judge))


def value_of(row: Tendency) -> Both:
    """The value by its kind; why there is none, in words."""
    return _shown(row.metric, row.value) if row.value is not None else name("note", row.note or "no_documents")


def interval_of(row: Tendency) -> Both | None:
    """The 95 % interval; None where the number has none."""
    if row.value is None or row.low is None or row.high is None:
        return None
    if row.metric in MONEY:
        return numbers.usds(row.low, row.high)
    if row.metric in DIFFERENCES:
        return numbers.points_between(row.low, row.high)
    if row.metric.startswith("language_tax"):
        return numbers.times_between(row.low, row.high)
    if row.metric in COUNTS or row.metric in TIMES or row.metric == "grade_variance":
        low, high = _shown(row.metric, row.low), _shown(row.metric, row.high)
        return Both(f"{low.cs}–{high.cs}", f"{low.en}–{high.en}")
    return numbers.percents(row.low, row.high)


def cell_of(row: Tendency) -> Cell:
    """A number with its interval, and a bar where it is a share."""
    if row.value is None:
        return Cell(why=value_of(row))
    is_share = row.metric not in COUNTS | DIFFERENCES | TIMES | MONEY and not row.metric.startswith("language_tax")
    bar = None
    if is_share and row.low is not None and row.high is not None:
        bar = (100 * row.low, 100 * row.value, 100 * row.high)
    return Cell(value_of(row), interval_of(row), bar=bar, is_against_bar=row.metric == "field_accuracy")


def is_decisive(fitness: FitnessOf, row: Tendency) -> bool:
    """Whether whoever judged a number is fit to decide anything; people and programs that count always are (S-5)."""
    from profiles.page_scores import PEOPLE, is_person

    if not row.judge_id or row.judge_id == PEOPLE or is_person(row.judge_id):
        return True
    return fitness.beside(row).is_decisive


def _shown(metric: str, value: float) -> Both:
    if metric in TIMES:
        return numbers.duration(value)
    if metric in MONEY:
        return numbers.usd(value)
    if metric in DIFFERENCES:
        return numbers.points(value)
    if metric.startswith("language_tax"):
        return numbers.times(value)
    if metric in ("tokens_in", "error_count") or (metric in COUNTS and value >= 1000):
        return numbers.integer(value)
    if metric in COUNTS:
        return written(value)
    if metric == "grade_variance":
        return Both(f"{value:.3f}".replace(".", ","), f"{value:.3f}")
    return numbers.percent(value)
