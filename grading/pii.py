"""Grading of texts with personal data: seven list fields (D-10, D-12), in two passes that do not read each other (G-4)."""

from grading import fields, lists, record
from schemas.grade import Exam, Verdict
from schemas.pii import FIELDS

RUBRIC_VERSION = f"pii-1 {fields.RUBRIC_VERSION} {lists.RUBRIC_VERSION} {record.RUBRIC_VERSION}"


def atomic(exam: Exam) -> list[Verdict]:
    """One verdict a field; see `grading.fields.atomic` and `grading.lists`."""
    return fields.atomic(FIELDS, exam, RUBRIC_VERSION)


def holistic(exam: Exam) -> list[Verdict]:
    """Five verdicts on the answer as one record; see `grading.record.holistic`."""
    return record.holistic(FIELDS, exam, RUBRIC_VERSION)
