"""The criteria of web pages as the report and the gallery show them, from the file that judges are asked by (A-5, G-14)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from profiles.report.page_tables import decimal
from profiles.report.texts import Both, text, typeset
from schemas.anchors import anchors
from schemas.artifacts import Criterion


@dataclass(frozen=True)
class Told:
    """A criterion: its name, what it asks, and its values with their words, where they are laid down."""

    title: Both
    what: Both
    values: Sequence[tuple[Both, Both]]


def criteria(wanted: Iterable[Criterion]) -> list[Told]:
    """The criteria in words, in the order asked for."""
    cs, en = anchors("cs"), anchors("en")
    return [
        Told(
            title=text(f"web.metric.{criterion}"),
            what=_both(cs[criterion].what, en[criterion].what),
            values=[
                (decimal(value, 0 if value == int(value) else 1), _both(said, words))
                for (value, said), (_, words) in zip(cs[criterion].values, en[criterion].values, strict=True)
            ],
        )
        for criterion in wanted
    ]


def _both(cs: str, en: str) -> Both:
    return Both(typeset(cs, "cs"), typeset(en, "en"))
