"""The data files of levels and strengths: exact shares by hand, and one clear sentence for each thing that can be wrong (D-8)."""

from collections import Counter

import pytest
import yaml

from datasets import strengths
from datasets.allotment import Allotment
from datasets.invoices import LAYOUTS
from datasets.strengths import read_degradation, read_shares, shares_of
from schemas.errors import UsageError
from schemas.invoices import VARIANTS


def test_150_and_its_private_50_by_hand():
    allotment = Allotment(150, shares_of((), 150), VARIANTS, LAYOUTS, public_key=("a",), private_key=("b",))
    places = [allotment[number] for number in range(150)]
    assert Counter(p.level for p in places) == {"text": 45, "image": 45, "scan": 45, "photo": 15}
    private = [p for p in places if p.split == "private"]
    assert Counter(p.level for p in private) == {"text": 15, "image": 15, "scan": 15, "photo": 5}
    for part in (places, private):
        for name, words in (("layout", LAYOUTS), ("variant", VARIANTS)):
            counts = Counter(getattr(p, name) for p in part)
            assert set(counts) == set(words)
            assert max(counts.values()) - min(counts.values()) <= 1


def test_the_smallest_size_is_told():
    """By hand: of ten pairs seven are public, 2.1 + 2.1 + 2.1 + 0.7 of them; of nine six, 1.8 + 1.8 + 1.8 + 0.6, and no photo."""
    assert list(shares_of((), 10)) == ["text", "image", "scan", "photo"]
    with pytest.raises(
        UsageError,
        match=r"A set of 9 documents a language is too small for its 4 levels .* the smallest that works is 10",
    ):
        shares_of((), 9)
    assert list(shares_of(("photo",), 1)) == ["photo"]
    with pytest.raises(UsageError, match="'scann'; did you mean 'scan'"):
        shares_of(("scann",), 150)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{text: 30, image: 30, scan: 30}", "add up to 90, not to 100"),
        ("{text: 60, image: 60}", "add up to 120, not to 100"),
        ("{text: 33.3, image: 33.3, scan: 33.3}", "add up to 99.9, not to 100"),
        ("{text: 50, fax: 50}", "Unknown level 'fax'"),
        ("{text: 100, photo: 0}", "the share of photo is 0: expected a number of per cent above 0"),
        ("{text: half, photo: 50}", "the share of text is 'half': expected"),
        ("[text, image]", "expected a line for each level"),
        ("", "expected a line for each level"),
    ],
)
def test_shares_that_are_wrong(tmp_path, written, told):
    file = tmp_path / "levels.yaml"
    file.write_text(written)
    with pytest.raises(UsageError, match=told):
        read_shares(file)


def test_shares_need_not_be_whole(tmp_path):
    file = tmp_path / "levels.yaml"
    file.write_text("{text: 33.3, image: 33.3, scan: 33.4}")
    assert sum(read_shares(file).values()) == 100


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"scan": {"noise": [9, 2]}}, r"scan\.noise: .*a range from 9 to 2: expected the smaller number first"),
        ({"scan": {"noise": [2, 99]}}, r"scan\.noise\.1: input should be less than or equal to 30"),
        ({"scan": {"noise": "much"}}, r"scan\.noise: input should be a valid tuple"),
        ({"scan": {"noice": [1, 2]}}, r"scan\.noice: .*not permitted; did you mean 'noise'"),
        ({"photo": {"width_px": 10}}, r"photo\.width_px: input should be greater than or equal to 600"),
        ({"fax": {}}, r"fax: extra inputs are not permitted"),
    ],
)
def test_strengths_that_are_wrong(tmp_path, change, told):
    written = yaml.safe_load((strengths.FOLDER / "degradation.yaml").read_text())
    for part, fields in change.items():
        written[part] = {**written.get(part, {}), **fields}
    file = tmp_path / "degradation.yaml"
    file.write_text(yaml.safe_dump(written))
    with pytest.raises(UsageError, match=rf"degradation\.yaml: {told}"):
        read_degradation(file)


def test_a_strength_that_is_missing(tmp_path):
    written = yaml.safe_load((strengths.FOLDER / "degradation.yaml").read_text())
    del written["photo"]["shadow"]
    file = tmp_path / "degradation.yaml"
    file.write_text(yaml.safe_dump(written))
    with pytest.raises(UsageError, match=r"photo\.shadow: field required"):
        read_degradation(file)
