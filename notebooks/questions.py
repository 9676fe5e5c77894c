"""Ten questions to a store, each answered by a query of DuckDB's views and a sentence of reading.

    marimo edit notebooks/questions.py     (in the browser)
    python notebooks/questions.py          (all cells, as a script)

The store is the one that ZKUSEBNA_STORE names, else ./store. Only public cases are looked at (G-8), but for the sums of the tenth question;
intervals are those of the table `tendencies` (S-1).
"""

import marimo

app = marimo.App(width="medium", app_title="Ten questions to a store")


@app.cell
def _():
    import os
    from pathlib import Path

    import duckdb
    import marimo as mo
    from matplotlib.figure import Figure

    return Figure, Path, duckdb, mo, os


@app.cell
def _(Path, duckdb, os):
    root = Path(os.environ.get("ZKUSEBNA_STORE", "store"))
    file = root / "analysis.duckdb"
    if not file.exists():
        raise FileNotFoundError(
            f"There is no file of views at {file}. Set ZKUSEBNA_STORE to a store, or make the file by `zkusebna views`."
        )
    database = duckdb.connect(str(file), read_only=True)

    def ask(query, **frames):
        """The rows of a query as a frame; frames: further tables that it reads, by name."""
        for name, frame in frames.items():
            database.register(name, frame)
        return database.execute(query).df()

    return ask, root


@app.cell
def _(Figure, mo):
    def share(value):
        """A share in words: 93.1 %."""
        return f"{100 * value:.1f} %"

    def shown(number, question, sentence, frame, picture=None):
        """One question with its reading, its rows, and a picture where one helps."""
        parts = [mo.md(f"## {number}. {question}\n\n{sentence}")]
        return mo.vstack([*parts, *([frame] if len(frame) else []), *([picture] if picture else [])])

    def bars(names, values, label, ends=None):
        """Horizontal bars with their intervals, the first on top."""
        figure = Figure(figsize=(7, 0.6 + 0.32 * len(names)), layout="constrained")
        axes = figure.subplots()
        error = None
        if ends is not None:
            error = [
                [v - low for v, (low, _) in zip(values, ends, strict=True)],
                [high - v for v, (_, high) in zip(values, ends, strict=True)],
            ]
        axes.barh(range(len(names)), values, xerr=error, color="#4c78a8", ecolor="#333333", capsize=3)
        axes.axvline(0, color="#333333", linewidth=0.8)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.spines[["top", "right"]].set_visible(False)
        return figure

    def runs(names, before, now, ends):
        """Two runs beside each other: a ring before, a full circle with its interval now."""
        figure = Figure(figsize=(7, 1.1 + 0.32 * len(names)), layout="constrained")
        axes = figure.subplots()
        places = range(len(names))
        axes.hlines(places, before, now, color="#999999", linewidth=1)
        error = [
            [max(0.0, v - low) for v, (low, _) in zip(now, ends, strict=True)],
            [max(0.0, high - v) for v, (_, high) in zip(now, ends, strict=True)],
        ]
        axes.errorbar(
            now,
            places,
            xerr=error,
            fmt="o",
            color="#4c78a8",
            ecolor="#333333",
            capsize=3,
            label="last run, 95 % interval",
        )
        axes.plot(before, places, "o", markerfacecolor="none", markersize=11, color="#333333", label="run before")
        axes.set_yticks(places, names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("share")
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside upper left", ncols=2, frameon=False)
        return figure

    nothing = "The store holds nothing that answers this."
    return nothing, bars, runs, share, shown


@app.cell
def _(ask):
    # The newest edition of each suite: what every question but the sixth looks at.
    editions = ask(
        "SELECT suite, arg_max(edition, run_date || run_id) AS edition FROM tendencies GROUP BY suite ORDER BY suite"
    )
    newest = """WITH newest AS (SELECT suite, arg_max(edition, run_date || run_id) AS edition FROM tendencies GROUP BY suite)"""
    return editions, newest


@app.cell
def _(nothing, ask, bars, share, shown):
    which = ask(
        "SELECT system_id, field_accuracy, field_accuracy_low AS low, field_accuracy_high AS high, faultless, n_documents "
        "FROM leaderboard WHERE suite = 'invoices'"
    )
    which_reading, _picture = nothing, None
    if len(which):
        _best, _rest = which.iloc[0], which.iloc[1:]
        which_reading = (
            f"**{_best.system_id}** reads {share(_best.field_accuracy)} of the fields of {_best.n_documents:.0f} invoices rightly"
            f" (95 % interval {share(_best.low)} to {share(_best.high)})."
        )
        _near = list(_rest[_rest.high >= _best.low].system_id)
        which_reading += (
            f" The intervals of {', '.join(_near)} reach into it; `zkusebna compare` decides by the same documents."
            if _near
            else " No other system's interval reaches into it."
            if len(_rest)
            else " No other system was asked."
        )
        _picture = bars(
            which.system_id,
            which.field_accuracy,
            "share of right fields",
            list(zip(which.low, which.high, strict=True)),
        )
        if which.n_documents.nunique() > 1:
            which_reading += (
                f" Not all read the same documents: {which.n_documents.min():.0f} to {which.n_documents.max():.0f}, since not every system"
                " takes pictures or was asked all; a share over fewer is no better for being higher."
            )
    shown(1, "Which system for our invoices, and how sure is that?", which_reading, which, _picture)
    return which, which_reading


@app.cell
def _(nothing, ask, newest, shown):
    losses = ask(
        f"""{newest}
        SELECT g.suite, g.system_id, g.item AS field, g.error, count(*) AS n_wrong,
               round(100 * count(*) / sum(count(*)) OVER (PARTITION BY g.suite, g.system_id), 1) AS of_its_errors_pct
        FROM grades g JOIN newest USING (suite, edition) JOIN profiles p USING (suite, edition, system_id, case_id, trial)
        WHERE g.judge = 'program' AND g.pass_name = 'atomic' AND g.error IS NOT NULL AND p.is_scored AND p.split = 'public'
          AND g.suite IN (SELECT suite FROM leaderboard)
        GROUP BY g.suite, g.system_id, g.item, g.error
        QUALIFY row_number() OVER (PARTITION BY g.suite, g.system_id ORDER BY n_wrong DESC, field, error) <= 5
        ORDER BY g.suite, g.system_id, n_wrong DESC, field, error"""
    )
    losses_reading = nothing
    if len(losses):
        _worst = losses.sort_values("of_its_errors_pct", ascending=False, kind="stable").iloc[0]
        losses_reading = (
            f"The most lopsided is {_worst.system_id} in {_worst.suite}: {_worst.of_its_errors_pct:.1f} % of its errors are"
            f" `{_worst.error}` in the field `{_worst.field}`. Below, the five commonest pairs of field and error of each system."
        )
    shown(2, "Where do systems lose: which field, by which error?", losses_reading, losses)
    return losses, losses_reading


@app.cell
def _(nothing, ask, bars, newest, shown):
    gaps = ask(
        f"""{newest}
        SELECT suite, system_id, 100 * value AS gap_points, 100 * low AS low, 100 * high AS high, n_documents AS n_pairs
        FROM tendencies JOIN newest USING (suite, edition)
        WHERE metric = 'language_gap' AND dimension = 'overall' AND split = 'public' AND value IS NOT NULL ORDER BY suite, gap_points"""
    )
    gaps_reading, _picture = nothing, None
    if len(gaps):
        _sure = gaps[(gaps.high < 0) | (gaps.low > 0)]
        gaps_reading = (
            f"Of {len(gaps)} comparisons of twins {len(_sure)} have an interval without zero"
            f" ({(_sure.gap_points < 0).sum()} with Czech worse, {(_sure.gap_points > 0).sum()} with English worse)."
            " Points are Czech minus English, over fields that both twins have."
        )
        _names = [f"{s}: {n}" for s, n in zip(gaps.suite, gaps.system_id, strict=True)]
        _picture = bars(
            _names,
            gaps.gap_points,
            "percentage points, Czech minus English",
            list(zip(gaps.low, gaps.high, strict=True)),
        )
    shown(3, "Is Czech read worse than English?", gaps_reading, gaps, _picture)
    return gaps, gaps_reading


@app.cell
def _(nothing, ask, newest, shown):
    prices = ask(
        f"""{newest}
        SELECT suite, system_id, count(*) AS n_answers, count(*) FILTER (is_faultless) AS n_faultless,
               CAST(sum(cost_usd) AS DOUBLE) AS spent_usd, spent_usd / nullif(n_faultless, 0) AS usd_a_right_document
        FROM profiles JOIN newest USING (suite, edition)
        WHERE is_scored AND split = 'public' AND suite IN (SELECT suite FROM leaderboard)
        GROUP BY suite, system_id ORDER BY suite, usd_a_right_document NULLS LAST, system_id"""
    )
    prices_reading = nothing
    if len(prices):
        _paid = prices[(prices.spent_usd > 0) & (prices.n_faultless > 0)]
        _none = prices[prices.n_faultless == 0]
        _best = _paid.sort_values("usd_a_right_document").iloc[0] if len(_paid) else None
        prices_reading = (
            f"The least among those that cost something: {_best.system_id} in {_best.suite},"
            f" {_best.usd_a_right_document:.5f} USD a faultless document."
            if _best is not None
            else "No call cost anything; a person who mends does, see the report's calculator."
        )
        prices_reading += (
            f" Without a single faultless document: {len(_none)} of {len(prices)} pairs of suite and system."
        )
    shown(4, "What did one right document cost?", prices_reading, prices)
    return prices, prices_reading


@app.cell
def _(nothing, ask, newest, shown):
    nobody = ask(
        f"""{newest}
        SELECT suite, case_id, language, level, variant, count(DISTINCT system_id) AS n_systems,
               round(100 * sum(points) / nullif(sum(max_points), 0), 1) AS right_pct
        FROM profiles JOIN newest USING (suite, edition)
        WHERE is_scored AND split = 'public' AND suite IN (SELECT suite FROM leaderboard)
        GROUP BY suite, case_id, language, level, variant HAVING NOT bool_or(is_faultless)
        ORDER BY right_pct, suite, case_id"""
    )
    _all = ask(
        f"{newest} SELECT count(DISTINCT (suite, case_id)) AS n FROM profiles JOIN newest USING (suite, edition) "
        "WHERE is_scored AND split = 'public' AND suite IN (SELECT suite FROM leaderboard)"
    ).n[0]
    nobody_reading = nothing
    if _all:
        nobody_reading = f"{len(nobody)} of {_all} public documents were read without a fault by no system."
        if len(nobody):
            _level = nobody.level.value_counts().sort_index().idxmax()
            nobody_reading += f" Most of them are at the level `{_level}`; the hardest stand first."
    shown(5, "Which cases does nobody get right?", nobody_reading, nobody)
    return nobody, nobody_reading


@app.cell
def _(nothing, ask, root, runs, shown):
    import pandas as _pd

    from datasets.snapshots import read_kept as _read_kept
    from datasets.store import Store as _Store
    from schemas.tendency import Tendency as _Tendency
    from tasks.past_runs import past_runs as _past_runs

    _store = _Store.open(root, create=False)
    _runs = _past_runs(_store)
    _wanted = ["suite", "edition", "system_id", "split", "dimension", "metric", "value", "low", "high", "judge_id"]
    _frames, _of_suite = [], {}
    for _run in _runs:
        for _suite in sorted({_stand.suite for _stand in _run.stands}):
            _of_suite.setdefault(_suite, []).append(_run)
    _pairs = {_suite: _some[-2:] for _suite, _some in _of_suite.items() if len(_some) > 1}
    for _suite, _two in _pairs.items():
        for _when, _run in zip(("before", "now"), _two, strict=True):
            for _stand in _run.systems(_suite).values():
                if _kept := _stand.of(_Tendency):
                    _frames.append(_read_kept(_store, _Tendency, _kept, _wanted).to_pandas().assign(run=_when))
    worse, _picture = _pd.DataFrame(), None
    worse_reading = "The store holds fewer than two finished runs of any suite, so there is nothing to compare."
    if _frames:
        worse = ask(
            """SELECT b.suite, b.system_id, b.metric, b.value AS before, n.value AS now, n.value - b.value AS change,
                      n.low AS now_low, n.high AS now_high, b.edition = n.edition AS same_documents,
                      CASE WHEN n.high < b.low THEN 'worse' WHEN n.low > b.high THEN 'better' ELSE 'not decisive' END AS reading
               FROM (SELECT * FROM numbers WHERE run = 'before') b JOIN (SELECT * FROM numbers WHERE run = 'now') n
                 USING (suite, system_id, split, dimension, metric, judge_id)
               WHERE split = 'public' AND dimension = 'overall' AND metric IN ('field_accuracy', 'faultless') AND change IS NOT NULL
               ORDER BY change, b.suite, b.system_id, b.metric""",
            numbers=_pd.concat(_frames, ignore_index=True),
        )
        worse_reading = nothing
    if len(worse):
        _count = worse.reading.value_counts()
        _told = "; ".join(
            f"{_suite}: run {_b.run_id} against {_a.run_id}" for _suite, (_a, _b) in sorted(_pairs.items())
        )
        worse_reading = (
            f"{_told}. Of {len(worse)} numbers {_count.get('worse', 0)} got worse and {_count.get('better', 0)} better by intervals that do"
            " not meet. `zkusebna compare previous latest` pairs the cases and sees more."
        )
        if not worse.same_documents.all():
            worse_reading += (
                f" {(~worse.same_documents).sum()} of them compare two editions, whose documents are not the same."
            )
        _top = worse.head(20)
        _picture = runs(
            [f"{s}: {n}, {m}" for s, n, m in zip(_top.suite, _top.system_id, _top.metric, strict=True)],
            _top.before, _top.now, list(zip(_top.now_low, _top.now_high, strict=True)),
        )  # fmt: skip
    shown(6, "Did the last run get worse?", worse_reading, worse, _picture)
    return worse, worse_reading


@app.cell
def _(nothing, ask, newest, shown):
    judges = ask(
        f"""{newest}, marks AS (
          SELECT g.suite, g.system_id, g.case_id, g.trial, g.pass_name, g.item, g.judge_id, g.points / g.max_points AS mark
          FROM grades g JOIN newest USING (suite, edition) JOIN profiles p USING (suite, edition, system_id, case_id, trial)
          WHERE g.judge <> 'program' AND g.max_points > 0 AND p.split = 'public'
        ), agreement AS (
          SELECT a.suite, a.judge_id, avg(CAST(abs(a.mark - b.mark) < 1e-9 AS DOUBLE)) AS agrees_with_others, count(*) AS n_compared
          FROM marks a JOIN marks b USING (suite, system_id, case_id, trial, pass_name, item)
          WHERE a.judge_id <> b.judge_id GROUP BY ALL
        ), fitness AS (
          SELECT suite, judge_id, max(value) FILTER (metric = 'control_right_atomic') AS controls_right_atomic,
                 max(value) FILTER (metric = 'control_right_holistic') AS controls_right_holistic
          FROM tendencies JOIN newest USING (suite, edition)
          WHERE dimension = 'overall' AND split = 'public' AND metric LIKE 'control_right%' AND judge_id <> '' GROUP BY ALL
        )
        SELECT * FROM fitness FULL JOIN agreement USING (suite, judge_id) ORDER BY suite, judge_id"""
    )
    judges_reading = nothing
    if len(judges):
        _told = judges.agrees_with_others.notna()
        judges_reading = (
            f"Pairs of suite and judge: {len(judges)}; of these {int(_told.sum())} judged the same items as another."
            " A judge who grades controls wrongly decides nothing, however well judges agree (G-5)."
        )
    shown(7, "Do judges agree, and are they fit?", judges_reading, judges)
    return judges, judges_reading


@app.cell
def _(ask, newest, shown):
    stopped = ask(
        f"""{newest}
        SELECT c.suite, c.system_id, c.provider, c.status, count(*) AS n_calls, count(DISTINCT c.case_id) AS n_cases
        FROM calls c JOIN newest USING (suite, edition) JOIN cases k USING (suite, edition, case_id)
        WHERE c.status IN ('filtered', 'refused') AND k.split = 'public'
        GROUP BY ALL ORDER BY n_calls DESC, c.suite, c.system_id, c.status"""
    )
    _sums = stopped.groupby("status").n_calls.sum() if len(stopped) else {}
    stopped_reading = (
        f"Providers' filters stopped {_sums.get('filtered', 0)} calls, and models refused {_sums.get('refused', 0)}; these answers are left out of"
        " every share and counted (G-11)."
        if len(stopped)
        else "No filter stopped a call and no model refused."
    )
    shown(8, "Which filters stopped what?", stopped_reading, stopped)
    return stopped, stopped_reading


@app.cell
def _(nothing, ask, bars, newest, shown):
    times = ask(
        f"""{newest}
        SELECT suite, system_id, level, count(*) AS n_answers, quantile_cont(latency_ms, 0.5) / 1000 AS median_s,
               quantile_cont(latency_ms, 0.9) / 1000 AS p90_s
        FROM profiles JOIN newest USING (suite, edition)
        WHERE is_scored AND split = 'public' AND suite IN (SELECT suite FROM leaderboard)
        GROUP BY suite, system_id, level ORDER BY suite, system_id, median_s"""
    )
    times_reading, _picture = nothing, None
    if len(times):
        _slow = times.sort_values("p90_s", ascending=False, kind="stable").iloc[0]
        times_reading = (
            f"The slowest is {_slow.system_id} in {_slow.suite} at the level `{_slow.level}`: half of its answers take up to"
            f" {_slow.median_s:.2f} s, nine of ten up to {_slow.p90_s:.2f} s."
        )
        _top = times.sort_values("p90_s", ascending=False, kind="stable").head(20)
        _names = [f"{s}: {n}, {x}" for s, n, x in zip(_top.suite, _top.system_id, _top.level, strict=True)]
        _picture = bars(_names, _top.p90_s, "90th percentile of the time of an answer, seconds")
    shown(9, "How long do answers take, by level?", times_reading, times, _picture)
    return times, times_reading


@app.cell
def _(nothing, ask, shown):
    budget = ask(
        """SELECT purpose, suite, system_id, CAST(sum(n_calls) AS BIGINT) AS n_calls, CAST(sum(cost_usd) AS DOUBLE) AS spent_usd,
                  round(100 * spent_usd / nullif(sum(spent_usd) OVER (), 0), 1) AS of_all_pct
           FROM spend GROUP BY purpose, suite, system_id ORDER BY spent_usd DESC, purpose, suite, system_id"""
    )
    budget_reading = nothing
    if len(budget):
        _all = budget.spent_usd.sum()
        _most = budget.iloc[0]
        budget_reading = f"{budget.n_calls.sum()} calls cost {_all:.4f} USD in all, over all editions."
        if _all > 0:
            budget_reading += f" The most went to {_most.system_id} in {_most.suite}: {_most.of_all_pct:.1f} %."
    shown(10, "How much of the budget went where?", budget_reading, budget)
    return budget, budget_reading


if __name__ == "__main__":
    app.run()
