"""The loops over many games of Bungee."""

from bungee_env import observation, rules
from cardcore.loops import loops_of

KERNELS = loops_of(rules, observation)
