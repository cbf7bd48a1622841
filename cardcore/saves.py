"""Saved games: a line that says what it is, then the record; nothing in a save can run code.

Kernels do not check bounds, so a save from a stranger is checked in full before it is used.
"""

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardcore.spec import GameSpec, as_games

MAGIC = b"malus save 1\n"


def pack(
    spec: GameSpec, options: Mapping[str, Any], games: NDArray[Any], face: Mapping[str, Any]
) -> bytes:
    """One game with what its face keeps beside the record."""
    header = _identity(spec, options) | {"face": face}
    body = json.dumps(header).encode() + b"\n" + games.tobytes()
    return MAGIC + b"%08x\n" % zlib.crc32(body) + body


def unpack(
    spec: GameSpec, options: Mapping[str, Any], data: Any
) -> tuple[NDArray[Any], dict[str, Any]]:
    """The record and the face's part of a save made by `pack` for the same game and options."""
    header, content = _read(data)
    for name, ours in _identity(spec, options).items():
        if header.get(name) != ours:
            raise ValueError(
                f"this save has {name} {header.get(name)!r}; this environment has {ours!r}"
            )
    if len(content) != spec.dtype.itemsize:
        raise ValueError(
            f"this save holds {len(content)} bytes of game; {spec.name} has {spec.dtype.itemsize}"
        )
    games = records_of(spec, options, content)
    face = header.get("face")
    if not isinstance(face, dict):
        raise ValueError("this save is damaged: it does not say what its face held")
    return games, face


def records_of(spec: GameSpec, options: Mapping[str, Any], content: bytes) -> NDArray[Any]:
    """The games whose bytes these are, each of them checked in full.  # [n]"""
    games = as_games(np.frombuffer(content, spec.dtype).copy())
    for game in games.view(np.recarray):
        _check_options_kept(spec, game, options)
        spec.check_record(game)
    return games


def _identity(spec: GameSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """What must agree between a save and the environment that loads it, as JSON keeps it."""
    kept = json.loads(json.dumps(dict(options)))
    return {
        "game": spec.name,
        "version": spec.version,
        "layout": spec.layout,
        "options": kept,
    }


def _read(data: Any) -> tuple[dict[str, Any], bytes]:
    """Header and content, once the frame around them is whole."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a save is bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MAGIC):
        raise ValueError("this is no saved game: it does not begin like one")
    checksum, _, body = data[len(MAGIC) :].partition(b"\n")
    if checksum != b"%08x" % zlib.crc32(body):
        raise ValueError("this save is damaged: its checksum does not fit")
    line, _, content = body.partition(b"\n")
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("this save is damaged: its first line cannot be read") from error
    if not isinstance(header, dict):
        raise ValueError("this save is damaged: its first line is not what a save begins with")
    return header, content


def _check_options_kept(spec: GameSpec, game: Any, options: Mapping[str, Any]) -> None:
    """The record itself must hold the options that its first line names."""
    before = game.tobytes()
    copy = np.frombuffer(before, spec.dtype).copy().view(np.recarray)[0]
    spec.put_options(copy, options)
    if copy.tobytes() != before:
        raise ValueError("this save is damaged: its record has other options than it says")
