"""Cabanga, as the shared tests need it."""

import random
from typing import Any

import numpy as np

from cabanga_env import cabanga_v0
from tests.plug import GameUnderTest


def _cabanga_cards(table: dict[str, Any]) -> int:
    """Cards in hands, piles and rows: a turn buries exactly one."""
    held = sum(map(len, table["hands"]))
    return held + len(table["draw_pile"]) + len(table["discard"]) + table["turn"]


def _cabanga_redeal(game: Any, seat: int, chance: random.Random) -> None:
    """Shuffle the other hands and the pile together, and let another seat be asked."""
    n_seats = int(game.n_seats)
    others = [who for who in range(n_seats) if who != seat]
    hidden = [
        (colour, place)
        for colour in range(4)
        for place in range(18)
        if any(int(game.hand[who, colour]) >> place & 1 for who in others)
    ]
    hidden += [divmod(int(card), 18) for card in game.pile[: game.pile_size]]
    chance.shuffle(hidden)
    for who in others:
        game.hand[who] = 0
        for _ in range(int(game.hand_size[who])):
            colour, place = hidden.pop()
            game.hand[who, colour] |= np.uint32(1 << place)
    game.pile[: game.pile_size] = [18 * colour + place for colour, place in hidden]
    _ask_somebody_else(game, seat, chance)


def _ask_somebody_else(game: Any, seat: int, chance: random.Random) -> None:
    """While others may throw, the seat knows neither who is asked nor whether anybody is."""
    if game.phase != cabanga_v0.state.THROW_CARDS or game.to_act == seat:
        return
    n_seats = int(game.n_seats)
    follower = (int(game.active) + 1) % n_seats
    others = [who for who in range(n_seats) if who not in (seat, int(game.active))]
    nobody = follower != seat and (game.hand_size[:n_seats] > 0).all()
    choice = chance.choice([*others, None] if nobody else others)
    if choice is None:
        game.phase = cabanga_v0.state.PLAY_CARD
        game.active = game.to_act = follower
    else:
        game.to_act = choice


STARTS = [1, 3, 5, 7, 12, 14, 16, 18]
GAME = GameUnderTest(
    module=cabanga_v0,
    spec=cabanga_v0.SPEC,
    codes=tuple(f"{colour}{value}" for colour in "RBVY" for value in range(1, 19)),
    turn_limit=72,
    cards=_cabanga_cards,
    redeal=_cabanga_redeal,
    short={"rounds": 2},
    other={"rounds": 3},
    bad_options=(
        ({"num_players": 1}, "num_players"),
        ({"num_players": 7}, "num_players"),
        ({"num_players": 4.0}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"target": 0}, "target"),
        ({"target": None}, "target"),
        ({"target": "18"}, "target"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": -1}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"points": [1] * 17}, "points"),
        ({"points": [1] * 17 + [4]}, r"points\[17\]"),
        ({"points": [0] + [1] * 17}, r"points\[0\]"),
        ({"points": "1" * 18}, "points"),
        ({"points": 3}, "points"),
        ({"render_mode": "human"}, "render_mode"),
    ),
    bad_tables=(
        ({"hands": [["R1"], ["G1"]]}, "G1"),
        ({"hands": [["R1"], ["R19"]]}, "R19"),
        ({"hands": [["R1"], [7]]}, "7"),
        ({"hands": [["R1"], ["R1"]]}, "R1"),
        ({"hands": [["R1"], ["R2"]], "deck": ["R2"]}, "R2"),
        ({"hands": [["R1"], ["R2"]], "discard": ["R1"]}, "R1"),
        ({"hands": [["R1"], ["R2"], ["R3"]]}, "3 seats"),
        ({"hands": [["R1"]]}, "1 seats"),
        ({"hands": [["R1"], []]}, r"hands\[1\]"),
        ({"hands": "R1"}, "hands"),
        ({"hands": ["R1", "R2"]}, "hands"),
        ({"deck": ["R1", "R2"]}, "whole deck"),
        ({"deck": "R1"}, "deck"),
        ({"discard": ["R1"]}, "discard"),
        ({"start_cards": STARTS[:7]}, "start_cards"),
        ({"start_cards": [1, *STARTS[:7]]}, "start_cards"),
        ({"start_cards": [2, *STARTS[1:]]}, "start_cards"),
        ({"start_cards": 5}, "start_cards"),
        ({"starter": 2}, "starter"),
        ({"starter": -1}, "starter"),
        ({"starter": "0"}, "starter"),
        ({"starter": True}, "starter"),
        (["deck"], "dict"),
        ("deck", "dict"),
    ),
    fixed_table={
        "hands": [["R1", "B2", "V3"], ["Y4", "R9", "B9"]],
        "deck": ["Y1", "Y2", "Y3"],
        "starter": 0,
        "start_cards": STARTS,
    },
)
