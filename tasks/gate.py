"""The gate between two stages: rows that break an expectation of their table are set aside, and the stage fails with a sentence.

A fresh ephemeral context for every check: one shared by threads returned wrong verdicts silently (great_expectations#12209).
"""

import io
import logging
import uuid
from typing import TYPE_CHECKING, Any

from datasets.store import Store
from datasets.tables import Place
from schemas.errors import GateError
from schemas.exchange import Frozen
from schemas.expectations import Expectation, expectations
from schemas.row import Row, arrow_schema
from tasks.gate_log import GateLine, note_gate
from tasks.shown_notes import show_quarantine

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


TALKER = "great_expectations.data_context.types.base"
"""A logger that tells of every temporary folder."""


class Broken(Frozen):
    """One expectation that did not hold: its name, how many rows, and which (positions in the table; none for a table-level one)."""

    rule: str
    rows: tuple[int, ...]


def _frame(table: "pa.Table") -> "pd.DataFrame":
    """Only what can be checked fast: no nested columns, whole numbers as int64, decimals as floats."""
    import pyarrow as pa

    columns = {}
    for field in table.schema:
        column = table.column(field.name)
        if pa.types.is_nested(field.type):
            continue
        if pa.types.is_integer(field.type) and column.null_count == 0:
            column = column.cast(pa.int64())
        elif pa.types.is_integer(field.type) or pa.types.is_decimal(field.type):
            column = column.cast(pa.float64())
        columns[field.name] = column
    frame: pd.DataFrame = pa.table(columns).to_pandas()
    return frame


def _crashed(result: Any) -> str | None:
    """The message of an expectation that raised; its information comes in two shapes."""
    info = result.exception_info or {}
    for entry in [info] if "raised_exception" in info else info.values():
        if isinstance(entry, dict) and entry.get("raised_exception"):
            return str(entry.get("exception_message") or "no message")
    return None


def check(table: "pa.Table", wanted: list[Expectation]) -> list[Broken]:
    """The expectations that the table breaks; GateError for one that crashed, which is neither a pass nor bad data."""
    import great_expectations as gx
    import great_expectations.expectations as gxe
    from great_expectations.data_context.types.base import ProgressBarsConfig

    logging.getLogger(TALKER).setLevel(logging.WARNING)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False, metric_calculations=False)
    classes = {w.type: getattr(gxe, "".join(p.title() for p in w.type.split("_"))) for w in wanted}
    suite = gx.ExpectationSuite(name="gate", expectations=[classes[w.type](**w.arguments) for w in wanted])
    asset = context.data_sources.add_pandas(uuid.uuid4().hex).add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": _frame(table)})
    broken = []
    for result in batch.validate(suite, result_format={"result_format": "COMPLETE"}).results:
        config = result.expectation_config
        arguments = config.kwargs if config else {}
        where = arguments.get("column") or ", ".join(arguments.get("column_list", []))
        rule = f"{config.type if config else 'expectation'}({where})"
        if crash := _crashed(result):
            raise GateError(f"The expectation {rule} crashed: {crash}.")
        if not result.success:
            rows = result.result.get("unexpected_index_list") or []
            broken.append(Broken(rule=rule, rows=tuple(sorted(int(r) for r in rows))))
    return broken


def _worth_asking(table: "pa.Table", wanted: list[Expectation]) -> list[Expectation]:
    """All but those on nulls and bounds that Arrow sees held: exact and free there, 12 to 30 ms of processor time each here."""
    return [w for w in wanted if not _is_held(table, w)]


def _is_held(table: "pa.Table", wanted: Expectation) -> bool:
    """Whether Arrow sees that an expectation holds: no null, or whole and decimal numbers (no NaN among them) within their bounds."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if wanted.type == "expect_column_values_to_not_be_null":
        return bool(table[wanted.arguments["column"]].null_count == 0)
    if wanted.type != "expect_column_values_to_be_between":
        return False
    column, low, high = (wanted.arguments[name] for name in ("column", "min_value", "max_value"))
    if not (pa.types.is_integer(table[column].type) or pa.types.is_decimal(table[column].type)):
        return False
    found = pc.min_max(table[column]).as_py()
    return found["min"] is None or ((low is None or found["min"] >= low) and (high is None or found["max"] <= high))


def pass_gate(
    store: Store, model: type[Row], place: Place, key: str, table: "pa.Table", *, min_rows: int = 1, run_id: str = ""
) -> None:
    """Let a shard's rows through, or set the bad ones aside in `quarantine/` with their reasons and raise GateError.

    The good rows of the shard are not published either: the shard counts as not done, and the next run makes it again. What the gate said
    is remembered under the run (`tasks/gate_log.py`).
    """
    if not table.schema.equals(arrow_schema(model)):
        raise GateError(f"{model.table} of {place.folder}: the columns or their types differ from the table's schema.")
    is_empty = table.num_rows == 0 and min_rows == 0
    broken = [] if is_empty else check(table, _worth_asking(table, expectations(model, min_rows=min_rows)))
    name = f"quarantine/{model.table}/{place.folder}/part-{key}.parquet"
    reasons: dict[int, list[str]] = {}
    for one in broken:
        for row in one.rows:
            reasons.setdefault(row, []).append(one.rule)
    said = GateLine(
        table=model.table, place=place, key=key, rows=table.num_rows, set_aside=len(reasons), broken=tuple(b.rule for b in broken),
        quarantine=name if broken else None,
    )  # fmt: skip
    if not broken:
        store.remove(name)
        note_gate(store, run_id, said)
        return
    store.put(name, _quarantined(table, reasons))
    note_gate(store, run_id, said)
    show_quarantine(model.table, place.folder, name, list(reasons.values()))
    first = broken[0]
    raise GateError(
        f"{model.table} of {place.folder}: {len(reasons) or table.num_rows} of {table.num_rows} rows break"
        f" {first.rule}{f' and {len(broken) - 1} more' if len(broken) > 1 else ''}; they stand in {name}."
    )


def _quarantined(table: "pa.Table", reasons: dict[int, list[str]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = sorted(reasons)
    fields = [f.with_nullable(True) for f in table.schema]  # a null where none may be is what some rows are here for
    bad = pa.table(table.take(pa.array(rows, pa.int64())).columns, pa.schema(fields, table.schema.metadata))
    bad = bad.append_column("broken", pa.array([reasons[r] for r in rows], pa.list_(pa.string())))
    sink = io.BytesIO()
    pq.write_table(bad, sink, compression="zstd")
    return sink.getvalue()
