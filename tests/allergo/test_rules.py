"""The rules of Allergo one by one, as docs/rules/allergo.md numbers them.

Cards are written as colour and number or symbol (R5, R~, R/, R+2) or C, +3, +4. A table that is
laid out begins with seat 0, clockwise, and announces "allergono" for everybody unless it says
otherwise.
"""

from collections import Counter

import pytest

from cardcore.scoring import win_shares
from tests.allergo.table import Table, table
from tests.table import flat

NUMBERS = list(range(10))
KINDS = [*NUMBERS, "~", "/", "+2"]
COLOURED = [f"{colour}{kind}" for colour in "RBGY" for kind in KINDS]
JOKERS = ["C", "+3", "+4"]
BOX = Counter({**dict.fromkeys(COLOURED, 2), **dict.fromkeys(JOKERS, 4)})
FAR_AWAY = 100_000  # a target that no test reaches
CLOCKWISE, ANTICLOCKWISE = 1, -1


def all_cards(shown):
    """Every card of a snapshot, however often."""
    return Counter(flat(shown["hands"]) + shown["draw_pile"] + shown["discard"])


def refuses(game, action):
    """Whether an action is an error that changes nothing."""
    before = game.snapshot()
    with pytest.raises(ValueError, match=f"player_{before['to_act']}"):
        game.do(action)
    return game.snapshot() == before


def deck_for_two(top):
    """The whole deck, with this card to be turned up after two hands of seven."""
    deck = COLOURED * 2 + JOKERS * 4
    deck.remove(top)
    return [*deck[:14], top, *deck[14:]]


# A1 Set-up


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_a01_seven_cards_each_one_turned_up_and_the_rest_to_draw(num_players):
    start = Table(seed=3, num_players=num_players).snapshot()
    assert [len(hand) for hand in start["hands"]] == [7] * num_players
    assert len(start["draw_pile"]) + len(start["discard"]) == 116 - 7 * num_players
    assert start["top"] == start["discard"][-1]
    assert all_cards(start) == BOX
    assert (start["round"], start["turn"], start["scores"]) == (1, 0, [0] * num_players)


def test_a01_hands_and_first_dealer_come_by_chance():
    starts = [Table(seed=seed).snapshot() for seed in range(60)]
    assert {start["dealer"] for start in starts} == {0, 1, 2, 3}
    assert len({tuple(start["hands"][0]) for start in starts}) == 60
    assert len({start["top"] for start in starts}) > 20


def test_a01_a_given_deck_is_dealt_in_blocks_and_then_a_card_is_turned_up():
    deck = deck_for_two("G7")
    shown = Table(num_players=2, first_round={"deck": deck, "dealer": 1}).snapshot()
    assert Counter(shown["hands"][0]) == Counter(deck[:7])
    assert Counter(shown["hands"][1]) == Counter(deck[7:14])
    assert shown["discard"] == ["G7"]
    assert shown["draw_pile"] == deck[15:]
    assert (shown["colour"], shown["kind"], shown["to_act"]) == ("G", "7", 0)


def test_a01_hands_are_shown_in_card_order():
    game = table(hands=["+4 +3 C Y+2 Y0 R/ R~ R9 R+2", "B1 B2"])
    assert game.hand(0) == "R9 R~ R/ R+2 Y0 Y+2 C +3 +4"


@pytest.mark.parametrize(("dealer", "turns"), [(0, [1, 2, 0]), (1, [2, 0, 1]), (2, [0, 1, 2])])
def test_a01_the_dealers_left_neighbour_begins_and_play_goes_clockwise(dealer, turns):
    game = table(hands=["R1 R2 B9", "R3 R4 B9", "R6 R7 G9"], dealer=dealer)
    for seat in turns:
        assert game.asked == (seat, "turn")
        assert game.snapshot()["active"] == seat
        game.do(game.choices()[0])


@pytest.mark.parametrize("seed", range(8))
def test_a01_every_round_is_set_up_anew(seed):
    game = table(hands=["R~ B+2", "R+2 B1"], deck="Y1", seed=seed, target=FAR_AWAY)
    game.do("R~", "R+2", "B+2")  # a round that ends anticlockwise, with a fine
    second = game.snapshot()
    assert (second["round"], second["turn"]) == (2, 0)
    assert [len(hand) for hand in second["hands"]] == [7, 7]
    assert all_cards(second) == BOX
    turned_up = second["top"][1:]
    assert second["direction"] == (ANTICLOCKWISE if turned_up == "~" else CLOCKWISE)
    assert second["fine"] == (2 if turned_up == "+2" else 0)


def test_a01_the_counts_of_the_deck_can_be_set():
    counts = {"R5": 0, "B~": 4, "C": 0, "+4": 1}
    start = Table(num_players=3, deck_counts=counts).snapshot()
    expected = Counter({**BOX, **counts})
    assert all_cards(start) == +expected


# A2 A match


@pytest.mark.parametrize(
    ("top", "playable"),
    [
        ("R5", "R0 R6 R~ R/ R+2 B5"),
        ("B5", "B5 B6"),
        ("G5", "B5 G0"),
        ("G6", "R6 B6 G0"),
        ("Y0", "R0 G0 Y1"),
        ("G1", "G0 Y1"),
        ("Y8", "Y1"),
        ("G8", "G0"),
        ("B9", "B5 B6"),
    ],
)
def test_a02_a_card_must_match_colour_or_number(top, playable):
    game = table(hands=["R0 R6 R~ R/ R+2 B5 B6 G0 Y1", "B1 B2"], discard=top)
    assert game.playable() == playable


def test_a02_the_card_played_is_what_the_next_one_must_match():
    game = table(hands=["B5 R1", "B7 G5 R5 Y7"], discard="R5").do("B5")
    assert (game.top, game.in_force, game.discard) == ("B5", ("B", "5"), "R5 B5")
    assert game.asked == (1, "turn")
    assert game.playable() == "R5 B7 G5"
    game.do("B7")
    assert game.in_force == ("B", "7")
    assert game.hands == ["R1", "R5 G5 Y7"]


def test_a02_one_card_a_turn():
    game = table(hands=["R1 R2 R3", "R4 R6"]).do("R1")
    assert game.asked == (1, "turn")
    assert game.hand(0) == "R2 R3"


@pytest.mark.parametrize("action", ["R7", "C B", "pass", "announce", "denounce", "liar", "name R"])
def test_a02_nothing_else_can_be_done_in_a_turn(action):
    assert refuses(table(hands=["R1 Y6", "R7 B4"], deck="C"), action)


# A3 End of a round, score


def test_a03_the_round_ends_as_soon_as_a_hand_is_empty():
    game = table(hands=["R1", "B2 B4"], rounds=1).do("R1")
    assert game.phase == "over"
    assert game.snapshot()["to_act"] is None
    assert (game.hands, game.discard) == (["", "B2 B4"], "R5 R1")
    assert (game.snapshot()["active"], game.turn) == (0, 1)


@pytest.mark.parametrize(
    ("cards", "cost"),
    [(f"B{n} G{n} Y{n}", n) for n in NUMBERS]
    + [("B~ G~ Y~", 20), ("B/ G/ Y/", 20), ("B+2 G+2 Y+2", 20)]
    + [("C C C", 50), ("+3 +3 +3", 50), ("+4 +4 +4", 50)],
)
def test_a03_numbers_cost_their_value_symbols_20_and_mauve_cards_50(cards, cost):
    game = table(hands=["R1", *cards.split()], rounds=1).do("R1")
    assert game.scores == [0, cost, cost, cost]


def test_a03_all_cards_left_are_counted():
    game = table(hands=["R1", "R9 G/ C"], rounds=1).do("R1")  # the page's example F
    assert game.scores == [0, 9 + 20 + 50]
    assert game.rewards == [0, -79]


def test_a03_a_step_that_scores_nothing_pays_nothing():
    game = table(hands=["R1 R2", "R3 C"], rounds=1).do("R1")
    assert game.rewards == [0, 0]
    game.do("R3").do("R2")
    assert game.rewards == [0, -50]


@pytest.mark.parametrize("last", ["R+2", "R~", "R/"])
def test_a03_the_effect_of_a_last_card_is_not_carried_out(last):
    game = table(hands=[last, "B2", "B4"], deck="Y1 Y2 Y3", rounds=1).do(last)
    assert game.phase == "over"
    assert game.hands == ["", "B2", "B4"]
    assert (game.direction, game.fine, game.in_force) == (CLOCKWISE, 0, ("R", last[1:]))


def test_a03_a_last_card_on_a_fine_lets_nobody_draw_it():
    game = table(hands=["R+2 R1", "B+2", "B4"], deck="Y1 Y2 Y3 Y4", rounds=1).do("R+2", "B+2")
    assert game.phase == "over"
    assert game.scores == [1, 0, 4]
    assert game.fine == 2


def test_a03_rounds_add_up():
    game = table(hands=["R1", "Y8 Y9"], target=FAR_AWAY).do("R1")
    assert (game.round, game.scores) == (2, [0, 17])
    game.play_out_round()
    assert game.round == 3
    assert game.scores == [0 - game.rewards[0], 17 - game.rewards[1]]


# A4 The last card


@pytest.mark.parametrize("joker", JOKERS)
def test_a04_a_mauve_card_cannot_be_the_last_card(joker):
    game = table(hands=[joker, "B2"], deck="Y1")
    assert game.choices() == ["draw"]


@pytest.mark.parametrize(("joker", "play"), [("C", "C B"), ("+3", "+3"), ("+4", "+4 B")])
def test_a04_with_another_card_in_hand_it_may_be_played(joker, play):
    game = table(hands=[f"{joker} Y1", "B2 B3"], deck="Y2 Y3 Y4 Y6")
    assert play in game.choices()
    assert game.do(play).hand(0) == "Y1"


def test_a04_of_two_mauve_cards_one_can_be_played():
    game = table(hands=["C C", "B1 R2"], deck="Y1 Y2")
    assert game.playable() == "C"
    game.do("C B", "B1")
    assert game.choices() == ["draw"]


def test_a04_a_lone_plus_3_does_not_answer_a_fine():
    game = table(hands=["R+2 R1", "+3"], deck="Y1 Y2").do("R+2")
    assert game.choices() == ["draw"]


def test_a04_a_mauve_card_drawn_to_another_is_not_the_last():
    game = table(hands=["+4", "B2 B3"], deck="C").do("draw")
    assert game.asked == (0, "drawn")
    assert game.playable() == "C"
    game.do("C G")
    assert game.hand(0) == "+4"


# A5 +2


def test_a05_the_next_seat_cannot_play_draws_two_and_loses_its_turn():
    game = table(hands=["R+2 R1", "R3 R4", "R6 R7"], deck="Y1 Y2 Y3").do("R+2")
    assert (game.fine, game.asked, game.choices()) == (2, (1, "turn"), ["draw"])
    game.do("draw")
    assert game.hand(1) == "R3 R4 Y1 Y2"
    assert (game.fine, game.draw_pile, game.asked) == (0, "Y3", (2, "turn"))


def test_a05_a_plus_2_of_any_colour_passes_the_sum_on():
    game = table(hands=["R+2 R1", "B+2 R3", "R6 R7"], deck="Y1 Y2 Y3 Y4 Y6").do("R+2", "B+2")
    assert (game.fine, game.asked) == (4, (2, "turn"))
    game.do("draw")
    assert game.hands == ["R1", "R3", "R6 R7 Y1 Y2 Y3 Y4"]
    assert (game.fine, game.asked) == (0, (0, "turn"))


@pytest.mark.parametrize("n_rounds", [1, 2])
def test_a05_fines_are_stacked_round_a_table(n_rounds):
    hands = ["R+2 R+2 R1", "B+2 B+2 R3", "G+2 G+2 R4", "Y+2 Y+2 R6"]
    deck = [f"{colour}{n}" for colour in "BGY" for n in (1, 2, 3, 4, 6, 7)]
    game = table(hands=hands, deck=" ".join(deck))
    for _ in range(n_rounds):
        game.do("R+2", "B+2", "G+2", "Y+2")
    assert game.fine == 8 * n_rounds
    before = game.n_cards()[0]
    game.do("draw")
    assert game.n_cards()[0] == before + 8 * n_rounds
    assert game.draw_pile.split() == deck[8 * n_rounds :]
    assert game.asked == (1, "turn")


def test_a05_while_a_fine_is_pending_only_plus_2_plus_3_or_the_fine():
    game = table(hands=["R+2 R1", "R0 R~ R/ R+2 Y+2 C +3 +4"]).do("R+2")
    assert game.playable() == "R+2 Y+2 +3"
    assert game.choices()[-1] == "draw"


def test_a05_who_could_answer_may_take_the_fine_all_the_same():
    game = table(hands=["R+2 R1", "B+2 R3"], deck="Y1 Y2").do("R+2", "draw")
    assert game.hand(1) == "R3 B+2 Y1 Y2"
    assert game.asked == (0, "turn")


def test_a05_the_plus_2_stays_in_force_when_it_is_paid():
    game = table(hands=["R+2 R1", "B3 B4", "R6 B6 G+2 Y9"], deck="Y1 Y2").do("R+2", "draw")
    assert (game.top, game.in_force) == ("R+2", ("R", "+2"))
    assert game.playable() == "R6 G+2"


def test_a05_a_plus_2_is_played_on_its_colour_or_on_another():
    assert table(hands=["R+2 B+2", "B1 B2"], discard="R5").playable() == "R+2"
    paid = table(hands=["R+2 R1", "B1 B2", "Y+2 B3"], deck="Y1 Y2").do("R+2", "draw")
    assert paid.do("Y+2").fine == 2


@pytest.mark.parametrize(("num_players", "hit"), [(2, 1), (3, 2), (4, 3), (6, 5)])
def test_a05_anticlockwise_the_fine_goes_the_other_way(num_players, hit):
    hands = ["R+2 R1", "R~ B3", "R8 B4", "G1 G2", "G3 G4", "G6 G7"][:num_players]
    game = table(hands=hands, discard="R~", dealer=0, deck="Y1 Y2").do("R+2")
    assert game.asked == (hit, "turn")
    game.do("draw")
    assert game.n_cards()[hit] == 4


def test_a05_taking_a_fine_is_a_turn():
    game = table(hands=["R+2 R1", "B3 B4"], deck="Y1 Y2").do("R+2", "draw")
    assert game.turn == 2


def test_a05_the_fine_stands_only_after_the_last_card_but_one_is_announced():
    game = table(hands=["R+2 R1", "B3 B4"], deck="Y1 Y2", announce="ask").do("R+2")
    assert (game.phase, game.fine) == ("announce", 0)
    game.do("announce")
    assert (game.asked, game.fine) == ((1, "turn"), 2)


# A6 ~


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_a06_the_direction_is_reversed(num_players):
    hands = ["R~ R1 B1", "B2 B3", "B4 B6", "B7 B8", "G1 G2", "G3 G4"][:num_players]
    game = table(hands=hands, deck="Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 G8 G9").do("R~")
    for step in range(1, 2 * num_players):
        assert game.direction == ANTICLOCKWISE
        assert game.asked == (-step % num_players, "turn")
        game.do("draw")


def test_a06_a_second_one_turns_it_back():
    game = table(hands=["R~ R1", "B2 B3", "B4 B6", "B~ B8"], deck="Y1").do("R~", "B~")
    assert game.direction == CLOCKWISE
    assert game.asked == (0, "turn")


def test_a06_it_goes_on_its_colour_or_on_another_one():
    assert table(hands=["R~ B~", "B1 B2"], discard="R5").playable() == "R~"
    game = table(hands=["R~ R1", "B~ R3 Y4"]).do("R~")
    assert game.playable() == "R3 B~"


def test_a06_with_two_players_the_other_is_next_all_the_same():
    game = table(hands=["R~ R1", "R~ R3"]).do("R~")
    assert (game.asked, game.direction) == ((1, "turn"), ANTICLOCKWISE)
    game.do("R~")
    assert (game.asked, game.direction) == ((0, "turn"), CLOCKWISE)


# A7 /


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_a07_the_next_seat_misses_its_turn(num_players):
    hands = ["R/ R1", "B2 B3", "B4 B6", "B7 B8", "G1 G2", "G3 G4"][:num_players]
    game = table(hands=hands).do("R/")
    assert game.asked == (2 % num_players, "turn")
    assert game.n_cards() == [1, *[2] * (num_players - 1)]
    assert (game.turn, game.direction) == (1, CLOCKWISE)


@pytest.mark.parametrize(("num_players", "follower"), [(2, 0), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_a07_anticlockwise_it_is_the_neighbour_on_the_other_side(num_players, follower):
    hands = ["R/ R1", "B2 B3", "B4 B6", "B7 B8", "G1 G2", "G3 G4"][:num_players]
    game = table(hands=hands, discard="R~", dealer=0).do("R/")
    assert game.asked == (follower, "turn")


def test_a07_whatever_the_next_seat_holds():
    game = table(hands=["R/ R1", "R/ B/ +3", "B4 B6"]).do("R/")
    assert game.asked == (2, "turn")


def test_a07_it_goes_on_its_colour_or_on_another_one():
    assert table(hands=["R/ B/", "B1 B2"], discard="R5").playable() == "R/"
    game = table(hands=["R/ R1", "B2 B3", "B/ R3 Y4"]).do("R/")
    assert game.playable() == "R3 B/"
    game.do("B/")
    assert game.asked == (1, "turn")


# A8 C


def test_a08_the_captain_names_any_colour():
    game = table(hands=["C R1", "B2 B3"])
    assert game.choices() == ["R1", "C R", "C B", "C G", "C Y", "draw"]


@pytest.mark.parametrize(
    ("colour", "playable"), [("R", "R5 R7"), ("B", "B5"), ("G", "G8"), ("Y", "Y9")]
)
def test_a08_the_next_card_must_have_the_colour_that_was_named(colour, playable):
    game = table(hands=["C R1", "R5 R7 B5 G8 Y9"], discard="R5").do(f"C {colour}")
    assert (game.top, game.in_force) == ("C", (colour, None))
    assert game.asked == (1, "turn")
    assert game.playable() == playable


@pytest.mark.parametrize("top", ["R5", "G0", "Y~", "B/"])
def test_a08_it_goes_on_numbers_and_harmless_symbols_of_any_colour(top):
    game = table(hands=["C R1", "C R2", "C R3"], discard=top)
    assert "C" in game.playable().split()


def test_a08_it_goes_on_another_captain():
    game = table(hands=["C R1", "C R2"]).do("C B", "C R")
    assert game.in_force == ("R", None)


def test_a08_not_on_a_plus_2_even_when_it_is_paid():
    game = table(hands=["R+2 R1", "C B3", "C R6"], deck="Y1 Y2").do("R+2")
    assert game.playable() == ""
    game.do("draw")
    assert (game.fine, game.playable()) == (0, "R6")


def test_a08_not_on_a_plus_3_whatever_lies_beneath():
    game = table(hands=["+3 R1", "C R3"], deck="Y1 Y2 Y3").do("+3")
    assert (game.top, game.in_force) == ("+3", ("R", "5"))
    assert game.playable() == "R3"


def test_a08_not_on_a_plus_4():
    game = table(hands=["+4 B1", "B2 B3", "C R6"], deck="Y1 Y2 Y3 Y4").do("+4 R", "draw")
    assert game.asked == (2, "turn")
    assert game.playable() == "R6"


# A9 +3


@pytest.mark.parametrize(
    ("discard", "dealer", "hands"),
    [
        ("R5", 3, ["R1", "R2 Y0 Y1 Y2", "R3 Y3 Y4 Y5", "R4 Y6 Y7 Y8"]),
        ("R~", 0, ["R1", "R2 Y6 Y7 Y8", "R3 Y3 Y4 Y5", "R4 Y0 Y1 Y2"]),
    ],
)
def test_a09_all_others_draw_three_in_turn_order(discard, dealer, hands):
    deck = "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9"
    game = table(["+3 R1", "R2", "R3", "R4"], discard, deck, dealer).do("+3")
    assert game.hands == hands
    assert game.draw_pile == "Y9"


@pytest.mark.parametrize("num_players", [2, 3, 5, 6])
def test_a09_everybody_but_the_player_draws(num_players):
    hands = ["+3 +3 R1", "R2", "R3", "R4", "R6", "R7"][:num_players]
    game = table(hands, deck=" ".join(f"{c}{n}" for c in "BGY" for n in range(10))).do("+3")
    assert game.n_cards() == [2, *[4] * (num_players - 1)]
    assert game.asked == (1, "turn")


def test_a09_they_draw_three_at_a_time_as_far_as_the_cards_go():
    game = table(hands=["+3 R1", "R2", "R3", "R4"], deck="Y1 Y2 Y3 Y4", discard="R5").do("+3")
    assert game.hands == ["R1", "R2 Y1 Y2 Y3", "R3 R5 Y4", "R4"]  # the covered R5 comes back


def test_a09_play_goes_on_with_the_colour_and_kind_beneath():
    game = table(hands=["+3 R1", "R2 B5 B6"], deck="B7 G5 G8").do("+3")
    assert (game.top, game.in_force) == ("+3", ("R", "5"))
    assert game.playable() == "R2 B5 G5"
    game.do("B5")
    assert game.in_force == ("B", "5")


def test_a09_on_a_captain_the_named_colour_stays():
    game = table(hands=["C R1", "+3 R2", "R3 B3"], deck="Y1 Y2 Y3 Y4 Y6 Y7").do("C B", "+3")
    assert game.in_force == ("B", None)
    assert game.playable() == "B3"


@pytest.mark.parametrize("symbol", ["~", "/"])
def test_a09_the_symbol_beneath_does_not_work_again(symbol):
    hands = ["R1 +3", "B1 +3", "B2 +3", "B3 +3"]
    deck = " ".join(f"{colour}{n}" for colour in "GY" for n in range(10))
    game = table(hands=hands, discard=f"R{symbol}", deck=deck, dealer=0)
    player, direction = game.asked[0], game.direction
    game.do("+3")
    assert game.direction == direction
    assert game.asked == ((player + direction) % 4, "turn")
    assert game.in_force == ("R", symbol)


def test_a09_it_goes_on_another_plus_3():
    game = table(hands=["+3 R1", "+3 R2"], deck="Y1 Y2 Y3 Y4 Y6 Y7").do("+3", "+3")
    assert (game.discard, game.in_force) == ("R5 +3 +3", ("R", "5"))
    assert game.n_cards() == [4, 4]


def test_a09_not_on_a_plus_4():
    game = table(hands=["+4 B1", "B2 B3", "+3 R6"], deck="Y1 Y2 Y3 Y4").do("+4 R", "draw")
    assert game.playable() == "R6"


def test_a09_on_a_pending_fine_which_then_waits_for_the_next_seat():
    hands = ["R+2 R1", "+3 R2", "B+2 R3 +3", "R4 R6"]
    deck = "Y1 Y2 Y3 Y4 Y6 Y7 Y8 Y9 Y0 G1 G2 G3"
    game = table(hands, deck=deck).do("R+2", "+3")
    assert (game.fine, game.asked, game.in_force) == (2, (2, "turn"), ("R", "+2"))
    assert game.hand(2) == "R3 B+2 Y1 Y2 Y3 +3"
    assert game.playable() == "B+2 +3"
    game.do("draw")
    assert game.hand(2) == "R3 B+2 G1 G2 Y1 Y2 Y3 +3"
    assert (game.fine, game.asked) == (0, (3, "turn"))


def test_a09_a_plus_2_on_a_plus_3_on_a_fine_adds_up():
    hands = ["R+2 R1", "+3 R2", "B+2 R3"]
    game = table(hands, deck="Y1 Y2 Y3 Y4 Y6 Y7 Y8 Y9 G1 G2").do("R+2", "+3", "B+2")
    assert (game.fine, game.asked, game.in_force) == (4, (0, "turn"), ("B", "+2"))
    game.do("draw")
    assert game.hand(0) == "R1 G1 G2 Y4 Y6 Y7 Y8 Y9"


def test_a09_on_a_fine_that_was_paid():
    game = table(hands=["R+2 R1", "B3", "+3 R6 B8"], deck="Y1 Y2 Y3 Y4 Y6 Y7 Y8 Y9")
    game.do("R+2", "draw", "+3")
    assert (game.fine, game.in_force) == (0, ("R", "+2"))


# A10 +4


def test_a10_the_next_seat_draws_four_and_loses_its_turn():
    game = table(hands=["+4 B1", "R2", "R3"], deck="Y1 Y2 Y3 Y4 Y6").do("+4 G")
    assert game.asked == (1, "challenge")
    game.do("draw")
    assert game.hands == ["B1", "R2 Y1 Y2 Y3 Y4", "R3"]
    assert (game.asked, game.draw_pile) == ((2, "turn"), "Y6")


@pytest.mark.parametrize("colour", ["R", "B", "G", "Y"])
def test_a10_it_names_the_colour(colour):
    game = table(hands=["+4 B1", "R2", "R0 B0 G0 Y0"], discard="R0", deck="Y1 Y2 Y3 Y4")
    game.do(f"+4 {colour}", "draw")
    assert (game.top, game.in_force) == ("+4", (colour, None))
    assert game.playable() == f"{colour}0"


@pytest.mark.parametrize(
    ("num_players", "discard", "hit", "follower"),
    [(2, "R5", 1, 0), (3, "R5", 1, 2), (6, "R5", 1, 2), (2, "R~", 1, 0), (3, "R~", 2, 1)],
)
def test_a10_in_both_directions(num_players, discard, hit, follower):
    hands = ["+4 B1", "R1 B2", "R2 B3", "R3 B4", "R4 B6", "R6 B7"][:num_players]
    dealer = 0 if discard == "R~" else num_players - 1
    game = table(hands, discard, "Y1 Y2 Y3 Y4", dealer).do("+4 G")
    assert game.asked == (hit, "challenge")
    game.do("draw")
    assert game.n_cards()[hit] == 6
    assert game.asked == (follower, "turn")


@pytest.mark.parametrize("top", ["R5", "G0", "Y~", "B/"])
def test_a10_it_goes_on_numbers_and_harmless_symbols_of_any_colour(top):
    game = table(hands=["+4 R1", "+4 R2", "+4 R3"], discard=top)
    assert "+4" in game.playable().split()


def test_a10_it_goes_on_a_captain_and_on_a_plus_3():
    game = table(hands=["C R1", "+4 G2", "B8"], deck="Y1 Y2 Y3 Y4").do("C B")
    assert "+4" in game.playable().split()
    game = table(hands=["+3 R1", "+4 G2", "B8"], deck="Y1 Y2 Y3 Y4 Y6 Y7").do("+3")
    assert "+4" in game.playable().split()


def test_a10_not_on_a_plus_4():
    game = table(hands=["+4 B1", "B2 B3", "+4 R6"], deck="Y1 Y2 Y3 Y4").do("+4 R", "draw")
    assert game.playable() == "R6"


def test_a10_not_on_a_plus_2_even_when_it_is_paid():
    game = table(hands=["R+2 R1", "+4 B3", "+4 R6"], deck="Y1 Y2").do("R+2")
    assert game.playable() == ""
    game.do("draw")
    assert (game.fine, game.playable()) == (0, "R6")


def test_a10_a_plus_3_that_covers_a_plus_2_is_what_counts():
    hands = ["R+2 R1", "B3 B4", "+3 R6", "+4 B8"]
    deck = " ".join(f"{colour}{n}" for colour in "GY" for n in range(8))
    game = table(hands, deck=deck).do("R+2", "draw", "+3")
    assert (game.fine, game.in_force) == (0, ("R", "+2"))
    assert game.playable() == "+4"
    pending = table(hands=["R+2 R1", "+3 B4", "+4 B8"], deck=deck).do("R+2", "+3")
    assert (pending.fine, pending.playable()) == (2, "")


# A11 The liar

DECK_FOR_LIARS = "Y1 Y2 Y3 Y4 Y6 Y7 Y8"
BLUFFS = ["+4 G1 B1", "+4 R7 B1", "+4 C B1", "+4 +3 B1", "+4 G+2 B1", "+4 +4 G~ B1"]
HONEST = ["+4 B1", "+4 R2 Y+2", "+4 +4 R2", "+4 +4", "+4 B~ R/ Y+2"]


def test_a11_the_next_seat_may_accept_or_say_liar():
    game = table(hands=["+4 B1", "R2", "R3"], discard="G7").do("+4 R")
    assert game.asked == (1, "challenge")
    assert game.choices() == ["draw", "liar"]
    assert (game.snapshot()["active"], game.in_force) == (0, ("R", None))


@pytest.mark.parametrize("hand", BLUFFS + HONEST)
def test_a11_a_bluff_is_allowed(hand):
    game = table(hands=[hand, "B2 B3"], discard="G7")
    assert [f"+4 {colour}" in game.choices() for colour in "RBGY"] == [True] * 4


@pytest.mark.parametrize("hand", BLUFFS)
def test_a11_a_bluffer_draws_six_and_the_next_seat_plays(hand):
    game = table(hands=[hand, "B2", "B3"], discard="G7", deck=DECK_FOR_LIARS).do("+4 B", "liar")
    assert game.n_cards() == [len(hand.split()) - 1 + 6, 1, 1]
    assert game.asked == (1, "turn")
    assert (game.top, game.in_force) == ("+4", ("B", None))


@pytest.mark.parametrize("hand", HONEST)
def test_a11_without_a_bluff_the_doubter_draws_six_and_loses_its_turn(hand):
    game = table(hands=[hand, "B2", "B3"], discard="G7", deck=DECK_FOR_LIARS).do("+4 B", "liar")
    assert game.n_cards() == [len(hand.split()) - 1, 1 + 6, 1]
    assert game.asked == (2, "turn")


@pytest.mark.parametrize("hand", [BLUFFS[0], HONEST[0]])
def test_a11_accepting_costs_four_whether_it_was_a_bluff_or_not(hand):
    game = table(hands=[hand, "B2", "B3"], discard="G7", deck=DECK_FOR_LIARS).do("+4 B", "draw")
    assert game.n_cards() == [len(hand.split()) - 1, 1 + 4, 1]


def test_a11_it_is_judged_by_what_lay_there_before():
    game = table(hands=["+4 R1", "B2 B3"], discard="G7", deck=DECK_FOR_LIARS).do("+4 R", "liar")
    assert game.n_cards() == [1, 2 + 6]  # red was named, but R1 did not fit G7
    game = table(hands=["+4 G1", "B2 B3"], discard="G7", deck=DECK_FOR_LIARS).do("+4 R", "liar")
    assert game.n_cards() == [1 + 6, 2]


def test_a11_a_joker_counts_only_if_it_could_lie_there():
    deck = "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y~ Y/"
    game = table(hands=["+3 R1", "+4 C B1", "B2 B3"], discard="G7", deck=deck)
    game.do("+3", "+4 R", "liar")  # no Captain on a +3: honest
    assert game.n_cards() == [1, 2 + 3, 2 + 3 + 6]


def test_a11_the_card_under_a_plus_3_is_what_others_are_measured_by():
    deck = "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y8 Y9 Y~ Y/ B0"
    game = table(hands=["+3 R1", "+4 R7 B1", "B2 B3"], discard="G7", deck=deck)
    game.do("+3", "+4 R", "liar")  # R7 fits the 7 beneath
    assert game.n_cards() == [1, 2 + 3 + 6, 2 + 3]


@pytest.mark.parametrize(
    ("hand", "n_cards"),
    [("B1 R2", [2, 2 + 6]), ("B1 G2", [2 + 6, 2]), ("B1 C", [2 + 6, 2])],
)
def test_a11_a_drawn_plus_4_is_judged_on_the_whole_hand(hand, n_cards):
    game = table(hands=[hand, "B2 B3"], discard="G7", deck=f"+4 {DECK_FOR_LIARS}")
    game.do("draw", "+4 B", "liar")
    assert game.n_cards() == n_cards


@pytest.mark.parametrize(("hand", "n_cards"), [("+4 B1", [3, 7]), ("+4 G1", [3 + 6, 1])])
def test_a11_cards_drawn_for_a_silence_change_nothing(hand, n_cards):
    deck = f"G2 G3 {DECK_FOR_LIARS}"
    game = table(hands=[hand, "B2"], discard="G7", deck=deck, announce="ask")
    game.do("+4 B", "pass", "denounce", "liar")
    assert game.n_cards() == n_cards


def test_a11_after_a_bluff_the_next_seat_plays_on_the_plus_4():
    hands = ["+4 G1 B1", "B2 G2 C +3 +4", "B3"]
    game = table(hands=hands, discard="G7", deck=DECK_FOR_LIARS).do("+4 B", "liar")
    assert game.playable() == "B2"


def test_a11_a_challenge_is_no_turn():
    game = table(hands=["+4 G1", "B2 B3"], discard="G7", deck=DECK_FOR_LIARS).do("+4 B")
    assert game.turn == 1
    assert game.copy().do("liar").turn == 1
    assert game.copy().do("draw").turn == 1


@pytest.mark.parametrize(("hand", "follower"), [("+4 G1", 2), ("+4 B1", 1)])
def test_a11_anticlockwise_the_right_neighbour_is_asked(hand, follower):
    hands = [hand, "B2", "B3"]
    game = table(hands, discard="G~", dealer=0, deck=DECK_FOR_LIARS).do("+4 B")
    assert game.asked == (2, "challenge")
    game.do("liar")
    assert game.asked == (follower, "turn")


@pytest.mark.parametrize("action", ["B2", "pass", "announce", "C R"])
def test_a11_nothing_else_can_be_done_about_it(action):
    game = table(hands=["+4 G1", "B2 C"], discard="G7", deck=DECK_FOR_LIARS).do("+4 B")
    assert refuses(game, action)


# A12 The first card


@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_a12_a_number_means_nothing_special(num_players):
    hands = ["R1", "R2", "R3", "R4", "R6", "R7"][:num_players]
    game = table(hands, discard="B9", dealer=0, deck="Y1 Y2")
    assert (game.asked, game.in_force, game.fine) == ((1, "turn"), ("B", "9"), 0)
    assert (game.direction, game.turn) == (CLOCKWISE, 0)


def test_a12_a_plus_2_hits_the_first_seat():
    game = table(hands=["R1", "R2", "R3"], discard="B+2", dealer=0, deck="Y1 Y2 Y3")
    assert (game.asked, game.fine, game.choices()) == ((1, "turn"), 2, ["draw"])
    game.do("draw")
    assert game.hand(1) == "R2 Y1 Y2"
    assert game.asked == (2, "turn")


def test_a12_a_plus_2_can_be_answered():
    game = table(hands=["R1", "R2 Y+2 +3", "R3"], discard="B+2", dealer=0, deck="Y1 Y2 Y3 Y4")
    assert game.playable() == "Y+2 +3"
    game.do("Y+2", "draw")
    assert game.hand(2) == "R3 Y1 Y2 Y3 Y4"


@pytest.mark.parametrize(
    ("num_players", "dealer", "turns"),
    [(4, 0, [0, 3, 2, 1]), (4, 2, [2, 1, 0, 3]), (3, 1, [1, 0, 2]), (2, 1, [1, 0, 1])],
)
def test_a12_a_change_of_direction_lets_the_dealer_begin(num_players, dealer, turns):
    hands = ["R1", "R2", "R3", "R4"][:num_players]
    game = table(hands, discard="B~", dealer=dealer)
    assert game.direction == ANTICLOCKWISE
    for seat in turns:
        assert game.asked == (seat, "turn")
        game.do("draw")


@pytest.mark.parametrize(
    ("num_players", "dealer", "begins"), [(4, 0, 2), (4, 3, 1), (3, 1, 0), (2, 0, 0), (2, 1, 1)]
)
def test_a12_a_missed_turn_is_that_of_the_first_seat(num_players, dealer, begins):
    hands = ["R1", "R2", "R3", "R4"][:num_players]
    game = table(hands, discard="B/", dealer=dealer)
    assert (game.asked, game.direction) == ((begins, "turn"), CLOCKWISE)


@pytest.mark.parametrize("joker", ["C", "+4"])
@pytest.mark.parametrize("dealer", [0, 2])
def test_a12_the_dealer_names_the_colour_of_a_joker_and_nobody_draws(joker, dealer):
    hands = ["R1 B1", "R2 B2", "R3 B3"]
    game = table(hands, discard=joker, dealer=dealer, deck="Y1 Y2 Y3 Y4")
    assert game.asked == (dealer, "name_colour")
    assert game.choices() == ["name R", "name B", "name G", "name Y"]
    assert (game.in_force, game.snapshot()["active"]) == ((None, None), dealer)
    game.do("name B")
    first = (dealer + 1) % 3
    assert (game.in_force, game.asked, game.turn) == (("B", None), (first, "turn"), 0)
    assert game.playable() == f"B{first + 1}"
    assert game.n_cards() == [2, 2, 2]


def test_a12_a_joker_at_the_start_is_on_top_like_any_other():
    hands = ["B1 C +3 +4", "B2 B3"]
    assert table(hands, discard="C").do("name B").playable() == "B1 C +3 +4"
    assert table(hands, discard="+4").do("name B").playable() == "B1"


@pytest.mark.parametrize(
    ("discard", "deck", "lies", "in_force", "asked"),
    [
        ("+3", "G7 Y1", "+3 G7", ("G", "7"), (1, "turn")),
        ("+3", "+3 G7 Y1", "+3 +3 G7", ("G", "7"), (1, "turn")),
        ("R5 +3", "G7", "R5 +3 G7", ("G", "7"), (1, "turn")),
        ("+3", "G~ Y1", "+3 G~", ("G", "~"), (0, "turn")),
        ("+3", "G/ Y1", "+3 G/", ("G", "/"), (2, "turn")),
        ("+3", "C Y1", "+3 C", (None, None), (0, "name_colour")),
        ("+3", "+3 +4", "+3 +3 +4", (None, None), (0, "name_colour")),
    ],
)
def test_a12_onto_a_plus_3_the_next_card_is_turned_up(discard, deck, lies, in_force, asked):
    game = table(hands=["R1", "R2", "R3"], discard=discard, deck=deck, dealer=0)
    assert (game.discard, game.in_force, game.asked) == (lies, in_force, asked)
    assert game.n_cards() == [1, 1, 1]
    assert game.discard.split()[len(discard.split()) :] + game.draw_pile.split() == deck.split()


def test_a12_a_plus_2_turned_up_onto_a_plus_3_is_a_fine():
    game = table(hands=["R1", "R2"], discard="+3", deck="G+2 Y1 Y2", dealer=0)
    assert (game.fine, game.asked) == (2, (1, "turn"))


@pytest.mark.parametrize(("discard", "deck"), [("+3", ""), ("+3", "+3 +3"), ("R5 R6 +3", "")])
def test_a12_if_only_plus_3_are_left_the_dealer_names_the_colour(discard, deck):
    game = table(hands=["B1 B2 C +3 +4", "R2 B3"], discard=discard, deck=deck, dealer=1)
    assert game.asked == (1, "name_colour")
    assert game.discard == f"{discard} {deck}".strip()
    game.do("name B")
    assert (game.top, game.in_force, game.asked) == ("+3", ("B", None), (0, "turn"))
    assert game.playable() == "B1 B2 +3 +4"


@pytest.mark.parametrize("top", ["+3", "+4", "G+2", "G~", "G/", "C"])
def test_a12_a_dealt_round_knows_these_cards_too(top):
    deck = deck_for_two(top)
    game = Table(num_players=2, first_round={"deck": deck, "dealer": 0})
    asked = {
        "+4": (0, "name_colour"),
        "C": (0, "name_colour"),
        "G~": (0, "turn"),
        "G/": (0, "turn"),
    }
    assert game.discard == ("+3 " + deck[15] if top == "+3" else top)
    assert deck[15] not in JOKERS
    assert game.asked == asked.get(top, (1, "turn"))
    assert game.fine == (2 if top == "G+2" else 0)


@pytest.mark.parametrize("action", ["R1", "draw", "pass"])
def test_a12_the_dealer_can_only_name_a_colour(action):
    assert refuses(table(hands=["R1 R2", "B1 R2"], discard="C", dealer=0), action)


def test_a12_a_turned_up_card_is_not_cloned():
    game = table(hands=["R5 R1", "R3 B2"], discard="R5", cloning=True)
    assert game.asked == (0, "turn")


# A13 "Allergono"


def test_a13_who_plays_down_to_one_card_is_asked():
    game = table(hands=["R1 R2", "B2 B3"], announce="ask").do("R1")
    assert game.asked == (0, "announce")
    assert game.choices() == ["pass", "announce"]
    assert game.snapshot()["active"] == 0


def test_a13_asking_is_the_default():
    first_round = {"hands": [["R1", "R2"], ["B2"]], "discard": ["R5"], "dealer": 1}
    assert Table(num_players=2, first_round=first_round).do("R1").phase == "announce"


def test_a13_announcing_it_is_all_that_is_needed():
    game = table(hands=["R1 R2", "B2 B3"], deck="Y1 Y2", announce="ask").do("R1", "announce")
    assert game.asked == (1, "turn")
    assert game.hand(0) == "R2"


@pytest.mark.parametrize(
    ("discard", "dealer", "play", "order", "follower"),
    [
        ("R5", 3, "R1", [1, 2, 3], 1),
        ("R5", 3, "R~", [1, 2, 3], 3),  # the direction before the card's effect
        ("R5", 3, "R/", [1, 2, 3], 2),
        ("R~", 0, "R1", [3, 2, 1], 3),
        ("R~", 0, "R~", [3, 2, 1], 1),
    ],
)
def test_a13_after_a_silence_the_others_are_asked_in_turn_order(
    discard, dealer, play, order, follower
):
    hands = [f"{play} R2", "B2 B3", "B4 B6", "B7 B8"]
    game = table(hands, discard, "Y1 Y2", dealer, announce="ask").do(play, "pass")
    asked = []
    while game.phase == "denounce":
        asked.append(game.asked[0])
        assert game.choices() == ["pass", "denounce"]
        game.do("pass")
    assert asked == order
    assert game.asked == (follower, "turn")
    assert game.n_cards() == [1, 2, 2, 2]


@pytest.mark.parametrize("n_passes", [0, 1, 2])
def test_a13_the_first_denouncement_costs_two_cards_and_settles_it(n_passes):
    hands = ["R1 R2", "B2 B3", "B4 B6", "B7 B8"]
    game = table(hands, deck="Y1 Y2 Y3", announce="ask")
    game.do("R1", "pass", *["pass"] * n_passes, "denounce")
    assert game.hand(0) == "R2 Y1 Y2"
    assert (game.draw_pile, game.asked) == ("Y3", (1, "turn"))


def test_a13_with_two_players_there_is_one_witness():
    game = table(hands=["R1 R2", "B2 B3"], deck="Y1 Y2", announce="ask").do("R1", "pass")
    assert game.asked == (1, "denounce")
    assert game.copy().do("pass").hand(0) == "R2"
    assert game.copy().do("denounce").hand(0) == "R2 Y1 Y2"
    assert game.do("denounce").asked == (1, "turn")


@pytest.mark.parametrize("play", ["R1", "R+2", "C B", "+3"])
def test_a13_auto_announces_for_everybody_and_asks_nobody(play):
    game = table(hands=[f"{play.split()[0]} Y2", "B2 B3"], deck="Y1 Y3 Y4").do(play)
    assert game.asked == (1, "turn")


@pytest.mark.parametrize(("hand", "asked"), [("R1 R2 R3", (1, "turn")), ("R1", (None, "over"))])
def test_a13_nobody_is_asked_with_two_cards_left_or_none(hand, asked):
    game = table(hands=[hand, "B2 B3"], announce="ask", rounds=1).do("R1")
    assert game.asked == asked


def test_a13_who_has_one_card_without_having_played_is_not_asked():
    game = table(hands=["B1", "B2"], deck="Y1 R2 Y3", announce="ask", discard="R5").do("draw")
    assert game.asked == (1, "turn")
    game.do("draw")
    assert game.asked == (1, "drawn")
    game.do("R2")  # down to one by playing what was drawn
    assert game.asked == (1, "announce")


def test_a13_it_comes_before_the_effect_of_the_card():
    game = table(hands=["+3 R2", "B2 B3"], deck="Y1 Y2 Y3 Y4 Y6", announce="ask").do("+3")
    assert (game.phase, game.hand(1)) == ("announce", "B2 B3")
    game.do("pass", "denounce")
    assert game.hands == ["R2 Y1 Y2", "B2 B3 Y3 Y4 Y6"]
    four = table(hands=["+4 B2", "B3"], deck="Y1 Y2 Y3 Y4 Y6 Y7", announce="ask").do("+4 R")
    assert four.phase == "announce"
    four.do("pass", "pass")
    assert four.asked == (1, "challenge")


def test_a13_saying_and_hearing_it_is_no_turn():
    game = table(hands=["R1 R2", "B2 B3"], deck="Y1 Y2", announce="ask").do("R1", "pass")
    assert (game.turn, game.do("denounce").turn) == (1, 1)


@pytest.mark.parametrize("action", ["R2", "draw", "denounce", "liar"])
def test_a13_nothing_else_can_be_done_when_asked(action):
    assert refuses(table(hands=["R1 R2", "B2"], announce="ask").do("R1"), action)


@pytest.mark.parametrize("action", ["B2", "draw", "announce", "liar"])
def test_a13_nothing_else_can_be_done_about_a_silence(action):
    assert refuses(table(hands=["R1 R2", "B2"], announce="ask").do("R1", "pass"), action)


# A14 Drawing


def test_a14_who_could_play_may_draw_instead():
    game = table(hands=["R1 R2", "B2 B3"], deck="Y1")
    assert game.choices() == ["R1", "R2", "draw"]
    assert game.do("draw").hand(0) == "R1 R2 Y1"


def test_a14_a_drawn_card_that_does_not_fit_ends_the_turn():
    game = table(hands=["B1 B2", "B3 B4"], deck="Y1 R7").do("draw")
    assert (game.hand(0), game.draw_pile, game.asked) == ("B1 B2 Y1", "R7", (1, "turn"))


def test_a14_a_drawn_card_that_fits_may_be_played():
    game = table(hands=["R1 B2", "B3 B4"], deck="R7 Y1").do("draw")
    assert game.asked == (0, "drawn")
    assert game.snapshot()["drawn"] == "R7"
    assert game.choices() == ["R7", "pass"]
    game.do("R7")
    assert (game.hand(0), game.top, game.asked) == ("R1 B2", "R7", (1, "turn"))
    assert game.snapshot()["drawn"] is None


def test_a14_or_kept():
    game = table(hands=["R1 B2", "B3 B4"], deck="R7 Y1").do("draw", "pass")
    assert (game.hand(0), game.top, game.asked) == ("R1 R7 B2", "R5", (1, "turn"))
    assert game.snapshot()["drawn"] is None


def test_a14_the_twin_of_a_card_in_hand_is_played_like_any_other():
    game = table(hands=["R1 B2", "B3 B4"], deck="R1").do("draw")
    assert game.choices() == ["R1", "pass"]
    assert game.do("R1").hand(0) == "R1 B2"


@pytest.mark.parametrize("joker", ["C", "+4"])
def test_a14_a_drawn_joker_names_a_colour(joker):
    game = table(hands=["B1 B2", "B3 B4"], deck=joker).do("draw")
    assert game.choices() == [*(f"{joker} {colour}" for colour in "RBGY"), "pass"]


def test_a14_a_drawn_plus_3_can_be_played_at_once():
    game = table(hands=["B1 B2", "B3"], deck="+3 Y1 Y2 Y3").do("draw", "+3")
    assert game.hands == ["B1 B2", "B3 Y1 Y2 Y3"]


@pytest.mark.parametrize("joker", ["C", "+3", "+4"])
def test_a14_a_drawn_joker_that_may_not_lie_there_ends_the_turn(joker):
    game = table(hands=["B1 B2", "B3 B4"], discard="+4", deck=joker).do("name R", "draw")
    assert game.asked == (1, "turn")


def test_a14_of_nothing_nothing_is_drawn_and_the_turn_is_over():
    game = table(hands=["B1 B2", "B3 B4"]).do("draw")
    assert (game.hand(0), game.asked, game.turn) == ("B1 B2", (1, "turn"), 1)


def test_a14_drawing_and_playing_is_one_turn():
    game = table(hands=["B1 B2", "B3 B4"], deck="R7 R8").do("draw")
    assert game.turn == 1
    assert game.copy().do("pass").turn == 1
    assert game.do("R7").turn == 1
    assert game.do("draw").turn == 2


def test_a14_a_drawn_card_has_its_effect():
    game = table(hands=["B1 B2", "B3 B4", "B6"], deck="R/").do("draw", "R/")
    assert game.asked == (2, "turn")


@pytest.mark.parametrize("action", ["draw", "announce", "R8", "C R"])
def test_a14_nothing_else_can_be_done_with_a_drawn_card(action):
    assert refuses(table(hands=["B1 B2", "R8 C"], deck="R7").do("draw"), action)


# A15 A wrong card


@pytest.mark.parametrize(
    ("hand", "wrong"),
    [
        ("R1 B6", "B6"),  # neither colour nor number
        ("B6 B7", "B7"),
        ("R1 B~", "B~"),
        ("C", "C R"),  # a mauve last card
        ("+3", "+3"),
        ("+4", "+4 G"),
    ],
)
def test_a15_it_goes_back_costs_a_card_and_the_turn(hand, wrong):
    game = table(hands=[hand, "B1 B2", "B3 B4"], deck="Y1 Y2")
    assert wrong not in game.choices()
    game.do(wrong)
    assert Counter(game.hand(0).split()) == Counter([*hand.split(), "Y1"])
    assert (game.discard, game.in_force, game.draw_pile) == ("R5", ("R", "5"), "Y2")
    assert (game.asked, game.turn) == ((1, "turn"), 1)


def test_a15_no_captain_goes_on_a_plus_3():
    game = table(hands=["+3 R1", "C R3"], deck="Y1 Y2 Y3 Y4 Y6").do("+3", "C R")
    assert (game.hand(1), game.discard) == ("R3 Y1 Y2 Y3 Y4 C", "R5 +3")
    assert game.asked == (0, "turn")


@pytest.mark.parametrize("wrong", ["C R", "C Y", "+3", "+4 B"])
def test_a15_no_joker_goes_on_a_plus_4(wrong):
    game = table(hands=["C +3 +4 R1", "B1 B2"], discard="+4", deck="Y1 Y2").do("name B", wrong)
    assert game.hand(0) == "R1 Y1 C +3 +4"
    assert game.asked == (1, "turn")


@pytest.mark.parametrize("wrong", ["C R", "+4 R"])
def test_a15_nor_these_on_a_plus_2_that_was_paid(wrong):
    game = table(hands=["R+2 R1", "B1 B2", "C +4 R3"], deck="Y1 Y2 Y3").do("R+2", "draw", wrong)
    assert game.hand(2) == "R3 Y3 C +4"
    assert (game.in_force, game.asked) == (("R", "+2"), (0, "turn"))


@pytest.mark.parametrize("wrong", ["R3", "C R", "+4 R", "B1"])
def test_a15_with_a_fine_pending_it_is_drawn_as_well(wrong):
    hands = ["R+2 R1", "B+2 B3", "R3 C +4 B1", "R9"]
    game = table(hands, deck="Y1 Y2 Y3 Y4 Y6 Y7").do("R+2", "B+2", wrong)
    assert game.hand(2) == "R3 B1 Y1 Y2 Y3 Y4 Y6 C +4"
    assert (game.fine, game.draw_pile, game.asked) == (0, "Y7", (3, "turn"))


def test_a15_a_lone_plus_3_on_a_fine_is_wrong():
    game = table(hands=["R+2 R1", "+3", "B1"], deck="Y1 Y2 Y3 Y4").do("R+2", "+3")
    assert game.hands == ["R1", "Y1 Y2 Y3 +3", "B1"]
    assert (game.fine, game.asked) == (0, (2, "turn"))


@pytest.mark.parametrize("wrong", ["R1", "B2", "C G"])
def test_a15_after_drawing_every_card_but_the_drawn_one_is_wrong(wrong):
    game = table(hands=["R1 B2 C", "B3 B4"], deck="R7 Y1 Y2").do("draw")
    assert game.choices() == ["R7", "pass"]
    game.do(wrong)
    assert (game.hand(0), game.top) == ("R1 R7 B2 Y1 C", "R5")
    assert (game.asked, game.turn) == ((1, "turn"), 1)
    assert game.snapshot()["drawn"] is None


def test_a15_the_card_drawn_for_it_cannot_be_played():
    game = table(hands=["B6 B7", "B1 B2"], deck="R7").do("B6")
    assert (game.hand(0), game.asked) == ("R7 B6 B7", (1, "turn"))


def test_a15_anticlockwise_too_the_next_seat_follows():
    game = table(hands=["B6", "B1", "B2"], discard="R~", dealer=0, deck="Y1").do("B6")
    assert game.asked == (2, "turn")


def test_a15_a_mistake_is_a_turn():
    game = table(hands=["B6 B7", "B1 B2"], deck="Y1 Y2").do("B6", "B1")
    assert game.turn == 2


def test_a15_of_nothing_nothing_is_drawn():
    game = table(hands=["B6 B7", "B1 B2"]).do("B6")
    assert (game.hand(0), game.asked) == ("B6 B7", (1, "turn"))


@pytest.mark.parametrize("action", ["G6", "+3", "C R", "+4 R"])
def test_a15_a_card_that_is_not_held_is_an_error(action):
    assert refuses(table(hands=["B6 B7", "G6 +3 C +4"], deck="Y1"), action)


# A16 Cloning

THREE_R7 = {"R7": 3}
FOUR_R7 = {"R7": 4}


def test_a16_it_is_a_variant_that_must_be_asked_for():
    game = table(hands=["R7 R1", "R7 B2", "B3 B4"]).do("R7")
    assert game.asked == (1, "turn")


def test_a16_who_holds_the_same_card_may_lay_it_on_top_out_of_turn():
    game = table(hands=["R7 R1", "B1 B2", "R7 B4 B6"], cloning=True).do("R7")
    assert game.asked == (2, "clone")
    assert game.choices() == ["R7", "pass"]
    assert game.snapshot()["active"] == 0
    game.do("R7")
    assert (game.discard, game.in_force) == ("R5 R7 R7", ("R", "7"))
    assert game.hand(2) == "B4 B6"
    assert (game.asked, game.turn) == ((1, "turn"), 1)  # on from the original player


def test_a16_or_keep_it():
    game = table(hands=["R7 R1", "B1 B2", "R7 B4"], cloning=True).do("R7", "pass")
    assert (game.discard, game.hand(2)) == ("R5 R7", "R7 B4")
    assert game.asked == (1, "turn")


@pytest.mark.parametrize("number", NUMBERS)
def test_a16_every_number_can_be_cloned(number):
    top = "G1" if number == 0 else "G0"
    game = table(hands=[f"G{number} R1", f"G{number} B2"], discard=top, cloning=True)
    assert game.do(f"G{number}").asked == (1, "clone")


@pytest.mark.parametrize("play", ["R~", "R/", "R+2", "C R", "+3"])
def test_a16_nothing_but_numbers_can(play):
    card = play.split()[0]
    game = table(hands=[f"{card} R1", f"{card} B2 B3", "B4 B6"], cloning=True)
    assert game.do(play).phase == "turn"


def test_a16_colour_and_number_must_be_the_same():
    game = table(hands=["R7 R1", "B7 B2", "R8 R9"], cloning=True).do("R7")
    assert game.asked == (1, "turn")


@pytest.mark.parametrize(("discard", "dealer", "follower"), [("R5", 3, 1), ("R~", 0, 3)])
def test_a16_seats_are_asked_clockwise_the_player_last(discard, dealer, follower):
    hands = ["R7 R7 R1", "R7 B2", "B3 B4", "R7 B6"]
    game = table(hands, discard, dealer=dealer, cloning=True, deck_counts=FOUR_R7).do("R7")
    asked = []
    while game.phase == "clone":
        asked.append(game.asked[0])
        game.do("pass")
    assert asked == [1, 3, 0]
    assert game.asked == (follower, "turn")


def test_a16_a_clone_can_be_the_last_card():
    game = table(hands=["R7 R1", "B1 B2", "R7"], cloning=True, rounds=1).do("R7", "R7")
    assert game.phase == "over"
    assert game.scores == [1, 3, 0]
    assert game.snapshot()["active"] == 0


def test_a16_a_last_card_is_not_cloned_any_more():
    game = table(hands=["R7", "B1 B2", "R7"], cloning=True, rounds=1).do("R7")
    assert (game.phase, game.scores) == ("over", [0, 3, 7])


def test_a16_the_player_itself_may_lay_the_twin():
    game = table(hands=["R7 R7", "B1 B2"], cloning=True, rounds=1).do("R7")
    assert game.asked == (0, "clone")
    assert game.copy().do("R7").phase == "over"
    assert game.do("pass").asked == (1, "turn")


def test_a16_a_cloner_too_must_announce_its_last_card():
    hands = ["R7 R1 R2", "B1 B2", "R7 B4", "B6 B7"]
    game = table(hands, deck="Y1 Y2", cloning=True, announce="ask").do("R7", "R7")
    assert game.asked == (2, "announce")
    assert game.snapshot()["active"] == 0
    assert game.copy().do("announce").asked == (1, "turn")
    game.do("pass")
    asked = []
    while game.asked[1] == "denounce" and len(asked) < 2:
        asked.append(game.asked[0])
        game.do("pass")
    assert asked == [3, 0]
    assert game.asked == (1, "denounce")
    game.do("denounce")
    assert game.hand(2) == "B4 Y1 Y2"
    assert (game.asked, game.turn) == ((1, "turn"), 1)


def test_a16_a_cloners_silence_is_judged_in_the_direction_of_play():
    hands = ["R7 R1 R2", "B1 B2", "R7 B4", "B6 B7"]
    game = table(hands, "R~", "Y1 Y2", 0, cloning=True, announce="ask").do("R7", "R7", "pass")
    asked = []
    while game.phase == "denounce":
        asked.append(game.asked[0])
        game.do("pass")
    assert asked == [1, 0, 3]
    assert game.asked == (3, "turn")


def test_a16_the_players_own_announcement_comes_first():
    hands = ["R7 R1", "R7 B2 B3"]
    game = table(hands, deck="Y1 Y2", cloning=True, announce="ask").do("R7")
    assert game.asked == (0, "announce")
    game.do("pass", "denounce")
    assert game.hand(0) == "R1 Y1 Y2"
    assert game.asked == (1, "clone")


def test_a16_a_card_drawn_for_a_silence_may_be_the_twin():
    game = table(hands=["R7 R1", "B1 B2"], deck="R7 Y1", cloning=True, announce="ask")
    game.do("R7", "pass", "denounce")
    assert game.asked == (0, "clone")


def test_a16_a_third_copy_may_follow_in_the_same_way():
    hands = ["R7 R1 R2", "R7 B2 B3", "B1 B4 B6", "R7 B7 B8"]
    game = table(hands, cloning=True, deck_counts=THREE_R7).do("R7")
    assert game.asked == (1, "clone")
    game.do("pass")
    assert game.asked == (3, "clone")
    game.do("R7")
    assert game.asked == (1, "clone")  # who passed is asked again
    game.do("R7")
    assert game.discard == "R5 R7 R7 R7"
    assert (game.asked, game.turn) == ((1, "turn"), 1)


def test_a16_the_window_after_a_clone_begins_left_of_the_cloner_who_is_last():
    hands = ["R7 R7 R1", "R7 R7 B3", "B1 B4 B6"]
    game = table(hands, cloning=True, deck_counts=FOUR_R7).do("R7")
    assert game.asked == (1, "clone")
    game.do("R7")
    asked = []
    while game.phase == "clone":
        asked.append(game.asked[0])
        game.do("pass")
    assert asked == [0, 1]
    assert game.asked == (1, "turn")


def test_a16_a_drawn_card_that_is_played_can_be_cloned():
    game = table(hands=["B1 B2", "R7 B3"], deck="R7", cloning=True).do("draw", "R7")
    assert game.asked == (1, "clone")


@pytest.mark.parametrize("action", ["B2", "draw", "announce", "R1"])
def test_a16_nothing_else_can_be_done_in_the_window(action):
    assert refuses(table(hands=["R7 R1", "R7 B2"], cloning=True).do("R7"), action)


# A17 End of the game


@pytest.mark.parametrize(
    ("target", "phase"),
    [(78, "over"), (79, "over"), (80, "new round")],  # the total is 79
)
def test_a17_the_game_ends_when_a_total_reaches_the_target(target, phase):
    game = table(hands=["R1", "B2", "R9 G/ C"], target=target).do("R1")
    assert (game.phase == "over") == (phase == "over")
    assert game.round == (1 if phase == "over" else 2)
    assert (game.choices() == []) == (phase == "over")


def test_a17_the_target_is_500():
    nine = "C C C C +3 +3 +3 +3 +4"  # 450
    assert table(hands=["R1", f"{nine} G/ B/ Y9"]).do("R1").round == 2  # 499
    assert table(hands=["R1", f"{nine} +4"]).do("R1").phase == "over"  # 500


def test_a17_totals_of_all_rounds_count():
    game = Table(seed=5, num_players=3, target=900)
    while game.phase != "over":
        assert max(game.scores) < 900
        game.play_out_round()
    assert max(game.scores) >= 900
    assert game.round > 1


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a17_with_rounds_the_target_is_not_looked_at(rounds):
    game = table(hands=["R1", "Y8 Y9"], rounds=rounds, target=1).do("R1")
    while game.phase != "over":
        game.play_out_round()
    assert game.round == rounds


@pytest.mark.parametrize(("turn_budget", "over"), [(2, True), (3, True), (4, False)])
def test_a17_a_turn_budget_ends_the_game_after_the_round_that_uses_it_up(turn_budget, over):
    hands = ["R1 R2", "R3 R4"]  # three turns
    game = table(hands, turn_budget=turn_budget, target=FAR_AWAY).do("R1", "R3")
    assert (game.round, game.phase) == (1, "turn")
    game.do("R2")
    assert (game.phase == "over") == over


@pytest.mark.parametrize(("turn_budget", "last"), [(11, 2), (12, 3), (19, 3), (20, 4)])
def test_a17_the_budget_counts_the_turns_of_all_rounds(turn_budget, last):
    game = table(["R1 R2", "R3 R4"], turn_budget=turn_budget, turn_limit=8, target=FAR_AWAY)
    game.do("R1", "R3", "R2")  # three turns; in the rounds that follow nobody plays: eight each
    while game.phase != "over":
        game.do(game.choices()[-1])
    assert game.round == last


@pytest.mark.parametrize(("turn_budget", "last"), [(1, 1), (4, 2), (FAR_AWAY, 3)])
def test_a17_the_budget_counts_beside_rounds(turn_budget, last):
    game = table(["R1 R2", "R3 R4"], turn_budget=turn_budget, rounds=3).do("R1", "R3", "R2")
    while game.phase != "over":
        game.play_out_round()
    assert game.round == last


def test_a17_the_budget_counts_beside_the_target():
    game = table(hands=["R1", "C"], target=50, turn_budget=FAR_AWAY).do("R1")
    assert game.phase == "over"


def test_a17_only_turns_count_for_the_budget():
    hands = ["R7 R1", "+3 R9", "R7 C"]
    options = {"cloning": True, "announce": "ask", "turn_budget": 3, "turn_limit": 2}
    game = table(hands, deck="Y1 Y2 Y3 Y4 Y6 Y8 Y9 B1", target=FAR_AWAY, **options)
    game.do("R7", "pass", "pass", "denounce", "R7", "announce")
    assert (game.turn, game.asked) == (1, (1, "turn"))
    game.do("draw")
    assert game.round == 2


def test_a17_equal_lowest_totals_share_the_win():
    game = table(hands=["R1", "B0", "Y0 G0", "Y1"], rounds=1).do("R1")
    assert game.scores == [0, 0, 0, 1]
    assert win_shares(game.scores).tolist() == [1 / 3, 1 / 3, 1 / 3, 0]


# A18 Empty draw pile, long rounds, next round


def test_a18_an_empty_pile_is_made_anew_of_the_discard_without_its_top():
    game = table(hands=["B1 B2", "B3 B4"], discard="Y1 Y2 Y3 R5").do("draw")
    drawn = set(game.hand(0).split()) - {"B1", "B2"}
    assert len(drawn) == 1
    assert {*drawn, *game.draw_pile.split()} == {"Y1", "Y2", "Y3"}
    assert (game.discard, game.in_force) == ("R5", ("R", "5"))


def test_a18_it_is_deck_for_two():
    drawn = set()
    for seed in range(40):
        game = table(hands=["B1 B2", "B3 B4"], discard="Y1 Y2 Y3 R5", seed=seed).do("draw")
        drawn.add(f"{game.hand(0).split()[-1]} {game.draw_pile}")
    assert len(drawn) == 6


def test_a18_not_before_a_card_must_be_drawn():
    game = table(hands=["B1 B2", "B3 B4"], discard="Y1 Y2 R5", deck="Y3").do("draw")
    assert (game.draw_pile, game.discard) == ("", "Y1 Y2 R5")


def test_a18_colour_and_kind_stay_in_force_when_their_card_is_gone():
    game = table(hands=["+3 R1", "B1 R2 G5"], deck="Y1 Y2", discard="B9 R5").do("+3")
    assert game.discard == "+3"
    assert Counter(game.hand(1).split() + game.draw_pile.split()) == Counter(
        "B1 R2 G5 Y1 Y2 B9 R5".split()
    )
    assert game.in_force == ("R", "5")
    assert {"R2", "G5"} <= set(game.playable().split())
    assert "B1" not in game.playable().split()


def test_a18_in_the_middle_of_a_fine():
    game = table(hands=["R+2 R1", "+3 B1", "B3 B4"], deck="Y1", discard="G1 G2 G3 G4 R5")
    game.do("R+2", "draw")
    assert (len(game.hand(1).split()), game.discard) == (4, "R+2")
    assert len(game.draw_pile.split()) == 4


def test_a18_if_nothing_is_left_nothing_is_drawn():
    game = table(hands=["R+2 R1", "B1 B2", "B3 B4"], deck="Y1", discard="R5").do("R+2", "draw")
    assert Counter(game.hand(1).split()) == Counter("B1 B2 Y1 R5".split())
    assert (game.draw_pile, game.discard, game.fine) == ("", "R+2", 0)
    game.do("draw")
    assert (game.hand(2), game.asked) == ("B3 B4", (0, "turn"))


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_a18_the_dealer_moves_one_seat_to_the_left_each_round(dealer):
    game = table(["R1", "R1", "R2"], dealer=dealer, target=FAR_AWAY, turn_limit=20)
    assert game.snapshot()["dealer"] == dealer
    game.do(game.choices()[0])
    for rounds in (1, 2, 3):
        assert game.round == rounds + 1
        assert game.snapshot()["dealer"] == (dealer + rounds) % 3
        game.play_out_round()


def test_a18_a_round_that_reaches_the_turn_limit_is_scored_as_it_stands():
    game = table(["B1 B2", "B3 C", "B~ B6"], turn_limit=4, rounds=1).do("draw", "draw", "draw")
    assert (game.phase, game.turn) == ("turn", 3)
    game.do("draw")
    assert (game.phase, game.turn) == ("over", 4)
    assert game.scores == [3, 53, 26]
    assert game.rewards == [-3, -53, -26]


def test_a18_the_limit_is_500():
    game = table(["B1 B2", "B3 B4"], rounds=1).do(*["draw"] * 499)
    assert game.phase == "turn"
    assert game.do("draw").phase == "over"


def test_a18_what_follows_from_the_last_turn_is_still_done():
    game = table(["+4 G1 G2", "B3", "B4"], deck=DECK_FOR_LIARS, turn_limit=1, rounds=1).do("+4 B")
    assert game.phase == "challenge"
    game.do("draw")
    assert (game.phase, game.n_cards()) == ("over", [2, 5, 1])
    assert game.snapshot()["active"] == 0
    clone = table(["R7 R1 R2", "R7 B1 B2"], cloning=True, turn_limit=1, rounds=1).do("R7")
    assert clone.phase == "clone"
    assert clone.do("R7").phase == "over"


def test_a18_a_fine_still_pending_at_the_limit_is_forgotten():
    game = table(["R+2 R1", "B3"], deck="Y1 Y2", turn_limit=1, rounds=1).do("R+2")
    assert (game.phase, game.scores, game.fine) == ("over", [1, 3], 2)


def test_a18_a_turn_that_both_reaches_the_limit_and_empties_a_hand():
    game = table(["R1", "B3"], turn_limit=1, rounds=1).do("R1")
    assert (game.phase, game.scores) == ("over", [0, 3])


def test_a18_a_drawn_card_may_be_played_in_the_last_turn():
    game = table(["B1", "B3"], deck="R7", turn_limit=1, rounds=1).do("draw")
    assert game.phase == "drawn"
    assert game.copy().do("R7").scores == [1, 3]
    assert game.do("pass").scores == [8, 3]


def test_a18_a_missed_turn_does_not_count_for_the_limit():
    game = table(["R/ R1", "B3", "R4 B6"], turn_limit=2, rounds=1).do("R/")
    assert game.asked == (2, "turn")
    assert game.do("R4").phase == "over"
