"""Error categories of fields and of records, closed lists that grading writes and profiles read (D-13).

List fields will add `invented_value` and `incomplete_list`.
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
    "wrong_value",
]

FIELD_ERRORS: tuple[FieldError, ...] = get_args(FieldError)
"""In order of precedence: a wrong field has exactly one category, the first that fits (D-13)."""

RecordError = Literal["invalid_json", "invalid_schema", "wrong_document"]

RECORD_ERRORS: tuple[RecordError, ...] = get_args(RecordError)
"""Of the holistic pass, where the answer is looked at as one record; in order of precedence."""
