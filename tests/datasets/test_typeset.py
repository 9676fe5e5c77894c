"""Typesetting and pictures: determinism, coverage of fonts, metadata, one resolution (D-3, D-8)."""

import hashlib
import io
import json
from concurrent.futures import ThreadPoolExecutor, wait

import pypdfium2
import pytest
import typst
from fontTools.ttLib import TTFont
from PIL import Image

from datasets import raster
from datasets.draw import stream
from datasets.synth import vocabulary
from datasets.synth.invoicing import draw_invoice
from datasets.synth.structure import draw_structure
from datasets.synth.wording import to_page, words_of
from datasets.typeset import FONTS, TEMPLATES, TypesetError, typeset
from schemas.errors import UsageError
from schemas.invoices import VARIANTS

LAYOUTS = ("classic", "ledger", "banner", "sidebar", "letter", "printout", "slip", "summary")


def draw_page(number, language):
    structure = draw_structure(stream("type", number), VARIANTS[number % 5], LAYOUTS[number % 8])
    return to_page(draw_invoice(stream("type", number, language), structure, language))


@pytest.fixture(scope="module")
def pdf():
    return typeset(draw_page(0, "cs"))


def test_every_character_has_a_glyph_in_every_font():
    used = set()
    for number in range(100):
        for language in ("cs", "en"):
            written = json.dumps(draw_page(number, language), ensure_ascii=False)
            used |= set(written) | set(written.upper())
    for file in [*TEMPLATES.glob("*.typ"), *vocabulary.FOLDER.glob("*.yaml")]:
        used |= set(file.read_text(encoding="utf-8"))
    used -= {"\n"}
    fonts = sorted(FONTS.glob("*.ttf"))
    assert len(fonts) == 20
    for font in fonts:
        covered = TTFont(font).getBestCmap()
        lacking = {c for c in used if ord(c) not in covered}
        assert not lacking, (font.name, lacking)


def test_fonts_of_the_layouts_are_vendored_with_their_licence():
    families = {}
    for font in FONTS.glob("*.ttf"):
        names = TTFont(font)["name"]
        families.setdefault(names.getBestFamilyName(), set()).add(names.getBestSubFamilyName())
        assert (FONTS / f"{font.name.split('-')[0]}-OFL.txt").read_text().count("SIL Open Font License") >= 1
    for language in ("cs", "en"):
        for layout in LAYOUTS:
            for family in words_of(language, layout)["fonts"]:
                assert families[family] == {"Regular", "Bold"}


def test_the_compiler_has_nothing_to_warn_of():
    file = str(TEMPLATES / "invoice.typ")
    compiler = typst.Compiler(file, root=str(TEMPLATES), font_paths=[str(FONTS)], ignore_system_fonts=True)
    for number in range(40):
        data = json.dumps({**draw_page(number, "cs"), "keywords": []})
        _, warnings = compiler.compile_with_warnings(format="pdf", sys_inputs={"page": data})
        assert not warnings


def test_a_font_that_is_missing_is_told_by_name():
    """The compiler would leave its glyphs out with a warning at most."""
    with pytest.raises(
        UsageError, match=r"The font 'work sanz' is not in fonts/?.*did you mean 'Work Sans'\? Known: .*Lora"
    ):
        typeset({**draw_page(2, "cs"), "font": "Work Sanz"})


def test_a_page_that_cannot_be_set_is_told_in_one_line():
    page = draw_page(2, "cs")
    del page["total"]
    with pytest.raises(TypesetError, match=r"^The template 'invoice' cannot set the page: [^\n]*total[^\n]*\.$"):
        typeset(page)


def test_keywords_stand_in_the_metadata_and_not_on_the_page(pdf):
    marked = typeset(draw_page(0, "cs"), keywords=("ZKUSEBNA-CANARY-0123",))
    metadata = pypdfium2.PdfDocument(marked).get_metadata_dict()
    assert metadata["Keywords"] == "ZKUSEBNA-CANARY-0123"
    assert not metadata["CreationDate"]
    assert raster.text_layer(marked) == raster.text_layer(pdf)
    assert raster.image(marked) == raster.image(pdf)


def test_the_picture_states_its_resolution_and_holds_the_whole_page(pdf):
    picture = Image.open(io.BytesIO(raster.image(pdf)))
    assert picture.format == "PNG"
    assert picture.mode == "RGB"
    assert [round(dpi) for dpi in picture.info["dpi"]] == [150, 150]
    assert picture.size == (1241, 1754)  # A4: 210 × 297 mm at 150 dpi are 1240.2 × 1753.9 pixels, rounded up
    letter = Image.open(io.BytesIO(raster.image(typeset(draw_page(0, "en")))))
    assert abs(letter.width - 8.5 * 150) <= 1
    assert abs(letter.height - 11 * 150) <= 1


def test_margins_of_ten_millimetres_are_white():
    """Nothing is lost when a page is scanned askew."""
    edge = int(10 / 25.4 * 150)
    for number in range(16):
        for language in ("cs", "en"):
            picture = Image.fromarray(raster.pixels(typeset(draw_page(number, language)), 150)).convert("L")
            inked = picture.point(lambda value: 255 if value < 250 else 0).getbbox()
            assert inked[0] >= edge
            assert inked[1] >= edge
            assert inked[2] <= picture.width - edge
            assert inked[3] <= picture.height - edge


def test_threads_give_the_same_bytes():
    def make(number):
        pdf = typeset(draw_page(number, "cs"))
        parts = (pdf, raster.text_layer(pdf).encode(), raster.image(pdf))
        return [hashlib.sha256(part).hexdigest() for part in parts]

    alone = [make(number) for number in range(8)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(make, range(8))) == alone


@pytest.mark.parametrize("show", [raster.text_layer, raster.image, raster.page_count])
def test_pdfium_is_entered_by_one_thread_at_a_time(pdf, show):
    """PDFium forbids more; that it rarely breaks is no reason, so the lock itself is looked at."""
    with ThreadPoolExecutor(1) as pool:
        with raster._LOCK:
            future = pool.submit(show, pdf)
            assert not wait([future], timeout=0.3).done
        assert future.result() == show(pdf)
