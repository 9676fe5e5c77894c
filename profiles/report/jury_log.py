"""The audit log of a claim and the reasons of its checks as the page shows them (J-4, J-6).

Every check is a line; of a long record the newest stand alone and the older ones are summed by month, so that a page stays a page however
long the jury sits. Rows themselves are never summed: all of them stand in the table `checks`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from profiles.claims import PublicCheck, Reason
from profiles.report import numbers
from profiles.report.texts import Both, count, name, same, text
from schemas.jury import State, Verdict

MOST_LINES = 100
"""Checks of one claim that have a line each; older ones have a line a month."""

MOST_REASONED = 5
"""Newest checks of one claim whose reasons are shown."""

STATES: dict[State, str] = {"UMÍ": "able", "SPORNÉ": "disputed", "NEUMÍ": "unable"}
"""Words of the texts and classes of the page, in the order of the page."""

VERDICTS: dict[Verdict, str] = {"UMÍ": "able", "NEROZHODNUTO": "undecided", "NEUMÍ": "unable"}


@dataclass(frozen=True)
class LogLine:
    """One check, or the older checks of a month; state: that after the last of them."""

    when: Both
    jurors: Both
    able: Both
    undecided: Both
    unable: Both
    state: str
    after: Both
    percent: Both | None
    marks: tuple[Both, ...]
    versions: tuple[Both, ...]


@dataclass(frozen=True)
class Reasons:
    """The reasons of one check, each with its verdict: class, word, the sentence or what stands in its place, and its language."""

    heading: Both
    given: tuple[tuple[str, Both, Both, str | None], ...]


def log_of(checks: Sequence[PublicCheck], most: int = MOST_LINES) -> list[LogLine]:
    """The lines of a claim, newest first; checks: oldest first."""
    older, newer = (checks[:-most], checks[-most:]) if most else (checks, ())
    months = [list(group) for _, group in groupby(older, key=lambda check: check.day[:7])]
    return [_line([check], numbers.day(check.day)) for check in reversed(newer)] + [
        _line(group, text("jury.log_months", month=numbers.month(group[0].day[:7]), checks=count("counted.checks", len(group))))
        for group in reversed(months)
    ]  # fmt: skip


def _line(checks: Sequence[PublicCheck], when: Both) -> LogLine:
    def total(numbers_of: Iterable[int]) -> Both:
        return numbers.integer(sum(numbers_of))

    last = checks[-1]
    return LogLine(
        when=when,
        jurors=text("jury.log_jurors_of", n=total(c.jurors for c in checks), total=total(c.panel_size for c in checks)),
        able=total(c.able for c in checks),
        undecided=total(c.undecided for c in checks),
        unable=total(c.unable for c in checks),
        state=STATES[last.state],
        after=text(f"jury.state.{STATES[last.state]}"),
        percent=None if last.percent is None else numbers.whole_percent(last.percent),
        marks=tuple(_marks(checks)),
        versions=tuple(dict.fromkeys(_versions(check) for check in checks)),
    )


def _marks(checks: Sequence[PublicCheck]) -> Iterable[Both]:
    marks = (("incomplete", [c.is_incomplete for c in checks]), ("small", [c.is_small_pool for c in checks]))
    for word, marked in marks:
        if n := sum(marked):
            yield text(f"jury.{word}") if len(checks) == 1 else text(f"jury.{word}_n", n=numbers.integer(n))
    if any(check.source == "recorded" for check in checks):
        yield text("jury.recorded")


def _versions(check: PublicCheck) -> Both:
    language = name("language", check.language)
    return text("jury.versions", set=check.set_version, prompt=check.prompt_version, language=language)


def reasons_of(checks: Sequence[PublicCheck], most: int = MOST_REASONED) -> list[Reasons]:
    """The reasons of the newest checks, newest first, those for UMÍ before those against."""
    found = [check for check in reversed(checks) if check.reasons][:most]
    return [
        Reasons(
            text("jury.reasons_of", day=numbers.day(check.day)),
            tuple(_reason(reason) for word in VERDICTS for reason in check.reasons if reason.verdict == word),
        )
        for check in found
    ]


def _reason(reason: Reason) -> tuple[str, Both, Both, str | None]:
    word = VERDICTS[reason.verdict]
    verdict = text(f"jury.verdict.{word}")
    if reason.text is None:
        return word, verdict, text("jury.reason_withheld" if reason.is_withheld else "jury.reason_none"), None
    return word, verdict, same(reason.text), reason.language
