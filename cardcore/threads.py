"""Loops over many lanes, shared out among threads: kernels run outside the interpreter's lock."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from threading import Lock
from typing import Any

HEAD_START = 512  # lanes that the caller can step while another thread wakes up


class Work:
    """A loop over slices of the lanes; the threads wake up while it is still being decided on."""

    def __init__(self, team: "Team", loop: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._mine, others = team.slices[0], team.slices[1:]
        self._loop, self._args = loop, args
        self._go = False
        self._gate = Lock()
        self._gate.acquire()
        self._others: list[Future[None]] = [
            team.pool.submit(self._when_open, *lanes) for lanes in others
        ]

    def finish(self, go: bool = True) -> None:
        """Do all of it, or none of it, and wait for everybody."""
        self._go = go
        self._gate.release()
        if go:
            self._loop(*self._args, *self._mine)
        for other in self._others:
            other.result()

    def _when_open(self, first: int, last: int) -> None:
        with self._gate:
            pass
        if self._go:
            self._loop(*self._args, first, last)


class Team:
    """The threads that share n lanes; the caller is one of them."""

    def __init__(self, n: int, threads: int) -> None:
        self.slices = slices_of(n, threads)
        self._pool: ThreadPoolExecutor | None = None

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The other threads, started when first needed."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self.slices) - 1, "malus")
        return self._pool

    def start(self, loop: Callable[..., Any], *args: Any) -> Work:
        """Get ready to run loop(*args, first, last) over all lanes."""
        return Work(self, loop, args)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": None}  # threads cannot be copied


def slices_of(n: int, threads: int) -> list[tuple[int, int]]:
    """First lane and last plus one of each thread; the caller's share has the head start."""
    n_slices = max(1, min(threads, n // (2 * HEAD_START)))
    share = (n - HEAD_START) // n_slices
    return list(pairwise([0, *(n - share * k for k in range(n_slices - 1, -1, -1))]))
