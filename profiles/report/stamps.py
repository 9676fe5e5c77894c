"""What stands under every table: date of the run, version of the set, of the prompt and of the graders (G-9)."""

from profiles.report import numbers
from profiles.report.material import Section
from profiles.report.texts import Both, text


def stamp(section: Section) -> Both:
    """The line of a section; several versions by commas, several dates as a span."""
    dates = sorted({r.run_date for r in section.rows})
    days = [numbers.day(d) for d in dates]
    run = days[0] if len(days) == 1 else text("stamp.between", first=days[0], last=days[-1])
    return text(
        "stamp.line",
        run=run,
        set=", ".join(sorted({r.set_version for r in section.rows})),
        prompt=", ".join(sorted({r.prompt_version for r in section.rows})),
        graders=", ".join(sorted({r.rubric_version for r in section.rows})),
        edition=section.edition,
    )
