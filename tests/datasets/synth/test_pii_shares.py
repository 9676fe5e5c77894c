"""Language and fairness of the texts, measured on finished documents: variety, frames, distractors (issue 6, D-10)."""

import re
from collections import Counter

import pytest
from pii_support import SENTENCE_END, Text, printed, texts, whole

from schemas.pii import FIELDS

SIZE = 150
SEEDS = (7, 19)
TITLES = re.compile(r"\b(?:Ing|Mgr|Bc|MUDr|JUDr|RNDr|arch|Dr|Prof)\. ?")
SAME_SHAPE = {
    "names": {"company_name", "named_after", "person_street"},
    "emails": {"general_email"},
    "phones": {"switchboard"},
    "addresses": {"company_address"},
    "birth_dates": {"other_date"},
    "national_ids": {"reference"},
    "accounts": {"company_account"},
}
"""Kinds of what is not personal, by the field whose shape they have."""

both = pytest.mark.parametrize(("language", "seed"), [(lang, seed) for lang in ("cs", "en") for seed in SEEDS])


def masked(text: Text, content: str) -> str:
    """A text or a sentence with the values of the truth and all digits masked: what is left is the wording."""
    for field in FIELDS:
        for value in text.truth[field.name]:
            for form in sorted(printed(field.name, value, text.case.language), key=len, reverse=True):
                content = content.replace(form, f"<{field.name}>")
    return re.sub("[0-9]+", "0", content)


def labels(text: Text, field: str, words: int) -> set[str]:
    """The last words before each value of a field, within its sentence and line; "" where a value begins one."""
    found = set()
    for value in text.truth[field]:
        for form in printed(field, value, text.case.language):
            for match in re.finditer(whole(form), text.plain):
                line = TITLES.sub("", text.plain[: match.start()].rsplit("\n", 1)[-1])
                before = SENTENCE_END.split(line)[-1].casefold()
                found.add(" ".join(re.findall(r"[\w.@#-]+", before)[-words:]))
    return found - {""}


@both
def test_nine_sentences_of_ten_are_distinct(language: str, seed: int) -> None:
    """Of the sentences of 150 texts; greetings, heads and labelled lines are none."""
    sentences = [s for t in texts(SIZE, seed, language) for s in t.sentences]
    assert len(sentences) > 1200
    assert len(set(sentences)) / len(sentences) >= 0.9


@both
def test_no_skeleton_is_in_more_than_three_of_a_hundred(language: str, seed: int) -> None:
    """A skeleton is the text with every value and every number taken out."""
    skeletons = Counter(masked(t, t.plain) for t in texts(SIZE, seed, language))
    assert max(skeletons.values()) <= 0.03 * SIZE


@both
def test_no_opening_is_in_more_than_three_of_a_hundred(language: str, seed: int) -> None:
    """A coarser skeleton, which says what a text is about: its first full sentence without its values."""
    openings = Counter(masked(t, t.sentences[0]) for t in texts(SIZE, seed, language))
    assert max(openings.values()) <= 0.03 * SIZE


@both
@pytest.mark.parametrize("field", [f.name for f in FIELDS])
def test_no_label_holds_a_field_in_more_than_a_fifth(field: str, language: str, seed: int) -> None:
    """Two words before a value: of the texts that have the field. One word: of all texts."""
    found = texts(SIZE, seed, language)
    holding = [t for t in found if t.truth[field]]
    assert len(holding) >= SIZE * 0.3
    for words, among in ((2, len(holding)), (1, len(found))):
        label, count = Counter(la for t in holding for la in labels(t, field, words)).most_common(1)[0]
        assert count / among <= 0.2, (label, count, among)


@both
@pytest.mark.parametrize("field", [f.name for f in FIELDS])
def test_no_frame_of_a_sentence_holds_a_field_in_more_than_a_fifth(field: str, language: str, seed: int) -> None:
    """A frame is a whole sentence or line without its values."""
    holding = [t for t in texts(SIZE, seed, language) if t.truth[field]]
    frames: Counter[str] = Counter()
    for text in holding:
        parts = [part for line in text.plain.splitlines() for part in SENTENCE_END.split(line)]
        frames.update({m for part in parts if f"<{field}>" in (m := masked(text, part))} - {f"<{field}>"})
    assert frames.most_common(1)[0][1] / len(holding) <= 0.2


@both
@pytest.mark.parametrize("field", [f.name for f in FIELDS])
def test_every_field_has_a_distractor_of_its_shape_in_three_texts_of_ten(field: str, language: str, seed: int) -> None:
    found = texts(SIZE, seed, language)
    having = [t for t in found if SAME_SHAPE[field] & t.truth["not_personal"].keys()]
    assert len(having) / len(found) >= 0.3


@both
def test_every_kind_of_distractor_is_there(language: str, seed: int) -> None:
    """IČO or EIN, too, in three of ten; and texts that hold the shape of a field without a value of it are no rarity."""
    found = texts(SIZE, seed, language)
    kinds = Counter(kind for t in found for kind in t.truth["not_personal"])
    assert (
        min(kinds[k] for k in ("company_id", "named_after", "company_name", "general_email", "other_date"))
        >= 0.3 * SIZE
    )
    for field, shapes in SAME_SHAPE.items():
        only = [t for t in found if not t.truth[field] and shapes & t.truth["not_personal"].keys()]
        assert field == "names" or len(only) >= 0.1 * SIZE


@both
def test_the_same_labels_stand_before_what_is_not_personal(language: str, seed: int) -> None:
    """„E-mail:“, „Telefon:“, „Adresa:“ and „Účet:“ introduce a person's value in some texts and an organisation's in others."""
    labelled = {"cs": ("E-mail", "Telefon", "Adresa", "Účet"), "en": ("E-mail", "Phone", "Address", "Tel.")}[language]
    lines = [line for t in texts(600, seed, language) for line in _owned(t)]
    for label in labelled:
        owners = {owner for owner, line in lines if line.startswith(f"{label}: ")}
        assert owners == {"person", "organization"}, label


def _owned(text: Text) -> list[tuple[str, str]]:
    values = [form for f in FIELDS for v in text.truth[f.name] for form in printed(f.name, v, text.case.language)]
    lines = text.plain.splitlines()
    return [("person" if any(line.endswith(v) for v in values) else "organization", line) for line in lines]
