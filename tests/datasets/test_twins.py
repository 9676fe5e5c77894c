"""What all suites of documents share: keys, places, canaries, the row of a text, the smallest size (D-1, D-8, G-8)."""

import hashlib
import json
from collections import Counter

import pytest

from datasets.twins import TEXT_LEVEL, Twins, next_message
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.fields import Field

FIELDS = (Field(name="who", kind="text"), Field(name="when", kind="date", languages=("cs",)))
FORMS = ("single", "thread", "forward", "signature")
TWINS = Twins("invoices", "9.1", FIELDS, ("praise", "complaint", "question"), FORMS)  # a suite whose prompts are there


def edition(size=30, seed=7, version="9.1"):
    return Edition(suite="invoices", id="test-1", set_version=version, seed=seed, size=size, private_hash="0" * 64)


def pairs(secret="s", start=0, stop=10**9, **kwargs):
    return list(TWINS.pairs(edition(**kwargs), TEXT_LEVEL, secret, start, stop))


def test_strata_are_balanced_in_each_part_and_in_the_whole():
    for size in (5, 30, 31, 152):
        drawn = [p.place for p in pairs(size=size)]
        assert len(drawn) == size
        assert {p.level for p in drawn} == {"text"}
        assert sum(p.split == "private" for p in drawn) == size // 3
        for part in (("public",), ("private",), ("public", "private")):
            for name, words in (("variant", TWINS.variants), ("layout", FORMS)):
                counts = Counter(getattr(p, name) for p in drawn if p.split in part)
                assert max(counts.values()) - min(counts[w] for w in words) <= 1


def test_the_private_part_alone_knows_the_secret():
    one, two = pairs("one"), pairs("two")
    for a, b in zip(one, two, strict=True):
        public = a.place.split == "public"
        assert a.place == b.place or not public
        assert (a.key == b.key) == public
        assert (a.stream("cs").random() == b.stream("cs").random()) == public
        assert (a.canary("cs") is None) == (a.canary("en") is None) == public
        assert public or len({a.canary("cs"), a.canary("en"), b.canary("cs")}) == 3


def test_a_shard_draws_what_the_whole_draws():
    assert pairs(start=3, stop=5) == pairs()[3:5]
    assert pairs(start=30, stop=40) == []


def test_the_row_of_a_text():
    public, private = pairs()[0], next(p for p in pairs() if p.place.split == "private")
    text, truth = "Dobrý den,\nděkuji.\n", {"who": "Horák", "when": None}
    made = TWINS.text_case(edition(), public, "cs", text, truth)
    row, brief = made.case, made.case.to_brief()
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert (row.text, row.document_sha256, row.image_sha256, row.canary, made.blobs) == (text, digest, None, None, ())
    assert (brief.attachments[0].kind, brief.attachments[0].sha256) == ("text", digest)
    assert json.loads(row.truth) == truth
    assert "děkuji" not in row.brief
    assert TWINS.text_case(edition(), private, "cs", text, truth).case.canary == private.canary("cs")
    english = TWINS.text_case(edition(), public, "en", text, truth).case
    assert english.pair_id == row.pair_id == "invoices-0001"
    assert list(english.to_brief().answer_schema["properties"]) == ["who"]


def test_a_size_too_small_says_the_smallest_that_works():
    with pytest.raises(UsageError, match=r"size 4 is too small .*single, thread, forward, signature.* works is 5\."):
        TWINS.check_size(4, FORMS)
    assert TWINS.check_size(5, FORMS) == 5
    assert {p.place.layout for p in pairs(size=5) if p.place.split == "public"} == set(FORMS)


def test_another_version_of_the_set_is_refused():
    with pytest.raises(UsageError, match=r"'0\.1' of the invoices; this generator makes '9\.1'"):
        pairs(version="0.1")


def test_valid_json_is_asked_for_once():
    from schemas.exchange import Message

    brief = TWINS.text_case(edition(), pairs()[0], "en", "Hi", {}).case.to_brief()
    first = next_message(brief, ())
    assert first.text == brief.prompt
    bad, good = (Message(role="assistant", text=t) for t in ("{", "{}"))
    assert next_message(brief, (first, good)) is None
    again = next_message(brief, (first, bad))
    assert "JSON" in again.text
    assert next_message(brief, (first, bad, again, bad)) is None
