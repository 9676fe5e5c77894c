"""Editions: the id stands on every argument, the secret shows nowhere, unknown ones are told (D-2, G-8)."""

import hashlib
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from row_support import new_store

from datasets.editions import edition_for, load_edition, private_hash, save_edition
from schemas.errors import UsageError

BASE = {"suite": "invoices", "set_version": "1.0", "seed": 7, "size": 60, "secret": "tajné", "levels": ()}
CHANGES = [
    {},
    {"suite": "legal"},
    {"set_version": "1.1"},
    {"seed": 8},
    {"size": 61},
    {"secret": "jiné"},
    {"levels": ("text",)},
]


def test_the_same_arguments_give_the_same_edition():
    assert edition_for(**BASE) == edition_for(**BASE)
    assert edition_for(**BASE).id == f"v1.0-s7-n60-p{edition_for(**BASE).private_hash[:8]}"


def test_any_argument_changed_gives_another_id():
    found = [edition_for(**{**BASE, **change}) for change in CHANGES]
    for one, other in itertools.combinations(found, 2):
        assert one.id != other.id
    assert edition_for(**{**BASE, "levels": ("text", "image")}).id not in {e.id for e in found}


@settings(max_examples=10, deadline=None)
@given(
    st.integers(-(2**63), 2**63), st.integers(1, 10**7), st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
)
def test_ids_are_slugs_that_look_like_no_number_and_show_no_secret(seed, size, secret):
    found = edition_for(**{**BASE, "seed": seed, "size": size, "secret": f"tajné {secret}"})
    assert found.id[0] == "v"
    assert set(found.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-_")
    assert "tajné" not in found.model_dump_json()


def test_the_hash_is_salted_and_slow_as_written_here():
    wanted = hashlib.scrypt("tajné".encode(), salt=b"zkusebna/invoices/7", n=16384, r=8, p=1, dklen=16).hex()
    assert private_hash("tajné", "invoices", 7) == wanted
    assert len({private_hash(*x) for x in (("a", "s", 1), ("b", "s", 1), ("a", "t", 1), ("a", "s", 2))}) == 4


@pytest.mark.parametrize("size", [0, -1])
def test_a_size_below_one_is_refused(size):
    with pytest.raises(UsageError, match=f"The size {size} is not a number of documents; give 1 or more to --size"):
        edition_for(**{**BASE, "size": size})


def test_an_edition_is_kept_and_an_unknown_one_is_told(tmp_path):
    store = new_store(tmp_path)
    with pytest.raises(UsageError, match=r"Unknown edition 'v9' of 'invoices'\. In the store: none\."):
        load_edition(store, "invoices", "v9")
    first, second = edition_for(**BASE), edition_for(**{**BASE, "levels": ("text", "image")})
    for edition in (first, second, first):
        save_edition(store, edition)
    assert load_edition(store, "invoices", first.id) == first
    assert load_edition(store, "invoices", second.id) == second
    with pytest.raises(UsageError) as caught:
        load_edition(store, "invoices", "v9")
    assert first.id in str(caught.value)
    assert second.id in str(caught.value)
    with pytest.raises(UsageError, match="none"):
        load_edition(store, "legal", first.id)
