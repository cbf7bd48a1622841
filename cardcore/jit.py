"""`kernel`: numba's njit with a cache on disk that notices edits.

Numba's own cache looks only at the file of the cached function, so a rule edited in a *called* file
would go on running in its old form. Our cache folder carries a digest of every source file a kernel
can be made of: this package's and its own package's. `NUMBA_CACHE_DIR` is honoured as its parent.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.caching import FunctionCache

JIT_ON = not numba.config.DISABLE_JIT
KEPT_CACHES = 8  # folders of earlier sources that stay, per package

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function into its callers, without bounds checks and outside Python's lock."""
    return _compiled(function, inline=True)


def rare_kernel(function: Function) -> Function:
    """A kernel that seldom runs: its callers call it, which keeps them small and soon compiled."""
    return _compiled(function, inline=False)


def _compiled(function: Function, inline: bool) -> Function:
    if not JIT_ON:
        return function
    with _cache_folder(_folder_for(Path(function.__code__.co_filename).parent)):
        return numba.njit(cache=True, nogil=True, forceinline=inline)(function)


def kernels_of(*folders: Path) -> Callable[[Function], Function]:
    """A decorator for kernels made of the sources in several folders, cached under the first.

    Numba would know an inner function by what it closes over, which is new in every process; the
    digest of all sources says as much, so here they are known by their code alone.
    """

    def compiled(function: Function) -> Function:
        if not JIT_ON:
            return function
        made: Any = numba.njit(nogil=True, forceinline=True)(function)
        with _cache_folder(_folder_for(*folders)):
            made._cache = _ByCode(function)
        return made

    return compiled


class _ByCode(FunctionCache):
    """The cache of a function that is told from others by its code, not by its surroundings."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        code = hashlib.sha256(self._py_func.__code__.co_code).hexdigest()
        return sig, codegen.magic_tuple(), code


def wrapping_kernel(function: Function) -> Function:
    """A kernel whose unsigned arithmetic wraps around on purpose, without a word."""
    return kernel(function) if JIT_ON else np.errstate(over="ignore")(function)


def source_digest(*folders: Path) -> str:
    """A short name for the exact text of all Python files in these folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _folder_for(package: Path, *others: Path) -> str:
    """The cache folder of one package's kernels, made of its sources, the core's and others'."""
    name = source_digest(Path(__file__).parent, package, *others)
    home = _cache_parent() / package.name
    _drop_oldest(home, keep=name)
    return str(home / name)


@cache
def _cache_parent() -> Path:
    """`NUMBA_CACHE_DIR`, or the user's cache, or if that cannot be written a new folder."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / "malus"
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "malus"
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except (OSError, RuntimeError):  # it cannot be written, or there is no home at all
        return Path(tempfile.mkdtemp(prefix="malus-"))


def _drop_oldest(home: Path, keep: str) -> None:
    """Remove the caches of sources long edited away; a running process only recompiles."""
    if (home / keep).exists() or not home.is_dir():
        return
    with suppress(OSError):  # another process may be doing the same
        folders = sorted(home.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for folder in folders[KEPT_CACHES:]:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _cache_folder(folder: str) -> Iterator[None]:
    """Numba fixes a function's cache folder when the function is decorated."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
