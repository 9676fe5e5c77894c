"""The tables of the role-play's chapter: fitness, standing by judge and language, counts, filters, the language control (M-6, R-7 to R-12)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from profiles.filters import FilterLine
from profiles.fitness import RIGHT, FitnessOf, is_fit
from profiles.report import numbers
from profiles.report.law_tables import Judged, share_cell
from profiles.report.material import Section
from profiles.report.play_plot import Panel, Point
from profiles.report.texts import Both, both, count, name, same, text
from profiles.roleplay_found import Found, in_order, index, is_ranked
from profiles.roleplay_language import language_verdicts
from profiles.roleplay_scores import COUNTER
from schemas.tendency import Metric, Tendency

AXIS: tuple[Metric, ...] = (
    "l1_played", "l1_annulled", "l1_not_reached", "l2_burnt", "l3_own_events", "l4_others_act", "l5_repetition", "l6_out_of_play",
    "l7_kindness", "l8_plays_user",
)  # fmt: skip
COUNTED: tuple[Metric, ...] = ("turns", "cut_off", "l5_repetition")


@dataclass(frozen=True)
class PlayLine:
    """A row: its heading, its cells, whether it stands apart (listed and not ranked)."""

    heading: Both
    cells: tuple[Judged, ...]
    is_apart: bool = False


@dataclass(frozen=True)
class PlayTable:
    """A table of the chapter."""

    id: str
    caption: Both
    first: Both
    columns: tuple[Both, ...]
    lines: tuple[PlayLine, ...]


def plain(what: Both | None) -> Judged:
    """Words as a cell; a dash where there are none."""
    return Judged(value=what) if what is not None else Judged(why=text("cell.none"))


def mean_of(row: Tendency | None) -> Both | None:
    """A mean count with at most one decimal.

    >>> mean_of(None) is None
    True
    """
    if row is None or row.value is None:
        return None
    return written(row.value)


def written(value: float) -> Both:
    """A count with at most one decimal.

    >>> written(2.5).cs, written(3).en
    ('2,5', '3')
    """
    plain_number = f"{value:.1f}".removesuffix(".0")
    return both(lambda lang: plain_number.replace(".", ",") if lang == "cs" else plain_number)


class PlayTables:
    """The tables of one edition; systems: those under test."""

    def __init__(self, section: Section, systems: Sequence[str], judges: Sequence[str]) -> None:
        self.section, self.systems, self.judges = section, systems, judges
        self.found: Found = index(section.rows)
        self.fitness = FitnessOf(section.rows)
        self.languages = sorted({r.group_name for r in section.rows if r.dimension == "language"})

    def name(self, system: str, judge: str = "") -> Both:
        """A system as its rows are called; a judge from the same house is disclosed (R-9)."""
        plain_name = same(self.section.systems[system].name)
        return text("play.same_vendor", system=plain_name) if self.fitness.is_own(system, judge) else plain_name

    def fit(self) -> PlayTable | None:
        """A line a judge: control transcripts graded rightly in each pass, single items hit exactly; None where none was graded (S-5)."""
        rows: dict[tuple[str, str], Tendency] = {
            (r.judge_id, r.metric): r
            for r in self.section.rows
            if r.dimension == "overall" and r.metric.startswith("control_")
        }
        lines = []
        for judge in sorted({judge for judge, _ in rows if judge}):
            cells = [self._fit_cell(rows.get((judge, metric))) for metric in RIGHT]
            rules = rows.get((judge, "control_rules"))
            items = replace(share_cell(rules), n=count("counted.play_controls", rules.n_items if rules else 0))
            lines.append(PlayLine(same(judge), (*cells, items)))
        columns = [text(f"play.fit.{key}") for key in ("atomic", "holistic", "items")]
        return self.table("fit", "play.caption.fit", "play.judge", columns, lines)

    def controls(self) -> PlayTable | None:
        """What a program counted in control transcripts, a line a kind (S-5)."""
        rows = [r for r in self.section.rows if r.dimension == "control_kind" and r.judge_id == COUNTER]
        at = {(r.group_name, r.metric): r for r in rows}
        lines = []
        for kind in dict.fromkeys(r.group_name for r in rows if r.n_items):
            cells = (
                plain(numbers.integer(at[kind, "turns"].n_items)),
                *(plain(mean_of(at.get((kind, m)))) for m in COUNTED),
            )
            lines.append(PlayLine(name("play_kind", kind), cells))
        columns = [text("play.column.transcripts"), *(text(f"play.metric.{m}") for m in COUNTED)]
        return self.table("controls", "play.caption.controls", "play.column.kind", columns, lines)

    def _fit_cell(self, row: Tendency | None) -> Judged:
        if row is None or row.value is None:
            return Judged(why=text("play.fit.none"), is_decisive=False)
        cell = share_cell(row)
        beside = text("play.fit.fit" if is_fit(row) else "play.fit.unfit")
        n = count("counted.play_controls", row.n_items)
        return Judged(cell.value, cell.interval, n, cell.bar, beside=beside, is_decisive=is_fit(row))

    def standing(self, judge: str, language: str) -> PlayTable | None:
        """Systems by falling T, with R beside it and never added; those that L excludes are listed below (R-7, R-8)."""
        lines = []
        for system in in_order(self.found, "language", language, self.systems, judge):
            cells = tuple(self._share("language", language, system, judge, metric) for metric in ("sieve", "presence"))
            bonus, unranked = (
                self.found.get(("language", language, system, judge, m)) for m in ("sieve_bonus", "unranked")
            )
            spread = self._spread(language, system, judge)
            more = (plain(mean_of(bonus)), plain(spread), plain(_of(unranked)))
            is_apart = not is_ranked(self.found, "language", language, system, judge)
            lines.append(PlayLine(self.name(system, judge), (*cells, *more), is_apart))
        columns = [text(f"play.column.{key}") for key in ("sieve", "presence", "bonus", "spread", "excluded")]
        return self.table(
            f"standing-{judge}-{language}", f"play.caption.standing_{language}", "board.system", columns, lines
        )

    def _share(self, dimension: str, group: str, system: str, judge: str, metric: Metric) -> Judged:
        row = self.found.get((dimension, group, system, judge, metric))
        if row is None or row.value is None:
            key = "not_ranked" if row is not None and row.note == "all_excluded" else "not_judged"
            return Judged(why=text(f"play.{key}"))
        cell = share_cell(row)
        n, fitness = count("counted.play_runs", row.n_items), self.fitness.beside(row)
        return Judged(cell.value, cell.interval, n, cell.bar, is_decisive=fitness.is_decisive)

    def _spread(self, language: str, system: str, judge: str) -> Both | None:
        """Least and most of T over single runs (R-10)."""
        known = [
            r.value
            for (dimension, group, s, j, metric), r in self.found.items()
            if (dimension, s, j, metric) == ("run", system, judge, "sieve") and r.value is not None
            and group.split("/")[0].endswith(f"-{language}")
        ]  # fmt: skip
        if not known:
            return None
        return (
            numbers.percents(min(known), max(known))
            if len(known) > 1 and min(known) < max(known)
            else numbers.percent(known[0])
        )

    def axis(self, judge: str, language: str) -> PlayTable | None:
        """The counts of L, a mean a run, never summed (R-7)."""
        lines = []
        for system in self.systems:
            rows = [
                self.found.get(("language", language, system, COUNTER if m == "l5_repetition" else judge, m))
                for m in AXIS
            ]
            cells = tuple(
                plain(mean_of(r)) if r is not None and r.value is not None else Judged(why=text("play.not_judged"))
                for r in rows
            )
            lines.append(PlayLine(self.name(system, judge), cells))
        columns = [text(f"play.metric.{m}") for m in AXIS]
        return self.table(f"axis-{judge}-{language}", f"play.caption.axis_{language}", "board.system", columns, lines)

    def counted(self) -> PlayTable | None:
        """What is real without any judge: turns, cut-offs, repetition, extreme runs, cost (M-6, R-12)."""
        lines = []
        for system in self.systems:
            for language in self.languages:
                rows = [self.found.get(("language", language, system, COUNTER, m)) for m in COUNTED]
                extreme = self.found.get(("language", language, system, "", "extreme"))
                cost = self._cost(system, language)
                cells = (*(plain(mean_of(r)) for r in rows), plain(_of(extreme)), plain(cost))
                heading = text("play.in_language", system=self.name(system), language=name("language", language))
                lines.append(PlayLine(heading, cells))
        columns = [*(text(f"play.metric.{m}") for m in COUNTED), text("play.column.extreme"), text("play.column.cost")]
        return self.table("counted", "play.caption.counted", "board.system", columns, lines)

    def _cost(self, system: str, language: str) -> Both | None:
        """The sum of the recorded costs of all runs, and how many they are."""
        costs = [
            r.profile.cost_usd for r in self.section.runs if r.profile.system_id == system and r.profile.language == language
        ]  # fmt: skip
        if not costs:
            return None
        return text("play.cost", usd=numbers.usd(float(sum(costs))), runs=count("counted.play_runs", len(costs)))

    def languages_apart(self) -> PlayTable | None:
        """The verdict of the control round by scenario and judge (R-11)."""
        lines = []
        for v in language_verdicts(self.section.rows):
            if v.system_id in self.systems:
                told = (name("play_went", v.czech), name("play_went", v.english), name("play_verdict", v.verdict))
                heading = text(
                    "play.of_scenario", system=self.name(v.system_id, v.judge_id), scenario=self._setting(v.scenario)
                )
                lines.append(PlayLine(heading, (plain(same(v.judge_id)), *(plain(word) for word in told))))
        columns = [text(f"play.column.{key}") for key in ("judge", "czech", "english", "verdict")]
        return self.table("language", "play.caption.language", "board.system", columns, lines)

    def _setting(self, scenario: str) -> Both:
        """The place of a scenario in the language of the page, or in the one that it has."""
        told = {
            truth["language"]: truth["setting"].split(",")[0]
            for shown in self.section.cases
            if (truth := shown.case.to_truth()["scenario"])["id"] == scenario
        }
        return both(lambda lang: told.get(lang) or next(iter(told.values()), scenario))

    def filters(self) -> PlayTable | None:
        """By system, provider and message: filtered, passed, not measured (M-6); None where no filter stopped anything.

        A system whose messages all passed everywhere has one line for all of them.
        """
        groups: dict[tuple[str, str], list[FilterLine]] = {}
        for line in self.section.filters:
            if line.system_id in self.systems:
                groups.setdefault((line.system_id, line.provider), []).append(line)
        lines = []
        for (system, provider), some in groups.items():
            told = {"system": self.name(system), "provider": same(provider)}
            if any(f.filtered for f in some):
                lines += [PlayLine(text("play.filter_line", **told, message=f.turn - 1), _filtered([f])) for f in some]
            else:
                lines.append(PlayLine(text("play.filter_none", **told), _filtered(some)))
        columns = [text(f"play.filter.{key}") for key in ("filtered", "passed", "not_measured")]
        return self.table("filters", "play.caption.filters", "play.filter.first", columns, lines)

    def points(self, judge: str) -> list[Point]:
        """Systems with both T and R over ranked runs, for the plot."""
        found = []
        for language in self.languages:
            for system in self.systems:
                rows = [self.found.get(("language", language, system, judge, m)) for m in ("sieve", "presence")]
                values = [r.value for r in rows if r is not None and r.value is not None]
                if len(values) == len(rows):
                    found.append(Point(self.section.systems[system].name, language, *values))
        return found

    def panels(self, judge: str) -> list[Panel]:
        """A panel a count of L over all runs."""
        panels = []
        for metric in AXIS:
            whose = COUNTER if metric == "l5_repetition" else judge
            rows = {s: self.found.get(("overall", "all", s, whose, metric)) for s in self.systems}
            panels.append(
                Panel(metric, {self.section.systems[s].name: r.value if r else None for s, r in rows.items()})
            )
        return panels

    def table(
        self, slug: str, caption: str, first: str, columns: Iterable[Both], lines: Sequence[PlayLine]
    ) -> PlayTable | None:
        """A table of the chapter with ids of its own; None without lines."""
        if not lines:
            return None
        where = f"{self.section.suite}-{slug}".replace(".", "_")
        return PlayTable(where, text(caption), text(first), tuple(columns), tuple(lines))


def _filtered(some: Sequence[FilterLine]) -> tuple[Judged, ...]:
    """How often messages were stopped, passed, and were not measured."""
    sums = (sum(f.filtered for f in some), sum(f.passed for f in some), sum(f.not_measured for f in some))
    return tuple(plain(numbers.integer(n)) for n in sums)


def _of(row: Tendency | None) -> Both | None:
    """A share as how many of how many."""
    if row is None or row.value is None:
        return None
    return text("play.of", points=numbers.integer(row.value * row.n_items), most=numbers.integer(row.n_items))
