"""How tests ask a player for its choice, at one table or at many."""

import numpy as np

from agents.aspects import aspects_of, starts_of
from agents.players import Chance, View, new_generators
from cardcore import VectorGames


def choices(player, observation, mask):
    """What a player does in each of these positions."""
    n = len(mask)
    return player.act(View(observation, mask, np.arange(n), Chance(new_generators(n))))


def choice(player, game):
    """What a player does at this table, in words."""
    seen = game.env.observe(game.env.agent_selection)
    action = choices(player, seen["observation"][None], seen["action_mask"][None])[0]
    return game.env.action_name(int(action))


def aspects(game, words):
    """The aspects of one action for the seat that is asked at this table, by name."""
    seen, of_game = game.env.observe(game.env.agent_selection), aspects_of(game.module.SPEC)
    found = of_game.choices(seen["observation"][None], seen["action_mask"][None])
    (row,) = found.aspects[found.action == game.env.action_id(words)]
    starts = starts_of(of_game.table)
    return {name: row[starts[name] : starts[name] + size] for name, size, _ in of_game.table}


def positions(spec, options, n_steps, n=8, seed=5):
    """Observations and masks of random games, step by step."""
    games = VectorGames(spec, n, **options)
    now = games.reset(seed)
    for _ in range(n_steps):
        yield now.observation.copy(), now.mask.copy()
        now = games.step(games.sample())
