"""The language tax from the corpus to the page, against a gateway whose token counts are known, and by SQL (D-18, D-19, G-11, M-4)."""

import json
import re
import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import run_stages, stable_rows
from report_support import tendency_row

import datasets
from datasets.store import Store
from profiles.money import estimated_spend, true_cost
from schemas.tendency import Tendency
from tasks import attempts, throttle
from tasks.publish import _editions, _section, leaderboard, publish_report

LANGUAGES = ("cs", "de", "en", "es", "fr", "pl")
MODELS = {"counting": "ok", "silent": "nousage", "strict": "noempty", "cut": "length"}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """The gateway, and entries of models behind it."""
    with Gateway() as running, pytest.MonkeyPatch.context() as patch:
        entry: dict[str, Any] = {"vendor": "v", "family": "f", "client": "openai", "suites": [], "inputs": ["text"]}
        entries = [
            {
                **entry, "id": name, "name": name, "options": {"url": running.url, "model": f"stub/{model}"},
                "limits": {"max_tokens": 500, "seconds": 5, "at_once": 4},
            }
            for name, model in MODELS.items()
        ]  # fmt: skip
        file = tmp_path_factory.mktemp("systems") / "systems.yaml"
        file.write_text(yaml.safe_dump(entries), encoding="utf-8")
        patch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
        patch.setattr(attempts, "LONGEST_WAIT_S", 0.02)
        throttle._THROTTLES.clear()
        yield running


@pytest.fixture(scope="module")
def root(gateway: Gateway, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which all four were asked 4 paragraphs, and one of them invoices too."""
    path = tmp_path_factory.mktemp("tax") / "store"
    run_stages(str(path), "language_tax", list(MODELS), 4)
    run_stages(str(path), "invoices", ["counting"], 6, ("text",))
    return path


def counted(text: str) -> int:
    """Tokens as the gateway counts them: four characters of the message as JSON."""
    return len(json.dumps({"role": "user", "content": text}, ensure_ascii=False)) // 4


def taxes_by_hand(n: int) -> dict[str, float]:
    """From the corpus alone."""
    sums = {}
    for language in LANGUAGES:
        file = Path(datasets.__file__).parent / "paragraphs" / f"{language}.yaml"
        corpus = yaml.safe_load(file.read_text(encoding="utf-8"))["paragraphs"][:n]
        sums[language] = sum(counted(p["text"]) - counted("") for p in corpus)
    return {language: total / sums["en"] for language, total in sums.items()}


def rows_of(root: Path, system: str, metric: str = "language_tax") -> dict[str, dict[str, Any]]:
    found = [r for r in stable_rows(root)["tendencies"] if r["system_id"] == system and r["metric"] == metric]
    return {r["group_name"]: r for r in found if r["suite"] == "language_tax"}


@pytest.mark.parametrize("system", ["counting", "cut"])
def test_the_tax_is_that_of_the_counts(root: Path, system: str) -> None:
    """Also where every answer was cut off by its length, as with a limit of one token it should be."""
    found = rows_of(root, system)
    assert {x: r["value"] for x, r in found.items()} == pytest.approx(taxes_by_hand(4))
    assert {(r["n_documents"], r["n_left_out"], r["note"]) for r in found.values()} == {(4, 0, None)}


def test_the_same_by_sql_over_the_answers(root: Path) -> None:
    """A second way: the answers themselves, their own empty prompt subtracted."""
    found = duckdb.sql(f"""
        WITH answers AS (
            SELECT case_id, tokens_in FROM read_parquet('{root}/tables/answers/suite=language_tax/**/*.parquet', hive_partitioning = true)
            WHERE system_id = 'counting'),
        net AS (
            SELECT case_id[14:15] AS language, case_id[-4:] AS number,
                   tokens_in - (SELECT tokens_in FROM answers WHERE case_id = 'language-tax-nothing') AS tokens
            FROM answers WHERE regexp_matches(case_id, '[0-9]$'))
        SELECT net.language, sum(net.tokens) / sum(english.tokens), min(net.tokens / english.tokens),
               quantile_cont(net.tokens / english.tokens, 0.25), median(net.tokens / english.tokens),
               quantile_cont(net.tokens / english.tokens, 0.75), max(net.tokens / english.tokens)
        FROM net JOIN net AS english ON english.number = net.number AND english.language = 'en' GROUP BY net.language
    """).fetchall()
    assert len(found) == 6
    names = ["", "_min", "_q1", "_median", "_q3", "_max"]
    for language, *values in found:
        ours = [rows_of(root, "counting", f"language_tax{name}")[language]["value"] for name in names]
        assert ours == pytest.approx(values), language


def test_every_call_was_the_bare_text_with_the_lowest_limit(root: Path, gateway: Gateway) -> None:
    """Asked anew through a fresh store: 1 output token, one message, no schema, temperature 0."""
    gateway.reset()
    run_stages(str(root.parent / "again"), "language_tax", ["counting"], 2)
    bodies = [asked.request for asked in gateway.asked]
    assert len(bodies) == 2 * 6 + 2
    assert {(b["max_tokens"], b["temperature"], len(b["messages"])) for b in bodies} == {(1, 0, 1)}
    assert not any("response_format" in b for b in bodies)
    texts = {b["messages"][0]["content"] for b in bodies}
    assert {"", "."} < texts
    assert len(texts) == 14


def test_what_was_counted_is_never_asked_again(root: Path, gateway: Gateway, tmp_path: Path) -> None:
    """M-4: a larger set of the same tokenizer asks only for its new paragraphs."""
    root = shutil.copytree(root, tmp_path / "store")
    gateway.reset()
    run_stages(str(root), "language_tax", ["cut"], 4)
    assert gateway.asked == []
    run_stages(str(root), "language_tax", ["cut"], 5)
    assert len(gateway.asked) == 6


def test_without_usage_it_is_unmeasured_and_not_zero(root: Path) -> None:
    """G-11: every answer came, none states a count."""
    assert {(r["value"], r["note"]) for r in rows_of(root, "silent").values()} == {(None, "no_overhead")}
    profiles = [r for r in stable_rows(root)["profiles"] if r["system_id"] == "silent"]
    assert len(profiles) == 26
    assert {(p["status"], p["is_scored"], p["tokens_in"], p["max_points"]) for p in profiles} == {
        ("ok", False, None, 0.0)
    }
    assert rows_of(root, "silent", "coverage")["all"]["value"] == 0


def test_a_gateway_that_refuses_an_empty_message_is_measured_by_a_full_stop(root: Path) -> None:
    answers = {r["case_id"]: r for r in stable_rows(root)["answers"] if r["system_id"] == "strict"}
    assert answers["language-tax-nothing"]["status"] == "api_error"
    assert "must be non-empty" in answers["language-tax-nothing"]["error"]
    assert rows_of(root, "strict", "tokens_in")["full_stop"]["value"] == counted(".") - 1
    assert {x: r["n_documents"] for x, r in rows_of(root, "strict").items()} == dict.fromkeys(LANGUAGES, 4)


def spend_of(root: Path, language: str) -> Decimal:
    """What 1,000 public documents of a language cost on tokens, from the answers."""
    query = f"""SELECT sum(a.cost_usd), count(*) FROM read_parquet('{root}/tables/answers/suite=invoices/**/*.parquet', union_by_name=true) a
        JOIN read_parquet('{root}/tables/cases/suite=invoices/**/*.parquet', union_by_name=true) c USING (case_id)
        WHERE c.split = 'public' AND c.language = '{language}'"""
    [(usd, documents)] = duckdb.sql(query).fetchall()
    return Decimal(usd) * 1000 / documents


def test_the_calculator_of_invoices_uses_the_measured_taxes(root: Path) -> None:
    """D-19: a language without documents is estimated from the tax that the same system was measured to have."""
    page = publish_report(str(root)).with_name("suite-invoices.html").read_text(encoding="utf-8")
    taxes = {x: Decimal(repr(value)) for x, value in taxes_by_hand(4).items()}
    czech, english = spend_of(root, "cs"), spend_of(root, "en")
    for language in ("de", "fr", "es", "pl"):
        usd = estimated_spend(english, czech, taxes[language], taxes["cs"])
        assert usd is not None
        group = re.search(rf'<tbody data-language="{language}".*?</tbody>', page, re.DOTALL)
        assert group is not None
        assert "data-estimate" in group[0]
        spend = re.search(r'data-spend="([0-9.]+)"', group[0])
        assert spend is not None
        assert Decimal(spend[1]) == pytest.approx(usd, rel=Decimal("1e-6"))
        assert true_cost(usd, 1000, 0, "EUR").spend > 0


def test_a_section_has_the_taxes_of_its_own_systems_alone(root: Path) -> None:
    from profiles.report.material import with_taxes

    store = Store.open(root)
    sections = {s.suite: s for s in with_taxes([_section(store, x, e) for x, e in sorted(_editions(store).items())])}
    assert set(sections["invoices"].taxes) == {"counting"}
    assert set(sections["invoices"].taxes["counting"]) == set(LANGUAGES)
    assert "silent" not in sections["language_tax"].taxes


def test_of_several_editions_the_one_with_the_most_paragraphs_decides() -> None:
    """A newer run of few paragraphs does not push out the tax of the whole set; of equal ones the newer is taken."""
    from profiles.report.material import Older, Section, with_taxes
    from tasks.choose import known_systems

    def tax(value: float, n: int) -> Tendency:
        return tendency_row("rules", "language_tax", value, dimension="language", group_name="cs", n_documents=n)

    systems = {"rules": known_systems()["rules"]}
    older = (Older("b", (tax(1.8, 50),)), Older("a", (tax(1.9, 50),)))
    [section] = with_taxes([Section("language_tax", "c", (tax(2.5, 5),), systems, older=older)])
    assert section.taxes == {"rules": {"cs": Decimal("1.8")}}


def test_the_page_and_the_terminal_tell_the_tax(root: Path) -> None:
    """G-9, G-10: the run, the versions and the limits stand beside the numbers."""
    page = publish_report(str(root)).with_name("suite-language_tax.html").read_text(encoding="utf-8")
    edition = next(iter(rows_of(root, "counting").values()))["edition"]
    board = leaderboard(str(root), "language_tax", edition, ["counting", "silent"])
    by_language = {(r["system"], r["language"]): r for r in board.rows}
    for language, value in taxes_by_hand(4).items():
        if language != "en":
            assert by_language["counting", language]["tax"] == f"{value:.2f}×"
            assert by_language["silent", language]["tax"] == "no_overhead"
    assert page.count('class="stamp"') >= 3
    assert "rodilí mluvčí je nekontrolovali" in page
    assert "native speakers did not review them" in page
