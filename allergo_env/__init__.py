"""Allergo, the card game, as an environment."""

from allergo_env import allergo_v0
from allergo_env.allergo_v0 import SPEC

__all__ = ["SPEC", "allergo_v0"]
