"""Error categories of fields and of records, closed lists that grading writes and profiles read (D-13).

`invented_value` and `incomplete_list` are of list fields alone. D-13 names them beside the others without a place; `wrong_value` is
everything else, so they stand before it.
"""

from typing import Literal, get_args

FieldError = Literal[
    "invalid_json",
    "missing",
    "lost_diacritics",
    "swapped_dates",
    "base_instead_of_total",
    "wrong_rate",
    "number_format",
    "invented_value",
    "incomplete_list",
    "wrong_value",
]

FIELD_ERRORS: tuple[FieldError, ...] = get_args(FieldError)
"""In order of precedence: a wrong field has exactly one category, the first that fits (D-13)."""

LIST_ERRORS: tuple[FieldError, ...] = ("invented_value", "incomplete_list")
"""Those that only list fields can have (D-12)."""

RecordError = Literal["invalid_json", "invalid_schema", "wrong_document"]

RECORD_ERRORS: tuple[RecordError, ...] = get_args(RecordError)
"""Of the holistic pass, where the answer is looked at as one record; in order of precedence."""
