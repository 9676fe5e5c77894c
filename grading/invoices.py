"""Grading of invoices: 13 fields in Czech, 11 in English (D-6), in two passes that do not read each other (G-4)."""

from grading import fields, record
from schemas.grade import Exam, Verdict
from schemas.invoices import FIELDS

RUBRIC_VERSION = f"invoices-1 {fields.RUBRIC_VERSION} {record.RUBRIC_VERSION}"


def atomic(exam: Exam) -> list[Verdict]:
    """One verdict a field; see `grading.fields.atomic`."""
    return fields.atomic(FIELDS, exam, RUBRIC_VERSION)


def holistic(exam: Exam) -> list[Verdict]:
    """Five verdicts on the answer as one record; see `grading.record.holistic`."""
    return record.holistic(FIELDS, exam, RUBRIC_VERSION)
