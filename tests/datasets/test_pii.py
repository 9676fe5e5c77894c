"""The source of texts with personal data: determinism, twins, exact shares, the private third, what is said next (D-1, D-3, G-8, M-2)."""

import json
import re
import subprocess
import sys
from collections import Counter

import pytest
from pii_support import SECRET, edition, printed, texts

from datasets import pii
from schemas.edition import private_numbers
from schemas.errors import UsageError
from schemas.exchange import Message
from schemas.fields import answer_schema
from schemas.pii import FIELDS, LAYOUTS, VARIANTS

SIZE = 150


def make(start=0, stop=10**9, secret=SECRET, size=24, **kwargs):
    return [m.case for m in pii.make_cases(edition(size, **kwargs), secret, start, stop)]


@pytest.fixture(scope="module")
def cases():
    return make()


def test_twins_have_the_same_structure():
    """D-1: the same kind of text, and of every field as many values; so the language gap compares like with like."""
    both = texts(SIZE)
    assert [t.case.case_id for t in both[:3]] == ["pii-cs-0001", "pii-en-0001", "pii-cs-0002"]
    for czech, american in zip(both[::2], both[1::2], strict=True):
        for name in ("pair_id", "split", "level", "variant", "layout", "set_version", "edition"):
            assert getattr(czech.case, name) == getattr(american.case, name)
        assert (czech.case.language, american.case.language) == ("cs", "en")
        counts = [{f.name: len(t.truth[f.name]) for f in FIELDS} for t in (czech, american)]
        assert counts[0] == counts[1], czech.case.pair_id
        assert czech.truth["birth_dates"] == american.truth["birth_dates"]
        assert czech.text != american.text


def test_twins_say_the_same_in_the_same_order():
    """The fields of the values, in the order in which they stand in the finished texts, are the same."""
    both = texts(SIZE)
    for czech, american in zip(both[::2], both[1::2], strict=True):
        orders = []
        for text in (czech, american):
            found = {
                (
                    min(at for form in printed(f.name, v, text.case.language) if (at := text.plain.find(form)) >= 0),
                    f.name,
                )
                for f in FIELDS[1:]
                for v in text.truth[f.name]
            }
            orders.append([field for _, field in sorted(found)])
        assert orders[0] == orders[1], czech.case.pair_id


def test_kinds_of_text_and_layouts_are_in_exact_balance():
    czech = texts(SIZE, language="cs")
    for name, words in (("variant", VARIANTS), ("layout", LAYOUTS)):
        for part in ("public", "private", None):
            counts = Counter(getattr(t.case, name) for t in czech if part in (None, t.case.split))
            assert set(counts) == set(words)
            assert max(counts.values()) - min(counts.values()) <= 1
    assert {t.case.level for t in czech} == {"text"}


def test_situations_are_in_exact_balance_within_a_kind():
    """Ten of a kind in a set of 150: each stands under three or four texts, so under at most 2.7 %."""
    dealt = pii._situations(7, SIZE, SECRET)
    assert len(set(dealt)) == 40
    assert set(Counter(dealt).values()) <= {3, 4}


def test_shard_boundaries_do_not_matter(cases):
    assert make(0, 10) == make(0, 4) + make(4, 10)
    assert make(3, 4) == cases[6:8]
    assert make(24, 40) == []


def test_another_process_gives_the_same_bytes(cases):
    code = f"""
import hashlib, json
from datasets import pii
from schemas.edition import Edition
e = Edition.model_validate_json({edition(24).model_dump_json()!r})
made = [m.case for i in reversed(range(8)) for m in pii.make_cases(e, {SECRET!r}, i, i + 1)]
print(json.dumps({{c.case_id: hashlib.sha256(c.model_dump_json().encode()).hexdigest() for c in made}}))
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"}
    )
    from hashlib import sha256

    here = {c.case_id: sha256(c.model_dump_json().encode()).hexdigest() for c in cases[:16]}
    assert json.loads(run.stdout) == here


def test_another_seed_is_another_set(cases):
    other = make(seed=8, stop=6)
    assert not {c.document_sha256 for c in cases} & {c.document_sha256 for c in other}


def test_the_public_part_knows_nothing_of_the_secret(cases):
    other = make(secret="another secret")
    private = private_numbers(24)
    for number in range(24):
        one, two = cases[2 * number : 2 * number + 2], other[2 * number : 2 * number + 2]
        if number in private:
            assert {c.text for c in one}.isdisjoint({c.text for c in two})
            assert all(c.split == "private" and re.fullmatch("ZKUSEBNA-CANARY-[0-9a-f]{32}", c.canary) for c in one)
        else:
            assert one == two
            assert all(c.canary is None for c in one)
    for case in cases:
        assert SECRET not in case.model_dump_json()
        assert case.canary is None or case.canary not in case.brief + case.text


def test_the_brief_asks_for_seven_lists(cases):
    for case in cases[:4]:
        brief = case.to_brief()
        assert brief.answer_schema == answer_schema(FIELDS, case.language)
        assert set(brief.answer_schema["properties"]) == {f.name for f in FIELDS}
        assert {p["type"][0] for p in brief.answer_schema["properties"].values()} == {"array"}
        assert all(f"`{f.name}`" in brief.prompt for f in FIELDS)


def test_a_size_too_small_for_its_kinds_is_refused_with_the_smallest_that_works():
    for size in range(1, 5):
        with pytest.raises(
            UsageError, match=rf"The size {size} is too small for the suite pii.*the smallest size that works is 5\."
        ):
            pii.units(edition(size))
    assert pii.units(edition(5)) == 5
    public = [c for c in make(size=5) if c.split == "public" and c.language == "cs"]
    assert {c.variant for c in public} == set(VARIANTS)


def test_another_version_of_the_set_is_refused():
    with pytest.raises(UsageError, match=r"'0\.1'.*this generator makes"):
        make(version="0.1")


def test_what_is_said(cases):
    brief = cases[0].to_brief()
    first = pii.next_message(brief, ())
    assert first == Message(role="user", text=brief.prompt, attachments=brief.attachments)
    good, bad = (Message(role="assistant", text=said) for said in ('{"names": []}', "Jistě: {"))
    assert pii.next_message(brief, (first, good)) is None
    again = pii.next_message(brief, (first, bad))
    assert "JSON" in again.text
    assert pii.next_message(brief, (first, bad, again, bad)) is None
    assert set(pii.versions()) == {"cs", "en"}
