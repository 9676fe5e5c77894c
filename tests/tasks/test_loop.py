"""While shards are asked the garbage collector leaves alone what was there before and threads hand over soon; afterwards all is as before."""

import asyncio
import gc
import sys
import weakref

import pytest

from tasks.loop import HAND_OVER_S, OFTEN, favoured, run


class _Knot:
    def __init__(self) -> None:
        self.itself = self


def test_all_is_as_before_when_the_last_one_leaves() -> None:
    before, patience = gc.get_threshold(), sys.getswitchinterval()
    with favoured():
        assert sys.getswitchinterval() == pytest.approx(HAND_OVER_S)
        assert gc.get_threshold() == (OFTEN, *before[1:])
        assert gc.get_freeze_count() > 0
        with favoured():
            pass
        assert gc.get_threshold()[0] == OFTEN, "somebody is still inside"
        assert sys.getswitchinterval() == pytest.approx(HAND_OVER_S)
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
    assert sys.getswitchinterval() == patience


def test_an_error_leaves_nothing_behind() -> None:
    before = gc.get_threshold()
    with pytest.raises(KeyError), favoured():
        raise KeyError
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_what_is_made_meanwhile_is_collected_and_what_was_there_is_afterwards() -> None:
    old = _Knot()
    first = weakref.ref(old)
    with favoured():
        new = _Knot()
        second = weakref.ref(new)
        del old, new
        gc.collect()
        assert (first() is None, second() is None) == (False, True)
    gc.collect()
    assert first() is None


def test_an_exit_inside_the_loop_reaches_who_waits_and_the_loop_goes_on() -> None:
    """As the console of a run whose worker was killed raises it: the run ends, where it hung for ever and kept its heartbeat."""

    async def leave() -> None:
        await asyncio.sleep(0)
        raise SystemExit(1)

    async def stay() -> int:
        return 7

    with pytest.raises(SystemExit):
        run(leave())
    assert run(stay()) == 7
