"""Random play chooses among what a mask allows, and nothing else, evenly."""

import numpy as np
import pytest

from cardcore.jit import JIT_ON
from cardcore.spec import as_games
from cardcore.vector import CHANCE, sample_all

N_LANES = 4000 if JIT_ON else 400


@pytest.mark.parametrize("n_actions", [64, 70, 128, 163, 256, 257, 400])
def test_every_legal_action_is_as_likely(n_actions):
    legal = [0, 1, 63, n_actions // 2, n_actions - 1]
    mask = np.zeros((N_LANES, n_actions), np.int8)
    mask[:, legal] = 1
    chance = as_games(np.zeros(N_LANES, CHANCE))
    chance["rng"] = np.arange(N_LANES) * 1_000_003
    actions = np.empty(N_LANES, np.int64)
    sample_all(mask, chance, actions)
    counts = np.bincount(actions, minlength=n_actions)
    assert set(np.flatnonzero(counts)) == set(legal)
    even = N_LANES / len(set(legal))
    assert np.abs(counts[legal] - even).max() < 6 * np.sqrt(even)
