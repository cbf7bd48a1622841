"""Allergo, as the shared tests need it."""

import random
from typing import Any

import numpy as np

from allergo_env import allergo_v0
from allergo_env.state import AFTER_DRAW, CLONE, NONE, SILENCE, TAKE_TURN
from cardcore.aec import GameEnv
from tests.allergo.referee import CARDS, plays_of
from tests.plug import GameUnderTest

N_CARDS = len(CARDS)


def _cards(table: dict[str, Any]) -> int:
    """Cards in hands and piles."""
    return sum(map(len, table["hands"])) + len(table["draw_pile"]) + len(table["discard"])


def _mistakes(env: GameEnv) -> set[int]:
    """The cards of the hand that may not be played now (A15)."""
    table = env.snapshot()
    if table["phase"] not in ("turn", "drawn"):
        return set()
    plays = {play for card in table["hands"][table["to_act"]] for play in plays_of(card)}
    mask = env.observe(env.agent_selection)["action_mask"]
    return {action for action in map(env.action_id, plays) if not mask[action]}


def _redeal(game: Any, seat: int, chance: random.Random) -> None:
    """Shuffle the hands that the seat has not been shown with the pile; ask somebody else."""
    others = [
        who
        for who in range(int(game.n_seats))
        if who != seat and not int(game.seen_by[who]) >> seat & 1
    ]
    hidden = game.pile[: game.pile_size].tolist()
    for who in others:
        hidden += [card for card in range(N_CARDS) for _ in range(int(game.hand[who, card]))]
    chance.shuffle(hidden)
    for who in others:
        hand = [hidden.pop() for _ in range(int(game.hand_size[who]))]
        game.hand[who] = np.bincount(hand, minlength=N_CARDS)
        game.held[who] = sum(1 << card for card in set(hand))
    game.pile[: game.pile_size] = hidden
    game.bluff = chance.randrange(2)
    _ask_somebody_else(game, seat, chance)


def _ask_somebody_else(game: Any, seat: int, chance: random.Random) -> None:
    """Nobody can tell who was asked to denounce, or that a drawn card fits or a twin is held."""
    if game.to_act == seat:
        return
    n_seats = int(game.n_seats)
    if game.phase == SILENCE:
        game.to_act = chance.choice(
            [who for who in range(n_seats) if who not in (seat, int(game.laid_by))] or [game.to_act]
        )
    follower = (int(game.active) + int(game.direction)) % n_seats
    if game.phase in (AFTER_DRAW, CLONE) and follower != seat and chance.random() < 0.5:
        game.phase, game.drawn = TAKE_TURN, NONE
        game.active = game.to_act = follower


GAME = GameUnderTest(
    module=allergo_v0,
    spec=allergo_v0.SPEC,
    codes=tuple(CARDS),
    turn_limit=500,
    cards=_cards,
    redeal=_redeal,
    mistakes=_mistakes,
    short={"rounds": 2, "turn_limit": 60, "cloning": True},
    other={"rounds": 2, "turn_limit": 60, "cloning": False},
    bad_options=(
        ({"num_players": 1}, "num_players"),
        ({"num_players": 7}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"target": 0}, "target"),
        ({"target": None}, "target"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"turn_budget": 0}, "turn_budget"),
        ({"turn_limit": None}, "turn_limit"),
        ({"turn_limit": 0}, "turn_limit"),
        ({"announce": "maybe"}, "announce"),
        ({"announce": True}, "announce"),
        ({"cloning": 1}, "cloning"),
        ({"cloning": "yes"}, "cloning"),
        ({"deck_counts": {"R5": 5}}, "R5"),
        ({"deck_counts": {"R5": -1}}, "R5"),
        ({"deck_counts": {"R5": 1.0}}, "R5"),
        ({"deck_counts": {"P5": 1}}, "P5"),
        ({"deck_counts": ["R5"]}, "deck_counts"),
        ({"deck_counts": dict.fromkeys(CARDS[:52], 0)}, "deck_counts leave 12 cards"),
        ({"render_mode": "human"}, "render_mode"),
    ),
    bad_tables=(
        ({"hands": [["R1"], ["P1"]], "discard": ["R5"]}, "P1"),
        ({"hands": [["R1"], [7]], "discard": ["R5"]}, "7"),
        ({"hands": [["R1"] * 2, ["R1"]], "discard": ["R5"]}, "R1 is named 3 times"),
        ({"hands": [["R1"], ["R5"]], "deck": ["R5"], "discard": ["R5"]}, "R5 is named 3 times"),
        ({"hands": [["R1"], ["R2"], ["R3"]], "discard": ["R5"]}, "3 seats"),
        ({"hands": [["R1"]], "discard": ["R5"]}, "1 seats"),
        ({"hands": [["R1"], []], "discard": ["R5"]}, r"hands\[1\]"),
        ({"hands": [["R1"], ["R2"]]}, "discard"),
        ({"hands": [["R1"], ["R2"]], "discard": []}, "discard"),
        ({"hands": "R1", "discard": ["R5"]}, "hands"),
        ({"hands": ["R1", "R2"], "discard": ["R5"]}, "hands"),
        ({"deck": ["R1", "R2"]}, "whole deck"),
        ({"deck": "R1"}, "deck"),
        ({"discard": ["R1"]}, "discard"),
        ({"dealer": 2}, "dealer"),
        ({"dealer": -1}, "dealer"),
        ({"dealer": "0"}, "dealer"),
        ({"dealer": True}, "dealer"),
        (["deck"], "dict"),
        ("deck", "dict"),
    ),
    fixed_table={
        "hands": [["R1", "B2", "+3"], ["Y4", "R9", "C"]],
        "deck": ["G1", "G2", "G3"],
        "discard": ["Y5", "R5"],
        "dealer": 0,
    },
)
