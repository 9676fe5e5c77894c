"""Fields of documents: a name, a kind of value, and the languages whose documents have it."""

from typing import Any, Literal

from schemas.exchange import DocumentLanguage, Frozen, Language

Kind = Literal[
    "text", "identifier", "account", "date", "amount", "rates", "currency", "choice", "phone", "address", "national_id"
]  # fmt: skip

OTHER_DATES = "other_dates"
"""Key of a truth that is no field: further dates that stand in the document, as `YYYY-MM-DD`; a date taken from among them is swapped (D-13)."""


class Field(Frozen):
    """One field that is read from a document.

    kind decides how values are normalised and compared (D-11); languages: where documents can have the field (D-6, D-15);
    choices: of a `choice` the allowed words by language, as pairs; is_list: whether the field is a list of such values (D-12).
    """

    name: str
    kind: Kind
    is_list: bool = False
    languages: tuple[str, ...] = ("cs", "en")
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def allowed(self, language: str) -> tuple[str, ...]:
        """The words that a choice may have in a language; empty for other kinds.

        >>> Field(name="mood", kind="choice", choices=(("en", ("good", "bad")),)).allowed("en")
        ('good', 'bad')
        """
        return dict(self.choices).get(language, ())


def document_language(language: Language) -> DocumentLanguage:
    """The language as one of documents; ValueError for a language that has none (D-1)."""
    if language not in ("cs", "en"):
        raise ValueError(f"documents are in 'cs' or 'en', not in {language!r}")
    return language


def of_language(fields: tuple[Field, ...], language: str) -> tuple[Field, ...]:
    """The fields that documents in a language can have, in order."""
    return tuple(f for f in fields if language in f.languages)


def answer_schema(fields: tuple[Field, ...], language: str) -> dict[str, Any]:
    """The JSON schema of an answer: every field of the language, each of them nullable.

    Values are strings in the forms that the prompt asks for; a field by rate is a map from rate to amount, a choice one of its words, a list
    field a list of strings.
    """
    wanted = of_language(fields, language)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {f.name: _value_schema(f, language) for f in wanted},
        "required": [f.name for f in wanted],
        "additionalProperties": False,
    }


def _value_schema(field: Field, language: str) -> dict[str, Any]:
    if field.kind == "rates":
        return {"type": ["object", "null"], "additionalProperties": {"type": "string"}}
    if field.is_list:
        return {"type": ["array", "null"], "items": {"type": "string"}}
    value: dict[str, Any] = {"type": ["string", "null"]}
    return {**value, "enum": [*field.allowed(language), None]} if field.kind == "choice" else value
