"""The page in a reply: bare, fenced, with words around it, several files, none, empty, too large (A-11)."""

import pytest

from schemas.artifacts_html import Artifact, Problem, artifact_of

PAGE = "<!DOCTYPE html>\n<html><head><title>Had</title></head><body><canvas></canvas></body></html>"


def page_of(reply: str) -> str:
    found = artifact_of(reply)
    assert isinstance(found, Artifact), found
    return found.html


def problem_of(reply: str) -> str:
    found = artifact_of(reply)
    assert isinstance(found, Problem), found
    assert found.sentence.endswith(".")
    assert "\n" not in found.sentence
    return found.sentence


@pytest.mark.parametrize(
    "reply",
    [
        PAGE,
        f"\ufeff\n{PAGE}\n",
        f"```html\n{PAGE}\n```",
        f"Jistě, tady je hra:\n\n```html\n{PAGE}\n```\n\nOtevřete ji v prohlížeči.",
        f"```\n{PAGE}\n```",
        f"~~~html\n{PAGE}\n~~~",
        f"````html\n{PAGE}\n````",
        f"```HTML title=index.html\r\n{PAGE}\n```",
        f"  ```html\n{PAGE}\n  ```",
        f"Tady je:\n{PAGE}\nHotovo.",
        f"Nejdřív skica:\n```text\n+---+\n```\na teď stránka:\n```html\n{PAGE}\n```",
        f"```html\n{PAGE}\n```\nSpuštění:\n```bash\npython -m http.server\n```",
        f"```html\n{PAGE}\n```\nZnovu totéž:\n```html\n{PAGE}\n```",
    ],
)
def test_one_page(reply: str) -> None:
    assert page_of(reply).strip("\ufeff\r\n ") == PAGE


def test_the_page_is_not_changed() -> None:
    odd = PAGE.replace("<canvas>", "<canvas><!-- ``` --><script>const t = `a\n  ```b\n`</script>")
    assert page_of(odd) == odd
    assert page_of(f"```html\n{odd}\n```").rstrip("\n") == odd


def test_a_page_without_html_tags() -> None:
    assert page_of("<canvas id=c></canvas><script>c.width = 5</script>").startswith("<canvas")
    assert page_of("Tady:\n```html\n<button>Start</button>\n```") == "<button>Start</button>\n"


def test_a_fence_that_is_cut_off_says_so() -> None:
    found = artifact_of(f"```html\n{PAGE[:60]}")
    assert isinstance(found, Artifact)
    assert found.html == PAGE[:60]
    assert found.notes == ("The fence around the page is not closed: the reply may be cut off.",)
    whole = artifact_of(f"```html\n{PAGE}\n```")
    assert isinstance(whole, Artifact)
    assert whole.notes == ()


@pytest.mark.parametrize("reply", ["", " \n\t ", "\ufeff\n"])
def test_an_empty_reply(reply: str) -> None:
    assert problem_of(reply) == "The reply is empty; one HTML page was expected."


@pytest.mark.parametrize(
    "reply", ["Bohužel nemohu.", '{"html": 5}', "x < 5 a y > 3", "```python\nprint('<b>')\n```", "<3 děkuji"]
)
def test_no_page(reply: str) -> None:
    assert problem_of(reply).startswith("The reply holds no HTML page; it begins ")


def test_two_pages() -> None:
    other = PAGE.replace("Had", "O hře")
    said = problem_of(f"index.html\n```html\n{PAGE}\n```\nabout.html\n```html\n{other}\n```")
    assert said == "The reply holds 2 HTML documents; one page in one file was expected."
    assert "2 HTML documents" in problem_of(f"{PAGE}\n{other}")


def test_a_page_that_needs_another_block() -> None:
    page = PAGE.replace("<canvas>", '<script src="game.js"></script><canvas>')
    said = problem_of(f"```html\n{page}\n```\n```javascript\nlet a\n```")
    assert said == "The page needs 'game.js' from another block of the reply; one page in one file was expected."
    assert page_of(f"```html\n{page}\n```\n```css\na {{}}\n```").strip() == page  # nothing that it needs stands there


def test_fifty_megabytes() -> None:
    assert problem_of(PAGE + "x" * 50 * 2**20) == "The reply has 50.0 MB; a page may have 10 MB at most."


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (" ", "Odpověď je prázdná; čekala se jedna stránka v HTML."),
        ("Stránku bohužel\nvytvořit nemohu.", "V odpovědi není žádná stránka v HTML; začíná slovy „Stránku bohužel vytvořit nemohu.“."),
        (f"{PAGE}\n{PAGE}", "Dokumentů HTML je v odpovědi 2; čekala se jedna stránka v jednom souboru."),
        (PAGE + " " * 3 * 2**20, "Odpověď má 3 MB; stránka smí mít nejvýše 2,5 MB."),
        (
            "```html\n<!doctype html><script src=hra.js></script>\n```\n```js\nx()\n```",
            "Stránka potřebuje „hra.js“ z jiného bloku odpovědi; čekala se jedna stránka v jednom souboru.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_in_czech(reply: str, told: str) -> None:
    found = artifact_of(reply, 2.5)
    assert isinstance(found, Problem), found
    assert found.in_language("cs") == told
    assert found.in_language("en") == found.sentence != told
