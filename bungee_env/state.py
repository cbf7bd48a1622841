"""The record of one game, and the ways in and out of it in plain Python."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from bungee_env.actions import CALL, MOST_PLAYED, PASS, PLAY, SWAP, TAKE
from bungee_env.cards import BUNGEE, CARD_OF, CODES, COPIES, N_CARDS, N_KINDS
from cardcore.options import Number
from cardcore.seats import left_of, right_of
from cardcore.spec import OVER, common_fields, record_type
from cardcore.tables import check_copies, check_whole_deck, read_cards, read_hands, read_seat

MAX_SEATS = 5
MOST_IN_HAND = 5  # at the end of every turn
ABOUT_LUCKY, TAKE_TURN, AFTER_PLAY = 1, 2, 3  # phases; 0 is OVER
PHASES = ("over", "lucky", "turn", "call")
NO_CARD = -1
LARGEST_LIMIT = 1_000_000

SEATS = Number("num_players", 4, 2, MAX_SEATS, "seats at the table")
OPTIONS = (
    Number("rounds", 6, 1, LARGEST_LIMIT, "rounds in a game (B12)"),
    Number("turn_limit", 200, 1, LARGEST_LIMIT, "turns in a round at most (B15)"),
)
TABLE_KEYS = ("deck", "starter", "hands", "discard", "lucky")

GAME = record_type(
    [
        *common_fields(MAX_SEATS),
        ("hand", np.int8, (MAX_SEATS, N_KINDS)),  # how many of each kind a seat holds
        ("known", np.int8, (MAX_SEATS, N_KINDS)),  # of these, those that all saw it take
        ("hand_size", np.int8, (MAX_SEATS,)),
        ("lucky", np.int8),  # kind of the lucky card, or NO_CARD
        ("dealer", np.int8),  # right of this round's starter
        ("pile", np.int8, (N_CARDS,)),  # draw pile, next card at pile[pile_size - 1]
        ("pile_size", np.int8),
        ("discard", np.int8, (N_CARDS,)),  # top card at discard[discard_size - 1]
        ("discard_size", np.int8),
        ("discarded", np.int8, (N_KINDS,)),  # how many of each kind lie on the discard
        ("recycled", np.int8, (N_KINDS,)),  # what the last reshuffle put into the draw pile
        ("n_sixes", np.int8),  # played in this turn, their skips not yet worked out
        ("callers", np.int8, (MAX_SEATS,)),  # seats whose call stands, in order of calling
        ("n_callers", np.int8),
        ("lap", np.int8),  # bit k: the seat k + 1 places left of the first caller has a turn left
        ("extra_lap", np.int8),  # 1 when the lap is an extra one
        ("max_rounds", np.int32),  # options from here on
        ("turn_limit", np.int32),
    ]
)


def set_options(game: Any, options: Mapping[str, Any]) -> None:
    """Write the checked options into a record."""
    game.max_rounds = options["rounds"]
    game.turn_limit = options["turn_limit"]


def lay_table(game: Any, table: Mapping[str, Any]) -> None:
    """Lay a round that was just dealt out anew, as `reset(options)` tells."""
    n_seats = int(game.n_seats)
    starter = read_seat("starter", table.get("starter", left_of(game, game.dealer)), n_seats)
    for name in ("discard", "lucky"):
        if name in table and "hands" not in table:
            raise ValueError(f"{name} can be laid out only together with hands")
    if "hands" in table:
        _lay_hands(game, table)
    elif "deck" in table:
        deck = read_cards("deck", table["deck"], CARD_OF)
        check_whole_deck(deck, COPIES, CODES)
        n_dealt = MOST_IN_HAND * n_seats
        hands = [deck[first : first + MOST_IN_HAND] for first in range(0, n_dealt, MOST_IN_HAND)]
        _put_cards(game, hands, deck[n_dealt + 1 :], [], deck[n_dealt])
    game.dealer = right_of(game, starter)


def _lay_hands(game: Any, table: Mapping[str, Any]) -> None:
    """Hands that are given; nothing is dealt."""
    if "lucky" not in table:
        raise ValueError("with hands the lucky card must be given: lucky='8', for example")
    (lucky,) = read_cards("lucky", [table["lucky"]], CARD_OF)
    hands = read_hands(table["hands"], CARD_OF, int(game.n_seats), MOST_IN_HAND)
    deck = read_cards("deck", table.get("deck", []), CARD_OF)
    discard = read_cards("discard", table.get("discard", []), CARD_OF)
    places = {f"hands[{seat}]": hand for seat, hand in enumerate(hands)}
    check_copies({**places, "deck": deck, "discard": discard, "lucky": [lucky]}, COPIES, CODES)
    _put_cards(game, hands, deck, discard, lucky)


def _put_cards(
    game: Any, hands: list[list[int]], deck: list[int], discard: list[int], lucky: int
) -> None:
    """Put checked cards in their places and nothing anywhere else."""
    for seat, hand in enumerate(hands):
        game.hand[seat] = _counts(hand)
        game.hand_size[seat] = len(hand)
    game.pile_size, game.discard_size = len(deck), len(discard)
    game.pile[: len(deck)] = deck[::-1]
    game.discard[: len(discard)] = discard
    game.discarded[:] = _counts(discard)
    game.lucky = lucky
    game.n_cards = len(deck) + len(discard) + game.hand_size.sum() + 1


def snapshot(game: Any) -> dict[str, Any]:
    """The full truth as plain Python, fields as the rules page lists them."""
    n_seats = int(game.n_seats)
    discard = _codes(game.discard[: game.discard_size])
    callers = game.callers[: game.n_callers].tolist()
    return {
        "hands": [_codes(_cards_of(game.hand[seat])) for seat in range(n_seats)],
        "draw_pile": _codes(game.pile[: game.pile_size][::-1]),
        "discard": discard,
        "scores": game.score[:n_seats].tolist(),
        "round": int(game.round_no),
        "turn": int(game.turn_no),
        "phase": PHASES[game.phase],
        "to_act": None if game.phase == OVER else int(game.to_act),
        "lucky": None if game.lucky == NO_CARD else CODES[game.lucky],
        "top": discard[-1] if discard else None,
        "callers": callers,
        "dealer": int(game.dealer),
        "last_lap": bool(callers),
        "lap_left": [
            (callers[0] + 1 + place) % n_seats
            for place in range(n_seats - 1)
            if game.phase != OVER and int(game.lap) >> place & 1
        ],
    }


def why_illegal(game: Any, action: int) -> str:
    """Why the seat that is asked may not do this."""
    if game.phase == ABOUT_LUCKY:
        if SWAP <= action < CALL:
            return f"it does not hold {CODES[action - SWAP]}"
        return "the lucky card is a J: it may swap that for a card, or pass"
    if game.phase == AFTER_PLAY:
        return "it has played and may now only call or pass"
    if SWAP <= action < CALL:
        return "it is its turn, and there is no lucky J to be taken"
    if action == PASS:
        return "passing is for extra laps only"
    return _why_no_turn(game, action)


def _why_no_turn(game: Any, action: int) -> str:
    """Why a play or a call is not possible at the seat's own turn."""
    seat = int(game.to_act)
    if action >= TAKE and not game.discard_size:
        return "nothing lies on the discard yet, so it must play and draw"
    if action == CALL:
        if seat in game.callers[: game.n_callers]:
            return "it has called already; it may play first, or stand by passing"
        return "it has more than 5 points in hand"
    kind, more = divmod((action - PLAY) % TAKE, MOST_PLAYED)
    return f"it holds {game.hand[seat, kind]} of {CODES[kind]}, not {more + 1}"


def check_record(game: Any) -> None:
    """Refuse a record that no play could have led to, before a kernel trusts its numbers."""
    n_seats = int(game.n_seats)
    _need(SEATS.low <= n_seats <= SEATS.high, "number of seats")
    _need(0 <= game.phase < len(PHASES), "phase")
    _need(0 <= game.to_act < n_seats and 0 <= game.dealer < n_seats, "seat to act")
    _need(1 <= game.round_no <= game.max_rounds, "round")
    _need(game.phase != OVER or game.round_no == game.max_rounds, "round")
    _need(0 <= game.turn_no <= game.turn_limit, "turn")
    _need(game.phase == OVER or game.turn_no < game.turn_limit or _asked_late(game), "turn")
    _need(game.episode >= 0 and game.game_seed >= 0, "game seed")
    largest = np.iinfo(np.int32).max // 2
    _need((abs(game.score.astype(np.int64)) <= largest).all(), "scores")
    _need((abs(game.round_score.astype(np.int64)) <= N_CARDS * N_KINDS).all(), "scores")
    empty = (game.score, game.round_score, game.hand, game.known, game.hand_size)
    _need(not any(field[n_seats:].any() for field in empty), "empty seats")
    _check_cards(game)
    _check_laps(game)
    if game.phase == ABOUT_LUCKY:
        _need(game.lucky == BUNGEE and game.to_act == game.dealer, "lucky card")
        _need(game.turn_no == 0, "turn")
    if game.phase == TAKE_TURN:
        _need(game.hand_size[game.to_act] or game.discard_size, "empty hand")


def _asked_late(game: Any) -> bool:
    """The turn that reaches the limit can still end with a call."""
    return bool(game.phase == AFTER_PLAY)


def _check_cards(game: Any) -> None:
    """No kind lies about more often than the box has it, and every count is true."""
    _need(0 <= game.pile_size <= N_CARDS and 0 <= game.discard_size <= N_CARDS, "pile size")
    pile = game.pile[: game.pile_size].tolist()
    discard = game.discard[: game.discard_size].tolist()
    _need(NO_CARD <= game.lucky < N_KINDS, "lucky card")
    _need(all(0 <= card < N_KINDS for card in chain(pile, discard)), "card")
    _need((game.hand >= 0).all() and (game.recycled >= 0).all(), "hand")
    _need((game.recycled <= COPIES).all(), "reshuffled cards")
    _need(((game.known >= 0) & (game.known <= game.hand)).all(), "known cards")
    _need((game.hand.sum(axis=1) == game.hand_size).all(), "hand size")
    _need((game.hand_size <= MOST_IN_HAND).all(), "hand size")
    _need((game.discarded == _counts(discard)).all(), "discard")
    lucky = [] if game.lucky == NO_CARD else [int(game.lucky)]
    everywhere = game.hand.sum(axis=0) + _counts(chain(pile, discard, lucky))
    _need((everywhere <= COPIES).all(), "number of cards of a kind")
    _need(everywhere.sum() == game.n_cards, "number of cards")


def _check_laps(game: Any) -> None:
    """Callers are different seats, and laps are run by those who can."""
    n_seats, n_callers = int(game.n_seats), int(game.n_callers)
    _need(0 <= n_callers <= n_seats and 0 <= game.n_sixes <= MOST_PLAYED, "callers")
    callers = game.callers[:n_callers].tolist()
    _need(all(0 <= seat < n_seats for seat in callers), "callers")
    _need(len(set(callers)) == n_callers, "callers")
    _need(game.extra_lap in (0, 1) and 0 <= game.lap < 1 << (n_seats - 1), "lap")
    _need(n_callers or (game.lap == 0 and not game.extra_lap), "lap")
    _need(game.phase == AFTER_PLAY or not game.n_sixes, "sixes")
    if game.phase == OVER:
        return
    _need(not callers or game.to_act != callers[0], "first caller")
    _need(game.phase != AFTER_PLAY or (callers and game.to_act not in callers), "callers")
    if game.phase == TAKE_TURN and callers:
        places = [place for place in range(n_seats - 1) if int(game.lap) >> place & 1]
        _need(places and game.to_act == (callers[0] + 1 + places[0]) % n_seats, "seat to act")


def _need(holds: Any, what: str) -> None:
    if not holds:
        raise ValueError(f"this is no possible game of Bungee: {what} is wrong")


def _counts(cards: Iterable[int]) -> Any:
    """How many there are of each kind."""
    return np.bincount(np.fromiter(cards, np.int64), minlength=N_KINDS)


def _cards_of(counts: Any) -> list[int]:
    """So many of each kind, in card order."""
    return [kind for kind in range(N_KINDS) for _ in range(int(counts[kind]))]


def _codes(cards: Iterable[int]) -> list[str]:
    return [CODES[card] for card in cards]
