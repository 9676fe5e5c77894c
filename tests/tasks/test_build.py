"""A document that cannot be made is set aside and named, the others go on; a private one is named in the store alone (G-8)."""

import json
import logging

import pytest

from datasets import invoices
from datasets.store import Store
from datasets.tables import Place, read, rows_of
from datasets.typeset import TypesetError
from schemas.case import Case
from schemas.edition import private_numbers
from schemas.errors import StageError
from tasks.build import ask_edition, make_cases, plan_cases, seal_cases
from tasks.shards import settle

SIZE = 9


def build(root, monkeypatch, broken):
    """Build a set of texts in which the Czech documents of some pairs cannot be typeset."""
    typeset, count = invoices.typeset, iter(range(10**6))

    def fail(page, keywords):
        if page["language"] == "cs" and next(count) in broken:
            raise TypesetError("The template 'invoice' cannot set the page: out of paper.")
        return typeset(page, keywords=keywords)

    monkeypatch.setattr(invoices, "typeset", fail)
    edition = ask_edition(root, "invoices", 7, SIZE, ("text",)).id
    plan = plan_cases(root, "invoices", edition)
    results = settle(make_cases.fn, plan.missing)
    return edition, plan, results


def test_the_rest_goes_on(tmp_path, monkeypatch, caplog):
    root = str(tmp_path / "s")
    private = min(private_numbers(SIZE))
    broken = {0, private}
    logging.getLogger("zkusebna").propagate = True
    with caplog.at_level(logging.WARNING, "zkusebna.build"):
        edition, plan, results = build(root, monkeypatch, broken)
    outcome = seal_cases(plan, results, root)
    assert outcome.counts == {"documents": 2 * (SIZE - 2), "pairs set aside": 2}
    place = Place(suite="invoices", edition=edition)
    made = {case.pair_id for case in rows_of(Case, read(Store.open(root), Case, place))}
    assert made == {f"invoices-{n + 1:04}" for n in range(SIZE) if n not in broken}, "both twins or none"
    told = "\n".join(record.getMessage() for record in caplog.records)
    assert (
        "The pair invoices-0001 is set aside, the others go on: The template 'invoice' cannot set the page: out of paper."
        in told
    )
    assert "A private pair is set aside" in told
    assert f"invoices-{private + 1:04}" not in told
    (file,) = (tmp_path / "s" / "quarantine").rglob("aside-*.jsonl")
    assert [json.loads(line)["pair_id"] for line in file.read_text().splitlines()] == [
        "invoices-0001",
        f"invoices-{private + 1:04}",
    ]
    assert not plan_cases(root, "invoices", edition).missing, "what cannot be made is not tried at every run"


def test_a_set_of_nothing_is_an_error(tmp_path, monkeypatch):
    root = str(tmp_path / "s")
    _, plan, results = build(root, monkeypatch, set(range(SIZE)))
    with pytest.raises(
        StageError, match=r"1 of 1 shards are missing\. The template 'invoice' cannot set the page: out of paper"
    ):
        seal_cases(plan, results, root)
