"""Reading the grades of documents (invoices, e-mails, PII): the profile of one answer, the tendencies of one system (G-1).

D-20: with about 150 documents a language the uncertainty is about ±1 percentage point, as a rule of thumb; what decides is the
interval that stands in every row (S-1).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from profiles import intervals
from profiles.figures import Figure, Part, parts
from profiles.hidden_figures import hidden
from profiles.privacy import Cell, floor_note
from profiles.report.standing import standings
from schemas import readings
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.field_errors import FIELD_ERRORS
from schemas.fields import Field
from schemas.grade import Grade
from schemas.profile import Profile, Step
from schemas.stamp import Stamp
from schemas.status import GRADED
from schemas.tendency import Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = "3"
"""Version of profile and tendencies; a new one makes both stages run again."""


def profile(fields: Sequence[Field], case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one answer (G-1).

    The question is always `answerable`: the build stage guarantees that every wanted value is printed in the document. An answer with
    a status outside `GRADED` is not scored: no points, no points possible, not faultless, not valid, left out of every share (G-11).
    deviations are the categories of wrong fields (D-13); the answer as a whole has `is_valid` and `structure`.
    grades: all grades of this answer, both passes. ValueError for a graded status without grades, grades without such a status, or a
    field that is not in `fields`.
    """
    is_scored = answer.status in GRADED
    if is_scored != bool(grades):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}, has status {answer.status!r} and {len(grades)} grades; "
            f"expected {'some' if is_scored else 'none'}"
        )
    atomic = [g for g in grades if g.pass_name == "atomic"]
    whole = {g.item: g for g in grades if g.pass_name == "holistic"}
    if is_scored and not (atomic and {"json", "json_first", "structure"} <= whole.keys()):
        raise ValueError(
            f"{case.case_id!r} of {answer.system_id!r}, trial {answer.trial}: expected grades of fields and of the items json, "
            f"json_first and structure, found {len(atomic)} of fields and {sorted(whole)!r}"
        )
    is_valid, is_valid_first = (item in whole and whole[item].points >= 1 for item in ("json", "json_first"))
    errors = {g.error for g in atomic if g.error is not None}
    is_clean = is_scored and not errors
    return Profile(
        **case.model_dump(include=set(Profile.model_fields) & set(Case.model_fields) - {"prompt_version"}),
        system_id=answer.system_id, trial=answer.trial, status=answer.status, is_scored=is_scored,
        points=sum(g.points for g in atomic), max_points=sum(g.max_points for g in atomic),
        is_faultless=is_clean and (is_valid_first or not readings.FAULTLESS_NEEDS_VALID_FIRST),
        is_valid=is_valid, is_valid_first=is_valid_first,
        question="answerable", structure=whole["structure"].label if is_scored else "none",
        deviations=sorted(errors), critical_path=_critical_path(fields, atomic, whole),
        cost_usd=answer.cost_usd, latency_ms=answer.latency_ms, prompt_version=answer.prompt_version,
        rubric_version="+".join(sorted({g.rubric_version for g in grades})), tokens_in=answer.tokens_in,
    )  # fmt: skip


def _critical_path(fields: Sequence[Field], atomic: Sequence[Grade], whole: Mapping[str, Grade]) -> list[Step]:
    """What would have had to be different: valid JSON first, then each wrong field in the order of the fields."""
    steps = []
    if whole and whole["json"].points < 1:
        json = whole["json"]
        steps.append(Step(item="answer", error="invalid_json", given=json.reason, expected="one JSON object"))
    order = {f.name: place for place, f in enumerate(fields)}
    if strangers := sorted({g.item for g in atomic} - order.keys()):
        raise ValueError(
            f"grades of {atomic[0].case_id!r}: unknown field {strangers[0]!r}, expected one of {sorted(order)!r}"
        )
    for g in sorted(atomic, key=lambda g: order[g.item]):
        if g.error is not None:
            steps.append(Step(item=g.item, error=g.error, given=g.given, expected=g.expected))
    return steps


def tendencies(
    fields: Sequence[Field], profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp
) -> list[Tendency]:
    """Aggregates of one system over one edition, public and private apart (G-8), one row a number.

    profiles: the columns of `Profile` but `critical_path`; grades: case_id, trial, item, points, max_points, label, error of the
    atomic pass; the order of rows has no meaning. Rows, for each split that has cases:

    - overall (`all`), language, level, variant, layout: field_accuracy, faultless (D-14); overall, language and level also valid,
      valid_first, latency_p50_ms, latency_p90_ms (D-16), cost_per_1000_usd and coverage. n_documents: scored documents (coverage:
      all); n_left_out: documents without a scored answer (G-11); n_items: fields in the denominator, else answers.
    - field, field_cs, field_en (a field, also within one language): field_accuracy.
    - error: error_count, the number of wrong fields of each category, invented values included (D-13); n_items: all graded fields.
    - language_gap, overall and by level: Czech minus English field accuracy over fields that both twins have (D-15). Its
      n_documents and n_left_out are pairs: a pair with a twin that is not scored is left out as a whole.

    Trials are pooled within their document. Times and cost are of scored answers alone; times and counts have no interval.
    A group without documents has no value (`no_documents`); private groups below `readings.PRIVATE_FLOOR`, and those from which
    such a group could be computed, have none either (`profiles.privacy`).
    ValueError for profiles of another system, a field that is not in `fields`, an error outside `schemas.field_errors`.
    """
    for found, known, what in (
        (set(profiles["system_id"].unique()), {stamp.system_id}, "system"),
        (set(grades["item"].unique()), {f.name for f in fields}, "field"),
        (set(grades["error"].dropna().unique()), set(FIELD_ERRORS), "error category"),
    ):
        if found - known:
            raise ValueError(f"tendencies of {stamp.system_id!r}: unknown {what} {min(found - known)!r}")
    rows = []
    for part in parts(fields, profiles, grades, stamp):
        withheld = hidden(part) if part.split == "private" else {}
        rows += [_row(figure, part, withheld) for figure in part.figures()]
    return rows


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """Public rows by falling share of right fields, then the private aggregates in the same way (G-8)."""
    found = standings(rows, systems)
    shown = (("system",), ("part",), ("right fields",), ("faultless",), ("valid",), ("median", "p90"), ("documents",))
    caption = "Share of right fields and of faultless documents, each with its 95 % interval."
    told = f"{caption} Run of {found[0].run_date}." if found else caption
    return Board(rows=tuple(row.record() for row in found), shown=shown, caption=told)


def _row(figure: Figure, part: Part, withheld: Mapping[Cell, str]) -> Tendency:
    estimate, note = figure.estimate, withheld.get(figure.cell)
    if note is None and part.split == "private" and 0 < figure.n_documents < readings.PRIVATE_FLOOR:
        note = floor_note(readings.PRIVATE_FLOOR)
    if note is not None:
        estimate = intervals.NOTHING
    elif estimate.value is None:
        note = "no_documents"
    return Tendency(
        **part.stamp.model_dump(), split=part.split, dimension=figure.dimension, group_name=figure.group,
        metric=figure.metric, value=estimate.value, low=estimate.low, high=estimate.high, method=estimate.method,
        n_documents=figure.n_documents, n_items=figure.n_items, n_left_out=figure.n_left_out, note=note,
    )  # fmt: skip
