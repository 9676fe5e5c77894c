"""The door to Tesseract, with a real Tesseract on pages drawn here: the drawn words are the oracle."""

import io
from functools import cache
from pathlib import Path

import pytesseract
import pytest
from PIL import Image, ImageDraw, ImageFont

from tasks import recognise as door
from tasks.readers.invoices import read_invoice
from tasks.recognise import RecognitionError, missing, recognise, recogniser_version

FONT = Path(__file__).parents[2] / "datasets" / "fonts" / "Inter-Regular.ttf"
DPI = 150
LINES = (
    "Faktura č. 2024031",
    "Dodavatel: Truhlářství Březina s.r.o.",
    "Příční 12, 568 02 Svitavy",
    "IČO: 54330122",
    "Variabilní symbol: 7024031",
    "Datum vystavení: 12. 3. 2024",
    "Číslo účtu: 51-8131280061/0800",
    "Dřevěný žebřík a světlé ořechové dýhy",
    "Celkem k úhradě: 30 810,00 Kč",
)


@cache
def drawn(lines: tuple[str, ...] = LINES) -> Image.Image:
    """A page of 8.3 × 6 inches."""
    page = Image.new("L", (1245, 900), 255)
    font = ImageFont.truetype(str(FONT), 24)
    for number, line in enumerate(lines):
        ImageDraw.Draw(page).text((120, 100 + 70 * number), line, fill=0, font=font)
    return page


def png(page: Image.Image, dpi: int | None = DPI) -> bytes:
    buffer = io.BytesIO()
    page.save(buffer, "PNG", **({"dpi": (dpi, dpi)} if dpi else {}))
    return buffer.getvalue()


def words_right(text: str) -> float:
    words = " ".join(LINES).split()
    return sum(word in text.split() for word in words) / len(words)


def test_a_czech_page_is_read_with_its_diacritics_and_its_invoice_is_understood() -> None:
    text = recognise(png(drawn()), "cs")
    assert words_right(text) >= 0.95
    answer = read_invoice(text, "cs")
    assert (answer["supplier"], answer["company_id"]) == ("Truhlářství Březina s.r.o.", "54330122")
    assert (answer["total"], answer["account"]) == ("30810.00", "51-8131280061/0800")


def test_an_american_page_is_read() -> None:
    lines = ("Invoice # INV-1042", "Maple Ridge Cabinetry, LLC", "Invoice date: March 12, 2024", "Total due $2,741.25")
    text = recognise(png(drawn(lines)), "en")
    assert [line for line in text.splitlines() if line.strip()] == list(lines)


@pytest.mark.parametrize("tilt", [-4.5, 2.5])
def test_a_tilted_page_is_straightened_first(tilt: float) -> None:
    tilted = drawn().rotate(tilt, resample=Image.Resampling.BICUBIC, fillcolor=255)
    assert words_right(recognise(png(tilted), "cs")) >= 0.9


def test_a_shadow_across_the_page_is_taken_away() -> None:
    shadow = Image.linear_gradient("L").rotate(90).resize(drawn().size).point(lambda light: 90 + light * 165 // 255)
    shaded = Image.merge("RGB", [Image.composite(shadow, drawn(), drawn())] * 3)
    assert words_right(recognise(png(shaded), "cs")) >= 0.9


def test_a_page_without_dpi_is_read_too() -> None:
    assert words_right(recognise(png(drawn(), None), "cs")) >= 0.95


def test_an_empty_page_is_no_text() -> None:
    assert recognise(png(drawn(())), "en").strip() == ""


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", png(drawn())[:300]])
def test_bytes_that_are_no_image_are_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(RecognitionError, match=r"^The page cannot be read as an image .*expected PNG bytes\.$"):
        recognise(data, "cs")


def test_too_slow_a_page_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "_SECONDS", 0.01)
    with pytest.raises(RecognitionError, match="did not read a page of"):
        recognise(png(drawn()), "cs")


def test_the_version_names_tesseract_and_its_languages() -> None:
    assert missing() is None
    assert recogniser_version() == f"tesseract {pytesseract.get_tesseract_version()} ces+eng"


def test_a_missing_tesseract_is_said_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install tesseract-ocr" in (missing() or "")
    for ask in (recogniser_version, lambda: recognise(png(drawn()), "cs")):
        with pytest.raises(RecognitionError, match="make setup"):
            ask()


def test_missing_data_of_a_language_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\necho 'List of available languages (2):'\necho eng\necho osd\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (missing() or "").startswith("Tesseract has no data for ces: run")
