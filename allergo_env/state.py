"""The record of one game, and the ways in and out of it in plain Python."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from allergo_env.actions import CARD_PLAYED, DRAW
from allergo_env.cards import (
    CARD_OF,
    CODES,
    COLOURS,
    COSTS,
    DEFAULT_COPIES,
    KINDS,
    MOST_CARDS,
    MOST_COPIES,
    N_CODES,
    N_COLOURS,
    N_KINDS,
    N_NUMBERS,
    PLUS_4,
)
from cardcore.options import Choice, Counts, Number, OptionError
from cardcore.scoring import NO_LIMIT, rounds_or_target_reached
from cardcore.spec import OVER, common_fields, record_type
from cardcore.tables import check_copies, check_whole_deck, read_cards, read_hands, read_seat

MAX_SEATS = 6
HAND_DEALT = 7
NAME_COLOUR, TAKE_TURN, AFTER_DRAW, LAST_CARD, SILENCE, CLONE, CHALLENGE = range(1, 8)  # phases
PHASES = (
    *("over", "name_colour", "turn", "drawn"),
    *("announce", "denounce", "clone", "challenge"),
)
NONE = -1  # no colour, no kind, no card, no seat
CLOCKWISE, ANTICLOCKWISE = 1, -1
LARGEST_LIMIT = 1_000_000
LARGEST_ROUND = 1_000_000_000
ASK, AUTO = "ask", "auto"

SEATS = Number("num_players", 4, 2, MAX_SEATS, "seats at the table")
OPTIONS = (
    Number("target", 500, 1, LARGEST_LIMIT, "the game ends when a total reaches it (A17)"),
    Number("rounds", None, 1, LARGEST_LIMIT, "or after this many rounds, whatever the totals"),
    Number("turn_budget", None, 1, LARGEST_LIMIT, "or after the round in which so many turns end"),
    Number("turn_limit", 500, 1, LARGEST_LIMIT, "turns in a round at most (A18)"),
    Choice("announce", ASK, (ASK, AUTO), "whether a last card must be announced (A13)"),
    Choice("cloning", False, (False, True), "whether equal numbers may be cloned (A16)"),
    Counts("deck_counts", dict(zip(CODES, DEFAULT_COPIES, strict=True)), 0, MOST_COPIES, "the box"),
)
TABLE_KEYS = ("deck", "dealer", "hands", "discard")

GAME = record_type(
    [
        *common_fields(MAX_SEATS),
        ("hand", np.int8, (MAX_SEATS, N_CODES)),  # how many of each card a seat holds
        ("held", np.int64, (MAX_SEATS,)),  # bit c: the seat holds card c
        ("hand_size", np.int16, (MAX_SEATS,)),
        ("seen_by", np.int8, (MAX_SEATS,)),  # bit s: seat s was shown this hand as it is (A11)
        ("pile", np.int8, (MOST_CARDS,)),  # draw pile, next card at pile[pile_size - 1]
        ("pile_size", np.int16),
        ("discard", np.int8, (MOST_CARDS,)),  # top card at discard[discard_size - 1]
        ("discard_size", np.int16),
        ("discarded", np.int8, (N_CODES,)),  # how many of each card lie on the discard
        ("colour", np.int8),  # in force, or NONE while it is being named
        ("kind", np.int8),  # in force, or NONE under C and +4
        ("direction", np.int8),  # CLOCKWISE or ANTICLOCKWISE
        ("fine", np.int16),  # cards pending from +2
        ("active", np.int8),  # whose turn it is; before the first turn, the dealer
        ("dealer", np.int8),
        ("drawn", np.int8),  # the card just drawn while it may be played, else NONE
        ("laid_by", np.int8),  # who laid the top card: the active seat or a cloner
        ("bluff", np.int8),  # 1 when the +4 laid last should not have been
        ("plus_4_by", np.int8),  # who laid the last +4 of this round, or NONE
        ("turns_in_game", np.int32),  # over all rounds
        ("copies", np.int8, (N_CODES,)),  # options from here on: the box
        ("target", np.int32),
        ("max_rounds", np.int32),  # or NO_LIMIT
        ("turn_budget", np.int32),  # or NO_LIMIT
        ("turn_limit", np.int32),
        ("asks_last_card", np.int8),
        ("cloning", np.int8),
    ]
)


def check_together(options: Mapping[str, Any]) -> None:
    """The box must be large enough for the table."""
    n_cards, n_needed = sum(_copies(options)), HAND_DEALT * options["num_players"] + 1
    if n_cards < n_needed:
        raise OptionError(
            f"deck_counts leave {n_cards} cards; {options['num_players']} players need {n_needed}"
        )


def set_options(game: Any, options: Mapping[str, Any]) -> None:
    """Write the checked options into a record."""
    game.copies[:] = _copies(options)
    game.target = options["target"]
    game.max_rounds = options["rounds"] or NO_LIMIT
    game.turn_budget = options["turn_budget"] or NO_LIMIT
    game.turn_limit = options["turn_limit"]
    game.asks_last_card = options["announce"] == ASK
    game.cloning = options["cloning"]


def _copies(options: Mapping[str, Any]) -> list[int]:
    """How often the box has each card."""
    usual = zip(CODES, DEFAULT_COPIES, strict=True)
    return [options["deck_counts"].get(code, n) for code, n in usual]


def lay_table(game: Any, table: Mapping[str, Any]) -> None:
    """Lay a round that was just dealt out anew, as `reset(options)` tells."""
    n_seats = int(game.n_seats)
    dealer = read_seat("dealer", table.get("dealer", game.dealer), n_seats)
    copies = game.copies.tolist()
    if "hands" in table:
        hands = read_hands(table["hands"], CARD_OF, n_seats)
        deck = read_cards("deck", table.get("deck", []), CARD_OF)
        discard = read_cards("discard", table.get("discard", []), CARD_OF)
        if not discard:
            raise ValueError("with hands the discard must be given: its last card is turned up")
        places = {f"hands[{seat}]": hand for seat, hand in enumerate(hands)}
        check_copies({**places, "deck": deck, "discard": discard}, copies, CODES)
        _put_cards(game, hands, deck, discard)
    elif "discard" in table:
        raise ValueError("discard can be laid out only together with hands")
    elif "deck" in table:
        deck = read_cards("deck", table["deck"], CARD_OF)
        check_whole_deck(deck, copies, CODES)
        n_dealt = HAND_DEALT * n_seats
        hands = [deck[first : first + HAND_DEALT] for first in range(0, n_dealt, HAND_DEALT)]
        _put_cards(game, hands, deck[n_dealt + 1 :], [deck[n_dealt]])
    game.dealer = dealer


def _put_cards(game: Any, hands: list[list[int]], deck: list[int], discard: list[int]) -> None:
    """Put checked cards in their places and nothing anywhere else."""
    for seat, hand in enumerate(hands):
        game.hand[seat] = _counts(hand)
        game.held[seat] = _bits(hand)
        game.hand_size[seat] = len(hand)
    game.pile_size, game.discard_size = len(deck), len(discard)
    game.n_cards = len(deck) + len(discard) + game.hand_size.sum()
    game.pile[: len(deck)] = deck[::-1]
    game.discard[: len(discard)] = discard
    game.discarded[:] = _counts(discard)


def snapshot(game: Any) -> dict[str, Any]:
    """The full truth as plain Python, fields as the rules page lists them."""
    n_seats = int(game.n_seats)
    discard = _codes(game.discard[: game.discard_size])
    return {
        "hands": [_codes(_cards_of(game.hand[seat])) for seat in range(n_seats)],
        "draw_pile": _codes(game.pile[: game.pile_size][::-1]),
        "discard": discard,
        "scores": game.score[:n_seats].tolist(),
        "round": int(game.round_no),
        "turn": int(game.turn_no),
        "phase": PHASES[game.phase],
        "to_act": None if game.phase == OVER else int(game.to_act),
        "top": discard[-1],
        "colour": None if game.colour == NONE else COLOURS[game.colour],
        "kind": None if game.kind == NONE else KINDS[game.kind],
        "direction": int(game.direction),
        "fine": int(game.fine),
        "active": int(game.active),
        "drawn": None if game.drawn == NONE else CODES[game.drawn],
        "dealer": int(game.dealer),
    }


WHAT_IS_ASKED = {
    NAME_COLOUR: "it is the dealer and must name a colour",
    AFTER_DRAW: "it has drawn a card that fits: it may play that or pass",
    LAST_CARD: "it has one card left: it may announce that or pass",
    SILENCE: "somebody did not announce a last card: it may denounce that or pass",
    CLONE: "it may clone the top card or pass",
    CHALLENGE: "a +4 was laid: it may draw, or say liar",
}


def why_illegal(game: Any, action: int) -> str:
    """Why the seat that is asked may not do this."""
    if game.phase in (TAKE_TURN, AFTER_DRAW) and action < DRAW:
        return f"it does not hold {CODES[CARD_PLAYED[action]]}"
    if game.phase == TAKE_TURN:
        return "it is its turn: it may play a card or draw"
    return WHAT_IS_ASKED[int(game.phase)]


def check_record(game: Any) -> None:
    """Refuse a record that no play could have led to, before a kernel trusts its numbers."""
    n_seats = int(game.n_seats)
    _need(SEATS.low <= n_seats <= SEATS.high, "number of seats")
    _need(0 <= game.phase < len(PHASES), "phase")
    for seat in (game.to_act, game.active, game.dealer, game.laid_by):
        _need(0 <= seat < n_seats, "seat")
    _need(NONE <= game.plus_4_by < n_seats, "seat")
    _need(1 <= game.round_no <= (game.max_rounds or LARGEST_ROUND), "round")
    _need(0 <= game.turn_no <= game.turn_limit, "turn")
    _need(game.phase != TAKE_TURN or game.turn_no < game.turn_limit, "turn")
    _need(game.turn_no <= game.turns_in_game <= LARGEST_ROUND, "turn")
    _need(game.episode >= 0 and game.game_seed >= 0, "game seed")
    _need((game.score >= game.round_score).all() and (game.round_score >= 0).all(), "scores")
    _need((game.score <= np.iinfo(np.int32).max // 2).all(), "scores")
    empty = (game.score, game.round_score, game.hand, game.held, game.hand_size, game.seen_by)
    _need(not any(field[n_seats:].any() for field in empty), "empty seats")
    _need(((game.seen_by >= 0) & (game.seen_by < 1 << n_seats)).all(), "hands that were shown")
    _check_cards(game)
    _check_in_force(game)
    _check_phase(game)
    _check_end(game)


def _check_cards(game: Any) -> None:
    """No card lies about more often than the box has it, and every count is true."""
    _need(0 <= game.pile_size <= MOST_CARDS and 1 <= game.discard_size <= MOST_CARDS, "pile size")
    pile = game.pile[: game.pile_size].tolist()
    discard = game.discard[: game.discard_size].tolist()
    _need(all(0 <= card < N_CODES for card in chain(pile, discard)), "card")
    _need((game.hand >= 0).all(), "hand")
    _need((game.hand.sum(axis=1) == game.hand_size).all(), "hand size")
    bits = [_bits(_cards_of(hand)) for hand in game.hand]
    _need(game.held.tolist() == bits, "set of cards held")
    _need((game.discarded == _counts(discard)).all(), "discard")
    everywhere = game.hand.sum(axis=0) + _counts(chain(pile, discard))
    _need((everywhere <= game.copies).all(), "number of equal cards")
    _need(everywhere.sum() == game.n_cards, "number of cards")


def _check_in_force(game: Any) -> None:
    """Colour, kind, direction and fine are what they can be."""
    _need(NONE <= game.colour < N_COLOURS and NONE <= game.kind < N_KINDS, "colour or kind")
    _need((game.colour == NONE) == (game.phase == NAME_COLOUR), "colour")
    _need(game.direction in (CLOCKWISE, ANTICLOCKWISE), "direction")
    _need(0 <= game.fine <= 2 * MOST_CARDS and game.fine % 2 == 0, "fine")
    _need(NONE <= game.drawn < N_CODES and game.bluff in (0, 1), "drawn card")
    _need((game.drawn != NONE) == (game.phase == AFTER_DRAW), "drawn card")
    _need(game.drawn == NONE or game.hand[game.active, game.drawn] > 0, "drawn card")


def _check_phase(game: Any) -> None:
    """Who is asked can be asked this."""
    phase, seat = int(game.phase), int(game.to_act)
    hands = game.hand_size[: game.n_seats]
    top = int(game.discard[game.discard_size - 1])
    _need(phase == OVER or (hands > 0).all(), "empty hand")
    _need(phase not in (TAKE_TURN, AFTER_DRAW) or seat == game.active, "seat to act")
    _need(phase != NAME_COLOUR or (seat == game.dealer and game.turn_no == 0), "seat to act")
    _need(phase != LAST_CARD or (seat == game.laid_by and hands[seat] == 1), "last card")
    _need(phase != SILENCE or (seat != game.laid_by and hands[game.laid_by] == 1), "last card")
    _need(phase not in (LAST_CARD, SILENCE) or game.asks_last_card, "last card")
    cloned = top < N_COLOURS * N_KINDS and top % N_KINDS < N_NUMBERS and game.hand[seat, top] > 0
    _need(phase != CLONE or (cloned and game.cloning), "clone")
    follower = (int(game.active) + int(game.direction)) % int(game.n_seats)
    _need(phase != CHALLENGE or (top == PLUS_4 and seat == follower), "challenge")


def _check_end(game: Any) -> None:
    """The game is over when it must be, and then its last round was scored."""
    if game.phase != OVER:
        _need(game.max_rounds != NO_LIMIT or game.score.max() < game.target, "scores")
        return
    spent = game.turn_budget != NO_LIMIT and game.turns_in_game >= game.turn_budget
    _need(spent or rounds_or_target_reached(game), "end of the game")
    _need((game.hand_size[: game.n_seats] == 0).any() or game.turn_no >= game.turn_limit, "end")
    _need((game.round_score == game.hand @ COSTS).all(), "score of the last round")


def _need(holds: Any, what: str) -> None:
    if not holds:
        raise ValueError(f"this is no possible game of Allergo: {what} is wrong")


def _counts(cards: Iterable[int]) -> Any:
    """How many there are of each card."""
    return np.bincount(np.fromiter(cards, np.int64), minlength=N_CODES)


def _bits(cards: Iterable[int]) -> int:
    """The cards as a set of bits."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def _cards_of(counts: Any) -> list[int]:
    """So many of each card, in card order."""
    return [card for card in range(N_CODES) for _ in range(int(counts[card]))]


def _codes(cards: Iterable[int]) -> list[str]:
    return [CODES[card] for card in cards]
