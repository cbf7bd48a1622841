"""The rules of Cabanga one by one, as docs/rules/cabanga.md numbers them.

Cards are written as colour and value (Y6), rows as left | right. Seats play clockwise from 0.
"""

import pytest

from cardcore.scoring import win_shares
from tests.cabanga.table import START_CARDS, Table, table
from tests.table import flat

ALL_CARDS = {f"{colour}{value}" for colour in "RBVY" for value in range(1, 19)}
YELLOW = [f"Y{value}" for value in range(1, 19)]
DEFAULT_COSTS = [1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1]
FAR_AWAY = 1000  # a target that no test reaches


# C1 Set-up


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_c01_eight_cards_each_and_the_rest_is_the_penalty_pile(num_players):
    start = Table(seed=3, num_players=num_players).snapshot()
    assert [len(hand) for hand in start["hands"]] == [8] * num_players
    assert len(start["draw_pile"]) == 72 - 8 * num_players
    assert start["discard"] == []
    assert {*flat(start["hands"]), *start["draw_pile"]} == ALL_CARDS


def test_c01_one_start_card_lies_left_and_right_of_each_row():
    start = Table(seed=3).snapshot()
    assert sorted(flat(start["piles"])) == START_CARDS
    assert [len(row) for row in start["piles"]] == [2, 2, 2, 2]


def test_c01_start_cards_hands_and_first_starter_come_by_chance():
    starts = [Table(seed=seed).snapshot() for seed in range(60)]
    assert {start["piles"][0][0] for start in starts} == set(START_CARDS)
    assert len({tuple(start["hands"][0]) for start in starts}) == 60
    assert {start["active"] for start in starts} == {0, 1, 2, 3}


def test_c01_a_given_deck_is_dealt_in_blocks():
    deck = [f"{colour}{value}" for value in range(1, 19) for colour in "RBVY"]
    game = Table(num_players=3, first_round={"deck": deck})
    assert game.hand(0) == "R1 R2 B1 B2 V1 V2 Y1 Y2"
    assert game.hand(1) == "R3 R4 B3 B4 V3 V4 Y3 Y4"
    assert game.hand(2) == "R5 R6 B5 B6 V5 V6 Y5 Y6"
    assert game.draw_pile.split() == deck[24:]


def test_c01_every_round_is_set_up_anew():
    game = table(hands=["R1", "Y8"], deck="B1 B2", discard="B3", target=FAR_AWAY).play("R1 left")
    second = game.snapshot()
    assert (second["round"], second["turn"], second["phase"]) == (2, 0, "play")
    assert [len(hand) for hand in second["hands"]] == [8, 8]
    assert {*flat(second["hands"]), *second["draw_pile"]} == ALL_CARDS
    assert sorted(flat(second["piles"])) == START_CARDS


# C2 A turn


@pytest.mark.parametrize(
    ("played", "row"),
    [
        ("Y6 left", (6, 12)),
        ("Y6 right", (5, 6)),
        ("Y1 left", (1, 12)),  # lower than what it covers
        ("Y18 right", (5, 18)),  # higher
        ("Y5 left", (5, 12)),  # equal
    ],
)
def test_c02_a_card_goes_onto_either_pile_of_its_row_any_value_on_any(played, row):
    game = table(yellow=(5, 12), hands=["Y1 Y5 Y6 Y18", "R2 R4"]).play(played)
    assert game.row("Y") == row
    assert played.split()[0] not in game.hand(0).split()
    assert len(game.hand(0).split()) == 3


def test_c02_other_rows_stay_as_they_are():
    rows = {"red": (1, 3), "blue": (18, 16), "violet": (7, 14), "yellow": (5, 12)}
    game = table(**rows, hands=["V9 R1", "R2 R4"]).play("V9 right")
    assert [game.row(colour) for colour in "RBVY"] == [(1, 3), (18, 16), (7, 9), (5, 12)]


def test_c02_exactly_one_card_and_passing_is_not_allowed():
    game = table(hands=["R1 Y6", "B2 B4"])
    assert game.choices() == ["R1 left", "R1 right", "Y6 left", "Y6 right"]
    game.play("R1 left")
    assert game.asked == (1, "play")


@pytest.mark.parametrize("action", ["B2 left", "pass", "throw 6"])
def test_c02_nothing_else_can_be_done_in_a_turn(action):
    game = table(hands=["R1 Y6", "B2 B4"])
    before = game.snapshot()
    with pytest.raises(ValueError, match="player_0"):
        game.do(action)
    assert game.snapshot() == before


# C3 Same colour


def test_c03_repeating_the_colour_before_costs_one_penalty_card():
    game = table(yellow=(5, 7), hands=["Y6 R1", "Y8 R2"], deck="B1 B2")
    game.play("Y6 left", "Y8 right")
    assert game.hand(1) == "R2 B1"
    assert game.draw_pile == "B2"


def test_c03_another_colour_costs_nothing():
    game = table(yellow=(5, 7), hands=["Y6 R1", "Y8 R2"], deck="B1 B2").play("Y6 left", "R2 left")
    assert game.hand(1) == "Y8"
    assert game.draw_pile == "B1 B2"


def test_c03_the_penalty_is_drawn_before_anybody_throws():
    game = table(yellow=(5, 7), hands=["Y6 R1", "Y18 R2", "Y8 Y9"], deck="B1 B2 B3")
    game.play("Y6 left", "Y18 left")
    assert game.asked == (2, "throw")
    assert game.hand(1) == "R2 B1"
    game.throw(8)
    assert game.hand(1) == "R2 B1 B2"


def test_c03_the_first_turn_of_a_round_is_free():
    game = table(hands=["Y6 R1", "B2 B4"], deck="B1").play("Y6 left")
    assert game.hand(0) == "R1"


def test_c03_only_the_turn_right_before_counts():
    game = table(yellow=(16, 18), hands=["Y17 R1", "B2 B4", "Y18 R3"], deck="V1")
    game.play("Y17 left", "B2 left", "Y18 left")
    assert game.hand(2) == "R3"


def test_c03_a_whole_run_of_one_colour_costs_everybody_but_the_first():
    game = table(yellow=(1, 3), hands=["Y2 R1", "Y4 R2", "Y5 R3"], deck="B1 B2 B3")
    game.play("Y2 left", "Y4 left", "Y5 right")
    assert [game.hand(seat) for seat in range(3)] == ["R1", "R2 B1", "R3 B2"]


def test_c03_the_colour_is_not_carried_over_into_the_next_round():
    game = table(hands=["R1", "B2"], target=FAR_AWAY).play("R1 left")
    assert game.round == 2
    assert any(choice.startswith("R") for choice in game.choices())
    for choice in game.choices():
        twin = game.copy().play(choice)
        assert len(twin.snapshot()["hands"][1]) == 7, choice


# C4 The gap


@pytest.mark.parametrize(
    ("played", "thrown"),
    [
        ("Y6 left", "Y7 Y8 Y9 Y10 Y11"),  # 6 | 12: the printed example A
        ("Y6 right", ""),  # 5 | 6: the printed example B
        ("Y18 left", "Y13 Y14 Y15 Y16 Y17"),  # 18 | 12: a gap can run downwards
        ("Y1 right", "Y2 Y3 Y4"),  # 5 | 1: downwards on the other side
        ("Y10 left", "Y11"),  # 10 | 12: one value fits
        ("Y11 left", ""),  # 11 | 12: neighbours
        ("Y12 left", ""),  # 12 | 12: equal
        ("Y18 right", "Y6 Y7 Y8 Y9 Y10 Y11 Y12 Y13 Y14 Y15 Y16 Y17"),  # 5 | 18: the start 5 stays
    ],
)
def test_c04_cards_strictly_inside_the_gap_can_be_thrown(played, thrown):
    card = played.split()[0]
    others = " ".join(code for code in YELLOW if code != card)
    game = table(yellow=(5, 12), hands=[f"{card} R1", f"{others} R2"]).play(played)
    assert game.throwable() == thrown


def test_c04_only_cards_of_that_colour_can_be_thrown():
    game = table(yellow=(5, 12), hands=["Y6 R1", "R7 B8 V9 Y10"]).play("Y6 left")
    assert game.throwable() == "Y10"


def test_c04_every_other_seat_may_throw_but_not_the_player():
    game = table(yellow=(5, 12), hands=["Y6 Y9", "Y7 R1", "Y8 R2"], deck="B1 B2")
    game.play("Y6 left")
    assert game.throwable() == "Y7"
    game.throw(7)
    assert game.throwable() == "Y8"
    game.throw(8)
    assert game.asked == (1, "play")
    assert "Y9" in game.hand(0)


@pytest.mark.parametrize("thrown", [(), (8,), (10, 7), (9, 7, 10, 8)])
def test_c04_none_some_or_all_of_them(thrown):
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y8 Y9 Y10 R2"], deck="B1 B2 B3 B4")
    game.play("Y6 left").throw(*thrown)
    if len(thrown) < 4:
        game.pass_()
    assert game.discard == " ".join(f"Y{value}" for value in thrown)
    assert game.asked == (1, "play")


@pytest.mark.parametrize("action", ["throw 12", "throw 13", "throw 8", "Y7 left"])
def test_c04_what_does_not_fit_or_is_not_held_cannot_be_thrown(action):
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y12 Y13"]).play("Y6 left")
    before = game.snapshot()
    with pytest.raises(ValueError, match="player_1"):
        game.do(action)
    assert game.snapshot() == before


# C5 The price


def test_c05_the_player_draws_one_card_for_each_thrown_card_at_once():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y9 R2", "Y8 R3"], deck="B1 B2 B3 B4")
    game.play("Y6 left").throw(9)
    assert game.hand(0) == "R1 B1"
    game.throw(7)
    assert game.hand(0) == "R1 B1 B2"
    game.throw(8)
    assert game.hand(0) == "R1 B1 B2 B3"
    assert game.draw_pile == "B4"


def test_c05_thrown_cards_go_to_the_discard_top_last():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y9 R2"], deck="B1 B2", discard="V1")
    game.play("Y6 left").throw(9, 7)
    assert game.discard == "V1 Y9 Y7"
    assert game.hand(1) == "R2"


def test_c05_passing_costs_nobody_anything():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 R2"], deck="B1").play("Y6 left").pass_()
    assert (game.hand(0), game.hand(1), game.draw_pile) == ("R1", "R2 Y7", "B1")


def test_c05_the_price_comes_on_top_of_the_colour_penalty():
    game = table(yellow=(5, 7), hands=["Y6 Y8 R1", "Y18 R2"], deck="B1 B2")
    game.play("Y6 left", "Y18 left").throw(8)
    assert game.hand(1) == "R2 B1 B2"


# C6 Empty penalty pile


def test_c06_an_empty_pile_is_made_anew_of_the_discard():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 R2"], deck="", discard="B1 B2 B3")
    game.play("Y6 left").throw(7)
    drawn = game.hand(0).split()[1:]
    assert len(drawn) == 1
    assert {*drawn, *game.draw_pile.split()} == {"B1", "B2", "B3", "Y7"}
    assert len(game.draw_pile.split()) == 3
    assert game.discard == ""


def test_c06_the_discard_is_shuffled_and_the_thrown_card_can_come_back():
    drawn = set()
    for seed in range(40):
        game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 R2"], discard="B1 B2", seed=seed)
        drawn.add(game.play("Y6 left").throw(7).hand(0).removeprefix("R1 "))
    assert drawn == {"B1", "B2", "Y7"}


def test_c06_a_thrown_card_alone_on_the_discard_comes_back_at_once():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y8 R2"]).play("Y6 left").throw(7)
    assert game.hand(0) == "R1 Y7"
    assert (game.draw_pile, game.discard) == ("", "")
    assert game.throwable() == "Y8"


def test_c06_the_discard_stays_until_a_card_must_be_drawn():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 R2"], deck="B1").play("Y6 left").throw(7)
    assert (game.hand(0), game.draw_pile, game.discard) == ("R1 B1", "", "Y7")


def test_c06_rows_are_never_recycled_and_of_nothing_nothing_is_drawn():
    game = table(yellow=(1, 3), hands=["Y2 R1", "Y4 R2", "Y5 R3"])
    game.play("Y2 left", "Y4 left", "Y5 right")
    assert [game.hand(seat) for seat in range(3)] == ["R1", "R2", "R3"]
    assert (game.draw_pile, game.discard) == ("", "")
    assert game.asked == (0, "play")


def test_c06_a_colour_penalty_too_is_drawn_from_the_discard():
    game = table(yellow=(5, 7), hands=["Y6 R1", "Y8 R2"], discard="B1").play("Y6 left", "Y8 right")
    assert (game.hand(1), game.draw_pile, game.discard) == ("R2 B1", "", "")


# C7 The throw window


def test_c07_seats_are_asked_clockwise_from_the_players_left():
    hands = ["Y7 R1", "Y8 R2", "Y6 R3", "Y9 R4"]
    game = table(yellow=(5, 12), hands=hands, starter=2).play("Y6 left")
    asked = []
    while game.phase == "throw":
        asked.append(game.asked[0])
        game.pass_()
    assert asked == [3, 0, 1]
    assert game.asked == (3, "play")


def test_c07_only_seats_with_a_fitting_card_are_asked():
    hands = ["Y6 R1", "Y5 R2", "Y9 R3", "B9 R4"]
    game = table(yellow=(5, 12), hands=hands).play("Y6 left")
    assert game.asked == (2, "throw")
    game.pass_()
    assert game.asked == (1, "play")


def test_c07_one_card_per_action_until_the_seat_passes():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y8 Y9 R2", "Y10 R3"], deck="B1 B2 B3")
    game.play("Y6 left")
    assert game.choices() == ["throw 7", "throw 8", "throw 9", "pass"]
    game.throw(8)
    assert game.asked == (1, "throw")
    assert game.choices() == ["throw 7", "throw 9", "pass"]
    game.pass_()
    assert game.asked == (2, "throw")


def test_c07_a_seat_with_nothing_left_that_fits_need_not_pass():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 Y18", "Y10 R3"], deck="B1").play("Y6 left")
    game.throw(7)
    assert game.asked == (2, "throw")


def test_c07_whoever_passed_is_not_asked_again():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7 R2", "Y10 Y11 R3"], deck="B1 B2")
    game.play("Y6 left").pass_().throw(10, 11)
    assert game.asked == (1, "play")


# C8 End of a round


def test_c08_the_round_ends_when_the_player_has_no_card_left():
    game = table(hands=["R1", "B2 B4"], rounds=1).play("R1 left")
    assert game.phase == "over"


def test_c08_it_ends_only_after_everybody_had_a_chance_to_throw():
    game = table(yellow=(5, 12), hands=["Y6", "Y7 R2", "Y8 R3"], rounds=1).play("Y6 left")
    assert game.asked == (1, "throw")
    game.pass_()
    assert game.asked == (2, "throw")
    game.pass_()
    assert game.phase == "over"


def test_c08_a_last_card_is_not_enough_if_someone_throws():
    game = table(yellow=(5, 12), hands=["Y6", "Y7 R2"], deck="B1", rounds=1)
    game.play("Y6 left").throw(7)
    assert game.asked == (1, "play")
    assert game.hand(0) == "B1"


def test_c08_a_last_card_is_not_enough_if_its_colour_costs_a_card():
    game = table(yellow=(5, 7), hands=["Y6 R1", "Y8"], deck="B1", rounds=1)
    game.play("Y6 left", "Y8 right")
    assert game.asked == (0, "play")
    assert game.hand(1) == "B1"


def test_c08_a_last_card_is_enough_if_there_is_no_card_to_draw_for_its_colour():
    game = table(yellow=(5, 7), hands=["Y6 R1", "Y8"], rounds=1).play("Y6 left", "Y8 right")
    assert game.phase == "over"


def test_c08_a_thrower_without_cards_ends_the_round_after_the_window():
    game = table(yellow=(5, 12), hands=["Y6", "Y7", "Y8 R3"], deck="B1 B2", rounds=1)
    game.play("Y6 left").throw(7)
    assert game.asked == (2, "throw")
    game.throw(8)
    assert game.phase == "over"
    assert [game.hand(seat) for seat in range(3)] == ["B1 B2", "", "R3"]


def test_c08_several_hands_may_be_empty_at_once():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7", "Y8"], deck="B1 B2", rounds=1)
    game.play("Y6 left").throw(7, 8)
    assert game.phase == "over"
    assert [game.hand(seat) for seat in range(3)] == ["R1 B1 B2", "", ""]


def test_c08_otherwise_the_seat_on_the_left_takes_the_next_turn():
    game = table(hands=["R1 R2", "B2 B4", "V2 V4"], starter=1)
    turns = []
    for card in ["B2 left", "V2 left", "R1 left"]:
        turns.append(game.asked)
        game.play(card)
    assert turns == [(1, "play"), (2, "play"), (0, "play")]


# C9 Score


@pytest.mark.parametrize(("value", "cost"), list(enumerate(DEFAULT_COSTS, start=1)))
def test_c09_the_nearer_to_the_middle_the_dearer(value, cost):
    hands = ["R1", f"B{value}", f"V{value}", f"Y{value}"]
    game = table(hands=hands, rounds=1).play("R1 left")
    assert game.scores == [0, cost, cost, cost]


def test_c09_all_cards_left_are_counted():
    game = table(hands=["R1", "Y5 R17 B9"], rounds=1).play("R1 left")  # the page's example E
    assert game.scores == [0, 2 + 1 + 3]
    assert game.rewards == [0, -6]


def test_c09_the_owner_of_a_box_can_set_the_points():
    points = [3, 1, 2] * 6
    game = table(hands=["R1", "Y4 B9", "Y5", "Y6 Y18"], rounds=1, points=points).play("R1 left")
    assert game.scores == [0, 3 + 2, 1, 2 + 2]


def test_c09_penalty_cards_drawn_in_the_last_turn_count():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7"], deck="B9", rounds=1)
    game.play("Y6 left")
    assert game.rewards == [0, 0]
    game.throw(7)
    assert game.scores == [1 + 3, 0]
    assert game.rewards == [-4, 0]


def test_c09_rounds_add_up():
    game = table(hands=["R1", "Y8 Y9"], target=FAR_AWAY).play("R1 left")
    assert game.scores == [0, 6]
    game.play_out_round()
    assert game.round == 3
    assert game.scores == [0 - game.rewards[0], 6 - game.rewards[1]]


# C10 Next round


@pytest.mark.parametrize(("last", "starter"), [(0, 1), (1, 2), (2, 0)])
def test_c10_the_seat_left_of_who_took_the_last_turn_starts(last, starter):
    hands = ["R2 R4", "B2 B4", "V2 V4"]
    hands[last] = "Y1"
    game = table(hands=hands, starter=last, target=FAR_AWAY).play("Y1 left")
    assert game.round == 2
    assert game.asked == (starter, "play")


def test_c10_the_last_turn_is_the_players_not_that_of_the_thrower_who_ended_it():
    game = table(yellow=(5, 12), hands=["Y6 R1", "R2 R3", "Y7"], deck="B1", target=FAR_AWAY)
    game.play("Y6 left").throw(7)
    assert game.round == 2
    assert game.asked == (1, "play")


# C11 End of the game


@pytest.mark.parametrize(
    ("target", "phase"),
    [(8, "over"), (9, "over"), (10, "play")],  # the total is 9
)
def test_c11_the_game_ends_when_a_total_reaches_the_target(target, phase):
    game = table(hands=["R1", "Y2", "Y7 Y8 Y9"], target=target).play("R1 left")
    assert game.phase == phase
    assert game.choices() == [] or phase == "play"


def test_c11_the_target_is_18():
    assert table(hands=["R1", "Y7 Y8 Y9 Y10 Y11 B2 B3"]).play("R1 left").phase == "play"  # 17
    assert table(hands=["R1", "Y7 Y8 Y9 Y10 Y11 B4 B3"]).play("R1 left").phase == "over"  # 18


def test_c11_totals_of_all_rounds_count():
    game = Table(seed=5, num_players=3, target=60)
    while game.phase != "over":
        assert max(game.scores) < 60
        game.play_out_round()
    assert max(game.scores) >= 60
    assert game.round > 1


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_c11_with_rounds_the_target_is_not_looked_at(rounds):
    game = table(hands=["R1", "Y8 Y9"], rounds=rounds, target=1).play("R1 left")
    while game.phase != "over":
        game.play_out_round()
    assert game.round == rounds


def test_c11_with_rounds_the_game_ends_below_the_target_too():
    game = table(hands=["R1", "Y2"], rounds=1).play("R1 left")
    assert game.phase == "over"
    assert game.scores == [0, 1]


def test_c11_equal_lowest_totals_share_the_win():
    game = table(yellow=(5, 12), hands=["Y6 R1", "Y7", "Y8"], deck="B1 B2", rounds=1)
    game.play("Y6 left").throw(7, 8)
    assert game.scores == [3, 0, 0]
    assert win_shares(game.scores).tolist() == [0, 0.5, 0.5]
    assert "player_1 and player_2 won with 0 points" in game.env.render()
