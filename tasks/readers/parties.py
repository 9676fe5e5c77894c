"""Supplier and customer: which side a value stands on, and the supplier's name."""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Literal

from tasks.readers.page import Label, Page, Value

Side = Literal["supplier", "customer"]

_CUT = re.compile(r"\s(?=\d)|,\s(?=[^,]*\d)|\s[|•·]\s")
_POSTAL_CODE = re.compile(r"(?<!\d)\d{3} \d{2}(?= [^\W\d])|(?<=[A-Z]{2} )\d{5}(?!\d)")
_LINES_OF_BLOCK = 5
_DECORATION = " :;,|-–—•·"


def of_supplier(page: Page, values: Sequence[Value], is_valid: Callable[[str], bool]) -> Value | None:
    """The value of the supplier among values that both parties have; valid ones are preferred on the same side."""
    ours = [value for index, value in enumerate(values) if side_of(page, values, index) == "supplier"]
    if not ours and (len(values) > 1 or not page.labels_of("supplier")):
        ours = [value for value in values if value.written != values[0].written] or list(values)
    return next((value for value in ours if is_valid(value.written)), ours[0] if ours else None)


def side_of(page: Page, values: Sequence[Value], index: int) -> Side:
    """The side of one of the values (in reading order), by the headings of the two blocks.

    Side by side, the headings stand together and the values of a kind follow in their order; one below the other, the
    nearest heading above decides, and only for the first value of its kind, so a footer is the supplier's.
    """
    columns = heads_together(page)
    value = values[index]
    if columns and value.start > columns[-1].start:
        after = [one for one in values if one.start > columns[-1].start]
        position = after.index(value)
        return _side(columns[position]) if position < len(columns) else "supplier"
    heads = [label for label in page.labels_of("supplier", "customer", "other_party") if label.start < value.start]
    if not heads or heads[-1].field == "supplier":
        return "supplier"
    is_first = not any(heads[-1].start < one.start < value.start for one in values)
    return "customer" if is_first else "supplier"


def heads_together(page: Page) -> list[Label]:
    """The headings of the two blocks where they stand on one line or with nothing between; else nothing."""
    heads = page.labels_of("supplier", "customer")
    for one, other in itertools.pairwise(heads):
        between = page.text[one.end : other.start]
        if one.field != other.field and ("\n" not in between or not re.search(r"\w", between)):
            return [one, other]
    return []


def supplier_name(page: Page) -> str | None:
    """The supplier's name as printed: under its heading, else in the letterhead, else beside a legal form anywhere."""
    columns = heads_together(page)
    if columns:
        return _name_in_columns(page, columns)
    heads = page.labels_of("supplier")
    for head in heads:
        piece = next((piece for piece in _pieces(page, head.end, 3) if _is_name(piece)), None)
        if piece:
            return _trim(page, piece)
    return _name_without_heading(page)


def _side(label: Label) -> Side:
    return "supplier" if label.field == "supplier" else "customer"


def _pieces(page: Page, start: int, lines: int) -> list[str]:
    """What stands before the first label on the line of a position and on the lines after it."""
    pieces = []
    for _ in range(lines):
        end = page.line_end(start)
        labels = [label for label in page.labels if start <= label.start < end]
        if labels and labels[0].field == "party_name" and not page.text[start : labels[0].start].strip(_DECORATION):
            start = labels.pop(0).end
        pieces.append(page.text[start : labels[0].start if labels else end].strip(_DECORATION))
        start = end + 1
        if start >= len(page.text):
            break
    return pieces


def _is_name(piece: str) -> bool:
    return len(re.findall(r"[^\W\d]", piece)) >= 3


def _trim(page: Page, piece: str) -> str:
    """A name without the address that may follow it on its line."""
    form = page.words.legal_form.search(piece)
    if form:
        return piece[: form.end()].strip(_DECORATION)
    return _CUT.split(piece)[0].strip(_DECORATION)


def _name_in_columns(page: Page, columns: list[Label]) -> str | None:
    """The supplier's of two names on one line, or of the first two lines."""
    is_left = columns[0].field == "supplier"
    beside = page.text[columns[0].end : columns[1].start].strip(_DECORATION + "\n")
    right = _pieces(page, columns[1].end, 1)[0]
    if _is_name(beside) and _is_name(right):
        return _trim(page, beside if is_left else right)
    pieces = [piece for piece in _pieces(page, columns[1].end, 5) if _is_name(piece)]
    if not pieces:
        return None
    halves = _halve(page, pieces[0], is_merged=_is_merged(page, columns[1].end))
    if len(halves) == 2:
        return halves[0 if is_left else 1]
    return _trim(page, pieces[0] if is_left or len(pieces) == 1 else pieces[1])


def _is_merged(page: Page, start: int) -> bool:
    """Whether the lines under the headings hold both blocks: two postal codes, or two equal labels, on one line."""
    for _ in range(_LINES_OF_BLOCK):
        start = page.line_end(start) + 1
        end = page.line_end(start)
        fields = [label.field for label in page.labels if start <= label.start < end]
        if len(_POSTAL_CODE.findall(page.text, start, end)) == 2 or len(fields) > len(set(fields)):
            return True
    return False


def _halve(page: Page, piece: str, *, is_merged: bool) -> list[str]:
    """The two names on a line: after the first legal form, where a name ends that the page repeats, or by guess.

    The guess, only where two names must be there: a person's two words before a company, else halves at a capital.
    """
    form = page.words.legal_form.search(piece)
    if form and _is_name(piece[form.end() :]):
        return [piece[: form.end()].strip(_DECORATION), piece[form.end() :].strip(_DECORATION)]
    words = piece.split()
    for count in range(len(words) - 1, 1, -1):
        left, right = " ".join(words[:count]), " ".join(words[count:])
        if page.text.count(left) > 1 or (len(words) - count > 1 and page.text.count(right) > 1):
            return [left, right]
    if not is_merged or len(words) < 4:
        return [piece]
    titled = 2 + sum(word in page.words.titles for word in words[:3])
    cuts = [at for at in range(2, len(words) - 1) if words[at][0].isupper() and words[at - 1][0].isupper()]
    cut = titled if form else min(cuts, key=lambda at: abs(2 * at - len(words)), default=titled)
    return [" ".join(words[:cut]), " ".join(words[cut:])]


def _name_without_heading(page: Page) -> str | None:
    """The first line with a legal form that is no customer's, else the first of the two topmost lines."""
    customers = [piece for head in page.labels_of("customer", "other_party") for piece in _pieces(page, head.end, 2)]
    lines = []
    start = 0
    while start < len(page.text):
        piece = _pieces(page, start, 1)[0]
        if _is_name(piece) and piece not in customers:
            lines.append(piece)
        start = page.line_end(start) + 1
    named = next((line for line in lines if page.words.legal_form.search(line)), None)
    top = [line for line in lines if page.text.index(line) < page.line_end(page.line_end(0) + 1)]
    chosen = named or (top[0] if top else None)
    return _trim(page, chosen) if chosen else None
