"""Bungee, as the shared tests need it."""

import random
from typing import Any

from bungee_env import bungee_v0
from bungee_env.rules import lap_after_skips, next_seat
from tests.plug import GameUnderTest

NOBODY = -1


def _cards(table: dict[str, Any]) -> int:
    """Cards in hands and piles, and the lucky one."""
    held = sum(map(len, table["hands"]))
    lucky = table["lucky"] is not None
    return held + len(table["draw_pile"]) + len(table["discard"]) + lucky


def _redeal(game: Any, seat: int, chance: random.Random) -> None:
    """Shuffle what the others hold unseen with the pile, and let nobody be asked to call."""
    others = [who for who in range(int(game.n_seats)) if who != seat]
    hidden = game.pile[: game.pile_size].tolist()
    for who in others:
        for kind in range(11):
            n_hidden = int(game.hand[who, kind]) - int(game.known[who, kind])
            hidden += [kind] * n_hidden
    chance.shuffle(hidden)
    for who in others:
        game.hand[who] = game.known[who]
        for _ in range(int(game.hand_size[who]) - int(game.known[who].sum())):
            game.hand[who, hidden.pop()] += 1
    game.pile[: game.pile_size] = hidden
    _ask_nobody(game, seat, chance)


def _ask_nobody(game: Any, seat: int, chance: random.Random) -> None:
    """After a play the others do not know whether the seat is asked to call."""
    asked = int(game.to_act)
    if game.phase != bungee_v0.state.AFTER_PLAY or asked == seat or chance.random() < 0.5:
        return
    follower = int(next_seat(game, asked))
    if follower not in (NOBODY, seat):
        game.lap, game.extra_lap = lap_after_skips(game, asked)
        game.n_sixes = 0
        game.phase, game.to_act = bungee_v0.state.TAKE_TURN, follower


GAME = GameUnderTest(
    module=bungee_v0,
    spec=bungee_v0.SPEC,
    codes=tuple("1 2 3 4 5 6 7 8 9 10 J".split()),
    turn_limit=200,
    cards=_cards,
    redeal=_redeal,
    short={"rounds": 2},
    other={"rounds": 3},
    bad_options=(
        ({"num_players": 1}, "num_players"),
        ({"num_players": 6}, "num_players"),
        ({"num_players": 4.0}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": None}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"turn_limit": 0}, "turn_limit"),
        ({"turn_limit": None}, "turn_limit"),
        ({"turn_limit": "200"}, "turn_limit"),
        ({"render_mode": "human"}, "render_mode"),
    ),
    bad_tables=(
        ({"hands": [["1"], ["11"]], "lucky": "8"}, "11"),
        ({"hands": [["1"], ["R1"]], "lucky": "8"}, "R1"),
        ({"hands": [["1"], [7]], "lucky": "8"}, "7"),
        ({"hands": [["J"] * 2, ["J"] * 2], "lucky": "8"}, "J is named 4 times"),
        ({"hands": [["J"] * 3, ["1"]], "lucky": "J"}, "J is named 4 times"),
        ({"hands": [["1"] * 3, ["1"]], "lucky": "8", "deck": ["1"] * 2}, "1 is named 6 times"),
        ({"hands": [["1"] * 6, ["2"]], "lucky": "8"}, r"hands\[0\]"),
        ({"hands": [["1"], []], "lucky": "8"}, r"hands\[1\]"),
        ({"hands": [["1"], ["2"], ["3"]], "lucky": "8"}, "3 seats"),
        ({"hands": [["1"]], "lucky": "8"}, "1 seats"),
        ({"hands": [["1"], ["2"]]}, "lucky"),
        ({"hands": [["1"], ["2"]], "lucky": "0"}, "lucky"),
        ({"hands": [["1"], ["2"]], "lucky": 8}, "lucky"),
        ({"hands": "1", "lucky": "8"}, "hands"),
        ({"hands": ["1", "2"], "lucky": "8"}, "hands"),
        ({"deck": ["1", "2"]}, "whole deck"),
        ({"deck": "1"}, "deck"),
        ({"discard": ["1"]}, "discard"),
        ({"lucky": "8"}, "lucky"),
        ({"starter": 2}, "starter"),
        ({"starter": -1}, "starter"),
        ({"starter": "0"}, "starter"),
        ({"starter": True}, "starter"),
        (["deck"], "dict"),
        ("deck", "dict"),
    ),
    fixed_table={
        "hands": [["1", "2", "10"], ["3", "6", "9"]],
        "deck": ["1", "2", "3", "4"],
        "lucky": "8",
        "starter": 0,
    },
)
