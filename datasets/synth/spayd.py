"""The Czech payment code: the Short Payment Descriptor (SPAYD 1.0, „QR Platba“) and its QR symbol.

A descriptor is `SPD*1.0*` and pairs of key and value, `KEY:value`, separated by asterisks. Keys that are used: `ACC` the account as IBAN, `AM` the
amount with a decimal point, ten characters at most, `CC` the currency, `DT` the due date as YYYYMMDD, `MSG` a message of 60 characters at most,
`X-VS` and `X-KS` the variable and the constant symbol, ten digits at most. In capitals without diacritics, so that the symbol stays small.
"""

import io
import unicodedata
from datetime import date
from decimal import Decimal

LONGEST_AMOUNT, LONGEST_MESSAGE, LONGEST_SYMBOL = 10, 60, 10
_QUIET = 4


def descriptor(
    iban: str, amount: Decimal, currency: str, *, due: date, symbol: str, constant: str, message: str
) -> str:
    """The descriptor of one payment; ValueError for an amount that is not positive or longer than the standard allows.

    iban: without spaces; amount: with two decimals at most; symbol, constant: digits; message: what the payee will read.

    >>> day, iban = date(2024, 3, 1), "CZ6508000000192000145399"
    >>> descriptor(iban, Decimal("480.5"), "CZK", due=day, symbol="2024017", constant="0308", message="Faktura č. 17")
    'SPD*1.0*ACC:CZ6508000000192000145399*AM:480.50*CC:CZK*DT:20240301*MSG:FAKTURA C. 17*X-VS:2024017*X-KS:0308'
    """
    written = f"{amount:.2f}"
    if amount <= 0 or len(written) > LONGEST_AMOUNT or len(symbol) > LONGEST_SYMBOL:
        raise ValueError(
            f"no payment code for {written!r} with the symbol {symbol!r}: expected more than 0 and at most ten characters each"
        )
    pairs = {
        "ACC": iban,
        "AM": written,
        "CC": currency,
        "DT": f"{due:%Y%m%d}",
        "MSG": _plain(message)[:LONGEST_MESSAGE],
        "X-VS": symbol,
        "X-KS": constant,
    }
    return "*".join(["SPD", "1.0", *(f"{key}:{value}" for key, value in pairs.items())])


def symbol_svg(text: str) -> str:
    """The QR symbol of a text as SVG, error correction M, with its quiet zone of four modules; the same text, the same bytes."""
    import segno

    out = io.BytesIO()
    segno.make(text, error="m", micro=False, boost_error=False).save(
        out, kind="svg", border=_QUIET, xmldecl=False, svgclass=None, lineclass=None, omitsize=True, light="#fff"
    )
    return out.getvalue().decode()


def _plain(text: str) -> str:
    """Capitals without diacritics and without what QR's alphanumeric mode or the standard lacks."""
    bare = unicodedata.normalize("NFD", text.upper()).encode("ascii", "ignore").decode()
    return "".join(c for c in bare if c.isalnum() or c in " .-/").strip()
