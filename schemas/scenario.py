"""How a page is used where clicking shows nothing: a scenario of up to three interactions, as data (A-4)."""

from typing import Literal, Self

from pydantic import Field, model_validator

from schemas.exchange import Frozen

WordsLanguage = Literal["cs", "en"]
"""Languages that the steps are told in; a task in another language has them in English."""


class Words(Frozen):
    """The same words in both languages."""

    cs: str
    en: str

    def of(self, language: WordsLanguage) -> str:
        """The words in one language."""
        return self.cs if language == "cs" else self.en


class Step(Frozen):
    """One act. Elements are named by Playwright's selectors; the first selector that finds something visible counts.

    press: `keys`, one after another. type: `text` into an element, in the place of what stands there. click: an element. wait: `seconds`.
    look: whether `text` is seen on the page. With `unless` the step is left out where that text is seen already; an `optional` step that
    finds nothing is no defect.
    """

    kind: Literal["press", "type", "click", "wait", "look"]
    says: Words
    target: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    text: Words | None = None
    seconds: float = Field(default=0.35, ge=0, le=5, description="Wait after each key, or the whole wait")
    unless: Words | None = None
    optional: bool = False

    @model_validator(mode="after")
    def _complete(self) -> Self:
        need = {"press": ("keys",), "type": ("target", "text"), "click": ("target",), "wait": (), "look": ("text",)}
        for name in need[self.kind]:
            if not getattr(self, name):
                raise ValueError(f"a step {self.kind!r} needs {name!r}: {self.says.en!r}")
        return self


class Interaction(Frozen):
    """The steps between a freshly loaded page and one picture."""

    says: Words
    steps: tuple[Step, ...] = Field(min_length=1, max_length=20)


class Scenario(Frozen):
    """Up to three interactions, each on a freshly loaded page."""

    scenario_id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    version: str
    interactions: tuple[Interaction, ...] = Field(min_length=1, max_length=3)
