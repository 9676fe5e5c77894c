"""An invoice in words: every string that its layout will print, in the layout's own terms and formats (D-7).

The result is plain data for a typst template: blocks of label and value, tables of strings. Templates place strings
and never make any.
"""

from collections.abc import Iterable
from datetime import date
from functools import cache, partial
from typing import Any

from datasets.synth.companies import Party
from datasets.synth.formats import AT_NUMBER, NBSP, print_amount, print_date, print_number, print_rate
from datasets.synth.invoice import Invoice, cents
from datasets.synth.spayd import descriptor, symbol_svg
from datasets.synth.vocabulary import read
from schemas.ids import ein, iban

Pairs = list[list[str]]


@cache
def words_of(language: str, layout: str, is_bilingual: bool = False) -> dict[str, Any]:
    """The words of a layout in a language, with the ones that all layouts share and with what the layout is made of.

    is_bilingual: labels carry those of the second language behind a slash, `Splatnost / Due date`.
    """
    wording = read(f"wording.{language}")
    words = {**wording["all"], **wording[layout], "made_of": read("layouts")[layout]}
    if not is_bilingual:
        return words
    second = read("second")[language]
    beside = partial(_beside, is_upper=words["supplier"].isupper())
    both: dict[str, Any] = {
        key: beside(words[key], label) for key, label in second.items() if isinstance(label, str) and words[key]
    }
    titles = {variant: beside(words["titles"][variant], title) for variant, title in second["titles"].items()}
    made_of = words["made_of"]
    for name, kinds, labels in (
        ("columns", made_of["cells"], second["cells"]),
        ("recap_columns", made_of["recap"], second["recap_cells"]),
    ):
        both[name] = [beside(own, labels[kind]) for own, kind in zip(words[name], kinds, strict=True)]
    both["titles"] = words["titles"] | titles
    return {**words, **both}


def _beside(own: str, second: str, is_upper: bool) -> str:
    """Two labels as one, in capitals where the first is in a layout of capitals; alike they stay one."""
    if own.casefold() == second.casefold():
        return own
    return f"{own} / {second.upper() if is_upper and own.isupper() else second}"


def to_page(invoice: Invoice) -> dict[str, Any]:
    """All strings of one page, by block, for the template of the invoice's layout."""
    layout, variant = invoice.structure.layout, invoice.structure.variant
    words = words_of(invoice.language, layout, invoice.structure.is_bilingual)
    credit = variant == "credit_note"
    supplier = _party(words, words["supplier"], invoice.supplier, invoice.language)
    return {
        "layout": layout,
        "language": invoice.language,
        "font": words["fonts"][invoice.structure.font],
        "title": words["titles"][variant],
        "number": [words["number"], invoice.number],
        "supplier": supplier,
        "customer": _party(words, words["customer"], invoice.customer, invoice.language),
        "contact": [[words["phone"], invoice.supplier.phone], [words["email"], invoice.supplier.email]],
        "dates": _dates(invoice, words),
        "references": _references(invoice, words),
        "payment_title": words.get("payment_credit", words["payment"]) if credit else words["payment"],
        "payment": _payment(invoice, words),
        "code": _code(invoice, words),
        "intro": words["intro"][variant] if "intro" in words else "",
        "headings": {key: words[key] for key in ("cut", "details") if key in words},
        "stamp": _stamp(supplier) if words["made_of"]["stamp"] and invoice.structure.has_stamp else None,
        "drawn": _drawn(invoice, words),
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
    return print_date(day, words["formats"]["date"], words["months"], words["short_months"])


def _party(words: dict[str, Any], heading: str, party: Party, language: str) -> dict[str, Any]:
    number = party.company_id if language == "cs" else ein.format(party.company_id)
    if words["formats"].get("company_id") == "spaced":
        number = NBSP.join((number[:3], number[3:5], number[5:]))
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
        number, bank = account.split("/")
        is_split = words["formats"].get("account") == "split"
        pairs += [[words["account"], number], [words["bank_code"], bank]] if is_split else [[words["account"], account]]
        pairs += [
            [words["iban"], iban.format(iban.from_account(account)).replace(" ", NBSP)],
        ]
        return [*pairs, [words["symbol"], invoice.symbol], [words["constant_symbol"], words["constant"]]]
    routing, number = account.split("/")
    return [*pairs, [words["routing"], routing], [words["account"], number], [words["symbol"], invoice.symbol]]


def _lines(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any]:
    """The table of lines: kinds of its columns, its head and its rows; the layouts differ in their columns."""
    amount, formats = _amount(invoice, words), words["formats"]
    minus = "-" if formats["minus"] in AT_NUMBER else formats["minus"]
    kinds = [kind for kind in words["made_of"]["cells"] if kind != "rate" or invoice.by_rate]
    rows = []
    for number, line in enumerate(invoice.lines, start=1):
        quantity = print_number(line.quantity, invoice.language, minus, formats.get("thousands"))
        cells = {
            "row": str(number),
            "code": f"{37 * invoice.structure.goods[number - 1] + 104:04}",
            "name": line.name,
            "quantity": quantity,
            "unit": line.unit,
            "amount_of": f"{quantity}{NBSP}{line.unit}",
            "price": amount(line.price),
            "rate": "" if line.rate is None else print_rate(line.rate, invoice.language),
            "amount": amount(line.amount),
        }
        rows.append([cells[kind] for kind in kinds])
    return {"kinds": kinds, "head": words["columns" if invoice.by_rate else "columns_untaxed"], "rows": rows}


def _code(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any] | None:
    """What stands where the layout has a place for a payment code: its title and hint, or a remittance slip, or that nothing is paid."""
    if not words["made_of"]["code"]:
        return None
    if invoice.structure.variant == "credit_note":
        return {"title": "", "hint": words["no_code"], "rows": []}
    rows: Pairs = []
    if invoice.language == "en":
        rows = [
            [words["number"], invoice.number],
            [words["customer_number"], invoice.customer_number],
            [words["due_date"], _date(invoice.due_date, words)],
            [words["total"], _amount(invoice, words, "total")(invoice.total)],
        ]
    return {"title": words["code_title"], "hint": words["code_hint"], "rows": rows}


def _drawn(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any]:
    """What is drawn and not written: which logo, colour and signature, and the QR symbol as SVG or None."""
    structure, symbol = invoice.structure, None
    if words["made_of"]["code"] and invoice.language == "cs" and structure.variant != "credit_note":
        symbol = symbol_svg(
            descriptor(
                iban.from_account(invoice.supplier.account),
                invoice.total,
                invoice.currency,
                due=invoice.due_date,
                symbol=invoice.symbol,
                constant=words["constant"],
                message=f"{words['titles'][structure.variant].split(' –')[0]} {invoice.number}",
            )
        )
    logo = structure.logo if words["made_of"]["logo"] else None
    return {"logo": logo, "accent": structure.accent, "scribble": structure.scribble, "code": symbol}


def _stamp(supplier: dict[str, Any]) -> list[str]:
    """The lines of the supplier's stamp: its name, its address, its first identifier."""
    label, number = supplier["ids"][0]
    return [supplier["name"], ", ".join(supplier["lines"][:2]), f"{label.split(' / ')[0]} {number}"]


def _recap(invoice: Invoice, words: dict[str, Any]) -> dict[str, Any] | None:
    """The table of tax by rate; None where the document shows no tax."""
    if not invoice.by_rate:
        return None
    amount, rows = _amount(invoice, words), []
    for entry in invoice.by_rate:
        rate = print_rate(entry.rate, invoice.language)
        if not entry.rate and words["exempt"]:
            rate += f" ({words['exempt']})"
        values = {"base": entry.base, "tax": entry.tax, "gross": entry.base + entry.tax}
        rows.append([rate if kind == "rate" else amount(values[kind]) for kind in words["made_of"]["recap"]])
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
    rate = words["exchange"].format(
        currency=invoice.currency,
        rate=print_number(invoice.exchange, invoice.language, thousands=words["formats"].get("thousands")),
    )
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
