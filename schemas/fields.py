"""Fields of documents: a name, a kind of value, and the languages whose documents have it."""

from typing import Any, Literal

from schemas.exchange import DocumentLanguage, Frozen, Language

Kind = Literal[
    "text", "identifier", "account", "date", "amount", "rates", "currency", "phone", "address", "national_id"
]  # fmt: skip


class Field(Frozen):
    """One field that is read from a document.

    kind decides how values are normalised and compared (D-11); languages: where documents can have the field (D-6, D-15);
    is_list: whether the field is a list of such values (D-12).
    """

    name: str
    kind: Kind
    is_list: bool = False
    languages: tuple[str, ...] = ("cs", "en")


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

    Values are strings in the forms that the prompt asks for; a field by rate is a map from rate to amount, a list field a list of strings.
    """
    value: dict[str, Any] = {"type": ["string", "null"]}
    rates: dict[str, Any] = {"type": ["object", "null"], "additionalProperties": {"type": "string"}}
    items: dict[str, Any] = {"type": ["array", "null"], "items": {"type": "string"}}
    wanted = of_language(fields, language)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {f.name: items if f.is_list else rates if f.kind == "rates" else value for f in wanted},
        "required": [f.name for f in wanted],
        "additionalProperties": False,
    }
