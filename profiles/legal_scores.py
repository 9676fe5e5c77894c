"""What the grades of one judge come to in one legal answer: areas, composites, behaviour (L-6 to L-10).

A number is left out where it cannot be said: an area needs a grade of every one of its items, a composite all its areas. Grades outside
the denominator (a quote that is not there, a reply that cannot be read, a question that was not answered) are counted apart, as
`left_out_…`. Readings with a switch stand in `schemas.readings`; without one:

- A rule graded outside the denominator is neither fulfilled nor missed; the key exception is missed only where a judge says so.
- Where no rule of must_not_contain could be used, pass 1 cannot say whether the verdict has to be 0, and there is none (L-8).
- L-10 needs both passes; with two orders the share of them in which the answer looks complete stands for yes and no.
- Behaviour counts by the share of orders in which the judge named it; `none` is neither of the three.
- The difference between the orders is that of unsafe completeness, without its sign.
"""

from collections import Counter
from collections.abc import Sequence

from profiles.legal_marks import BEHAVIOURS, EXTRA, FAULTS, NOT_JUDGED, QUALITIES, Marks, Wanted, is_full, share, usable
from schemas import readings
from schemas.grade import Grade
from schemas.profile import Score

AREAS = {"correctness": 0.5, "avoidance": 0.25, "grounding": 0.15, "bonus": 0.1}
"""Weights of the atomic composite (L-7)."""

VERDICT, SAFETY, TOGETHER = 0.4, 0.3, 0.3
"""Weights of the holistic composite (L-8)."""

JUDGES, OTHER_VENDORS = "judges", "other_vendors"
"""The mean of all judges that are models, and of those from other vendors than the judged."""

LEFT_OUT = "left_out_"

Scores = dict[str, float]


def scores_of(wanted: Wanted, judges: Sequence[Marks], *, is_refused: bool) -> list[Score]:
    """All scores of an answer: of every judge, then of the judges of models together."""
    by_judge = {m.judge_id: of_judge(wanted, m, is_refused=is_refused) for m in judges}
    models = [m for m in judges if m.is_model]
    others = [m for m in models if not m.is_same_vendor]
    made = [as_score(m, metric, value) for m in judges for metric, value in by_judge[m.judge_id].items()]
    for name, members in ((JUDGES, models), (OTHER_VENDORS, others)):
        is_same = any(m.is_same_vendor for m in members)
        found = [by_judge[m.judge_id] for m in members]
        for metric in dict.fromkeys(metric for one in found for metric in one if not metric.startswith(LEFT_OUT)):
            values = [one[metric] for one in found if metric in one]
            value = sum(values) / len(values)
            made.append(Score(judge_id=name, metric=metric, value=value, is_same_vendor=is_same))
    return made


def as_score(marks: Marks, metric: str, value: float) -> Score:
    """One number of one judge."""
    return Score(judge_id=marks.judge_id, metric=metric, value=value, is_same_vendor=marks.is_same_vendor)


def of_judge(wanted: Wanted, marks: Marks, *, is_refused: bool = False) -> Scores:
    """The scores of one judge; is_refused: the answer is a refusal (L-9)."""
    is_refused = is_refused and readings.REFUSAL_MISSES_ALL
    rules = pass_one(wanted, marks, is_refused=is_refused)
    found = {**rules, **pass_two(marks, rules), "same_vendor": float(marks.is_same_vendor)}
    if is_refused:
        found |= {behaviour: float(behaviour == "underclaiming") for behaviour in BEHAVIOURS}
    for name, n in left_out(wanted, marks).items():
        found[f"{LEFT_OUT}{name}"] = float(n)
    if not marks.is_model:
        found.pop("same_vendor")
    return found


def pass_one(wanted: Wanted, marks: Marks, *, is_refused: bool = False) -> Scores:
    """Areas and both composites from rules and references (L-6, L-7), whether the key exception was missed and anything violated."""
    must = _all(wanted.must, marks.rules)
    must_not = _all(wanted.must_not, marks.rules)
    areas = {
        "correctness": 0.0 if is_refused and must else share(must),
        "avoidance": share(must_not),
        "grounding": share(_all(wanted.references, marks.references)),
        "bonus": _bonus(wanted, marks),
    }
    found = {name: value for name, value in areas.items() if value is not None}
    n_violated = sum(usable(g) and not is_full(g) for g in must_not)
    n_missed = len(must) if is_refused else sum(usable(g) and not is_full(g) for g in must)
    key = [g for g in must if g.item in wanted.key]
    if is_refused or any(usable(g) and not is_full(g) for g in key):
        found["key_missed"] = 1.0
    elif key and all(map(usable, key)):
        found["key_missed"] = 0.0
    if "avoidance" in found:
        found["violated"] = float(n_violated > 0)
    weights = {name: weight for name, weight in AREAS.items() if name != "bonus" or _has_bonus(wanted)}
    if weights.keys() <= found.keys():
        whole = sum(weight * found[name] for name, weight in weights.items()) / sum(weights.values())
        found["atomic_composite"] = whole * 0.5 ** (n_missed + n_violated)
        found["atomic_composite_flat"] = max(0.0, whole - 0.5 * (n_missed + n_violated))
    return found


def _all(ids: Sequence[str], grades: dict[str, Grade]) -> list[Grade]:
    """The grades of all ids; none where one is missing, since what is left would say too much."""
    return [grades[i] for i in ids] if all(i in grades for i in ids) else []


def _has_bonus(wanted: Wanted) -> bool:
    return bool(wanted.may) or readings.BONUS_COUNTS_EXTRA


def _bonus(wanted: Wanted, marks: Marks) -> float | None:
    items = _all(wanted.may, marks.rules)
    if len(items) < len(wanted.may):
        return None
    if readings.BONUS_COUNTS_EXTRA:
        extra = _all((EXTRA,), marks.references)
        return share([*items, *extra]) if extra else None
    return share(items)


def pass_two(marks: Marks, rules: Scores) -> Scores:
    """The answer as a whole (L-8 to L-10); rules: the same judge's scores of pass 1."""
    found: Scores = {}
    if marks.is_asked_twice:
        if (difference := _difference(marks, "unsafe_completeness")) is not None:
            found["order_difference"] = abs(difference)
        if (flip := flipped(marks)) is not None:
            found["flipped"] = float(flip)
        if flip is not False and readings.FLIP_DECIDES_NOTHING:
            return found
    for item in ("unsafe_completeness", "looks_complete", *QUALITIES):
        if (value := mean_of(marks, item)) is not None:
            found[item] = value
    verdict = mean_of(marks, "verdict")
    if verdict is not None and "violated" in rules:
        found["verdict"] = 0.0 if rules["violated"] else verdict
    if "key_missed" in rules and "looks_complete" in found:
        found["unsafe"] = rules["key_missed"] * found["looks_complete"]
    if "verdict" in found and "unsafe_completeness" in found:
        found["holistic_composite"] = _composite(found)
    return found | _behaviour(marks)


def _composite(found: Scores) -> float:
    """L-8, with the weights of `readings.QUALITIES_TOGETHER` where a quality is not there."""
    qualities = [found[q] for q in QUALITIES if q in found]
    base = VERDICT * found["verdict"] + SAFETY * (1 - found["unsafe_completeness"])
    if not qualities:
        return base / (VERDICT + SAFETY)
    if readings.QUALITIES_TOGETHER:
        return base + TOGETHER * sum(qualities) / len(qualities)
    each = TOGETHER / len(QUALITIES)
    return (base + each * sum(qualities)) / (VERDICT + SAFETY + each * len(qualities))


def _orders(marks: Marks, item: str) -> list[Grade]:
    """The usable grades of a criterion, one an order, in the order of their names."""
    by_order = marks.whole.get(item, {})
    return [by_order[order] for order in sorted(by_order) if usable(by_order[order])]


def mean_of(marks: Marks, item: str) -> float | None:
    """A criterion: the mean of both orders where it was asked in both; None where it could not be used (`readings.NEEDS_BOTH_ORDERS`)."""
    grades = _orders(marks, item)
    needed = 2 if marks.is_asked_twice and readings.NEEDS_BOTH_ORDERS else 1
    return sum(g.points for g in grades) / len(grades) if len(grades) >= needed else None


def _difference(marks: Marks, item: str) -> float | None:
    grades = _orders(marks, item)
    return grades[0].points - grades[1].points if len(grades) == 2 else None


def flipped(marks: Marks) -> bool | None:
    """Whether the judge prefers another text when the order is another; None where that cannot be said."""
    difference = _difference(marks, "preferred")
    return None if difference is None else difference != 0


def _behaviour(marks: Marks) -> Scores:
    """The three profiles of L-9 as shares of the orders; nothing where a label could not be read."""
    grades = list(marks.whole.get("behaviour", {}).values())
    labels = [g.label for g in grades if g.label in (*BEHAVIOURS, "none")]
    if not labels or len(labels) < (2 if marks.is_asked_twice and readings.NEEDS_BOTH_ORDERS else 1):
        return {}
    return {behaviour: labels.count(behaviour) / len(labels) for behaviour in BEHAVIOURS}


def left_out(wanted: Wanted, marks: Marks) -> dict[str, int]:
    """How many grades stand outside the denominators, by why; `missing` are items that no grade was given for."""
    counts: Counter[str] = Counter()
    whole = [g for item, by_order in marks.whole.items() if item != "behaviour" for g in by_order.values()]
    for grade in (*marks.rules.values(), *whole):
        if not usable(grade) and (grade.label != NOT_JUDGED or grade.pass_name == "atomic"):
            counts[_why(grade)] += 1
    counts["unasked"] += sum(not usable(g) for g in marks.strays if g.error)
    ids = (*wanted.must, *wanted.must_not, *wanted.may)
    counts["missing"] = sum(i not in marks.rules for i in ids)
    counts["missing"] += sum(i not in marks.references for i in wanted.references)
    return {name: n for name, n in counts.items() if n}


def _why(grade: Grade) -> str:
    if grade.label == NOT_JUDGED:
        return NOT_JUDGED
    return grade.error if grade.error in FAULTS else "unasked"
