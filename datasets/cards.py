"""What a set says of itself beyond what can be counted: one text a suite and language, `cards/<suite>.<language>.md`."""

from pathlib import Path

from schemas.exchange import DocumentLanguage

FOLDER = Path(__file__).parent / "cards"


def about(suite: str, language: DocumentLanguage) -> str:
    """The text of a suite in Markdown of headings, paragraphs and strong words; nothing where nobody wrote one."""
    file = FOLDER / f"{suite}.{language}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""
