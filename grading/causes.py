"""Why a wrong field is wrong: exactly one category, the first that fits in the order of D-13.

`invalid_json` and `missing` are decided before (`grading.fields`). The others, by kind of field:

- lost_diacritics (text, choice, identifier, currency): equal once all diacritics are taken off, and the answer lacks a mark that the right
  value has at that letter ("Horak", also "Dúl" for "Důl"). A mark that was only added ("Nová" for "Nova") is a wrong value.
- swapped_dates (date): the right value of another date of the same document, or one of its `other_dates`.
- base_instead_of_total (the amount `total`): the sum of the tax bases.
- wrong_rate (rates): the amounts are all there and nothing else, but under other rates, exchanged rates or no rate.
- number_format: the right digits in a form that does not say the right value.
  amount: the digits without leading and trailing zeros are right, and so is the sign where it can be read (`121000`, `1.21`, `12.10`
  for `1210.00`; `1 21 0.00`). identifier: equal without the leading zeros (`177041`) or without all that is neither letter nor digit
  (`FV20240012` for `FV-2024/0012`), or a JSON number of the same value. account: the same digits without leading zeros or without
  separators, or the IBAN of the same account.
  phone, national_id: the same digits without leading zeros. date: day and month exchanged, or the right numbers where no date can be read.
  rates: the right rates, and every amount right or of this category.
- wrong_value: everything else.

A reason quotes neither the document nor the answer: the column `reason` is not private (G-8).
"""

import datetime as dt
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from grading.amounts import rate_pairs
from grading.currencies import written
from grading.normalise import Rates, account, amount, canonical, identifier, is_absent, rates, scalar, text
from schemas.exchange import DocumentLanguage
from schemas.field_errors import FieldError
from schemas.fields import OTHER_DATES, Field

BASES, TOTAL = "tax_base_by_rate", "total"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong field: the fields and the truth of its document, the right value and the given one, both also in canonical form."""

    field: Field
    fields: tuple[Field, ...]
    truth: Mapping[str, Any]
    language: DocumentLanguage
    given: object
    want: Any
    got: Any


def cause(wrong: Wrong) -> tuple[FieldError, str]:
    """The category of a wrong field that was given, and the reason in a sentence."""
    for error, test in _TESTS:
        if reason := test(wrong):
            return error, reason
    return "wrong_value", _another_value(wrong)


def _lost_diacritics(wrong: Wrong) -> str | None:
    given = scalar(wrong.given)
    if given is None or wrong.field.kind not in ("text", "choice", "identifier", "currency"):
        return None
    clean = identifier if wrong.field.kind == "identifier" else text
    if wrong.field.kind == "choice":
        given = given.casefold()
    right = [wrong.want, *(written(wrong.want) if wrong.field.kind == "currency" else ())]
    return "The diacritics are lost." if any(lost(name, clean(given)) for name in right) else None


def lost(right: str, given: str) -> bool:
    """Whether the given text is the right one without some of its diacritics."""
    if len(given) > 4 * len(right):
        return False
    wanted, found = _letters(right), _letters(given)
    return [letter for letter, _ in wanted] == [letter for letter, _ in found] and any(
        not marks <= other for (_, marks), (_, other) in zip(wanted, found, strict=True)
    )


def _letters(value: str) -> list[tuple[str, frozenset[str]]]:
    """Base letters, each with its marks."""
    out: list[tuple[str, frozenset[str]]] = []
    for char in unicodedata.normalize("NFD", value):
        if unicodedata.combining(char) and out:
            out[-1] = (out[-1][0], out[-1][1] | {char})
        else:
            out.append((char, frozenset()))
    return out


def _swapped_dates(wrong: Wrong) -> str | None:
    if wrong.field.kind != "date" or wrong.got is None:
        return None
    for other in wrong.fields:
        value = wrong.truth.get(other.name)
        is_other = other.kind == "date" and other.name != wrong.field.name and not is_absent(value)
        if is_other and canonical("date", value, wrong.language) == wrong.got:
            return f"This is the {other.name} of the same document."
    others = {canonical("date", value, wrong.language) for value in wrong.truth.get(OTHER_DATES, ())}
    return "This is another date of the same document." if wrong.got in others else None


def _base_instead_of_total(wrong: Wrong) -> str | None:
    if wrong.field.name != TOTAL or wrong.field.kind != "amount" or wrong.got is None:
        return None
    bases = rates(wrong.truth.get(BASES), wrong.language)
    return "This is the sum of the tax bases." if bases and sum(bases.values()) == wrong.got else None


def _wrong_rate(wrong: Wrong) -> str | None:
    if wrong.field.kind != "rates":
        return None
    right = Counter(wrong.want.values())
    pairs = rate_pairs(wrong.given, wrong.language)
    if pairs is None:
        bare = amount(wrong.given, wrong.language)
        return "The amount is right, but no rate is given." if right == Counter([bare]) else None
    return "The amounts are right, but not the rates they stand at." if right == Counter(a for _, a in pairs) else None


def number_format(wrong: Wrong) -> str | None:
    """The reason where the given value has the right digits in a form that does not say the right value."""
    test = _FORMATS.get(wrong.field.kind)
    return test(wrong) if test else None


def _amount_format(wrong: Wrong) -> str | None:
    return _SEPARATORS if _same_digits(wrong.want, wrong.got, wrong.given) else None


def _same_digits(want: Decimal, got: Decimal | None, given: object) -> bool:
    """Whether the significant digits agree, and the sign where there is a readable one."""
    digits = _significant(scalar(given) or "") if got is None else _significant(f"{got:f}")
    return bool(digits) and digits == _significant(str(want)) and (got is None or (got < 0) == (want < 0))


def _significant(number: str) -> str:
    return re.sub("[^0-9]", "", number).strip("0")


def _identifier_format(wrong: Wrong) -> str | None:
    if wrong.got is None:
        return None
    if _no_zeros(wrong.want) == _no_zeros(wrong.got) or _is_number(wrong.given, wrong.want):
        return "The leading zeros are lost."
    return "The separators are lost." if _alphanumeric(wrong.want) == _alphanumeric(wrong.got) != "" else None


def _digits_format(wrong: Wrong) -> str | None:
    given = re.sub("[^0-9]", "", wrong.got or "").lstrip("0")
    return "The digits are right, but not the form." if given and given == wrong.want.lstrip("0") else None


def _is_number(given: object, want: str) -> bool:
    return isinstance(given, int | Decimal) and re.fullmatch("[0-9]+", want) is not None and Decimal(want) == given


def _no_zeros(value: str) -> str:
    """Without the leading zeros of every run of digits."""
    return re.sub("(?<![0-9])0+(?=[0-9])", "", value)


def _alphanumeric(value: str) -> str:
    return re.sub(r"[\W_]", "", value)


def _account_format(wrong: Wrong) -> str | None:
    if wrong.got is None:
        return None
    iban = re.fullmatch("CZ[0-9]{2}([0-9]{4})([0-9]{6})([0-9]{10})", wrong.got)
    if iban and account(f"{iban[2]}-{iban[3]}/{iban[1]}", wrong.language) == wrong.want:
        return "This is the IBAN of the right account."
    truth = identifier(str(wrong.truth[wrong.field.name]))
    right = {re.sub("[^0-9]", "", form) for form in (truth, wrong.want, _no_zeros(truth))}
    given = {re.sub("[^0-9]", "", form) for form in (wrong.got, _no_zeros(wrong.got))}
    return "The digits are right, but not the form." if (right & given) - {""} else None


def _date_format(wrong: Wrong) -> str | None:
    want: dt.date = wrong.want
    if wrong.got is not None:
        exchanged = (wrong.got.year, wrong.got.day, wrong.got.month) == (want.year, want.month, want.day)
        return "Day and month are exchanged." if exchanged else None
    numbers = sorted(re.findall("[0-9]+", (scalar(wrong.given) or "")[:1000]), key=len)
    right = sorted([want.year, want.month, want.day])
    return (
        "The numbers are right, but this is no date."
        if len(numbers) == 3 and len(numbers[-1]) <= 4 and sorted(map(int, numbers)) == right
        else None
    )


def _rates_format(wrong: Wrong) -> str | None:
    want: Rates = wrong.want
    pairs = rate_pairs(wrong.given, wrong.language) or []
    if len(pairs) != len(want) or {r for r, _ in pairs} != set(want):
        return None
    right = all(a == want[r] or _same_digits(want[r], a, "") for r, a in pairs if r is not None)
    return _SEPARATORS if right else None


def _another_value(wrong: Wrong) -> str:
    if wrong.got is None:
        form = {"rates": "a map from rate to amount"}.get(wrong.field.kind, f"of the kind {wrong.field.kind}")
        return f"This cannot be read as {form}."
    if wrong.field.kind == "choice" and wrong.got not in wrong.field.allowed(wrong.language):
        return "This is none of the allowed words."
    if wrong.field.kind in ("text", "identifier"):
        if wrong.want.casefold() == wrong.got.casefold():
            return "Only the letter case differs."
        if _alphanumeric(wrong.want) == _alphanumeric(wrong.got):
            return "Only the punctuation differs."
    if wrong.field.kind == "amount" and wrong.want == -wrong.got:
        return "Only the sign differs."
    if wrong.field.kind == "rates" and wrong.want.keys() != wrong.got.keys():
        return "The rates are others, and so are the amounts."
    return "The value is another one."


_SEPARATORS = "The digits are right, but not the separators or the decimal places."

_FORMATS: dict[str, Callable[[Wrong], str | None]] = {
    "amount": _amount_format,
    "identifier": _identifier_format,
    "phone": _digits_format,
    "national_id": _digits_format,
    "account": _account_format,
    "date": _date_format,
    "rates": _rates_format,
}

_TESTS: tuple[tuple[FieldError, Callable[[Wrong], str | None]], ...] = (
    ("lost_diacritics", _lost_diacritics),
    ("swapped_dates", _swapped_dates),
    ("base_instead_of_total", _base_instead_of_total),
    ("wrong_rate", _wrong_rate),
    ("number_format", number_format),
)
