"""Grading of e-mails: nine fields, three of them words of closed lists (D-9), in two passes that do not read each other (G-4)."""

from grading import fields, record
from schemas.emails import FIELDS
from schemas.grade import Exam, Verdict

RUBRIC_VERSION = f"emails-1 {fields.RUBRIC_VERSION} {record.RUBRIC_VERSION}"


def atomic(exam: Exam) -> list[Verdict]:
    """One verdict a field; see `grading.fields.atomic`. A word that is none of the allowed ones is a wrong value (D-13)."""
    return fields.atomic(FIELDS, exam, RUBRIC_VERSION)


def holistic(exam: Exam) -> list[Verdict]:
    """Five verdicts on the answer as one record; see `grading.record.holistic`."""
    return record.holistic(FIELDS, exam, RUBRIC_VERSION)
