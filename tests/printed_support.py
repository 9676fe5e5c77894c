"""How a value of an invoice's truth may stand on the page: forms written by hand, and what the text layer of a finished document holds."""

import re
from datetime import date
from decimal import Decimal

CS_MONTHS = [
    "ledna",
    "února",
    "března",
    "dubna",
    "května",
    "června",
    "července",
    "srpna",
    "září",
    "října",
    "listopadu",
    "prosince",
]
RECAP = {"printout": ("base", "rate", "tax"), "sidebar": ("rate", "base", "tax")}
"""Order of the columns of tax by rate where it is not rate, base, tax."""


def fold(text):
    return " ".join(text.split())


def number_forms(value, language):
    """A number without its sign: with thousands apart by space, point or comma."""
    number = f"{abs(Decimal(value)):,.2f}"
    if language == "en":
        return [number]
    czech = number.replace(",", "T").replace(".", ",")
    return [czech.replace("T", " "), czech.replace("T", ".")]


def amount_pattern(value, language):
    """An amount with its sign: minus before it or before its currency, parentheses, or a minus behind."""
    number = any_of(number_forms(value, language))
    if not value.startswith("-"):
        return rf"(?<![-−(\d]){number}(?![-\d])"
    return rf"(?:[-−(][^\d\s]{{0,3}} ?{number}|{number}-)"


def date_forms(value, language):
    day = date.fromisoformat(value)
    if language == "cs":
        month = CS_MONTHS[day.month - 1]
        d, m, y = day.day, day.month, day.year
        return [f"{d}. {m}. {y}", f"{d}.{m}.{y}", f"{day:%d.%m.%Y}", f"{day:%d. %m. %Y}", f"{d}. {month} {y}"]
    return [
        f"{day:%B} {day.day}, {day.year}", f"{day:%b} {day.day}, {day.year}", f"{day:%m/%d/%Y}", f"{day:%m-%d-%Y}",
        f"{day.month}/{day.day}/{day.year}", f"{day:%d-%b-%Y}", f"{day:%Y-%m-%d}",
    ]  # fmt: skip


def any_of(forms):
    return "(?:" + "|".join(map(re.escape, forms)) + ")"


def patterns(truth, language, layout):
    """A pattern for every field that the document has, to be found in its folded text."""
    number = truth["company_id"]
    ids = [number, f"{number[:3]} {number[3:5]} {number[5:]}"] if language == "cs" else [f"{number[:2]}-{number[2:]}"]
    found = {name: any_of([truth[name]]) for name in ("supplier", "document_number", "variable_symbol")}
    found["company_id"] = any_of(ids)
    found["total"] = amount_pattern(truth["total"], language)
    signs = {"CZK": ["Kč"], "USD": ["$"], "EUR": ["€"], "GBP": ["£"], "CAD": ["C$", "CA$"]}
    found["currency"] = any_of([truth["currency"], *signs[truth["currency"]]])
    if truth["tax_id"]:
        found["tax_id"] = any_of([truth["tax_id"]])
    for name in ("issue_date", "tax_point_date", "due_date"):
        if truth[name]:
            found[name] = rf"(?<!\d){any_of(date_forms(truth[name], language))}(?!\d)"
    first, second = truth["account"].split("/")
    found["account"] = rf"(?<!\d){re.escape(first)}(?!\d)"
    found["account_end"] = rf"(?<!\d){re.escape(second)}(?!\d)"
    for rate, base in (truth["tax_base_by_rate"] or {}).items():
        cells = {
            "rate": rf"(?<![\d.,]){re.escape(rate)} ?%(?: \(exempt\))?",
            "base": r"\S*?" + amount_pattern(base, language) + r"\S*?(?: (?:Kč|US\$|[A-Z]{3}|[€£]))?",
            "tax": r"\S*?" + amount_pattern(truth["tax_by_rate"][rate], language),
        }
        found[f"rate {rate}"] = " ".join(cells[kind] for kind in RECAP.get(layout, ("rate", "base", "tax")))
    return found


def missing(truth, language, layout, text):
    """The fields whose printed form the text does not hold."""
    folded = fold(text)
    return [name for name, pattern in patterns(truth, language, layout).items() if not re.search(pattern, folded)]
