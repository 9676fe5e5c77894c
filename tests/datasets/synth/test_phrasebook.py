"""Vocabularies of e-mails: what is broken in one is told by file and entry with what was expected; templates say what they should."""

import shutil
from random import Random

import pytest
import yaml

from datasets.synth.grammar import Noun, Speech, compile_template
from datasets.synth.phrasebook import read_phrasebook
from datasets.synth.vocabulary import FOLDER
from schemas.errors import UsageError

SITUATIONS, FRAMES = "email_situations.cs.yaml", "email_frames.cs.yaml"


def told(tmp_path, file, change):
    """What is said of a vocabulary after a change of one file's content."""
    folder = tmp_path / "vocab"
    shutil.copytree(FOLDER, folder)
    content = yaml.safe_load((folder / file).read_text(encoding="utf-8"))
    change(content)
    (folder / file).write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_phrasebook("cs", folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("chci [výměnu|vrácení", "a '[' is not closed in 'chci [výměnu|vrácení', expected ']'."),
        ("<žádám|žádáme|žádají|žádáte> o opravu", "4 forms stand in '<', expected 2 or 3."),
        ("dorazil{g:y}", "1 forms stand in '{', expected 2."),
        ("chci opravu {goods.gem}", "there is no value 'goods.gem', expected one of "),
        ("chci opravu {by", "a '{' is not closed in 'chci opravu {by', expected '}'."),
        ("chci opravu]", "']' closes nothing."),
        ("opravte [to {by}|to hned]", "the value 'by' stands in an alternative, expected outside of all brackets."),
    ],
)
def test_a_broken_sentence_is_told_by_file_and_entry(tmp_path, line, problem):
    def change(content):
        content["complaint"]["request_by"][2] = line

    assert told(tmp_path, SITUATIONS, change).startswith(f"{SITUATIONS}, complaint.request_by[2]: {problem}")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c["praise"].pop("detail"), f"{SITUATIONS}, praise: the key 'detail' is missing, expected subject, opening,"),
        (lambda c: c.pop("inquiry"), f"{SITUATIONS}: the key 'inquiry' is missing, expected complaint, inquiry,"),
        (lambda c: c["praise"].update(details=[]), f"{SITUATIONS}, praise: unknown key 'details'; did you mean 'detail'?"),
        (lambda c: c["praise"].update(detail=[]), f"{SITUATIONS}, praise.detail: the list is empty, expected one sentence"),
        (lambda c: c["praise"].update(detail=[7]), f"{SITUATIONS}, praise.detail: expected a list of sentences, found 7."),
        (lambda c: c["praise"].update(detail="nic"), f"{SITUATIONS}, praise.detail: expected a list of sentences, found 'nic'."),
        (lambda c: c.update(praise=["nic"]), f"{SITUATIONS}, praise: expected a map with the keys subject,"),
        (
            lambda c: c["billing"].update(amount=["za všechno"]),
            f"{SITUATIONS}, billing.amount: expected that every sentence says {{amount}} and no other field.",
        ),
        (
            lambda c: c["billing"].update(request=["pošlete to {by}"]),
            f"{SITUATIONS}, billing.request: expected at least one sentence that says no field.",
        ),
    ],
)  # fmt: skip
def test_a_broken_list_is_told(tmp_path, change, sentence):
    assert told(tmp_path, SITUATIONS, change).startswith(sentence)


def test_a_broken_frame_is_told(tmp_path):
    def without_kind(content):
        del content["deadlines"]["tomorrow"]

    assert told(tmp_path / "1", FRAMES, without_kind).startswith(f"{FRAMES}, deadlines: the key 'tomorrow' is missing")
    assert told(tmp_path / "2", FRAMES, lambda c: c["deadlines"]["day"].pop("by")).endswith(
        "deadlines.day: expected a list `by` of one phrase or more."
    )
    assert told(tmp_path / "3", FRAMES, lambda c: c.pop("note")) == f"{FRAMES}: the key 'note' is missing."


def test_goods_without_a_form_are_told(tmp_path):
    def change(content):
        del content["garden"][0]["cs"]["gen"]

    assert "email_goods.yaml" in told(tmp_path, "email_goods.yaml", change)


def test_a_file_that_is_no_yaml_is_told(tmp_path):
    folder = tmp_path / "vocab"
    shutil.copytree(FOLDER, folder)
    (folder / SITUATIONS).write_text("complaint: [", encoding="utf-8")
    with pytest.raises(UsageError, match=rf"^{SITUATIONS} is no YAML file: "):
        read_phrasebook("cs", folder)


def test_templates_say_voices_agreement_and_values():
    slots = frozenset({"goods.acc", "amount"})
    template = compile_template(
        "<objednal|objednala|objednali> {goods.acc} [za|v ceně] {amount}{g:y|a}", "cs", slots, "x"
    )
    assert template.slots == {"amount"}
    values = {"goods": Noun({"acc": ("okna {n}",)}, "7"), "amount": "5"}
    for voice, gender, begin, end in (
        ("man", "f", "objednal ", "y"),
        ("woman", "n", "objednala ", "a"),
        ("we", "n", "objednali ", "a"),
    ):
        said = {template.say(Random(seed), Speech(values, voice, gender)) for seed in range(30)}
        assert said == {f"{begin}okna 7 {word} 5{end}" for word in ("za", "v ceně")}
    pair = compile_template("<mám|máme>", "cs", slots, "x")
    assert [pair.say(Random(1), Speech({}, voice, "f")) for voice in ("man", "woman", "we")] == ["mám", "mám", "máme"]
