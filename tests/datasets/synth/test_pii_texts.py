"""What stands in the finished texts of a set of 1,000: identifiers, safe ranges, the truth as printed, and nothing unexplained (D-4, D-5, D-10).

Everything is read from the texts; the truth only says what a value is.
"""

import re
from collections import Counter

import pytest
import stdnum.cz.bankaccount
import stdnum.cz.rc
import stdnum.iban
import stdnum.us.ein
import stdnum.us.rtn
import stdnum.us.ssn
import yaml
from pii_support import MONTHS, NBSP, Text, printed, printed_account, printed_date, texts, whole
from stdnum.cz.dic import calc_check_digit_legal

from datasets.synth.pii_vocabulary import FOLDER
from schemas.pii import FIELDS, NOT_PERSONAL

SIZE = 1000
CZECH = texts(SIZE, language="cs")
AMERICAN = texts(SIZE, language="en")
ALL = [*CZECH, *AMERICAN]

EMAIL = re.compile(r"[^\s(<„\"]+@[^\s>)“\"]+[a-z]")
CS_PHONE = re.compile(r"(?<![\w/-])(?:\+420 ?)?[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?![\w/-])")
US_PHONE = re.compile(r"(?:\+1 )?(?:\([0-9]{3}\)|(?<![0-9])[0-9]{3})[ .-][0-9]{3}[ .-][0-9]{4}(?![0-9])")
SLASHED = re.compile(r"(?<![0-9/-])(?:[0-9]{1,6}-)?[0-9]{2,10}/[0-9]{3,4}(?![0-9])")
CS_IBAN = re.compile(r"CZ[0-9]{2}(?: [0-9]{4}){5}")
EIGHT = re.compile(r"(?<![0-9A-Za-z-])[0-9]{8}(?![0-9/])")
SSN = re.compile(r"(?<![0-9-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![0-9-])")
EIN = re.compile(r"(?<![0-9-])[0-9]{2}-[0-9]{7}(?![0-9])")
ROUTED = re.compile(
    r"(?<![0-9])[0-9]{9}/[0-9]{8,12}|(?<![0-9])[0-9]{8,12}(?: \((?:routing|ABA) |, routing number )[0-9]{9}\)?"
)
CS_DATE = re.compile(rf"[0-9]{{1,2}}\. ?(?:[0-9]{{1,2}}\.|{'|'.join(MONTHS['cs'])}) ?[0-9]{{4}}")
US_DATE = re.compile(
    rf"(?<![0-9/])[0-9]{{1,2}}/[0-9]{{1,2}}/[0-9]{{4}}|(?:{'|'.join(MONTHS['en'])}) [0-9]{{1,2}}, [0-9]{{4}}"
)
CS_PLACE = re.compile(r", ([0-9]{3} [0-9]{2}) [A-ZČŘŠŽÚĎ]")
US_PLACE = re.compile(r", ([A-Z]{2} [0-9]{5})(?![0-9])")


def explained(text: Text, fields: tuple[str, ...], kinds: tuple[str, ...]) -> list[str]:
    """All forms in which the truth and what is not personal may stand in a text."""
    language, forms = text.case.language, []
    for field in fields:
        forms += [form for value in text.truth[field] for form in printed(field, value, language)]
    for kind in kinds:
        for value in text.truth["not_personal"].get(kind, ()):
            other = {"other_date": printed_date, "company_account": printed_account}.get(kind)
            forms += other(value, language) if other else [value]
    return forms


def test_every_value_of_the_truth_stands_in_the_text() -> None:
    """In the form that the prompt asks for: names, e-mails, addresses as written; dates and accounts in a printed form (D-3)."""
    for text in ALL:
        for field in FIELDS:
            values = text.truth[field.name]
            assert len(values) == len(set(values))
            for value in values:
                forms = printed(field.name, value, text.case.language)
                assert any(re.search(whole(form), text.plain) for form in forms), (text.case.case_id, value)
        for kind, values in text.truth["not_personal"].items():
            assert kind in NOT_PERSONAL
            for value in values:
                assert any(form in text.plain for form in explained(text, (), (kind,))), (
                    text.case.case_id,
                    kind,
                    value,
                )


@pytest.mark.parametrize(
    ("language", "shape", "fields", "kinds"),
    [
        ("cs", EMAIL, ("emails",), ("general_email",)),
        ("en", EMAIL, ("emails",), ("general_email",)),
        ("cs", CS_PHONE, ("phones",), ("switchboard",)),
        ("en", US_PHONE, ("phones",), ("switchboard",)),
        ("cs", CS_DATE, ("birth_dates",), ("other_date",)),
        ("en", US_DATE, ("birth_dates",), ("other_date",)),
        ("cs", SLASHED, ("national_ids", "accounts"), ("reference", "company_account", "order")),
        ("cs", CS_IBAN, ("accounts",), ("company_account",)),
        ("cs", EIGHT, (), ("company_id",)),
        ("en", SSN, ("national_ids",), ("reference",)),
        ("en", EIN, (), ("company_id",)),
        ("en", ROUTED, ("accounts",), ("company_account",)),
    ],
)
def test_all_that_has_a_shape_is_personal_or_a_distractor_of_a_stated_kind(
    language: str, shape: re.Pattern[str], fields: tuple[str, ...], kinds: tuple[str, ...]
) -> None:
    seen = 0
    for text in CZECH if language == "cs" else AMERICAN:
        known = set(explained(text, fields, kinds))
        for found in shape.findall(text.plain):
            seen += 1
            assert found in known, (text.case.case_id, found)
    assert seen > 200


def test_no_value_is_personal_and_not_personal_at_once() -> None:
    for text in ALL:
        personal = set(explained(text, tuple(f.name for f in FIELDS), ()))
        others = set(explained(text, (), tuple(NOT_PERSONAL)))
        assert not personal & others, text.case.case_id


@pytest.mark.parametrize(("language", "shape"), [("cs", CS_PLACE), ("en", US_PLACE)])
def test_every_postal_address_is_explained(language: str, shape: re.Pattern[str]) -> None:
    for text in CZECH if language == "cs" else AMERICAN:
        known = explained(text, ("addresses",), ("company_address",))
        for place in shape.findall(text.plain):
            assert any(place in address for address in known), (text.case.case_id, place)


def test_every_full_name_is_explained() -> None:
    """Wherever a given name stands before a capitalised word, it is a name of the truth or one that something bears."""
    for language, found in (("cs", CZECH), ("en", AMERICAN)):
        people = yaml.safe_load((FOLDER / f"people.{language}.yaml").read_text(encoding="utf-8"))
        given = {form for e in (*people["men"], *people["women"]) for form in ([e] if isinstance(e, str) else e)}
        pattern = re.compile(
            rf"(?<![\w.])(?:{'|'.join(sorted(given, key=len, reverse=True))})(?: [A-Z]\.)? (?:O')?[A-ZČŘŠŽÚĎ]\w+"
        )
        for text in found:
            known = [*text.truth["names"], *(v for vs in text.truth["not_personal"].values() for v in vs)]
            for name in pattern.findall(text.plain):
                assert any(name in k for k in known), (text.case.case_id, name)


def test_identifiers_pass_the_public_validators() -> None:
    """D-4, as python-stdnum sees them; the EIN's and IČO's prefixes are judged by it too."""
    counts: Counter[str] = Counter()
    for text in CZECH:
        for found in CS_IBAN.findall(text.plain):
            assert stdnum.iban.is_valid(found)
            counts["iban"] += 1
        for found in EIGHT.findall(text.plain):
            assert calc_check_digit_legal(found[:7]) == found[7]
            counts["ico"] += 1
        references = {*text.truth["not_personal"].get("reference", ()), *text.truth["not_personal"].get("order", ())}
        for found in set(SLASHED.findall(text.plain)) - references:
            is_rc = found in text.truth["national_ids"]
            assert (stdnum.cz.rc if is_rc else stdnum.cz.bankaccount).is_valid(found), found
            counts["rc" if is_rc else "account"] += 1
    for text in AMERICAN:
        for found in EIN.findall(text.plain):
            assert stdnum.us.ein.is_valid(found)
            counts["ein"] += 1
        for found in ROUTED.findall(text.plain):
            routing = [n for n in re.findall("[0-9]+", found) if len(n) == 9]
            assert any(map(stdnum.us.rtn.is_valid, routing)), found
            counts["aba"] += 1
    assert min(counts[k] for k in ("iban", "ico", "rc", "account", "ein", "aba")) > 100


def test_a_rodne_cislo_agrees_with_the_birth_and_sex_of_its_person() -> None:
    """D-4, in blocks of labelled lines, which are all about one person: the day in the number is the day of birth."""
    days = sexes = 0
    for text in CZECH:
        for block in text.plain.split("\n\n"):
            ids = [i for i in text.truth["national_ids"] if f" {i}\n" in f"{block}\n"]
            births = [
                d
                for d in text.truth["birth_dates"]
                if any(f" {form}\n" in f"{block}\n" for form in printed_date(d, "cs"))
            ]
            if ids and births:
                assert [stdnum.cz.rc.get_birth_date(i).isoformat() for i in ids] == births, (text.case.case_id, block)
                days += 1
                if born := re.search(r"narozen(a?)\b|narodil(a?) *:", block.casefold()):
                    is_woman = bool(born[1] or born[2])
                    assert (int(ids[0][2:4]) > 50) is is_woman, (text.case.case_id, block)
                    sexes += 1
    assert days > 60
    assert sexes > 20


def test_nobody_real_can_be_written_to_or_called() -> None:
    """D-5, read from the texts: `.example` domains, 555-0100 to 555-0199, a Czech prefix that is not assigned, SSN in 000 or 666."""
    counts: Counter[str] = Counter()
    for text in ALL:
        for found in re.findall(r"\S*@\S*", text.plain):
            assert re.search(r"@[a-z0-9-]+\.example\b", found), found
            counts["emails"] += 1
    for text in CZECH:
        for found in CS_PHONE.findall(text.plain):
            assert re.sub(r"\+420|\D", "", found).startswith("65"), found
            counts["cs phones"] += 1
    for text in AMERICAN:
        for found in US_PHONE.findall(text.plain):
            assert re.fullmatch(r"1?[2-9][0-9]{2}55501[0-9]{2}", re.sub(r"\D", "", found)), found
            counts["us phones"] += 1
        for found in SSN.findall(text.plain):
            assert found[:3] in ("000", "666"), found
            assert stdnum.us.ssn.is_valid("123" + found[3:]), found
            assert not stdnum.us.ssn.is_valid(found)
            counts["ssn"] += 1
    assert min(counts.values()) > 500


def test_czech_typography() -> None:
    """No straight quotes; a one-letter preposition, a day and the parts of a postal code do not stand at the end of a line."""
    for text in CZECH:
        assert '"' not in text.text
        assert text.text.count("„") == text.text.count("“")
        assert not re.search(r"(?<![\w/.@-])[ksvzouaiKSVZOUAI] (?=\w)", text.text), text.case.case_id
        assert not re.search(r"[0-9]\. (?:[0-9]{1,2}\.|" + "|".join(MONTHS["cs"]) + ")", text.text)
        assert not re.search(r", [0-9]{3} [0-9]{2} ", text.text)
        assert not re.search(r"[0-9] (?:Kč|%|kg)", text.text)
        assert f"{NBSP}" in text.text


def test_american_texts_hold_no_czech() -> None:
    for text in AMERICAN:
        assert not re.search("[áčďéěíňóřšťúůýž„]", text.text.replace("résumé", "")), text.case.case_id
        assert NBSP not in text.text


def test_texts_are_clean() -> None:
    """No doubled spaces, dots or words, no open braces or places; every sentence begins with a capital, but after a Czech greeting."""
    for text in ALL:
        assert not re.search(r"[{}|<>]|  |\.\.|,\.|,,| ,| \.|\(\)", text.plain), (text.case.case_id, text.plain)
        doubled = re.search(r"\b([^\W\d]{3,}) \1\b", text.plain)
        assert not doubled, (text.case.case_id, doubled)
        for line in text.plain.splitlines():
            for sentence in re.split(r"(?<=[a-zá-ž]{3}\.) (?!s r\. o|no\. )", line):
                start = sentence.lstrip('„"')[:1]
                is_value = "@" in sentence.split(" ")[0]
                after_greeting = text.case.variant == "email" and text.case.language == "cs"
                assert is_value or after_greeting or not start.islower(), (text.case.case_id, sentence)
