"""An invoice in words: every string that its layout will print, in the layout's own terms and formats (D-7).

The result is plain data for a typst template: blocks of label and value, tables of strings. Templates place strings
and never make any.
"""

from collections.abc import Iterable
from datetime import date
from functools import cache, partial
from typing import Any

from datasets.synth.companies import Party
from datasets.synth.formats import NBSP, print_amount, print_date, print_number, print_rate
from datasets.synth.invoice import Invoice, cents
from datasets.synth.vocabulary import read
from schemas.ids import ein, iban

Pairs = list[list[str]]


@cache
def words_of(language: str, layout: str) -> dict[str, Any]:
    """The words of a layout in a language, with the ones that all layouts share."""
    wording = read(f"wording.{language}")
    return {**wording["both"], **wording[layout]}


def to_page(invoice: Invoice) -> dict[str, Any]:
    """All strings of one page, by block, for the template of the invoice's layout."""
    layout, variant = invoice.structure.layout, invoice.structure.variant
    words = words_of(invoice.language, layout)
    credit = variant == "credit_note"
    return {
        "layout": layout,
        "language": invoice.language,
        "font": words["fonts"][invoice.structure.font],
        "title": words["titles"][variant],
        "number": [words["number"], invoice.number],
        "supplier": _party(words, words["supplier"], invoice.supplier, invoice.language),
        "customer": _party(words, words["customer"], invoice.customer, invoice.language),
        "contact": [[words["phone"], invoice.supplier.phone], [words["email"], invoice.supplier.email]],
        "dates": _dates(invoice, words),
        "references": _references(invoice, words),
        "payment_title": words["payment"],
        "payment": _payment(invoice, words),
        "lines": _lines(invoice, words),
        "recap": _recap(invoice, words),
        "sums": _sums(invoice, words),
        "total": [words["total_credit" if credit else "total"], _amount(invoice, words, "total")(invoice.total)],
        "conversion": _conversion(invoice, words),
        "issued_by": [words["issued_by"], invoice.issued_by],
        "signature": words["signature"],
        "notes": _notes(invoice, words),
        "register": _register(invoice.supplier, words),
    }


def _amount(invoice: Invoice, words: dict[str, Any], form: str = "amount") -> "partial[str]":
    formats = words["formats"]
    return partial(print_amount, currency=invoice.currency, language=invoice.language, formats=formats, form=form)


def _date(day: date, words: dict[str, Any]) -> str:
    return print_date(day, words["formats"]["date"], words["months"])


def _party(words: dict[str, Any], heading: str, party: Party, language: str) -> dict[str, Any]:
    number = party.company_id if language == "cs" else ein.format(party.company_id)
    ids = [[words["company_id"], number]] + ([[words["tax_id"], party.tax_id]] if party.tax_id else [])
    lines = [line for line in (party.street, party.town, words["country"]) if line]
    return {"heading": heading, "name": party.name, "lines": lines, "ids": ids}


def _dates(invoice: Invoice, words: dict[str, Any]) -> Pairs:
    days = {
        "issue_date": invoice.structure.issue_date,
        "tax_point_date": invoice.tax_point_date,
        "due_date": invoice.due_date,
        "delivery_date": invoice.delivery_date
        if invoice.structure.variant in ("ordinary", "foreign_currency")
        else None,
    }
    return [[words[name], _date(day, words)] for name, day in days.items() if day]


def _references(invoice: Invoice, words: dict[str, Any]) -> Pairs:
    pairs = [[words["order"], invoice.order]] if invoice.order else []
    pairs.append([words["customer_number"], invoice.customer_number])
    if invoice.original:
        number, day = invoice.original
        pairs += [[words["original"], number], [words["original_date"], _date(day, words)]]
        pairs.append([words["reason"], words["reasons"][invoice.structure.reason]])
    if invoice.exchange:
        pairs.append([words["currency"], invoice.currency])
    return pairs


def _payment(invoice: Invoice, words: dict[str, Any]) -> Pairs:
    account = invoice.supplier.account
    pairs = [[words["method"], words["bank_transfer"]]]
    if invoice.language == "cs":
        pairs += [
            [words["account"], account],
            [words["iban"], iban.format(iban.from_account(account)).replace(" ", NBSP)],
        ]
        return [*pairs, [words["symbol"], invoice.symbol], [words["constant_symbol"], words["constant"]]]
    routing, number = account.split("/")
    return [*pairs, [words["routing"], routing], [words["account"], number], [words["symbol"], invoice.symbol]]


def _lines(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any]:
    """The table of lines: its head and its rows; the layouts differ in their columns."""
    amount, minus = _amount(invoice, words), words["formats"]["minus"]
    ledger = invoice.structure.layout == "ledger"
    taxed = bool(invoice.by_rate)
    rows = []
    for number, line in enumerate(invoice.lines, start=1):
        quantity = print_number(line.quantity, invoice.language, "-" if minus == "()" else minus)
        row = [str(number), line.name, quantity, line.unit] if ledger else [line.name, f"{quantity}{NBSP}{line.unit}"]
        row.append(amount(line.price))
        if line.rate is not None:
            row.append(print_rate(line.rate, invoice.language))
        rows.append([*row, amount(line.amount)])
    return {"head": words["columns" if taxed else "columns_untaxed"], "rows": rows}


def _recap(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any] | None:
    """The table of tax by rate; None where the document shows no tax."""
    if not invoice.by_rate:
        return None
    amount, rows = _amount(invoice, words), []
    for entry in invoice.by_rate:
        rate = print_rate(entry.rate, invoice.language)
        if not entry.rate and words["exempt"]:
            rate += f" ({words['exempt']})"
        rows.append([rate, amount(entry.base), amount(entry.tax), amount(entry.base + entry.tax)])
    return {"title": words["recap"], "head": words["recap_columns"], "rows": rows}


def _sums(invoice: Invoice, words: dict[str, Any]) -> Pairs:
    """The lines above the total: sums without tax and of tax, and the rounding where there is one."""
    amount = _amount(invoice, words)
    pairs = []
    if invoice.by_rate:
        pairs.append([words["net"], amount(_sum(entry.base for entry in invoice.by_rate))])
        pairs.append([words["tax"], amount(_sum(entry.tax for entry in invoice.by_rate))])
    elif invoice.rounding or len(invoice.lines) > 1:
        pairs.append([words["sum"], amount(_sum(line.amount for line in invoice.lines))])
    if invoice.rounding:
        pairs.append([words["rounding"], amount(invoice.rounding)])
    return pairs


def _conversion(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any] | None:
    """The amounts in the home currency, beside those of a document in a foreign one."""
    if invoice.exchange is None:
        return None
    home = read("money")["home"][invoice.language]
    base, tax = (
        cents(_sum(values) * invoice.exchange)
        for values in ((entry.base for entry in invoice.by_rate), (entry.tax for entry in invoice.by_rate))
    )
    amounts = [
        print_amount(value, home, invoice.language, words["formats"], "total") for value in (base, tax, base + tax)
    ]
    rate = words["exchange"].format(currency=invoice.currency, rate=print_number(invoice.exchange, invoice.language))
    rows = [list(pair) for pair in zip(words["conversion_rows"], amounts, strict=True)]
    return {"title": words["conversion"], "rate": rate, "rows": rows}


def _notes(invoice: Invoice, words: dict[str, Any]) -> list[str]:
    variant = invoice.structure.variant
    if variant == "non_payer" and not invoice.structure.person:
        variant = "non_payer_company"
    return [words["notes"][variant]]


def _register(supplier: Party, words: dict[str, Any]) -> str:
    if supplier.register is None:
        return str(words["trader"])
    court, section, file = supplier.register
    return str(words["register"].format(court=court, section=section, file=file))


def _sum(values: "Iterable[Any]") -> Any:
    return sum(values, start=0)
