"""Finished documents of whole sets, read back from their PDFs: the truth is printed, identifiers hold, nothing is real (D-3 to D-5, D-8)."""

import re
from collections import Counter

import pytest
import stdnum.cz.bankaccount
import stdnum.cz.dic
import stdnum.iban
import stdnum.us.ein
import stdnum.us.rtn
from printed_support import fold, missing

from datasets import invoices, raster
from datasets.editions import edition_for
from schemas.exchange import Attachment


def finished(monkeypatch, size, start=0, stop=None):
    """(case, text layer) of every document of a set in all four levels, without the cost of pictures."""
    texts = []

    def show(pdf, level, random):
        texts.append(raster.text_layer(pdf))
        kind, media = ("text", "text/plain") if level == "text" else ("image", "image/png")
        return (texts[-1] if level == "text" else None), Attachment(kind=kind, media_type=media, sha256="0" * 64)

    monkeypatch.setattr(invoices, "show", show)
    edition = edition_for("invoices", invoices.SET_VERSION, 11, size, "secret", ())
    made = list(invoices.make_cases(edition, "secret", start, size if stop is None else stop))
    return [(one.case, text) for one, text in zip(made, texts, strict=True)]


def check_printed(documents):
    for case, text in documents:
        assert missing(case.to_truth(), case.language, case.layout, text) == [], (case.case_id, text)


def is_dic(number):
    """By python-stdnum, which has no IČO (one is judged as the DIČ of a company) and refuses a leading 9."""
    return number[0] == "9" or stdnum.cz.dic.is_valid(number)


CZECH = {
    "mail": (r"\S+@\S+", re.compile(r"[a-z]+@[a-z0-9-]+\.example").fullmatch),
    "phone": (r"\+420(?: \d{3}){3}", re.compile(r"\+420 65\d \d{3} \d{3}").fullmatch),
    "number": (r"\bIČO?(?: / (?i:Reg\. No\.))?:? (\d{3} ?\d{2} ?\d{3})\b", lambda v: is_dic(v.replace(" ", ""))),
    "tax": (r"\bCZ(\d{8,10})\b", is_dic),
    "account": (r"\bCZ\d\d(?: \d{4}){5}\b", stdnum.iban.is_valid),
}
AMERICAN = {
    "mail": CZECH["mail"],
    "phone": (r"\(\d{3}\) \d{3}-\d{4}", re.compile(r"\(\d{3}\) 555-01\d\d").fullmatch),
    "number": (r"(?<![\w-])(\d{2}-\d{7})(?![\w-])", stdnum.us.ein.is_valid),
    "ssn": (r"\b\d{3}-\d{2}-\d{4}\b", lambda v: False),
}


def check_identifiers(documents):
    """Every identifier on the page, wherever it stands, by a public validator; the fewest that must be found."""
    found = Counter()
    for case, raw in documents:
        text, account = fold(raw), case.to_truth()["account"]
        for kind, (pattern, is_valid) in (CZECH if case.language == "cs" else AMERICAN).items():
            values = re.findall(pattern, text)
            assert all(map(is_valid, values)), (kind, values, case.case_id)
            found[case.language, kind] += len(values)
        if case.language == "cs":
            assert stdnum.cz.bankaccount.is_valid(account)
        else:
            assert stdnum.us.rtn.is_valid(account.split("/")[0])
    n = len(documents) // 2
    for language in ("cs", "en"):
        assert found[language, "mail"] >= n
        assert found[language, "phone"] >= n
        assert found[language, "number"] >= 2 * n, "of the supplier and of the customer"
    assert found["cs", "account"] >= n
    assert found["cs", "tax"] >= n


def test_a_sample_of_a_set(monkeypatch):
    documents = finished(monkeypatch, 250, 100, 130)
    assert {case.layout for case, _ in documents} == set(invoices.LAYOUTS)
    check_printed(documents)
    check_identifiers(documents)


@pytest.mark.slow
def test_a_set_of_500_prints_its_truth(monkeypatch):
    check_printed(finished(monkeypatch, 250))


@pytest.mark.slow
def test_identifiers_of_a_set_of_1000(monkeypatch):
    check_identifiers(finished(monkeypatch, 500))
