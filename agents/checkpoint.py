"""Checkpoints: tensors, and what is to be said of them, in one file that knows its own digest.

A file that was cut or changed anywhere is refused, and none can run code when it is read.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

UNSEALED = b"0" * 64  # in the place of a digest that is to come
DAMAGES = (SafetensorError, ValueError, TypeError, KeyError, OverflowError, RuntimeError)


def checkpoint_bytes(about: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> bytes:
    """A checkpoint as a file."""
    words = json.dumps({"digest": UNSEALED.decode(), **about})
    return sealed(save(dict(tensors), {"about": words}))


def sealed(content: bytes) -> bytes:
    """The content with its digest in the place that was left for it."""
    return content.replace(UNSEALED, hashlib.sha256(content).hexdigest().encode(), 1)


def read_checkpoint(content: bytes) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """What a checkpoint says of itself, and its tensors; one of DAMAGES if it is none."""
    length = int.from_bytes(content[:8], "little")
    header = parsed(content[8 : 8 + length])
    about = parsed(header["__metadata__"]["about"])
    if not isinstance(about, dict):
        raise ValueError("it does not say what it is")
    digest = str(about.pop("digest")).encode()
    if sealed(content.replace(digest, UNSEALED, 1)) != content:
        raise ValueError("it is not as it was written: its digest is another")
    return about, load(content)


def parsed(text: str | bytes) -> Any:
    """What JSON says; whatever is wrong with it, it is a ValueError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def fitting(tensor: torch.Tensor, like: torch.Tensor, least: float = -math.inf) -> torch.Tensor:
    """The tensor, if it can stand in the place of another and has no number below the least."""
    if tensor.shape != like.shape or tensor.dtype != like.dtype:
        raise ValueError(f"{tuple(tensor.shape)} {tensor.dtype} where {tuple(like.shape)} belongs")
    if not (tensor.isfinite() & (tensor >= least)).all():
        raise ValueError("it has numbers that are not finite, or are negative and must not be")
    return tensor.clone()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that at any moment it is the old one or the new one, never half of it."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk: a new name is not there with the file it is of."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
