"""Bungee, the card game, as an environment."""

from bungee_env import bungee_v0
from bungee_env.bungee_v0 import SPEC

__all__ = ["SPEC", "bungee_v0"]
