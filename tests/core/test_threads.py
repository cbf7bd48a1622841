"""Lanes are shared out whole, and a loop that must not go leaves them alone."""

import os
import threading

import pytest

from cardcore.threads import HEAD_START, Team, slices_of


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [1, HEAD_START, 2 * HEAD_START, 10 * HEAD_START + 7, 100_000])
def test_every_lane_is_in_exactly_one_slice(n, threads):
    slices = slices_of(n, threads)
    assert [lane for first, last in slices for lane in range(first, last)] == list(range(n))
    assert 1 <= len(slices) <= threads
    assert all(first < last for first, last in slices)


def test_few_lanes_wake_nobody():
    assert slices_of(2 * HEAD_START - 1, 8) == [(0, 2 * HEAD_START - 1)]


@pytest.mark.parametrize("go", [True, False])
def test_work_is_done_by_all_threads_or_not_at_all(go):
    team, done = Team(8 * HEAD_START, 4), []
    with team.start(lambda *args: done.append((*args, threading.get_ident())), "loop") as work:
        assert not done
        work.go = go
    wanted = [("loop", *lanes) for lanes in team.slices] if go else []
    assert sorted(one[:-1] for one in done) == wanted
    assert (threading.get_ident() in {one[-1] for one in done}) == go


def test_an_error_in_a_thread_reaches_the_caller():
    def loop(first, last):
        if first:
            raise ArithmeticError("in another thread")

    with (
        pytest.raises(ArithmeticError, match="another thread"),
        Team(4 * HEAD_START, 2).start(loop),
    ):
        pass


def test_nothing_is_done_and_nobody_hangs_when_the_decision_fails():
    team, done = Team(4 * HEAD_START, 2), []
    with pytest.raises(KeyboardInterrupt), team.start(lambda *lanes: done.append(lanes)):
        raise KeyboardInterrupt
    assert not done
    with team.start(lambda *lanes: done.append(lanes)):
        pass
    assert sorted(done) == team.slices


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_has_threads_of_its_own():
    team = Team(4 * HEAD_START, 2)
    with team.start(lambda *lanes: None):
        pass
    pool = team.pool
    team._process += 1  # what a child finds: the pool of another process
    assert team.pool is not pool
