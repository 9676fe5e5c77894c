"""The source of invoices: determinism, the private third, what a system may know, what is said next (D-1, D-3, D-8, G-8, M-2)."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter

import pytest

from datasets import invoices
from schemas.edition import Edition, private_numbers
from schemas.errors import UsageError
from schemas.exchange import Message
from schemas.fields import answer_schema
from schemas.invoices import FIELDS

SECRET = "the-secret-seed-of-this-test"


def edition(size=30, seed=7, levels=(), version=invoices.SET_VERSION):
    fields = {"set_version": version, "seed": seed, "size": size, "private_hash": "0" * 64, "levels": levels}
    return Edition(suite="invoices", id="test-1", **fields)


def make(start=0, stop=10**9, secret=SECRET, **kwargs):
    return list(invoices.make_cases(edition(**kwargs), secret, start, stop))


def with_bytes(made):
    return [(m.case, [b.data for b in m.blobs]) for m in made]


@pytest.fixture(scope="module")
def cases():
    return make()


def test_ids_twins_and_order(cases):
    assert invoices.units(edition()) == 30
    assert [m.case.case_id for m in cases[:3]] == ["invoices-cs-0001", "invoices-en-0001", "invoices-cs-0002"]
    assert len({m.case.case_id for m in cases}) == len(cases) == 60
    for czech, american in zip(cases[::2], cases[1::2], strict=True):
        for name in ("pair_id", "split", "level", "variant", "layout", "set_version", "edition"):
            assert getattr(czech.case, name) == getattr(american.case, name)
        assert (czech.case.language, american.case.language) == ("cs", "en")
        a, b = czech.case.to_truth(), american.case.to_truth()
        assert (a["issue_date"], a["due_date"]) == (b["issue_date"], b["due_date"])


def test_shard_boundaries_do_not_matter():
    whole = with_bytes(make(0, 10))
    assert whole == with_bytes(make(0, 4)) + with_bytes(make(4, 10))
    assert whole[6:8] == with_bytes(make(3, 4))
    assert make(30, 40) == []


def test_another_process_in_reversed_order_gives_the_same(cases):
    code = f"""
import hashlib, json
from datasets import invoices
from schemas.edition import Edition
e = Edition.model_validate_json({edition().model_dump_json()!r})
out = {{}}
for i in reversed(range(10)):
    for m in invoices.make_cases(e, {SECRET!r}, i, i + 1):
        blobs = [hashlib.sha256(b.data).hexdigest() for b in m.blobs]
        out[m.case.case_id] = [hashlib.sha256(m.case.model_dump_json().encode()).hexdigest(), blobs]
print(json.dumps(out))
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"}
    )
    here = {}
    for m in cases[:20]:
        blobs = [hashlib.sha256(b.data).hexdigest() for b in m.blobs]
        here[m.case.case_id] = [hashlib.sha256(m.case.model_dump_json().encode()).hexdigest(), blobs]
    assert json.loads(run.stdout) == here


def test_shares_are_exact(cases):
    czech = [m.case for m in cases if m.case.language == "cs"]
    assert Counter((c.split, c.level) for c in czech) == {
        ("public", "text"): 6,
        ("public", "image"): 6,
        ("public", "scan"): 6,
        ("public", "photo"): 2,
        ("private", "text"): 3,
        ("private", "image"): 3,
        ("private", "scan"): 3,
        ("private", "photo"): 1,
    }
    for split, each in (("public", {2, 3}), ("private", {1, 2})):
        layouts = Counter(c.layout for c in czech if c.split == split)
        assert len(layouts) == 8
        assert set(layouts.values()) == each
    assert set(Counter((c.split, c.variant) for c in czech).values()) == {4, 2}


def test_another_seed_is_another_set(cases):
    other = make(seed=8, stop=4)
    assert not {m.case.document_sha256 for m in cases} & {m.case.document_sha256 for m in other}


def test_the_public_part_knows_nothing_of_the_secret(cases):
    other = make(secret="another secret")
    private = private_numbers(30)
    for number in range(30):
        one, two = cases[2 * number : 2 * number + 2], other[2 * number : 2 * number + 2]
        if number in private:
            assert {m.case.document_sha256 for m in one}.isdisjoint({m.case.document_sha256 for m in two})
            assert all(m.case.split == "private" for m in one)
        else:
            assert with_bytes(one) == with_bytes(two)
    for m in cases:
        assert SECRET not in m.case.model_dump_json()


def test_canaries(cases, monkeypatch):
    canaries = [m.case.canary for m in cases if m.case.split == "private"]
    assert len(set(canaries)) == 20
    assert all(re.fullmatch("ZKUSEBNA-CANARY-[0-9a-f]{32}", canary) for canary in canaries)
    assert all(m.case.canary is None for m in cases if m.case.split == "public")
    assert all(m.case.canary is None or m.case.canary not in m.case.brief + (m.case.text or "") for m in cases)
    seen, typeset = [], invoices.typeset
    monkeypatch.setattr(
        invoices, "typeset", lambda page, keywords: seen.append(keywords) or typeset(page, keywords=keywords)
    )
    made = make(0, 3)
    assert seen == [(), (), (), (), (made[4].case.canary,), (made[5].case.canary,)]


def test_levels_show_what_they_say(cases):
    for m in cases:
        brief = m.case.to_brief()
        (attachment,) = brief.attachments
        if m.case.level == "text":
            assert m.blobs == ()
            assert m.case.image_sha256 is None
            assert (attachment.kind, attachment.media_type) == ("text", "text/plain")
            assert attachment.sha256 == hashlib.sha256(m.case.text.encode()).hexdigest()
        else:
            assert m.case.text is None
            (blob,) = m.blobs
            signs = {
                "image": (b"\x89PNG", "image/png"),
                "scan": (b"\xff\xd8", "image/jpeg"),
                "photo": (b"\xff\xd8", "image/jpeg"),
            }
            assert blob.data.startswith(signs[m.case.level][0])
            assert blob.media_type == attachment.media_type == signs[m.case.level][1]
            assert hashlib.sha256(blob.data).hexdigest() == blob.sha256 == attachment.sha256 == m.case.image_sha256
        assert re.fullmatch("[0-9a-f]{64}", m.case.document_sha256)
        assert brief.answer_schema == answer_schema(FIELDS, m.case.language)
        assert brief.prompt_version == m.case.prompt_version


def test_the_brief_holds_no_truth(cases):
    """The prompt and the schema are the same for all cases of a language; in the rest no value of the truth stands."""
    for language in ("cs", "en"):
        briefs = [m.case.to_brief() for m in cases if m.case.language == language]
        assert len({(b.prompt, json.dumps(b.answer_schema)) for b in briefs}) == 1
    for m in cases:
        rest = m.case.to_brief().model_dump_json(exclude={"prompt", "answer_schema"})
        values = [v for v in m.case.to_truth().values() if isinstance(v, str)]
        values += [amount for v in m.case.to_truth().values() if isinstance(v, dict) for amount in v.values()]
        for value in [*values, "private", "public", m.case.variant, m.case.layout]:
            assert len(value) < 5 or value not in rest, (m.case.case_id, value)


def test_only_some_levels(cases):
    made = make(levels=("text",))
    assert {m.case.level for m in made} == {"text"}
    assert [m.case.document_sha256 for m in made if m.case.split == "public"] == [
        m.case.document_sha256 for m in cases if m.case.split == "public"
    ]
    with pytest.raises(UsageError, match="'imige'; did you mean 'image'"):
        make(levels=("imige",))


def test_another_version_of_the_set_is_refused():
    with pytest.raises(UsageError, match=r"'0\.1'.*this generator makes"):
        make(version="0.1")


def test_what_is_said(cases):
    for m in cases[:2]:
        brief = m.case.to_brief()
        first = invoices.next_message(brief, ())
        assert first == Message(role="user", text=brief.prompt, attachments=brief.attachments)
        good = Message(role="assistant", text='{"supplier": null}')
        bad = Message(role="assistant", text="Here you are: {")
        assert invoices.next_message(brief, (first, good)) is None
        again = invoices.next_message(brief, (first, bad))
        assert again.role == "user"
        assert "JSON" in again.text
        assert again.attachments == ()
        assert again.text != brief.prompt
        assert invoices.next_message(brief, (first, bad, again, bad)) is None
        assert invoices.next_message(brief, (first, bad, again, good)) is None
    czech, american = (invoices.next_message(m.case.to_brief(), (first, bad)).text for m in cases[:2])
    assert czech != american
