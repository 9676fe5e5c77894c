"""The standing: one row a system and part of the set, public first, private aggregates apart (G-8, D-14, D-16)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from profiles.report.numbers import duration, percent, percents, usd
from profiles.report.texts import Both
from schemas.case import Split
from schemas.exchange import Frozen
from schemas.tendency import Tendency

BAR = 0.95
"""The bar: 95 % of right fields (D-14)."""

Key = tuple[str, str, str, str, str]
Index = Mapping[Key, Tendency]


def index_of(rows: Iterable[Tendency]) -> dict[Key, Tendency]:
    """Rows by system, split, dimension, group and metric."""
    return {(r.system_id, r.split, r.dimension, r.group_name, r.metric): r for r in rows}


class Standing(Frozen):
    """How one system stands in one part of a set; None where a number may not be shown or cannot be said (`note`).

    Shares from 0 to 1 with the ends of their 95 % intervals, times in ms, cost in USD; n_scored and n_left_out are documents.
    """

    system: str
    split: Split
    field_accuracy: float | None
    field_accuracy_low: float | None
    field_accuracy_high: float | None
    faultless: float | None
    faultless_low: float | None
    faultless_high: float | None
    valid: float | None
    latency_p50_ms: float | None
    latency_p90_ms: float | None
    cost_per_1000_usd: float | None
    n_scored: int
    n_left_out: int
    note: str | None
    run_date: str

    def cells(self) -> tuple[str, ...]:
        """The row in English words: system, part, right fields, faultless, valid, median, p90, documents."""
        return (
            self.system,
            self.split,
            _share(self.field_accuracy, self.field_accuracy_low, self.field_accuracy_high, self.note),
            _share(self.faultless, self.faultless_low, self.faultless_high),
            _one(percent, self.valid),
            _one(duration, self.latency_p50_ms),
            _one(duration, self.latency_p90_ms),
            f"{self.n_scored} of {self.n_scored + self.n_left_out}",
        )

    def record(self) -> dict[str, str]:
        """The row for a table with headings, English, with the date of the run (G-9)."""
        names = ("system", "part", "right fields", "faultless", "valid", "median", "p90", "documents")
        more = {"cost per 1,000": _one(usd, self.cost_per_1000_usd), "run": self.run_date}
        return {**dict(zip(names, self.cells(), strict=True)), **more}


def _one(form: Callable[[float], Both], value: float | None) -> str:
    return "–" if value is None else form(value).en.replace("\u00a0", " ")


def _share(value: float | None, low: float | None, high: float | None, note: str | None = None) -> str:
    if value is None:
        return note or "–"
    if low is None or high is None:
        return percent(value).en
    return f"{percent(value).en} ({percents(low, high).en})"


def standings(rows: Sequence[Tendency], systems: Sequence[str]) -> list[Standing]:
    """Public rows by falling share of right fields, then the private ones in the same way; systems without rows are left out."""
    index = index_of(rows)
    found = [
        _standing(index, system, split)
        for split in ("public", "private")
        for system in dict.fromkeys(systems)
        if (system, split, "overall", "all", "field_accuracy") in index
    ]
    return sorted(
        found, key=lambda s: (s.split != "public", -(s.field_accuracy if s.field_accuracy is not None else -1))
    )


def _standing(index: Index, system: str, split: Split) -> Standing:
    def row(metric: str) -> Tendency | None:
        return index.get((system, split, "overall", "all", metric))

    def value(metric: str) -> float | None:
        return found.value if (found := row(metric)) else None

    accuracy = index[system, split, "overall", "all", "field_accuracy"]
    faultless = row("faultless")
    return Standing(
        system=system,
        split=split,
        field_accuracy=accuracy.value,
        field_accuracy_low=accuracy.low,
        field_accuracy_high=accuracy.high,
        faultless=faultless and faultless.value,
        faultless_low=faultless and faultless.low,
        faultless_high=faultless and faultless.high,
        valid=value("valid"),
        latency_p50_ms=value("latency_p50_ms"),
        latency_p90_ms=value("latency_p90_ms"),
        cost_per_1000_usd=value("cost_per_1000_usd"),
        n_scored=accuracy.n_documents,
        n_left_out=accuracy.n_left_out,
        note=accuracy.note,
        run_date=accuracy.run_date,
    )
