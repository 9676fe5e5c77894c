"""YAML with lines: what YAML itself lets pass is told too; every fault of a file is one sentence with its line."""

import pytest
from pydantic import Field

from schemas.exchange import Frozen
from schemas.marked import Flaw, FlawsError, parse


class Leaf(Frozen):
    name: str = Field(description="Name of the leaf")
    size: int = 1


class Tree(Frozen):
    leaves: tuple[Leaf, ...] = ()
    by_id: dict[str, Leaf] = Field(default_factory=dict)
    root: Leaf | None = None


GOOD = b"""\
leaves:
  - name: a

  - {name: b, size: 2}
by_id:
  x: {name: c}
"""


def test_a_good_file_becomes_its_model() -> None:
    marked = parse(Tree, GOOD, "tree.yaml")
    wanted = Tree(leaves=(Leaf(name="a"), Leaf(name="b", size=2)), by_id={"x": Leaf(name="c")})
    assert (marked.model, marked.problems) == (wanted, ())
    assert marked.tell([Flaw(("leaves", 1, "size"), "odd"), Flaw(("by_id", "y", "name"), "lost")]) == (
        "tree.yaml, line 4: leaves.1.size: odd.",
        "tree.yaml, line 5: by_id.y.name: lost.",
    )


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"", "line 1: keys with values were expected, not nothing."),
        (b"- a\n", "line 1: keys with values were expected, not a list of 1."),
        (b"leaves: []\nleaves: []\n", "line 2: leaves: the key stood there before, in line 1; exactly one was expected."),
        (b"root: &r {name: a}\nby_id: {x: *r}\n", "line 1: by_id.x: the text itself was expected, not an alias of another place."),
        (b"root: &r\n  name: *r\n", "the text itself was expected, not an alias of another place."),
        (b"leaves:\n  - name: [a\n", "line 2: it is no YAML: while parsing a flow sequence, did not find expected ',' or ']'."),
        (b"leaves: []\n---\nleaves: []\n", "line 2: it is no YAML: expected a single document in the stream, but found another document."),
        (b"root: !!python/name:os.system\n", "line 1: it is no YAML: could not determine a constructor for the tag"),
        (b"a: b\nroot: \xff\n", "line 2: text in UTF-8 was expected."),
        (b"? [a]\n: b\n", "line 1: a word was expected as a key, not a list or another mapping."),
        (b"[" * 3000, "line 1: "),
        (b"leaves: " + b"[" * 900 + b"]" * 900, "line 1: "),
        (b"root: a\x00b\n", "line 1: it is no YAML: "),
        (b"leaves:\n  - nam: a\n", "line 2: leaves.0.name: it is missing; expected: name of the leaf."),
        (b"leaves:\n  - nam: a\n", "line 2: leaves.0.nam: there is no such key; did you mean 'name'? Known: name, size."),
        (b"by_id:\n  x: {nam: a}\n", "line 2: by_id.x.nam: there is no such key; did you mean 'name'? Known: name, size."),
        (b"leaves:\n  - name: 1\n", "line 2: leaves.0.name: one text was expected, not 1."),
        (b"leaves: a\n", "line 1: leaves: a list was expected, not 'a'."),
        (b"leaves:\n  - name: a\n    size: x\n", "line 3: leaves.0.size: input should be a valid integer, unable to parse string"),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence(written: bytes, told: str) -> None:
    marked = parse(Tree, written, "tree.yaml")
    assert marked.model is None
    assert all("\n" not in p and p.startswith("tree.yaml, line ") and p.endswith((".", "?")) for p in marked.problems)
    assert [p for p in marked.problems if told in p], marked.problems


def test_all_faults_of_a_file_are_told_at_once() -> None:
    marked = parse(Tree, b"leaves:\n  - {name: 1}\n  - {size: 2}\nroot: 3\n", "t")
    assert [p.split(":")[0] for p in marked.problems] == ["t, line 2", "t, line 3", "t, line 4"]


def test_flaws_of_a_validator_get_the_line_of_their_place() -> None:
    class Forest(Frozen):
        trees: tuple[Tree, ...]

        def model_post_init(self, _: object) -> None:
            raise FlawsError([Flaw(("trees", 1), "too near"), Flaw(("trees", 0, "root"), "too old")])

    marked = parse(Forest, b"trees:\n  - root: {name: a}\n  - {}\n", "f")
    assert marked.problems == ("f, line 3: trees.1: too near.", "f, line 2: trees.0.root: too old.")
