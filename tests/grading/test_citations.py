"""Citations in Czech prose (L-4, L-6); the oracle is a table written by hand, and a formatter that knows nothing of the parser.

Expected in short: `89/2012 § 2079/1/a`; `~` before: the act is carried over; `? § 35`: no act; `= 25 Cdo 1/2020`: a decision; `262/2006` alone:
an act.
"""

import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.citations import Citation, compare, leaks, parse

TABLE = [
    # one section, its pinpoint, the act by number
    ("§ 2079 odst. 1 písm. a) zákona č. 89/2012 Sb.", ["89/2012 § 2079/1/a"]),
    ("§ 35 zákona č. 262/2006 Sb.", ["262/2006 § 35"]),
    ("§ 35 odst. 1 z. č. 262/2006 Sb. platí.", ["262/2006 § 35/1"]),
    ("§ 35 odst. 1 zák. č. 262/2006 Sb., zákoník práce, ve znění pozdějších předpisů", ["262/2006 § 35/1"]),
    ("Podle ustanovení § 52 písm. c) zákona č. 262/2006 Sb., zákoníku práce,", ["262/2006 § 52/-/c"]),
    ("§ 3 vyhlášky č. 177/1996 Sb.", ["177/1996 § 3"]),
    ("§ 2 nařízení vlády č. 351/2013 Sb.", ["351/2013 § 2"]),
    ("§ 5 zákona o včelách č. 123/2010 Sb.", ["123/2010 § 5"]),
    ("§ 89 odst. 2 zákona číslo 218/2003 Sbírky zákonů", ["218/2003 § 89/2"]),
    ("§ 6 zákona č. 235/2004", ["235/2004 § 6"]),
    ("§ 94 (zákon č. 235/2004 Sb.)", ["235/2004 § 94"]),
    ("§ 35bb zákona č. 586/1992 Sb.", ["586/1992 § 35bb"]),
    ("§ 125c odst. 1 písm. f) bod 1 zákona č. 361/2000 Sb.", ["361/2000 § 125c/1/f"]),
    # names and abbreviations, declined
    ("Kupní smlouvu upravuje § 2079 občanského zákoníku.", ["89/2012 § 2079"]),
    ("§ 2079 odst. 1 obč. zák.", ["89/2012 § 2079/1"]),
    ("§ 2079 odst.1 OZ", ["89/2012 § 2079/1"]),
    ("§2079 NOZ", ["89/2012 § 2079"]),
    ("§ 2079 o. z. stanoví", ["89/2012 § 2079"]),
    ("§ 35 nového občanského zákoníku", ["89/2012 § 35"]),
    ("§ 588 starého občanského zákoníku", ["40/1964 § 588"]),
    ("§ 52 ZP", ["262/2006 § 52"]),
    ("§ 52 Zákoníku práce", ["262/2006 § 52"]),
    ("paragrafu 35 odstavce 1 zákoníku práce", ["262/2006 § 35/1"]),
    ("Paragraf 35 odstavec 1 zákoníku práce", ["262/2006 § 35/1"]),
    ("par. 35 zák. práce", ["262/2006 § 35"]),
    ("§ 205 odst. 1 písm. b) tr. zákoníku", ["40/2009 § 205/1/b"]),
    ("§ 205 TZ a § 163 TŘ", ["40/2009 § 205", "141/1961 § 163"]),
    ("§ 163 odst. 1 tr. ř.", ["141/1961 § 163/1"]),
    ("§ 205 tr. zák., v platném znění", ["40/2009 § 205"]),
    ("v souladu s § 314g odst. 1 trestního řádu", ["141/1961 § 314g/1"]),
    ("§ 57 odst. 2 o. s. ř.", ["99/1963 § 57/2"]),
    ("§ 57 odst. 2 o.s.ř.", ["99/1963 § 57/2"]),
    ("§ 57 OSŘ", ["99/1963 § 57"]),
    ("§ 40 odst. 1 písm. c) s. ř.", ["500/2004 § 40/1/c"]),
    ("§ 65 s. ř. s.", ["150/2002 § 65"]),
    ("§ 65 soudního řádu správního", ["150/2002 § 65"]),
    ("§ 83 odst. 1 správního řádu", ["500/2004 § 83/1"]),
    ("§ 33 odst. 4 daňového řádu", ["280/2009 § 33/4"]),
    ("§ 6 zákona o DPH", ["235/2004 § 6"]),
    ("§ 6f zákona o dani z přidané hodnoty", ["235/2004 § 6f"]),
    ("§ 192 odst. 2 ZOK", ["90/2012 § 192/2"]),
    ("§ 192 odst. 2 zákona o obchodních korporacích", ["90/2012 § 192/2"]),
    ("§ 71 odst. 2 insolvenčního zákona", ["182/2006 § 71/2"]),
    ("§ 4 odst. 1 písm. b) zákona o daních z příjmů", ["586/1992 § 4/1/b"]),
    ("§ 30 písm. a) zákona o odpovědnosti za přestupky a řízení o nich", ["250/2016 § 30/-/a"]),
    ("§ 17 odst. 4 zákona o svobodném přístupu k informacím", ["106/1999 § 17/4"]),
    # an act before its section
    ("Zákoník práce v § 35 odst. 1 říká něco jiného.", ["262/2006 § 35/1"]),
    ("Občanský zákoník (§ 2079) to upravuje.", ["89/2012 § 2079"]),
    ("zákon č. 262/2006 Sb., zákoník práce, § 35", ["262/2006 § 35"]),
    ("OZ § 2079", ["89/2012 § 2079"]),
    ("Občanskému zákoníku, konkrétně § 2079 a § 2085, to neodporuje.", ["89/2012 § 2079", "89/2012 § 2085"]),
    # lists and ranges
    ("§ 10 až 12 správního řádu", ["500/2004 § 10-12"]),
    ("§ 10–12 správního řádu", ["500/2004 § 10-12"]),
    ("§ 10 až § 12 správního řádu", ["500/2004 § 10-12"]),
    ("§ 35 odst. 1 a 2 zákoníku práce", ["262/2006 § 35/1", "262/2006 § 35/2"]),
    ("§ 35 odst. 1 až 3 zákoníku práce", ["262/2006 § 35/1-3"]),
    ("§§ 5, 6 a 9 správního řádu", ["500/2004 § 5", "500/2004 § 6", "500/2004 § 9"]),
    ("§ 52 písm. a) až c) zákoníku práce", ["262/2006 § 52/-/a-c"]),
    ("§ 52 písm. a), b) nebo c) ZP", ["262/2006 § 52/-/a", "262/2006 § 52/-/b", "262/2006 § 52/-/c"]),
    ("§ 35 odst. 1 písm. a) a odst. 3 ZP", ["262/2006 § 35/1/a", "262/2006 § 35/3"]),
    ("§ 35 odst. 1 a § 36 zákoníku práce", ["262/2006 § 35/1", "262/2006 § 36"]),
    ("§ 1829 odst. 1 ve spojení s § 1820 odst. 1 občanského zákoníku", ["89/2012 § 1829/1", "89/2012 § 1820/1"]),
    ("§ 1829 odst. 1 a 1830 OZ", ["89/2012 § 1829/1", "89/2012 § 1830"]),
    ("§ 2079 a násl. občanského zákoníku", ["89/2012 § 2079"]),
    ("§ 605 odst. 2 věta druhá občanského zákoníku", ["89/2012 § 605/2"]),
    ("podle § 605 odst. 2, věty za středníkem OZ", ["89/2012 § 605/2"]),
    ("podle § 35 a 3 měsíce poté", ["? § 35"]),
    ("odst. 2 § 35 zákoníku práce", ["262/2006 § 35/2"]),
    ("§ 35/1 ZP", ["262/2006 § 35/1"]),
    # articles
    ("čl. 10 odst. 2 Listiny", ["2/1993 § čl. 10/2"]),
    ("článku 36 odst. 1 Listiny základních práv a svobod", ["2/1993 § čl. 36/1"]),
    ("čl. 95 Ústavy", ["1/1993 § čl. 95"]),
    ("čl. II zákona č. 120/2025 Sb.", ["120/2025 § čl. II"]),
    ("čl. 5 smlouvy o dílo", []),
    ("čl. 17 nařízení (EU) č. 650/2012", ["EU 650/2012 § čl. 17"]),
    ("čl. 6 odst. 1 písm. f) GDPR", ["EU 2016/679 § čl. 6/1/f"]),
    # acts carried over, unknown acts
    ("Lhůtu upravuje zákoník práce. Podle § 35 činí tři měsíce.", ["~262/2006 § 35"]),
    ("Podle § 35 je to jinak, jak plyne ze zákoníku práce.", ["~262/2006 § 35"]),
    ("Podle § 35 je to jinak.", ["? § 35"]),
    ("§ 52 zákoníku práce je přísný. Výjimku dává § 54.", ["262/2006 § 52", "~262/2006 § 54"]),
    ("§ 52 ZP a § 54 téhož zákona", ["262/2006 § 52", "~262/2006 § 54"]),
    ("Podle § 35 téhož zákona ano, jak plyne i z § 2079 OZ.", ["? § 35", "89/2012 § 2079"]),
    ("OZ mlčí. Podle § 35 ano, říká to zákoník práce.", ["~262/2006 § 35"]),
    ("§ 2079 OZ. Jinak § 52 ZP. Dále § 54.", ["89/2012 § 2079", "262/2006 § 52", "~262/2006 § 54"]),
    ("Podle zákoníku práce ano; § 242 BGB je německý.", ["? § 242"]),
    ("Zákoník práce mlčí, § 5 zákona o včelách nikoli.", ["? § 5"]),
    ("Novela č. 120/2025 Sb. změnila lhůtu. Podle § 35 zákoníku práce je delší.", ["120/2025", "262/2006 § 35"]),
    ("Zákoník práce ve znění zákona č. 120/2025 Sb. platí. Viz § 35.", ["120/2025", "~262/2006 § 35"]),
    ("Platí novela zákoníku práce (zákon č. 120/2025 Sb.). Viz § 35.", ["120/2025", "~262/2006 § 35"]),
    ("Podle OZ ano. Novela č. 374/2022 Sb. vložila § 1829a.", ["374/2022", "~89/2012 § 1829a"]),
    ("Podle ZP ano. Novelou byl doplněn (č. 281/2023 Sb.) i § 77.", ["281/2023", "~262/2006 § 77"]),
    ("Zákon č. 106/1999 Sb. dává právo žádat.", ["106/1999"]),
    ("Listina mlčí. Podle § 35 zákoníku práce ano, podle čl. 26 také.", ["262/2006 § 35", "~2/1993 § čl. 26"]),
    # decisions
    ("sp. zn. 25 Cdo 1234/2020", ["= 25 Cdo 1234/2020"]),
    ("rozsudek NS 25Cdo 1234/2020", ["= 25 Cdo 1234/2020"]),
    ("(sp.zn. 31 Cdo 2273/2022)", ["= 31 Cdo 2273/2022"]),
    ("č. j. 1 As 12/2010-45", ["= 1 As 12/2010"]),
    ("čj. 4 Afs 264/2018 – 85", ["= 4 Afs 264/2018"]),
    ("pod č.j. 1 As 12/2010 - 45, publikováno pod č. 123/2012 Sb. NSS", ["= 1 As 12/2010"]),
    ("ECLI:CZ:NS:2020:25.CDO.1234.2020.1", ["= 25 Cdo 1234/2020"]),
    ("ECLI:CZ:NSS:2010:1.AS.12.2010.45.", ["= 1 As 12/2010"]),
    ("ECLI:CZ:US:2020:3.US.123.20.1", ["= III. ÚS 123/20"]),
    ("nález Ústavního soudu ze dne 1. 6. 2020, sp. zn. III. ÚS 123/20", ["= III. ÚS 123/20"]),
    ("nález Pl. ÚS 1/23 a Pl.ÚS 2/2020", ["= Pl. ÚS 1/23", "= Pl. ÚS 2/20"]),
    ("29 NSČR 12/2015 a 29 ICdo 1/2019", ["= 29 NSČR 12/2015", "= 29 ICdo 1/2019"]),
    ("žaloba vedená pod sp. zn. 12 C 34/2024", ["= 12 C 34/2024"]),
    ("Rozsudek Soudního dvora C-34/13", ["= C-34/13"]),
    # nothing
    ("Zaplaťte 15 000 Kč do 1. 6. 2025, bod 3 dopisu, 12/2024.", []),
    ("Dům č. p. 25/12 stojí na parcele 1234/2.", []),
    ("Nikdo nepotřebuje paragrafy, a.s. ani s. r. o.", []),
    # Unicode and emphasis
    ("§\u00a035 odst.\u00a01 zákoníku\u00a0práce", ["262/2006 § 35/1"]),
    ("§\u2009 35\u202fodst. 1 písm.\u00a0a) zákona č.\u00a0262/2006\u00a0Sb.", ["262/2006 § 35/1/a"]),
    ("**§ 35** odst. 1 *zákoníku práce*", ["262/2006 § 35/1"]),
    ("§ 35\nodst. 1\n   zákoníku práce", ["262/2006 § 35/1"]),
    ("§ 10\u201312 správního řádu", ["500/2004 § 10-12"]),
]  # fmt: skip


def short(c: Citation) -> str:
    if c.kind == "decision":
        return f"= {c.docket}"
    if c.section is None:
        return str(c.act)
    pin = f"/{c.paragraph or '-'}" if c.paragraph or c.letter else ""
    return f"{'~' if c.act_inferred else ''}{c.act or '?'} § {c.section}{pin}" + (f"/{c.letter}" if c.letter else "")


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_table(text: str, expected: list[str]) -> None:
    assert [short(c) for c in parse(text)] == expected


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_table_decomposed(text: str, expected: list[str]) -> None:
    """Decomposed letters change nothing, and places still point into the text that was given."""
    decomposed = unicodedata.normalize("NFD", text)
    found = parse(decomposed)
    assert [short(c) for c in found] == expected
    assert [unicodedata.normalize("NFC", decomposed[c.start : c.end]) for c in found] == [
        text[c.start : c.end] for c in parse(text)
    ]


def test_table_is_large_enough() -> None:
    assert len({text for text, _ in TABLE}) >= 80


def test_places() -> None:
    text = "Podle § 35 odst. 1 a § 36 písm. b) zákoníku práce a nálezu Pl. ÚS 1/23."
    assert [text[c.start : c.end] for c in parse(text)] == ["§ 35 odst. 1", "§ 36 písm. b)", "Pl. ÚS 1/23"]


COMPARED = [  # required, the answer, how it stands
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "podle § 35 odst. 1 zákoníku práce", "right"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "podle § 35 odst. 1 písm. a) ZP", "right"),
    ("§ 35 odst. 2 zákona č. 262/2006 Sb.", "podle § 35 odst. 1 až 3 ZP", "right"),
    ("§ 35 odst. 2 zákona č. 262/2006 Sb.", "podle § 35 odst. 1 a 2 ZP", "right"),
    ("§ 11 zákona č. 500/2004 Sb.", "§ 10 až 12 správního řádu", "right"),
    ("§ 13 zákona č. 500/2004 Sb.", "§ 10 až 12 správního řádu", "absent"),
    ("§ 52 písm. b) zákona č. 262/2006 Sb.", "§ 52 písm. a) až c) ZP", "right"),
    ("§ 52 písm. d) zákona č. 262/2006 Sb.", "§ 52 písm. a) až c) ZP", "incomplete"),
    ("§ 35 zákona č. 262/2006 Sb.", "§ 35 odst. 4 ZP", "right"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "§ 35 ZP", "incomplete"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "§ 35 odst. 3 ZP", "incomplete"),
    ("§ 35 odst. 1 písm. a) zákona č. 262/2006 Sb.", "§ 35 odst. 1 ZP", "incomplete"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "podle § 35 odst. 1", "incomplete"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "Zákoník práce to ví. Viz § 35 odst. 1.", "right"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "§ 5 OZ mlčí. Viz § 35 odst. 1.", "incomplete"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "§ 35 odst. 1 OZ", "absent"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "§ 36 ZP", "absent"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "Zákon č. 262/2006 Sb. to ví.", "absent"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "", "absent"),
    ("§ 35 odst. 1 zákona č. 262/2006 Sb.", "§ 35 ZP a zejména § 35 odst. 1 ZP", "right"),
    ("sp. zn. 31 Cdo 2273/2022", "ECLI:CZ:NS:2023:31.CDO.2273.2022.1", "right"),
    ("sp. zn. 4 Afs 264/2018", "čj. 4 Afs 264/2018-85", "right"),
    ("sp. zn. 4 Afs 264/2018", "čj. 4 Afs 265/2018-85", "absent"),
    ("čl. 36 odst. 1 Listiny", "čl. 36 odst. 1 Listiny základních práv a svobod", "right"),
    ("čl. 36 odst. 1 Listiny", "§ 36 odst. 1 ZP", "absent"),
]


@pytest.mark.parametrize(("required", "answer", "standing"), COMPARED)
def test_compare(required: str, answer: str, standing: str) -> None:
    assert compare(parse(required)[0], parse(answer)) == standing


LEAKS = [
    ("Do kdy musím podat žalobu? Výpověď mi přišla 30. 12. 2024 a dlužím 15 000 Kč.", []),
    ("Mám se bránit podle § 52?", ["§ 52"]),
    ("Zákon č. 262/2006 Sb. prý říká něco jiného.", ["Zákon č. 262/2006 Sb."]),
    ("Jde o paragraf 35 a věc sp. zn. 12 C 34/2024.", ["paragraf 35", "sp. zn. 12 C 34/2024"]),
    ("Který § platí?", ["§"]),
    ("Prý rozhoduje odst. 2 a písm. a) smlouvy.", ["odst. 2", "písm. a)"]),
    ("Nález Pl. ÚS 1/23 znám.", ["Pl. ÚS 1/23"]),
    ("V odstavci o pokutě a v bodě 3 smlouvy (č. 12/2024) je 5 %.", []),
]


@pytest.mark.parametrize(("question", "expected"), LEAKS)
def test_leaks(question: str, expected: list[str]) -> None:
    assert leaks(question) == expected


ACTS = {
    "89/2012": [
        "zákona č. 89/2012 Sb.",
        "občanského zákoníku",
        "OZ",
        "obč. zák.",
        "zákona č. 89/2012 Sb., občanský zákoník",
    ],
    "262/2006": ["zákona č. 262/2006 Sb.", "zákoníku práce", "ZP", "zák. č. 262/2006 Sb., zákoník práce"],
    "99/1963": ["z. č. 99/1963 Sb.", "občanského soudního řádu", "o. s. ř.", "OSŘ"],
    "40/2009": ["zákona č. 40/2009 Sb.", "trestního zákoníku", "TZ", "tr. zákoníku"],
    "90/2012": ["zákona č. 90/2012 Sb.", "zákona o obchodních korporacích", "ZOK"],
}


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Citation]:
    act = draw(st.sampled_from(sorted(ACTS)))
    section = str(draw(st.integers(1, 3081))) + draw(st.sampled_from(["", "", "", "a", "bb", "c"]))
    paragraph = draw(st.none() | st.integers(1, 19).map(str))
    letter = draw(st.none() | st.sampled_from("abcdefghijk"))
    space = draw(st.sampled_from([" ", "\u00a0", "\u202f", "\n", ""]))
    text = draw(st.sampled_from(["§", "§", "paragraf", "paragrafu"]))
    text += (space or " ") if text != "§" else space
    text += section
    if paragraph:
        text += (
            draw(st.sampled_from([" odst. ", " odst.", "\u00a0odst.\u00a0", " odstavec ", " odstavce "])) + paragraph
        )
    if letter:
        text += draw(st.sampled_from([" písm. ", " písm.", " písmeno "])) + letter + ")"
    text += draw(st.sampled_from([" ", "\u00a0", "\n"])) + draw(st.sampled_from(ACTS[act]))
    return text, Citation("norm", act, section, paragraph, letter)


@settings(deadline=None)
@given(
    written(),
    st.sampled_from(["", "Podle ", "Viz též (", "Lhůta běží, a to "]),
    st.sampled_from(["", ".", " platí, že", ")"]),
)
def test_what_is_written_is_read(pair: tuple[str, Citation], before: str, after: str) -> None:
    text, wanted = pair
    found = parse(before + text + after)
    assert [short(c) for c in found] == [short(wanted)]
    assert compare(wanted, found) == "right"


_BITS = [
    "§",
    " ",
    "35",
    "odst.",
    "1",
    "písm.",
    "a)",
    "zákona",
    "č.",
    "262/2006",
    "Sb.",
    "OZ",
    ",",
    "až",
    "-",
    "čl.",
    "II",
    "sp. zn.",
]
_BITS += ["Cdo", "\n", "ECLI:CZ:NS:", "\u0301", "ÚS", "I", "§§", "/"]


@settings(deadline=None, max_examples=150)
@given(st.text() | st.lists(st.sampled_from(_BITS), max_size=60).map("".join))
def test_never_raises(text: str) -> None:
    found = parse(text)
    leaks(text)
    assert all(0 <= c.start < c.end <= len(text) for c in found)
    assert compare(parse("§ 35 OZ")[0], found) in ("right", "incomplete", "absent")


@pytest.mark.parametrize(
    "bit", ["§ ", "§ 35 odst. 1 a 2 zákoníku práce, ", "§ 1, ", "odst. 1 ", "zákon ", " ", "sp. zn. ", "a\u0301"]
)
def test_long_texts_end(bit: str) -> None:
    """Work grows with the length, not with its square: ten times the text is far from a hundred times the steps."""

    def seconds(size: int) -> float:
        text = bit * (size // len(bit))
        start = time.process_time()
        parse(text)
        return time.process_time() - start

    seconds(1000)
    assert seconds(200_000) < 40 * (seconds(20_000) + 0.02)


def test_a_megabyte_ends() -> None:
    text = "Podle § 35 odst. 1 zákoníku práce běží lhůta. Jinak rozhodl soud (sp. zn. 25 Cdo 1/2020). " * 11_000
    assert len(parse(text)) == 22_000


def cases() -> list[Path]:
    root = Path(__file__).parents[2] / "datasets"
    return sorted(root.glob("l*/cz/cases/*.yaml"))


@pytest.mark.parametrize("path", cases(), ids=lambda p: p.stem)
def test_references_of_cases(path: Path) -> None:
    """Each case's reference answer cites its references, `cite` and `short` are one citation, and its question leaks none."""
    case: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    answer = parse(case["reference"])
    assert leaks(case["question"]) == []
    for reference in case["references"]:
        cite, short_form = parse(reference["cite"]), parse(reference["short"])
        assert compare(cite[0], short_form) == "right"
        assert compare(cite[0], answer) == "right"
