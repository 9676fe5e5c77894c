"""Statements found by words (L-5); the oracle is a table of sentences written by hand."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.signals import find, overlap, present

FOUND = [  # wording, a text that makes the statement
    # inflection
    ("zkušební doba", "Délka zkušební doby je omezena."),
    ("zkušební doba", "O ZKUŠEBNÍ DOBĚ platí totéž."),
    ("tři měsíc", "Nejvýše tři měsíce."),
    ("sjednat před", "Doba sjednaná před novelou trvá dál."),
    ("sjednat před", "Byla sjednána před novelou."),
    ("sjednat před", "Sjednali jste ji před novelou."),
    ("nárok promlčet", "Nárok se promlčí."),
    ("nárok promlčet", "Váš nárok je už dávno promlčený."),
    ("nárok promlčet", "nároky se promlčely"),
    ("soud snížit", "Soud může pokutu snížit."),
    ("soud snížit", "Soud ji sníží."),
    ("podat žaloba", "Podejte žalobu včas."),
    ("doručit zaměstnanec", "Výpověď doručená zaměstnanci."),
    ("platný výpověď", "Platnou výpovědí."),
    ("odstoupit od smlouva", "Od té doby můžete odstoupit od kupní smlouvy."),
    ("prokurista výslovně oprávněný", "Prokurista k tomu není, ledaže je prokurista výslovně oprávněn."),
    ("manžel", "mezi manžely"),
    ("vlastník pozemek", "vlastníkům pozemků"),
    # gaps
    ("lhůta dva měsíc", "Lhůta činí jen dva měsíce."),
    ("soud pokuta snížit", "Soud totiž může takovou pokutu na návrh snížit."),
    ("lhůta měsíc", "Lhůta běží od doručení. Dnes ještě ne. Lhůta je měsíc."),
    # numbers
    ("3 měsíc", "tři měsíce"),
    ("tři měsíc", "do 3 měsíců"),
    ("tři měsíc", "ve třech měsících"),
    ("tři měsíc", "tříměsíční lhůta"),
    ("3 měsíc", "tříměsíční"),
    ("15 den", "patnáctidenní lhůta"),
    ("15 den", "15denní lhůta"),
    ("patnáct den", "do 15 dnů"),
    ("dva rok", "dvouletá lhůta"),
    ("28 den", "dvacet osm dní"),
    ("tříměsíční", "lhůta činí 3 měsíce"),
    ("třicátý den", "30. den lhůty"),
    ("čtyřiapůlnásobek", "do výše čtyřiapůlnásobku výdělku"),
    # money and percentages
    ("15 000 Kč", "zaplatíte 15\u00a0000\u00a0Kč"),
    ("15 000 Kč", "15.000 korun"),
    ("15 000 Kč", "15000,- splatných dnes"),
    ("15 000 Kč", "patnáct tisíc korun"),
    ("15 000 Kč", "15 tis. Kč"),
    ("300 000", "pokuta 300 000 Kč"),
    ("2,5 %", "úrok 2,5\u00a0%"),
    ("50 procento", "nejvýše 50 % ceny"),
    ("50 %", "padesát procent"),
    # dates
    ("1. 6. 2025", "před 1. červnem a hlavně před 1. 6. 2025"),
    ("1. 6. 2025", "od 1. června 2025"),
    ("1. 6. 2025", "od 01.06.2025"),
    ("1. června 2025", "2025-06-01"),
    ("28. února 2025", "nejpozději v pátek 28. 2. 2025"),
    ("28. 2. 2025", "nejpozději 28. února"),
    ("28. února", "nejpozději 28. 2. 2025"),
    ("před 1. 6. 2025", "sjednaná před 1.\u00a06.\u00a02025"),
    ("leden 2028", "uplyne v lednu 2028"),
    # negation that is no denial
    ("tři měsíc", "Zkušební doba není delší než tři měsíce."),
    ("tři měsíc", "Zkušební doba nesmí přesáhnout tři měsíce."),
    ("tři měsíc", "Zkušební doba nepřesáhne tři měsíce."),
    ("15 den", "Pokud nezaplatíte do 15 dnů, prohrajete."),
    ("15 den", "Nezaplatí-li do 15 dnů, prohraje."),
    ("doba tři měsíc", "Doba není delší než tři měsíce."),
    ("dva měsíc", "Když nepodá návrh do dvou měsíců, prohraje."),
    ("15 den", "Pokud neplatí do 15 dnů, prohraje."),
    ("tři měsíc", "Nejde to, tři měsíce jsou pevná mez."),
    ("tři měsíc", "Nečiní šest měsíců, ale tři měsíce."),
    ("tři měsíc", "Není pravda, že činí šest měsíců, ale jen tři měsíce."),
    ("tři měsíc", "Není pravda, že činí šest měsíců. Činí tři měsíce."),
    ("tři měsíc", "Nejen tři měsíce."),
    ("tři měsíc", "Nesmí být sjednána na dobu delší než tři měsíce."),
    ("tři měsíc", "Jen tři měsíce, nikoli šest."),
    # negative wordings
    ("podpis nestačit", "Podpis prokuristy nestačí."),
    ("není promlčený", "Dluh promlčený není. Opravdu není promlčený."),
    ("podpis nestačit", "Žádný podpis tu nestačí."),
    ("nelze prodloužit", "Tuto dobu nelze nijak prodloužit."),
    ("nesmět prodloužit", "Nesmí se prodloužit."),
    ("neplatný", "Výpověď je neplatná."),
    ("neplatný výpověď", "neplatné výpovědi"),
    ("nezačít běžet", "Lhůta nezačala běžet."),
]  # fmt: skip

NOT_FOUND = [
    ("zkušební doba", "Zkouška dob."),
    ("zkušební doba", "Doba je zkušební."),  # order
    ("tři měsíc", "tři roky a měsíc navíc"[:8]),
    ("tři měsíc", "čtyři měsíce"),
    ("tři měsíc", "třináct měsíců"),
    ("tři měsíc", "23 měsíců"),
    ("tři měsíc", "třetí měsíc"),
    ("lhůta měsíc", "Lhůta běží. Měsíc je krátký."),  # two sentences
    ("soud snížit", "Soud ji na návrh žalované strany může snížit."),  # too far
    ("platný výpověď", "neplatná výpověď"),
    ("neplatný výpověď", "platná výpověď"),
    ("podpis stačit", "Podpis nestačí."),
    ("podpis nestačit", "Podpis stačí."),
    ("může snížit", "Nemůže snížit."),
    ("není promlčený", "Dluh je promlčený."),
    ("je promlčený", "Dluh není promlčený."),
    ("má právo", "Nemá právo odejít."),
    ("nemá právo", "Má právo odejít."),
    ("běžet", "Lhůta neběží."),
    ("15 000 Kč", "150 000 Kč"),
    ("15 000 Kč", "15 Kč"),
    ("15 000 Kč", "15 000 eur"),
    ("1. 6. 2025", "1. 6. 2024"),
    ("1. 6. 2025", "1. 7. 2025"),
    ("1. 6. 2025", "11. 6. 2025"),
    ("28. února", "27. února"),
    ("50 %", "5 %"),
    ("dluh", "dlouho"),
    ("cena", "čeňa"),  # diacritics
    # denied
    ("tři měsíc", "Zkušební doba nečiní tři měsíce."),
    ("tři měsíc", "Platí šest měsíců, nikoli tři měsíce."),
    ("tři měsíc", "Platí šest měsíců, ne tři měsíce."),
    ("tři měsíc", "Není pravda, že zkušební doba sjednaná loni činí tři měsíce."),
    ("tři měsíc", "Neplatí tedy, že by doba činila tři měsíce."),
    ("tři měsíc", "To neznamená, že lhůta je tři měsíce."),
    ("tři měsíc", "Nejsou to tři měsíce."),
    ("doba tři měsíc", "Zkušební doba nečiní tři měsíce."),
    ("odstoupit", "Nemůžete od smlouvy odstoupit."),
    ("odstoupit od smlouva", "Není možné odstoupit od smlouvy."),
    ("právo odstoupit", "Nemáte právo odstoupit."),
    ("podepsat prokurista", "Nesmí podepsat prokurista."),
    ("soud snížit", "Mylně se uvádí, že soud může snížit pokutu."),
    ("podpis nestačit", "Není pravda, že podpis nestačí."),
    ("", "Cokoli."),
    ("tři měsíc", ""),
]  # fmt: skip


@pytest.mark.parametrize(("wording", "text"), FOUND)
def test_found(wording: str, text: str) -> None:
    assert find(wording, text) is not None


@pytest.mark.parametrize(("wording", "text"), NOT_FOUND)
def test_not_found(wording: str, text: str) -> None:
    assert find(wording, text) is None


SIGNAL = SimpleNamespace(
    all=[["zkušební doba"], ["tři měsíc"], ["před 1. 6. 2025", "dosavadní úprava", "sjednat před"]],
    none=[["šest měsíc"]],
)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "Zkušební doba sjednaná před novelou činí nejvýše tři měsíce.",
            "Zkušební doba sjednaná před novelou činí nejvýše tři měsíce",
        ),
        ("Podle dosavadní úpravy je zkušební doba tříměsíční.", "dosavadní úpravy je zkušební doba tříměsíční"),
        ("Zkušební doba je tříměsíční.", None),  # the third group is missing
        ("Zkušební doba sjednaná před novelou činí tři měsíce, u vedoucích šest měsíců.", None),
        (
            "Zkušební doba sjednaná před novelou činí tři měsíce, nikoli šest měsíců.",
            "Zkušební doba sjednaná před novelou činí tři měsíce",
        ),
        ("", None),
    ],
)
def test_groups(text: str, quote: str | None) -> None:
    match = present(SIGNAL, text)
    assert (match.quote if match else None) == quote


def test_a_signal_of_nothing_is_never_present() -> None:
    assert present(SimpleNamespace(all=[], none=[]), "Cokoli.") is None


def test_a_long_quote_is_the_first_wording() -> None:
    match = present(
        SIGNAL, "Zkušební doba. " + "Vysvětlení je dlouhé. " * 30 + "Činí tři měsíce podle dosavadní úpravy."
    )
    assert match is not None
    assert match.quote == "Zkušební doba"
    assert len(match.spans) == 3


FOIL = "Nájem skončí 31. března a žalobu stačí podat do konce výpovědní doby. Námitku uplatníte v obecné tříleté lhůtě."
REFERENCE = (
    "Návrh na přezkum podejte do dvou měsíců od doručení, tedy v pátek 28. února. Konec výpovědní doby nerozhoduje."
)


@pytest.mark.parametrize(
    ("answer", "low", "high"),
    [
        (FOIL, 1.0, 1.0),
        (REFERENCE, 0.0, 0.0),
        ("", 0.0, 0.0),
        ("Uvařte si kávu a přijďte zítra.", 0.0, 0.1),
        ("Žalobu stačí podat do konce výpovědní doby, nájem skončí 31. března.", 0.6, 1.0),
        ("Přezkum musíte navrhnout do dvou měsíců od doručení, do pátku 28. února.", 0.0, 0.1),
        (FOIL + " " + REFERENCE, 0.0, 0.1),
    ],
)
def test_overlap(answer: str, low: float, high: float) -> None:
    assert low <= overlap(answer, FOIL, REFERENCE) <= high


@settings(deadline=None)
@given(st.text(), st.text(max_size=30))
def test_never_raises(text: str, wording: str) -> None:
    find(wording, text)
    assert 0 <= overlap(text, FOIL, REFERENCE) <= 1


_WORDS = st.sampled_from(
    ["zkušební", "doba", "činit", "tři", "měsíc", "výpověď", "lhůta", "soud", "pokuta", "nájem", "byt", "smlouva"]
)


@settings(deadline=None)
@given(st.lists(_WORDS, min_size=2, max_size=5), st.lists(_WORDS, max_size=10))
def test_words_in_order_are_found(wording: list[str], before: list[str]) -> None:
    assert find(" ".join(wording), " ".join([*before, ".", "Tedy", *wording]) + ".")


def test_the_lemmatizer_is_imported_late() -> None:
    code = "import sys, grading.signals, grading.citations, grading.quotes, grading.masking; sys.exit('simplemma' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
