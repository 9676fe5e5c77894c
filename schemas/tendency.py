"""Aggregates over whole sets: one row per system, split, group and metric, with its interval (G-1, S-1)."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from schemas.case import Split
from schemas.row import Col, Row

Metric = Literal[
    "field_accuracy", "faultless", "valid", "valid_first", "language_gap", "error_count",
    "latency_p50_ms", "latency_p90_ms", "cost_per_1000_usd", "coverage",
    "atomic_composite", "atomic_composite_flat", "correctness", "avoidance", "grounding", "bonus", "key_missed", "violated",
    "holistic_composite", "verdict", "unsafe_completeness", "argument", "citations", "completeness", "looks_complete",
    "unsafe_completeness_rate", "overclaiming", "underclaiming", "aware", "flip_rate", "order_difference", "same_vendor",
    "control_right_atomic", "control_right_holistic", "control_rules",
    "language_tax", "language_tax_min", "language_tax_q1", "language_tax_median", "language_tax_q3", "language_tax_max", "tokens_in",
    "sieve", "sieve_bonus", "presence", "l1_played", "l1_annulled", "l1_not_reached", "l2_burnt", "l3_own_events", "l4_others_act",
    "l5_repetition", "l6_out_of_play", "l7_kindness", "l8_plays_user", "unranked", "turns", "cut_off", "extreme", "cost_per_run_usd",
    "consensus", "votes_able", "votes_unable", "votes_undecided", "claims_able", "claims_unable", "claims_disputed",
    "trial_score", "conformity", "works", "look", "code", "structure", "logic", "process", "grade_variance", "people_difference", "people_bias",
]  # fmt: skip

VOLATILE_METRICS = frozenset({"latency_p50_ms", "latency_p90_ms"})
"""Metrics of times: their values differ from run to run by nature, like a volatile column."""


class Tendency(Row):
    """One number of the standing, with its interval, its n and what it leaves out."""

    table: ClassVar[str] = "tendencies"
    version: ClassVar[int] = 2
    key: ClassVar[tuple[str, ...]] = (
        "suite",
        "edition",
        "system_id",
        "split",
        "dimension",
        "group_name",
        "metric",
        "judge_id",
    )

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Edition")
    system_id: str = Field(description="System under test", pattern=r"^[a-z][a-z0-9._-]*$")
    split: Split = Field(description="public and private sets apart (G-8)")
    dimension: str = Field(
        description="What the group is a value of: overall, language, level, variant, layout, field, field_cs, field_en, error, overhead, "
        "area, category, meta_task, task, left_out (of approved cases; with a suffix such as _draft of others), state, control_kind, case, run"
    )
    group_name: str = Field(description="The group, e.g. `cs`; `all` for overall")
    metric: Metric = Field(description="What is measured")
    value: float | None = Field(
        description="Share, ratio, difference of shares, milliseconds, USD or count; null where it may not be shown or cannot be said"
    )
    low: float | None = Field(description="Lower end of the 95 % interval (S-1)")
    high: float | None = Field(description="Upper end of the 95 % interval (S-1)")
    method: str = Field(description="How the interval was made: cluster_bootstrap, wilson, none")
    n_documents: int = Field(description="Documents (clusters) behind the number; pairs for language_gap", ge=0)
    n_items: int = Field(description="Items behind the number: fields, answers", ge=0)
    n_left_out: int = Field(description="Documents of the group that are not scored (G-11)", ge=0)
    note: str | None = Field(description="Why there is no value, e.g. `fewer_than_5_private` (G-8)")
    seed: int = Field(description="Seed of the interval (S-4)")
    set_version: str = Field(description="Version of the set (G-9)")
    prompt_version: str = Field(description="Version of the prompt (G-9)")
    rubric_version: str = Field(description="Version of the graders")
    run_id: Annotated[str, Col(volatile=True)] = Field(description="Run that aggregated")
    run_date: Annotated[str, Col(volatile=True)] = Field(description="Date of that run, YYYY-MM-DD (G-9)")
    judge_id: str = Field(
        default="",
        description="Whose grades: a judge, `judges` for all of them, `other_vendors` without those of the judged's own vendor; "
        "empty where the project's programs counted and no judge is told apart",
    )
