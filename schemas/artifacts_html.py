"""The page in a model's reply: one HTML document, taken out of its Markdown fence, or one clear sentence why there is none (A-11, G-11)."""

import re
from dataclasses import dataclass

from pydantic import Field

from schemas.exchange import Frozen

LARGEST_MB = 10.0
SHOWN = 60
"""Letters of a reply that a sentence quotes."""

_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_DOCUMENT = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(?:body|head|div|main|section|article|header|canvas|svg|form|table|ul|ol|p|h[1-6]|button|style|script)\b[^>]*>",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"""<(?:script|link)\b[^>]*?\b(?:src|href)\s*=\s*["']?(?!data:|https?:|//|#)([\w./-]+\.(?:js|mjs|css))""",
    re.IGNORECASE,
)


class Artifact(Frozen):
    """A page to open. `notes`: what was left out or looked odd, in sentences."""

    html: str = Field(repr=False)
    notes: tuple[str, ...] = ()


SENTENCES = {
    "en": {
        "empty": "The reply is empty; one HTML page was expected.",
        "too_large": "The reply has {size:.1f} MB; a page may have {most:g} MB at most.",
        "many": "The reply holds {n} HTML documents; one page in one file was expected.",
        "needs_more": "The page needs {told!r} from another block of the reply; one page in one file was expected.",
        "none": "The reply holds no HTML page; it begins {told!r}.",
    },
    "cs": {
        "empty": "Odpověď je prázdná; čekala se jedna stránka v HTML.",
        "too_large": "Odpověď má {size} MB; stránka smí mít nejvýše {most} MB.",
        "many": "Dokumentů HTML je v odpovědi {n}; čekala se jedna stránka v jednom souboru.",
        "needs_more": "Stránka potřebuje „{told}“ z jiného bloku odpovědi; čekala se jedna stránka v jednom souboru.",
        "none": "V odpovědi není žádná stránka v HTML; začíná slovy „{told}“.",
    },
}
"""Why a reply holds no page, by language and kind of problem."""


@dataclass(frozen=True)
class Problem:
    """Why a reply holds no page: a kind of `SENTENCES` and what its sentence names."""

    kind: str
    told: str = ""
    n: int = 0
    size: float = 0.0
    most: float = LARGEST_MB

    @property
    def sentence(self) -> str:
        """One sentence that could go back to whoever answered."""
        return SENTENCES["en"][self.kind].format(told=self.told, n=self.n, size=self.size, most=self.most)

    def in_language(self, language: str) -> str:
        """The same sentence in Czech (`cs`), with decimal commas, or in English."""
        if language != "cs":
            return self.sentence
        size, most = (f"{number:.1f}".replace(".", ",").removesuffix(",0") for number in (self.size, self.most))
        return SENTENCES["cs"][self.kind].format(told=self.told, n=self.n, size=size, most=most)


@dataclass(frozen=True)
class _Block:
    """A fenced block: the word behind the fence, its text, and whether the fence was closed."""

    word: str
    text: str
    closed: bool


def artifact_of(reply: str, largest_mb: float = LARGEST_MB) -> Artifact | Problem:
    """The one page of a reply.

    Inside fences where there are any, else the reply itself. Two documents, or a document that needs a script or style sheet of another
    block, are several files where one was asked for.

    >>> artifact_of("Tady je:\\n```html\\n<!doctype html><h1>Had</h1>\\n```\\nHotovo.").html
    '<!doctype html><h1>Had</h1>\\n'
    >>> artifact_of("Stránku bohužel vytvořit nemohu.").sentence
    "The reply holds no HTML page; it begins 'Stránku bohužel vytvořit nemohu.'."
    """
    if not reply.strip("\ufeff \t\r\n"):
        return Problem("empty")
    size = len(reply.encode("utf-8", "replace")) / 2**20
    if size > largest_mb:
        return Problem("too_large", size=size, most=largest_mb)
    blocks = _blocks(reply)
    pages = [block for block in blocks if _is_page(block)]
    if not pages:
        return _bare(reply)
    documents = [block for block in pages if _DOCUMENT.search(block.text)] or pages
    if len({block.text for block in documents}) > 1:
        return Problem("many", n=len(documents))
    page = documents[0]
    needed = _needed(page.text, [block for block in blocks if block is not page])
    if needed:
        return Problem("needs_more", told=needed[0])
    notes = () if page.closed else ("The fence around the page is not closed: the reply may be cut off.",)
    return Artifact(html=page.text, notes=notes)


def _blocks(reply: str) -> list[_Block]:
    """The fenced blocks of a reply; a fence inside the text of a page (a template literal) does not end it, since it stands indented or mid-line."""
    if re.match(r"\s*<(?:!doctype|html)", reply, re.IGNORECASE):
        return []
    found = []
    for match in _FENCE.finditer(reply):
        closed = match[0].rstrip().endswith(match[1]) and not match[3].rstrip().endswith(match[1])
        found.append(_Block(match[2].lower(), match[3], closed))
    return found


def _is_page(block: _Block) -> bool:
    """A document in whatever fence, or markup in a fence that says HTML or nothing."""
    if _DOCUMENT.search(block.text):
        return block.word in (
            "",
            "html",
            "htm",
            "xhtml",
            "xml",
            "svg",
            "text",
            "txt",
            "markup",
            "index.html",
            "vue",
            "php",
        )
    return block.word in ("", "html", "htm", "xhtml", "markup", "index.html") and bool(_MARKUP.search(block.text))


def _bare(reply: str) -> Artifact | Problem:
    """A page without a fence: from its doctype to its end, words around it left out."""
    starts = [match.start() for match in _DOCUMENT.finditer(reply)]
    ends = [match.end() for match in _END.finditer(reply)]
    if len(ends) > 1 and len([s for s in starts if reply[s : s + 2] == "<!"]) > 1:
        return Problem("many", n=len(ends))
    if starts:
        end = ends[-1] if ends else len(reply)
        left = (reply[: starts[0]] + reply[end:]).strip("\ufeff \t\r\n`")
        return Artifact(html=reply[starts[0] : end], notes=("Words around the page were left out.",) if left else ())
    if reply.lstrip("\ufeff \t\r\n").startswith("<") and _MARKUP.search(reply):
        return Artifact(html=reply, notes=("The page has neither doctype nor <html>.",))
    begins = " ".join(reply.split())[:SHOWN]
    return Problem("none", told=begins)


def _needed(html: str, others: list[_Block]) -> list[str]:
    """Files beside the page that it asks for and that the reply gives in a block of their own."""
    kinds = {"js": ("javascript", "js", "mjs"), "mjs": ("javascript", "js", "mjs"), "css": ("css",)}
    words = {block.word for block in others}
    return [name for name in _ASKED.findall(html) if words & {*kinds[name.rpartition(".")[2].lower()], name.lower()}]
