"""Cabanga, the card game, as an environment."""

from cabanga_env import cabanga_v0
from cabanga_env.cabanga_v0 import SPEC

__all__ = ["SPEC", "cabanga_v0"]
