"""What was there before asking is left alone by the garbage collector meanwhile, and is looked at again afterwards."""

import gc
import weakref

import pytest

from tasks.loop import OFTEN, rarely_collected


class _Knot:
    def __init__(self) -> None:
        self.itself = self


def test_all_is_as_before_when_the_last_one_leaves() -> None:
    before = gc.get_threshold()
    with rarely_collected():
        assert gc.get_threshold() == (OFTEN, *before[1:])
        assert gc.get_freeze_count() > 0
        with rarely_collected():
            pass
        assert gc.get_threshold()[0] == OFTEN, "somebody is still inside"
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_an_error_leaves_nothing_behind() -> None:
    before = gc.get_threshold()
    with pytest.raises(KeyError), rarely_collected():
        raise KeyError
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_what_is_made_meanwhile_is_collected_and_what_was_there_is_afterwards() -> None:
    old = _Knot()
    first = weakref.ref(old)
    with rarely_collected():
        new = _Knot()
        second = weakref.ref(new)
        del old, new
        gc.collect()
        assert (first() is None, second() is None) == (False, True)
    gc.collect()
    assert first() is None
