"""The source of e-mails: strata, twins, determinism, the private third, and addresses on finished documents (D-1, D-3, D-5, D-9, G-8)."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml
from email_support import cases, edition, own_message, same
from stdnum.cz import dic

from datasets import emails
from schemas.edition import private_numbers
from schemas.emails import CATEGORIES, FIELDS, FORMS, WORDS
from schemas.errors import UsageError
from schemas.exchange import Message
from schemas.fields import OTHER_DATES, answer_schema

SECRET = "the-secret-seed-of-this-test"


def make(size=30, seed=7, secret=SECRET, start=0, stop=10**9, **kwargs):
    return list(emails.make_cases(edition(size, seed, **kwargs), secret, start, stop))


def dump(made):
    return [m.model_dump() for m in made]


def test_forms_and_categories_are_balanced_in_every_part():
    czech = cases(152, 7, "cs")
    for part in (("public",), ("private",), ("public", "private")):
        for name, words in (("layout", FORMS), ("variant", CATEGORIES)):
            counts = Counter(getattr(c, name) for c in czech if c.split in part)
            assert max(counts.values()) - min(counts[word] for word in words) <= 1
    assert Counter(c.split for c in czech) == {"public": 102, "private": 50}
    assert {c.level for c in czech} == {"text"}


def test_fields_are_absent_in_the_shares_of_the_file():
    """In the public part of 300 pairs, 200, the shares are exact; so in the private 100."""
    shares = yaml.safe_load(emails.SHARES.read_text(encoding="utf-8"))
    for split, size in (("public", 200), ("private", 100)):
        truths = [c.to_truth() for c in cases(300, 3, "cs") if c.split == split]
        absent = {
            "deadline": shares["deadline"]["none"],
            "order_number": shares["order_number"]["absent"],
            "invoice_number": shares["invoice_number"]["absent"],
            "amount": shares["amount"]["absent"],
        }
        for field, share in absent.items():
            assert sum(t[field] is None for t in truths) == share * size / 100, field
        assert all((t["amount"] is None) == (t["currency"] is None) for t in truths)
        assert sum(t["currency"] == "EUR" for t in truths) == shares["amount"]["euro"] * size / 100


def test_twins_share_form_category_sentiment_days_and_priority_of_deadlines():
    everything = cases(150, 7)
    for czech, american in zip(everything[::2], everything[1::2], strict=True):
        assert czech.pair_id == american.pair_id
        assert (czech.split, czech.layout, czech.variant) == (american.split, american.layout, american.variant)
        a, b = czech.to_truth(), american.to_truth()
        assert a["deadline"] == b["deadline"]
        for name in ("order_number", "invoice_number", "amount"):
            assert (a[name] is None) == (b[name] is None)
        for kind, field in (("categories", "category"), ("sentiments", "sentiment"), ("priorities", "priority")):
            key = next(k for k, entry in WORDS[kind].items() if entry["cs"][0] == a[field])
            assert WORDS[kind][key]["en"][0] == b[field]


def test_shards_and_processes_make_the_same_bytes():
    whole = make()
    assert dump(whole) == dump(make(stop=11) + make(start=11))
    code = f"""
import hashlib, json
from datasets import emails
from schemas.edition import Edition
e = Edition.model_validate_json({edition(30).model_dump_json()!r})
print(json.dumps([hashlib.sha256(m.model_dump_json().encode()).hexdigest() for m in emails.make_cases(e, {SECRET!r}, 0, 30)]))
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"}
    )
    assert json.loads(run.stdout) == [hashlib.sha256(m.model_dump_json().encode()).hexdigest() for m in whole]


def test_another_seed_and_another_secret_make_other_texts():
    whole, other = make(), make(seed=8)
    assert not {m.case.text for m in whole} & {m.case.text for m in other}
    for one, two in zip(whole, make(secret="another"), strict=True):
        assert (one.case.text == two.case.text) == (one.case.split == "public")
        assert SECRET not in one.case.model_dump_json()


def test_private_cases_carry_a_canary_beside_their_text():
    made = [m.case for m in make()]
    canaries = [c.canary for c in made if c.split == "private"]
    assert len(set(canaries)) == 2 * len(private_numbers(30))
    assert all(re.fullmatch("ZKUSEBNA-CANARY-[0-9a-f]{32}", canary) for canary in canaries)
    assert all(c.canary is None for c in made if c.split == "public")
    assert all(c.canary is None or c.canary not in c.brief + c.text for c in made)


def test_the_brief_holds_prompt_schema_and_a_hash():
    for case in cases(30, 7):
        brief = case.to_brief()
        (attachment,) = brief.attachments
        assert attachment.sha256 == hashlib.sha256(case.text.encode()).hexdigest() == case.document_sha256
        assert brief.answer_schema == answer_schema(FIELDS, case.language)
        assert brief.prompt_version == case.prompt_version == emails.versions()[case.language]
        assert set(case.to_truth()) == {f.name for f in FIELDS} | {OTHER_DATES}
        rest = brief.model_dump_json(exclude={"prompt", "answer_schema"})
        assert not any(str(v) in rest for v in case.to_truth().values() if v and len(str(v)) > 4)


def test_what_is_said():
    brief = cases(30, 7)[0].to_brief()
    first = emails.next_message(brief, ())
    assert first == Message(role="user", text=brief.prompt, attachments=brief.attachments)
    again = emails.next_message(brief, (first, Message(role="assistant", text="no")))
    assert "JSON" in again.text


def printed(amount, language):
    whole, cents = amount.split(".")
    grouped = f"{int(whole):,}"
    forms = {f"{grouped}.{cents}"} | ({grouped} if cents == "00" else set())
    return {f.replace(",", " ").replace(".", ",") for f in forms} if language == "cs" else forms


def test_the_truth_is_printed_in_the_message_that_counts():
    """Customer, numbers and amount stand in the newest message of a thread, in the original of a forward."""
    for case in cases(300, 3):
        truth, own = case.to_truth(), same(own_message(case))
        for name in ("customer", "order_number", "invoice_number"):
            assert truth[name] is None or same(truth[name]) in own, (case.case_id, name)
        if truth["amount"]:
            assert any(form in own for form in printed(truth["amount"], case.language)), case.case_id


def test_addresses_and_telephones_are_nobodys():
    """D-5, read from finished documents: `.example` alone, 555-0100 to 0199, prefixes 65x, IČO with their check digit."""
    n_phones = 0
    for case in cases(500, 11):
        text = same(case.text)
        hosts = re.findall(r"@([\w.-]+\w)", text) + re.findall(r"www\.([\w.-]+\w)", text)
        assert hosts
        assert all(re.fullmatch(r"[a-z0-9-]+\.example", host) for host in hosts), (case.case_id, hosts)
        assert not re.search(r"https?://|\.(com|cz|net|org)\b", text)
        american = re.findall(r"\(?\d{3}\)?[ -]\d{3}-\d{4}", text)
        assert all(re.fullmatch(r"\(\d{3}\) 555-01\d\d", phone) for phone in american), american
        czech = re.findall(r"\+420[ \d]+", text)
        assert all(re.match(r"\+420 65\d \d{3} \d{3}", phone) for phone in czech), czech
        n_phones += len(american) + len(czech)
        companies = re.findall(r"(?:IČO?:?|identifikační číslo) (\d{8})$", text, re.MULTILINE)
        assert all(n[0] == "9" or dic.is_valid(n) for n in companies)  # python-stdnum cannot judge those with 9
    assert n_phones > 200


def test_typography():
    """Czech: no-break spaces, „quotes“; English: plain spaces, “quotes”; neither has doubled marks or spaces."""
    for case in cases(300, 3):
        body = own_message(case)
        assert not re.search(r"\.\.|,,|  |\{|\}|\[|\]|\|$| [,;.?!]", body.replace("\n", "~")), case.case_id
        if case.language == "cs":
            assert not re.search(r"(?<![\w.])[ksvzuoKSVZUO] (?=\w)", "\n".join(body.split("\n")[6:])), case.case_id
            assert not re.search(r"\d (Kč|korun|EUR|eur|CZK|€)", body)
            assert body.count("„") == body.count("“")
            assert "”" not in body
        else:
            assert "\u00a0" not in body
            assert body.count("“") == body.count("”")
        assert '"' not in body


def test_messages_fall_on_ends_of_months_and_years_and_around_leap_days():
    """The set holds what makes counting hard: each weekday, last days of months, December, 29 February."""
    deadlines = {date.fromisoformat(t["deadline"]) for c in cases(300, 3, "cs") if (t := c.to_truth())["deadline"]}
    assert {d.weekday() for d in deadlines} == set(range(7))
    assert sum((d + timedelta(days=1)).day == 1 for d in deadlines) >= 10
    assert any((d.month, d.day) == (2, 29) for d in deadlines)
    assert any((d.month, d.day) == (12, 31) for d in deadlines)
    assert any(d.month == 1 and d.day < 10 for d in deadlines)


def test_a_size_too_small_says_the_smallest_that_works():
    with pytest.raises(UsageError, match=r"The size 4 is too small for the suite emails: .* works is 5\."):
        make(size=4)
    assert {m.case.layout for m in make(size=5) if m.case.split == "public"} == set(FORMS)


def test_another_version_of_the_set_is_refused():
    with pytest.raises(UsageError, match=r"'0\.1' of the emails"):
        make(version="0.1")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("deadline: {none: 50, day: 49}", "shares.yaml, deadline: the shares add up to 99, expected 100."),
        (
            "sentiment: {praise: {positive: 101}}",
            "shares.yaml, sentiment.praise: the shares add up to 101, expected 100.",
        ),
        ("day: {any: half}", "shares.yaml, day: the share of 'any' is 'half', expected a whole number from 0 to 100."),
        ("day: []", "shares.yaml, day: expected a map from word to per cent, found []."),
        ("[1]", "shares.yaml: expected a map from the name of a list to its shares, found list."),
    ],
)
def test_shares_that_do_not_add_up_are_told(tmp_path: Path, monkeypatch, written, told):
    file = tmp_path / "shares.yaml"
    file.write_text(written, encoding="utf-8")
    monkeypatch.setattr(emails, "SHARES", file)
    with pytest.raises(UsageError) as caught:
        make(stop=1)
    assert str(caught.value) == told
