"""What tests of e-mails share: a set made once, and how a finished document is taken apart, without a look at the generator."""

import re
from functools import cache

from datasets import emails
from schemas.edition import Edition

HEADER = re.compile(
    r"^[> ]*(Od|Komu|Odesláno|Datum|Předmět|Date|Subject|To|From|Sent|Begin forwarded message|-{5,}.*|_{5,}):?(\s|$)"
    r"|odesílatel .* napsal:$|^[> ]*On .* wrote:$"
)
QUOTED = re.compile(r"^(_{5,}|-{5,}|Begin forwarded message|.*odesílatel .* napsal:$|On .* wrote:$)")
COMPANY = re.compile(r"(r\.\s?o|a\.s|v\.o\.s|spol|Inc|Corp|LLC|LLP)\.$")
END = re.compile(r"(?<=[.?!])(?<!\bno\.) (?=[A-ZÁ-Ž„“0-9$€])")


def edition(size, seed=7, version=emails.SET_VERSION):
    fields = {"set_version": version, "seed": seed, "size": size, "private_hash": "0" * 64}
    return Edition(suite="emails", id="test-1", **fields)


@cache
def cases(size=150, seed=7, language=None, secret="the-secret-seed-of-this-test"):
    made = [m.case for m in emails.make_cases(edition(size, seed), secret, 0, size)]
    return [case for case in made if language in (None, case.language)]


def body_lines(text):
    """Lines that are no header, without marks of quotation."""
    return [re.sub(r"^[> ]+", "", line) for line in text.split("\n") if not HEADER.search(line)]


def sentences(text):
    """Sentences of three words and more; greetings and signatures end without a full stop and so are none."""
    found = []
    for line in body_lines(text):
        if line.endswith((".", "?", "!")) and not COMPANY.search(line):
            found += [s for s in END.split(line) if len(s.split()) >= 3]
    return found


def own_message(case):
    """The message that the fields are read from: above the quotations of a thread, below the header of a forward."""
    lines = case.text.split("\n")
    cut = next((n for n, line in enumerate(lines) if n > 4 and QUOTED.match(line)), len(lines))
    return "\n".join(lines[cut:] if case.layout == "forward" else lines[:cut])


def mask(word):
    """The shape of a token: digits, letters, marks."""
    return re.sub("[A-Z]", "A", re.sub("[0-9]", "9", word))


def same(text):
    return text.replace("\u00a0", " ")
