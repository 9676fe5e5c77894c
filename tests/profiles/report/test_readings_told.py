"""Our readings of the rules on the page on method: none missing, none that is not there, in both languages, with the switch as it stands (G-14)."""

import re

import pytest

from profiles.report.pages import Site, method
from profiles.report.pages.readings_told import groups
from profiles.report.texts import LANGS, read_texts
from schemas import readings

CONSTANTS = {name for name in dir(readings) if name.isupper()}


def test_every_reading_of_the_code_stands_on_the_page_with_its_value() -> None:
    page = method.page(Site())
    shown = {
        code.replace("&#39;", "'").replace("&#34;", '"') for code in re.findall(r'<code lang="en">(.*?)</code>', page)
    }
    assert {words.split(" = ")[0] for words in shown} == CONSTANTS
    assert "PRIVATE_FLOOR = 5" in shown


@pytest.mark.parametrize("lang", LANGS)
def test_no_text_tells_a_reading_that_the_code_does_not_have(lang: str) -> None:
    keys = {
        key.split(".")[1] for key in read_texts(lang) if key.startswith("readings.") and key.split(".")[1].isupper()
    }  # type: ignore[arg-type]  # of LANGS
    first_of_each = {one.switches[0].split(" = ")[0] for _, some in groups() for one in some}
    assert keys == first_of_each


def test_rules_come_from_the_docstrings() -> None:
    told = {one.switches[0].split(" = ")[0]: one.rules for _, some in groups() for one in some}
    assert told["INVENTED_IN_DENOMINATOR"] == "D-11, D-13"
    assert told["FIT_LOW"] == "S-5"
    assert all(re.fullmatch(r"[GDMLARJS]-\d+(, [GDMLARJS]-\d+)*", rules) for rules in told.values())
