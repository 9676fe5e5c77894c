"""Reads an invoice by rules: the 13 fields of `schemas.invoices` from the text of one page (D-6).

One function a field, on top of the engine of `page`; nothing is learned and nothing is guessed, so a value that the
page does not show under a known wording is null.
"""

import itertools
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from schemas.exchange import DocumentLanguage
from schemas.ids import aba, account, dic, ein, iban, ico
from schemas.invoices import FIELDS
from tasks.readers.page import Page, Value, open_page
from tasks.readers.parties import of_supplier, side_of, supplier_name
from tasks.readers.taxes import Pair, read_taxes
from tasks.readers.written import currency_of, digits, money, money_pattern, patterns, read_amount, read_date

VERSION = "2"
"""Rises whenever any document may be read otherwise; goes into the system's version."""

_WEAK_TOTAL = 10
_LOCAL = {"cs": "CZK", "en": "USD"}
_NEAR = 30
_MISREAD = re.compile(r"(?=.*[0-9].*[0-9])[0-9][0-9OolI]+")


def read_invoice(text: str, language: DocumentLanguage) -> dict[str, Any]:
    """The fields of an invoice in the form of an answer: strings, maps from rate to amount, or None (D-6).

    text: one page in reading order, from a PDF's text layer or from OCR. The answer has exactly the fields that
    documents of the language can have (`tax_id` and `tax_point_date` only in Czech ones).

    >>> answer = read_invoice("Faktura č. 2024001\\nK úhradě: 1 210,00 Kč", "cs")
    >>> answer["document_number"], answer["total"], answer["currency"], answer["due_date"]
    ('2024001', '1210.00', 'CZK', None)
    """
    page = open_page(text, language)
    currency = _currency(page)
    total = _total(page, currency)
    taxes = {} if page.words.not_payer.search(page.folded) else read_taxes(page, total)
    company_id = _company_id(page)
    answer: dict[str, Any] = {
        "supplier": supplier_name(page),
        "company_id": company_id,
        "tax_id": _tax_id(page, company_id),
        "document_number": _document_number(page),
        "variable_symbol": _variable_symbol(page),
        "issue_date": _date(page, "issue_date"),
        "tax_point_date": _date(page, "tax_point_date"),
        "due_date": _date(page, "due_date"),
        "tax_base_by_rate": _by_rate(taxes, lambda pair: pair.base),
        "tax_by_rate": _by_rate(taxes, lambda pair: pair.tax),
        "total": None if total is None else money(total),
        "currency": currency,
        "account": _czech_account(page) if language == "cs" else _american_account(page),
    }
    return {field.name: answer[field.name] for field in FIELDS if language in field.languages}


def _company_id(page: Page) -> str | None:
    """IČO or EIN of the supplier, in canonical form."""
    validator = ico if page.language == "cs" else ein
    values = _in_order(page.of("company_id"))
    value = of_supplier(page, values, lambda written: validator.is_valid(digits(written)))
    return digits(value.written) if value else None


def _tax_id(page: Page, company_id: str | None) -> str | None:
    """DIČ of the supplier: the one made of its IČO, else the one on its side that is not made of another's IČO."""
    if page.words.not_payer.search(page.folded):
        return None
    values = _in_order(page.of("tax_id"))
    own = f"CZ{company_id}"
    if any(_dic(value) == own for value in values):
        return own
    others = {digits(value.written) for value in page.of("company_id")} - {company_id}
    strangers = [index for index, value in enumerate(values) if _dic(value)[2:] in others]
    ours = [value for index, value in enumerate(values) if index not in strangers]
    if len(ours) == 1 and (strangers or side_of(page, values, values.index(ours[0])) == "supplier"):
        return _dic(ours[0])
    value = of_supplier(page, ours, lambda written: dic.is_valid("CZ" + digits(written[2:])))
    return _dic(value) if value else None


def _dic(value: Value) -> str:
    return "CZ" + digits(value.written[2:])


def _document_number(page: Page) -> str | None:
    """The number under a label, else the one after the title; never that of the original document."""
    original = {_compact(value.written) for value in page.of("original_number")}
    values = [*page.of("document_number"), *page.of("title")]
    numbers = [_whole_number(page, value) for value in values]
    return next((number for number in numbers if number not in original), None)


def _whole_number(page: Page, value: Value) -> str:
    """A number with the groups of digits that follow it alone to the end of its line."""
    rest = page.text[value.end : page.line_end(value.end)]
    return _compact(value.written + rest if re.fullmatch(r"(?: [0-9]{2,6}){1,2}", rest) else value.written)


def _compact(written: str) -> str:
    """A number without spaces; one that is all digits but for misread ones gets real digits."""
    compact = "".join(written.split())
    return digits(compact) if _MISREAD.fullmatch(compact) else compact


def _variable_symbol(page: Page) -> str | None:
    """Variable symbol, or payment reference; digits only in Czech."""
    values = page.of("variable_symbol")
    read = digits if page.language == "cs" else _compact
    return next((read(value.written) for value in values if read(value.written)), None)


def _date(page: Page, field: str) -> str | None:
    days = (read_date(value.written, page.language) for value in page.of(field))
    return next((day for day in days if day), None)


def _by_rate(taxes: dict[Decimal, Pair], part: Callable[[Pair], Decimal]) -> dict[str, str] | None:
    return {f"{rate:f}": money(part(pair)) for rate, pair in sorted(taxes.items(), reverse=True)} or None


def _currency(page: Page) -> str | None:
    """The currency under its label, else beside the strongest total, else the most frequent one on the page.

    A page with amounts and no sign of a currency is in the country's own.
    """
    for value in page.of("currency"):
        if code := currency_of(value.written, page.language):
            return code
    for value in page.of("total"):
        if value.label.rank < _WEAK_TOTAL and (code := _currency_beside(page, value)):
            return code
    codes = [currency_of(match[0], page.language) for match in _amounts(page, 0, len(page.text))]
    known = [code for code in codes if code]
    if known:
        return max(known, key=known.count)
    return currency_of(page.text, page.language) or (_LOCAL[page.language] if codes else None)


def _currency_beside(page: Page, value: Value) -> str | None:
    """The currency of an amount: inside it, in the label's parentheses, or just after."""
    return currency_of(page.text[value.label.end : value.end] + page.text[value.end : value.end + 5], page.language)


def _total(page: Page, currency: str | None) -> Decimal | None:
    """The amount to pay under the strongest label, in the document's currency; of equal labels the last one's.

    An amount in a row below its label comes after those: it may be that of the first item.
    """
    for value in sorted(page.of("total"), key=lambda one: (one.label.rank, _is_below(one), -one.start)):
        beside = _currency_beside(page, value)
        if beside and currency and beside != currency:
            continue
        return read_amount(value.written) if _is_below(value) else _last_of_sum(page, value)
    return None


def _is_below(value: Value) -> bool:
    return value.start - value.label.end > _NEAR


def _last_of_sum(page: Page, value: Value) -> Decimal | None:
    """An amount, or the third of three in a row where the first two sum to it (base, tax and total)."""
    row = list(_amounts(page, value.start, value.start + 3 * _NEAR))[:3]
    gaps = [page.text[one.end() : other.start()] for one, other in itertools.pairwise(row)]
    numbers = [number for match in row if (number := read_amount(match[0])) is not None]
    if len(numbers) == 3 and not any(gap.strip() for gap in gaps) and numbers[0] + numbers[1] == numbers[2]:
        return numbers[2]
    return read_amount(value.written)


def _amounts(page: Page, start: int, end: int) -> list[re.Match[str]]:
    return list(re.compile(money_pattern(page.language)).finditer(page.text, start, end))


def _czech_account(page: Page) -> str | None:
    """The account under a label, else any valid one on the page that is not the customer's, else the one in an IBAN."""
    customers = {_account(value.written) for value in page.of("customer_account")}
    labelled = [_account(value.written) for value in _in_order(page.of("account"))]
    anywhere = [_account(match[0]) for match in re.finditer(patterns("cs")["account"], page.text)]
    valid = [one for one in (*labelled, *anywhere) if account.is_valid(one) and one not in customers]
    if valid or labelled:
        return account.validate(valid[0]) if valid else labelled[0]
    ibans = [match[0] for match in re.finditer(r"CZ[0-9]{2}(?: ?[0-9]{4}){5}", page.text)]
    return next((iban.to_account(one) for one in ibans if iban.is_valid(one)), None)


def _account(written: str) -> str:
    slashed = re.sub(r",?\s[Kk].d\sbanky:?\s", "/", written)
    number, _, bank = _compact(slashed).replace("–", "-").rpartition("/")
    prefix, _, number = number.rpartition("-")
    return "-".join(filter(None, (digits(prefix), digits(number)))) + "/" + digits(bank)


def _american_account(page: Page) -> str | None:
    """Routing and account number as `routing/account`; both or nothing."""
    routings = [digits(value.written) for value in page.of("routing")]
    numbers = [digits(value.written) for value in page.of("account")]
    routing = next((one for one in routings if aba.is_valid(one)), routings[0] if routings else None)
    number = next((one for one in numbers if one != routing), None)
    return f"{routing}/{number}" if routing and number else None


def _in_order(values: list[Value]) -> list[Value]:
    return sorted(values, key=lambda value: value.start)
