"""Loops over many lanes, shared out among threads: kernels run outside the interpreter's lock."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from threading import Lock
from typing import Any, Self

HEAD_START = 512  # lanes that the caller can step while another thread wakes up


class Work:
    """A loop over slices of the lanes: the threads wake up while the caller decides whether to go.

    Used as `with team.start(loop, ...) as work:`; at the end all slices are done, or none if
    `work.go` was set to False or the decision failed.
    """

    def __init__(self, team: "Team", loop: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.go = True
        self._mine, others = team.slices[0], team.slices[1:]
        self._loop, self._args = loop, args
        self._gate = Lock()
        self._gate.acquire()
        self._others: list[Future[None]] = [
            team.pool.submit(self._when_open, *lanes) for lanes in others
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self.go = self.go and error is None
        self._gate.release()
        try:
            if self.go:
                self._loop(*self._args, *self._mine)
        finally:
            for other in self._others:
                other.result()

    def _when_open(self, first: int, last: int) -> None:
        with self._gate:
            pass
        if self.go:
            self._loop(*self._args, first, last)


class Team:
    """The threads that share n lanes; the caller is one of them."""

    def __init__(self, n: int, threads: int) -> None:
        self.slices = slices_of(n, threads)
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The other threads, started when first needed, and again in a forked process."""
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(len(self.slices) - 1, "malus")
            self._process = os.getpid()
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
