"""`ocr-rules`: images go through Tesseract, then the same rules; a text layer is used where there is one."""

from schemas.exchange import Attachment, Request
from schemas.fields import document_language
from schemas.system import System
from tasks import recognise
from tasks.clients.rules import RulesClient


class OcrRulesClient(RulesClient):
    """The rules with eyes."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.version = f"{self.version},{recognise.recogniser_version()}"

    def text_of(self, document: Attachment, request: Request) -> str:
        """The text layer, or what Tesseract reads in the image."""
        if document.kind == "text":
            return document.data.decode()
        return recognise.recognise(document.data, document_language(request.language))


def make(system: System) -> OcrRulesClient:
    """A client for a system."""
    return OcrRulesClient(system)


def missing(system: System) -> str | None:
    """Tesseract with Czech and English data, or how to get it."""
    return recognise.missing()
