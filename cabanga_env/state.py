"""The record of one game, and the ways in and out of it in plain Python."""

from collections.abc import Iterable, Mapping
from itertools import chain, product
from typing import Any

import numpy as np

from cabanga_env.actions import N_SIDES, PLAY, THROW
from cabanga_env.cards import (
    CARD_OF,
    CODES,
    COLOURS,
    COPIES,
    DEFAULT_POINTS,
    N_CARDS,
    N_COLOURS,
    N_VALUES,
    START_CARDS,
)
from cardcore.options import Number, Numbers, whole_numbers
from cardcore.scoring import NO_LIMIT, rounds_or_target_reached
from cardcore.spec import OVER, common_fields, record_type
from cardcore.tables import check_copies, check_whole_deck, read_cards, read_hands, read_seat

MAX_SEATS = 6
PLAY_CARD, THROW_CARDS = 1, 2  # phases; 0 is OVER
PHASES = ("over", "play", "throw")
NONE = -1  # no colour, no seat
NO_GAP = 1  # both ends of the gap before the first card
LARGEST_LIMIT = 1_000_000
LARGEST_ROUND = 1_000_000_000

SEATS = Number("num_players", 4, 2, MAX_SEATS, "seats at the table")
OPTIONS = (
    Number("target", 18, 1, LARGEST_LIMIT, "the game ends when a total reaches it (C11)"),
    Number("rounds", None, 1, LARGEST_LIMIT, "or after this many rounds, whatever the totals"),
    Numbers("points", DEFAULT_POINTS, 1, 3, "minus points of the values 1 to 18 (C9)"),
)
TABLE_KEYS = ("deck", "starter", "start_cards", "hands", "discard")

GAME = record_type(
    [
        *common_fields(MAX_SEATS),
        ("active", np.int8),  # seat whose turn it is
        ("last_colour", np.int8),  # of the card played last in this round, or NONE
        ("gap_low", np.int8),  # ends of the gap that the last card left; equal when there is none
        ("gap_high", np.int8),
        ("hand", np.uint32, (MAX_SEATS, N_COLOURS)),  # bit v-1 of a colour: the seat holds value v
        ("hand_size", np.int8, (MAX_SEATS,)),
        ("top", np.int8, (N_COLOURS, 2)),  # values left and right of each colour's row card
        ("laid", np.uint32, (2, N_COLOURS)),  # cards played onto the left piles and the right ones
        ("discarded", np.uint32, (N_COLOURS,)),  # cards on the discard
        ("recycled", np.uint32, (N_COLOURS,)),  # what the last reshuffle put into the penalty pile
        (
            "offered",
            np.uint32,
            (MAX_SEATS, N_COLOURS),
        ),  # cards that fitted while it could throw
        ("pile", np.int8, (N_CARDS,)),  # penalty pile, next card at pile[pile_size - 1]
        ("pile_size", np.int8),
        ("discard", np.int8, (N_CARDS,)),  # top card at discard[discard_size - 1]
        ("discard_size", np.int8),
        ("points", np.int8, (N_VALUES,)),  # options from here on
        ("target", np.int32),
        ("max_rounds", np.int32),  # or NO_LIMIT
    ]
)


def set_options(game: Any, options: Mapping[str, Any]) -> None:
    """Write the checked options into a record."""
    game.target = options["target"]
    game.max_rounds = options["rounds"] or NO_LIMIT
    game.points[:] = options["points"]


def lay_table(game: Any, table: Mapping[str, Any]) -> None:
    """Lay a round that was just dealt out anew, as `reset(options)` tells."""
    n_seats = int(game.n_seats)
    starter = read_seat("starter", table.get("starter", game.to_act), n_seats)
    values = whole_numbers(
        "start_cards", table.get("start_cards", game.top.reshape(-1)), len(START_CARDS), 1, N_VALUES
    )
    if sorted(values) != sorted(START_CARDS):
        raise ValueError(
            f"start_cards must be {', '.join(map(str, START_CARDS))} in some order, not {values}"
        )
    if "hands" in table:
        hands = read_hands(table["hands"], CARD_OF, n_seats)
        deck = read_cards("deck", table.get("deck", []), CARD_OF)
        discard = read_cards("discard", table.get("discard", []), CARD_OF)
        places = {f"hands[{seat}]": hand for seat, hand in enumerate(hands)}
        check_copies({**places, "deck": deck, "discard": discard}, COPIES, CODES)
        _put_cards(game, hands, deck, discard)
    elif "discard" in table:
        raise ValueError("discard can be laid out only together with hands")
    elif "deck" in table:
        deck = read_cards("deck", table["deck"], CARD_OF)
        check_whole_deck(deck, COPIES, CODES)
        n_dealt = int(game.hand_size[0])
        hands = [deck[n_dealt * seat : n_dealt * (seat + 1)] for seat in range(n_seats)]
        _put_cards(game, hands, deck[n_dealt * n_seats :], [])
    game.top[:] = np.reshape(values, game.top.shape)
    game.active = starter


def _put_cards(game: Any, hands: list[list[int]], deck: list[int], discard: list[int]) -> None:
    """Put checked cards in their places and nothing anywhere else."""
    game.hand[:] = 0
    for seat, hand in enumerate(hands):
        game.hand[seat] = _bit_sets(hand)
        game.hand_size[seat] = len(hand)
    game.pile_size, game.discard_size = len(deck), len(discard)
    game.n_cards = len(deck) + len(discard) + game.hand_size.sum()
    game.pile[: len(deck)] = deck[::-1]
    game.discard[: len(discard)] = discard
    game.discarded[:] = _bit_sets(discard)


def snapshot(game: Any) -> dict[str, Any]:
    """The full truth as plain Python, fields as the rules page lists them."""
    n_seats = int(game.n_seats)
    throwing = game.phase == THROW_CARDS
    colour = None if game.last_colour == NONE else COLOURS[game.last_colour]
    return {
        "hands": [_codes(_cards_of(game.hand[seat])) for seat in range(n_seats)],
        "draw_pile": _codes(game.pile[: game.pile_size][::-1]),
        "discard": _codes(game.discard[: game.discard_size]),
        "scores": game.score[:n_seats].tolist(),
        "round": int(game.round_no),
        "turn": int(game.turn_no),
        "phase": PHASES[game.phase],
        "to_act": None if game.phase == OVER else int(game.to_act),
        "piles": game.top.tolist(),
        "last_colour": colour,
        "gap": [colour, int(game.gap_low), int(game.gap_high)] if throwing else None,
        "active": int(game.active),
    }


def why_illegal(game: Any, action: int) -> str:
    """Why the seat that is asked may not do this."""
    if game.phase == PLAY_CARD:
        if action >= THROW:
            return "it is its turn, so it must play a card"
        return f"it does not hold {CODES[(action - PLAY) // N_SIDES]}"
    if action < THROW:
        return f"it is player_{game.active}'s turn; it may throw a card that fits the gap, or pass"
    code = f"{COLOURS[game.last_colour]}{action - THROW + 1}"
    if not game.gap_low < action - THROW + 1 < game.gap_high:
        return f"{code} does not lie in the gap {game.gap_low}-{game.gap_high}"
    return f"it does not hold {code}"


def check_record(game: Any) -> None:
    """Refuse a record that no play could have led to, before a kernel trusts its numbers."""
    n_seats = int(game.n_seats)
    _need(SEATS.low <= n_seats <= SEATS.high, "number of seats")
    _need(0 <= game.phase < len(PHASES), "phase")
    _need(0 <= game.to_act < n_seats and 0 <= game.active < n_seats, "seat to act")
    _need(game.phase != PLAY_CARD or game.to_act == game.active, "seat to act")
    _need(game.phase != THROW_CARDS or game.to_act != game.active, "seat to act")
    _need(game.round_no >= 1 and 0 <= game.turn_no <= N_CARDS, "round or turn")
    _need(game.episode >= 0 and game.game_seed >= 0, "game seed")
    _need((game.score >= game.round_score).all() and (game.round_score >= 0).all(), "scores")
    _need((game.score <= np.iinfo(np.int32).max // 2).all(), "scores")
    _need(not game.score[n_seats:].any() and not game.hand[n_seats:].any(), "empty seats")
    _need(not (game.hand_size[n_seats:].any() or game.offered[n_seats:].any()), "empty seats")
    _check_cards(game)
    _check_tops(game)
    _check_gap(game)
    _check_end(game)
    _need(game.phase != PLAY_CARD or (game.hand_size[:n_seats] > 0).all(), "empty hand")


def _check_cards(game: Any) -> None:
    """Every card lies in one place at most, and every count is the count of its cards."""
    _need(0 <= game.pile_size <= N_CARDS and 0 <= game.discard_size <= N_CARDS, "pile size")
    pile = game.pile[: game.pile_size].tolist()
    discard = game.discard[: game.discard_size].tolist()
    sets = [*game.hand, *game.laid, *game.offered, game.discarded, game.recycled]
    _need(bool((np.array(sets) < 1 << N_VALUES).all()), "card set")
    hands = [_cards_of(hand) for hand in game.hand]
    _need([len(hand) for hand in hands] == game.hand_size.tolist(), "hand size")
    laid = [_cards_of(pile) for pile in game.laid]
    _need(sorted(discard) == _cards_of(game.discarded), "discard")
    everywhere = [*pile, *discard, *chain(*hands), *chain(*laid)]
    _need(all(0 <= card < N_CARDS for card in everywhere), "card")
    _need(len(set(everywhere)) == len(everywhere) == game.n_cards, "number of cards")
    _need(set(_cards_of(game.recycled)) <= set(everywhere), "reshuffled cards")
    _need(game.turn_no == sum(map(len, laid)), "turn")


def _check_tops(game: Any) -> None:
    """A pile shows a card that was laid on it, or else its start card."""
    start_cards = []
    for colour, side in product(range(N_COLOURS), range(N_SIDES)):
        top, laid = int(game.top[colour, side]), int(game.laid[side, colour])
        if laid:
            _need(1 <= top <= N_VALUES and laid >> (top - 1) & 1, "top of a row")
        else:
            start_cards.append(top)
    _need(len(set(start_cards)) == len(start_cards), "start card")
    _need(set(start_cards) <= set(START_CARDS), "start card")


def _check_end(game: Any) -> None:
    """The game is over when it must be, and then its last round was scored."""
    _need(game.round_no <= (game.max_rounds or LARGEST_ROUND), "round")
    if game.phase != OVER:
        _need(game.max_rounds != NO_LIMIT or game.score.max() < game.target, "scores")
    else:
        _need(rounds_or_target_reached(game), "end of the game")
        _need((game.hand_size[: game.n_seats] == 0).any(), "end of the game")
        hands = [_cards_of(hand) for hand in game.hand]
        costs = [sum(int(game.points[card % N_VALUES]) for card in hand) for hand in hands]
        _need(game.round_score.tolist() == costs, "score of the last round")


def _check_gap(game: Any) -> None:
    """The gap is the one that the last card left in its row."""
    colour = int(game.last_colour)
    _need((colour == NONE) == (game.turn_no == 0), "last colour")
    _need(NONE <= colour < N_COLOURS, "last colour")
    if colour == NONE:
        _need(game.phase == PLAY_CARD and game.gap_low == game.gap_high == NO_GAP, "gap")
        _need(not game.offered.any(), "gap")
        return
    _need(game.laid[:, colour].any(), "last colour")
    _need([game.gap_low, game.gap_high] == sorted(game.top[colour].tolist()), "gap")
    if game.phase == THROW_CARDS:
        inside = range(int(game.gap_low) + 1, int(game.gap_high))
        held = int(game.hand[game.to_act, colour])
        _need(any(held >> (value - 1) & 1 for value in inside), "seat to act")


def _need(holds: Any, what: str) -> None:
    if not holds:
        raise ValueError(f"this is no possible game of Cabanga: {what} is wrong")


def _bit_sets(cards: Iterable[int]) -> list[int]:
    """Cards as one set of bits a colour."""
    sets = [0] * N_COLOURS
    for card in cards:
        sets[card // N_VALUES] |= 1 << (card % N_VALUES)
    return sets


def _cards_of(sets: Iterable[Any]) -> list[int]:
    """The cards of one set of bits a colour, in card order."""
    return [
        colour * N_VALUES + place
        for colour, bits in enumerate(sets)
        for place in range(N_VALUES)
        if int(bits) >> place & 1
    ]


def _codes(cards: Iterable[int]) -> list[str]:
    return [CODES[card] for card in cards]
