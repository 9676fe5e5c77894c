"""Several judges of the role-play together: the median beside what each of them says, and how far apart they are (G-5, R-9)."""

from collections.abc import Sequence

from profiles.report import numbers
from profiles.report.law_tables import Judged
from profiles.report.play_tables import AXIS, PlayLine, PlayTable, PlayTables, plain, written
from profiles.report.texts import Both, both, count, same, text
from profiles.roleplay_contested import contested
from profiles.roleplay_scores import COUNTER, marks_of
from profiles.roleplay_together import Spread, Together, together
from schemas.tendency import Metric

NUMBERS: tuple[Metric, ...] = ("sieve", "presence", "sieve_bonus", *AXIS)


def together_tables(tables: PlayTables, language: str) -> list[PlayTable]:
    """T and R, then axis L, as medians of the judges of a language; none where no system has two judges."""
    found = together(tables.found, tables.fitness, language, tables.systems, tables.judges, NUMBERS)
    if not found:
        return []
    standing = [PlayLine(_name(tables, one), _standing(tables, one, language), not one.is_ranked) for one in found]
    axis = [PlayLine(_name(tables, one), _axis(tables, one, language)) for one in found]
    columns = [
        text(f"play.column.{key}") for key in ("sieve", "presence", "bonus", "burnt_by", "excluded_by", "contested")
    ]
    made = [
        tables.table(f"together-{language}", f"play.caption.together_{language}", "board.system", columns, standing),
        tables.table(
            f"together-axis-{language}", f"play.caption.together_axis_{language}", "board.system",
            [text(f"play.metric.{m}") for m in AXIS], axis,
        ),
    ]  # fmt: skip
    return [one for one in made if one is not None]


def _name(tables: PlayTables, one: Together) -> Both:
    """A system; that one of its judges comes from the same house is disclosed (R-9)."""
    plain_name = same(tables.section.systems[one.system].name)
    own = [judge for judge in one.judges if tables.fitness.is_own(one.system, judge)]
    return text("play.same_vendor_some", system=plain_name, judges=same(", ".join(own))) if own else plain_name


def _standing(tables: PlayTables, one: Together, language: str) -> tuple[Judged, ...]:
    burnt = one.numbers.get("l2_burnt")
    yes = [judge for judge, value in burnt.by_judge.items() if value > 0.5] if burnt else []
    return (
        *(_share(one.numbers.get(metric), is_ranked=one.is_ranked) for metric in ("sieve", "presence")),
        _count(one.numbers.get("sieve_bonus")) if one.is_ranked else _unjudged("not_ranked"),
        _of_judges(yes, list(burnt.by_judge)) if burnt else _unjudged(),
        _of_judges(one.excluding, one.judges),
        plain(numbers.integer(_n_contested(tables, one.system, language))),
    )


def _share(spread: Spread | None, *, is_ranked: bool) -> Judged:
    """A median; as its interval the lowest and the highest judge, and under it what each of them says."""
    if spread is None or not is_ranked:
        return _unjudged("not_judged" if is_ranked else "not_ranked")
    low, high = spread.ends
    each = [
        text("play.by_judge", judge=same(judge), value=numbers.percent(value))
        for judge, value in spread.by_judge.items()
    ]
    return Judged(
        numbers.percent(spread.middle),
        numbers.percents(low, high),
        count("counted.play_judges", len(spread.by_judge)),
        (100 * low, 100 * spread.middle, 100 * high),
        beside=_listed(each),
        is_decisive=spread.is_decisive,
    )


def _count(spread: Spread | None) -> Judged:
    """A median count, and from which judge to which it reaches where they differ."""
    if spread is None:
        return _unjudged()
    low, high = spread.ends
    apart = None if low == high else both(lambda lang: f"{written(low).of(lang)}–{written(high).of(lang)}")
    return Judged(written(spread.middle), beside=apart)


def _of_judges(some: Sequence[str], all_of_them: Sequence[str]) -> Judged:
    """How many judges say so, and who where not all or none do."""
    told = text("play.of", points=numbers.integer(len(some)), most=numbers.integer(len(all_of_them)))
    return Judged(told, beside=same(", ".join(some)) if 0 < len(some) < len(all_of_them) else None)


def _axis(tables: PlayTables, one: Together, language: str) -> tuple[Judged, ...]:
    cells = []
    for metric in AXIS:
        row = tables.found.get(("language", language, one.system, COUNTER, metric))
        is_counted = metric == "l5_repetition" and row is not None and row.value is not None
        cells.append(
            plain(written(row.value))
            if is_counted and row and row.value is not None
            else _count(one.numbers.get(metric))
        )
    return tuple(cells)


def _n_contested(tables: PlayTables, system: str, language: str) -> int:
    """Contested grades of the compared runs of a system in a language."""
    runs = [
        run for run in tables.section.runs
        if (run.profile.system_id, run.profile.language, run.profile.structure) == (system, language, "complete")
    ]  # fmt: skip
    return sum(len(contested(marks_of(run.grades))) for run in runs)


def _listed(parts: Sequence[Both]) -> Both:
    return both(lambda lang: ", ".join(part.of(lang) for part in parts))


def _unjudged(key: str = "not_judged") -> Judged:
    return Judged(why=text(f"play.{key}"))
