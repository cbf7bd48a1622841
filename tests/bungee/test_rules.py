"""The rules of Bungee one by one, as docs/rules/bungee.md numbers them.

Cards are written as on their faces, a Bungee card as J. Seats play clockwise from 0, and the lucky
card is a 9 where a test does not say another.
"""

from collections import Counter

import pytest

from cardcore.scoring import win_shares
from tests.bungee.table import Table, table
from tests.table import flat

NUMBERS = [str(value) for value in range(1, 10)]
ALL_CARDS = Counter(dict.fromkeys(NUMBERS, 5)) + Counter({"10": 8, "J": 3})
TENS = "10 10 10 10 10"  # to draw from: whoever draws one of them cannot call


def cards_of(snapshot):
    """All cards that lie on a table, hands and the lucky card included."""
    piles = [*snapshot["hands"], snapshot["draw_pile"], snapshot["discard"], [snapshot["lucky"]]]
    return Counter(flat(piles))


def refuses(game, action, seat):
    """Whether an action is an error that names the seat and changes nothing."""
    before = game.snapshot()
    with pytest.raises(ValueError, match=f"player_{seat}"):
        game.do(action)
    return game.snapshot() == before


# B1 Set-up


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_b01_five_cards_each_a_lucky_card_and_the_rest_is_the_draw_pile(num_players):
    start = Table(seed=3, num_players=num_players).snapshot()
    assert [len(hand) for hand in start["hands"]] == [5] * num_players
    assert len(start["draw_pile"]) == 56 - 5 * num_players - 1
    assert (start["discard"], start["top"]) == ([], None)
    assert cards_of(start) == ALL_CARDS


def test_b01_hands_lucky_card_and_first_starter_come_by_chance():
    starts = [Table(seed=seed).snapshot() for seed in range(150)]
    assert {start["lucky"] for start in starts} == {*NUMBERS, "10", "J"}
    assert len({tuple(start["draw_pile"]) for start in starts}) == 150
    assert {start["dealer"] for start in starts} == {0, 1, 2, 3}


def test_b01_a_given_deck_is_dealt_in_blocks():
    deck = [*NUMBERS, "10"] * 5 + ["10", "10", "10", "J", "J", "J"]
    game = Table(num_players=3, first_round={"deck": deck, "starter": 1})
    assert game.hands == ["1 2 3 4 5", "6 7 8 9 10", "1 2 3 4 5"]
    assert game.lucky == "6"
    assert game.draw_pile.split() == deck[16:]
    assert game.asked == (1, "turn")


def test_b01_every_round_is_set_up_anew():
    game = table(["1 2", "10 8"], deck="7 7", discard="5 4").call().play("10")
    second = game.snapshot()
    assert (second["round"], second["turn"], second["discard"]) == (2, 0, [])
    assert [len(hand) for hand in second["hands"]] == [5, 5]
    assert cards_of(second) == ALL_CARDS
    assert (second["callers"], second["last_lap"], second["lap_left"]) == ([], False, [])


@pytest.mark.parametrize(("lucky", "may_call"), [("7", True), ("8", False), ("10", False)])
def test_b01_cards_of_the_lucky_value_count_nothing(lucky, may_call):
    game = table(["5 7 7", "7 10"], deck=TENS, discard="4", lucky=lucky)
    assert ("call" in game.choices()) == may_call


def test_b01_they_count_nothing_for_everybody():
    game = table(["1", "7 7 10", "7 8"], deck="7 3", discard="4", lucky="7", rounds=1)
    game.call().play("10").pass_().play("8").pass_()
    assert game.hands == ["1", "7 7 7", "3 7"]
    assert game.scores == [-10, 0, 3]


def test_b01_the_lucky_card_is_out_of_play():
    game = table(["10 8", "10 8"], discard="5", lucky="9").play("10", "10", "8", "8")
    assert game.lucky == "9"
    assert "9" not in flat(game.snapshot()["hands"]) + game.draw_pile.split()
    assert "9" not in game.discard


# B2 A lucky Bungee card


@pytest.mark.parametrize(("starter", "dealer"), [(0, 2), (1, 0), (2, 1)])
def test_b02_the_dealer_is_asked_about_a_lucky_bungee_card(starter, dealer):
    game = table(["1 2", "1 2", "1 2"], deck="5", lucky="J", starter=starter)
    assert game.asked == (dealer, "lucky")
    assert game.choices() == ["swap for 1", "swap for 2", "swap for J", "pass"]


def test_b02_nobody_is_asked_about_any_other_lucky_card():
    assert table(["J 2", "J 2"], lucky="10").asked == (0, "turn")


def test_b02_it_comes_to_hand_a_card_starts_the_discard_and_a_new_lucky_card_is_turned():
    game = table(["1 2", "3 10"], deck="5 7", lucky="J").swap("10")
    assert game.hands == ["1 2", "3 J"]
    assert (game.discard, game.lucky, game.draw_pile) == ("10", "5", "7")
    assert game.asked == (0, "turn")


def test_b02_the_card_put_down_may_be_that_bungee_card_itself():
    game = table(["1 2", "3 10"], deck="5 7", lucky="J").swap("J")
    assert game.hands == ["1 2", "3 10"]
    assert (game.discard, game.lucky) == ("J", "5")


def test_b02_it_is_no_turn():
    assert table(["1 2", "3 10"], deck="5 7", lucky="J").swap("10").turn == 0
    assert table(["1 2", "3 10"], deck="5 7", lucky="J").pass_().turn == 0


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_b02_a_six_put_down_skips_nobody(starter):
    game = table(["6 2", "6 2", "6 2"], deck="6 7", lucky="J", starter=starter).swap("6")
    assert game.asked == (starter, "turn")
    game.call()
    assert game.asked == ((starter + 1) % 3, "turn")


def test_b02_the_new_lucky_card_may_be_a_bungee_card_again():
    game = table(["1 2", "3 10"], deck="J 7 8", lucky="J").swap("10")
    assert game.asked == (1, "lucky")
    assert game.choices() == ["swap for 3", "swap for J", "pass"]
    game.swap("3")
    assert (game.hand(1), game.discard, game.lucky) == ("J J", "10 3", "7")
    assert game.asked == (0, "turn")


def test_b02_declined_it_stays_and_bungee_cards_count_nothing_for_everybody():
    game = table(["1", "J J 10", "9 8"], deck="2 3", discard="4", lucky="J", rounds=1)
    game.pass_()
    assert (game.lucky, game.discard, game.asked) == ("J", "4", (0, "turn"))
    game.call().play("10").pass_().play("8")
    assert game.hands == ["1", "2 J J", "3 9"]
    assert game.scores == [-10, 2, 12]


def test_b02_it_is_so_in_every_round():
    found = []
    for seed in range(150):
        game = table(["1", "10", "8"], deck="7 7", discard="4", seed=seed).call().play("10", "8")
        assert (game.lucky == "J") == (game.phase == "lucky")
        if game.phase == "lucky":
            found.append(game)
    assert {game.asked for game in found} == {(0, "lucky")}
    assert {len(game.swap("J").discard.split()) for game in found} == {1}


@pytest.mark.parametrize("action", ["swap for 7", "call", "play 1", "take, play 1"])
def test_b02_nothing_else_can_be_done_about_it(action):
    assert refuses(table(["1 7", "1 2"], deck="5", discard="4", lucky="J"), action, seat=1)


@pytest.mark.parametrize("action", ["swap for 1", "swap for J"])
def test_b02_any_other_lucky_card_stays_where_it_is(action):
    assert refuses(table(["1 J", "1 2"], deck="5", discard="4", lucky="8"), action, seat=0)


def test_b02_an_empty_pile_is_rebuilt_for_the_new_lucky_card():
    game = table(["1 2", "3 10"], discard="7", lucky="J").swap("10")
    assert (game.lucky, game.discard, game.draw_pile) == ("7", "10", "")


def test_b02_with_no_card_left_to_turn_up_there_is_no_lucky_card():
    game = table(["1 2", "3 10"], lucky="J").swap("10")
    assert (game.lucky, game.discard, game.hand(1)) == (None, "10", "3 J")
    assert game.asked == (0, "turn")


# B3 A turn


def test_b03_play_one_or_more_cards_of_one_value_or_take_the_discard_and_do_so():
    game = table(["1 1 7", "2 3"], deck=TENS, discard="5")
    plays = ["play 1", "play 1 1", "play 7"]
    assert game.choices() == plays + ["take, " + play for play in plays]


@pytest.mark.parametrize(
    ("played", "left"),
    [("7", "2 7 7 8"), ("7 7", "2 7 8"), ("7 7 7", "2 8"), ("2", "7 7 7 8")],
)
def test_b03_whoever_plays_draws_one_card_whatever_the_number_played(played, left):
    game = table(["7 7 7 2", "10 10"], deck="8 3", discard="5").play(played)
    assert game.hand(0) == left
    assert game.draw_pile == "3"
    assert game.discard == f"5 {played}"
    assert game.asked == (1, "turn")


@pytest.mark.parametrize("top", ["1", "7", "10", "J"])
def test_b03_any_value_may_follow_any(top):
    choices = table(["1 7 J", "2"], deck="3", discard=top).choices()
    assert {"play 1", "play 7", "play J"} < set(choices)


@pytest.mark.parametrize(
    ("played", "left"), [("7", "2 3 7 7"), ("7 7", "2 3 7"), ("7 7 7", "2 3"), ("2", "3 7 7 7")]
)
def test_b03_whoever_takes_the_discard_draws_nothing(played, left):
    game = table(["7 7 7 2", "10 10"], deck="8", discard="5 3").take(played)
    assert game.hand(0) == left
    assert game.draw_pile == "8"
    assert game.discard == f"5 {played}"


def test_b03_the_card_just_taken_cannot_be_played():
    assert refuses(table(["7 2", "10"], deck="8", discard="5 3"), "take, play 3", seat=0)


def test_b03_cards_of_its_value_that_were_held_before_can():
    game = table(["3 7", "10"], deck="8", discard="5 3")
    assert refuses(game, "take, play 3 3", seat=0)
    game.take("3")
    assert (game.hand(0), game.discard) == ("3 7", "5 3")


def test_b03_the_last_card_of_the_discard_can_be_taken():
    game = table(["7 2", "10"], deck="8", discard="3").take("7")
    assert (game.hand(0), game.discard) == ("2 3", "7")


def test_b03_no_hand_grows_beyond_five():
    game = table(["2 4 7 8 10", "1 2 4 7 8"], deck="3", discard="5").take("10")
    assert game.hand(0) == "2 4 5 7 8"
    game.play("8")
    assert game.hand(1) == "1 2 3 4 7"


def test_b03_several_bungee_cards_may_be_played_together():
    game = table(["J J J 8", "10"], deck="4", discard="5").play("J J J")
    assert (game.hand(0), game.discard) == ("4 8", "5 J J J")


@pytest.mark.parametrize(
    ("hand", "may_call"),
    [
        ("5", True),
        ("6", False),
        ("1 4", True),
        ("2 4", False),
        ("1 1 1 1 1", True),
        ("1 1 1 1 2", False),
        ("9 9 5", True),  # 9 is lucky
        ("J J J 5", True),
        ("J 6", False),
        ("10", False),
    ],
)
def test_b03_with_five_points_or_fewer_one_may_call_instead(hand, may_call):
    game = table([hand, "10"], deck="8", discard="5")
    assert ("call" in game.choices()) == may_call
    assert may_call or refuses(game, "call", seat=0)


def test_b03_nobody_must_call():
    game = table(["5", "10"], deck="8", discard="4")
    assert game.choices() == ["play 5", "take, play 5", "call"]


@pytest.mark.parametrize("action", ["pass", "play 3", "play 1 1", "swap for 1"])
def test_b03_nothing_else_can_be_done_in_a_turn(action):
    assert refuses(table(["1 2", "3"], deck="8", discard="4"), action, seat=0)


def test_b03_the_seat_on_the_left_takes_the_next_turn():
    game = table(["10 8", "10 8", "10 8"], deck=TENS, starter=1)
    turns = []
    for card in ["8", "8", "8", "10"]:
        turns.append(game.asked)
        game.play(card)
    assert turns == [(1, "turn"), (2, "turn"), (0, "turn"), (1, "turn")]
    assert game.turn == 4


# B4 The first turn


def test_b04_with_nothing_on_the_discard_cards_must_be_played():
    game = table(["1 1", "2 3"], deck=TENS)
    assert game.choices() == ["play 1", "play 1 1"]
    assert refuses(game, "call", seat=0)
    assert refuses(game, "take, play 1", seat=0)


def test_b04_after_it_everything_is_allowed():
    game = table(["1 1", "2 3"], deck=TENS).play("1")
    assert game.choices() == ["play 2", "play 3", "take, play 2", "take, play 3", "call"]


def test_b04_the_card_that_the_dealer_put_down_is_a_discard():
    game = table(["1 1", "2 3"], deck="10 8", lucky="J").swap("3")
    assert {"take, play 1", "call"} < set(game.choices())


def test_b04_a_discard_that_was_never_started_stays_so_when_the_dealer_declines():
    game = table(["1 1", "2 3"], deck="10 8", lucky="J").pass_()
    assert game.choices() == ["play 1", "play 1 1"]


# B5 Bungee cards


@pytest.mark.parametrize(("hand", "may_call"), [("J 5", True), ("J J J", True), ("J J 6", False)])
def test_b05_they_count_nothing_towards_a_call(hand, may_call):
    assert ("call" in table([hand, "10"], deck="8", discard="4").choices()) == may_call


def test_b05_they_count_nothing_towards_the_call_after_a_play():
    game = table(["1", "J J 10"], deck="5 8", discard="4").call().play("10")
    assert game.asked == (1, "call")


def test_b05_they_count_nothing_among_those_who_may_win_and_ten_for_everyone_else():
    game = table(["2", "J J 1", "J 8"], deck="7", discard="4", rounds=1)
    game.call().call().play("8")
    assert game.scores == [2, -10, 7 + 10]


def test_b05_a_caller_who_does_not_win_pays_ten_for_each():
    game = table(["J J J 2", "1"], deck="7", discard="4", rounds=1).call().call()
    assert game.scores == [2 + 30, -10]


# B6 Sixes


@pytest.mark.parametrize(
    ("played", "follower"),
    [("6", 2), ("6 6", 3), ("6 6 6", 0), ("6 6 6 6", 1), ("6 6 6 6 6", 2), ("8", 1), ("9", 1)],
)
@pytest.mark.parametrize("starter", [0, 3])
def test_b06_each_six_skips_one_seat(played, follower, starter):
    hands = ["10 8", "10 8", "10 8", "10 8"]
    hands[starter] = played
    game = table(hands, deck="2 10", starter=starter).play(played)
    assert game.asked == ((starter + follower) % 4, "turn")
    assert game.turn == 1


def test_b06_of_two_players_one_plays_again():
    game = table(["6 6 6 8", "10 8"], deck=TENS).play("6")
    assert game.asked == (0, "turn")
    game.play("6 6")
    assert game.asked == (1, "turn")


def test_b06_sixes_skip_too_when_the_discard_was_taken():
    game = table(["6 6 8", "10 8", "10 8", "10 8"], deck=TENS, discard="4").take("6 6")
    assert game.asked == (3, "turn")


def test_b06_taking_a_six_skips_nobody():
    game = table(["8 8", "10 8", "10 8"], deck=TENS, discard="6").take("8 8")
    assert game.asked == (1, "turn")


def test_b06_sixes_skip_even_when_six_is_lucky():
    game = table(["6 6 8", "10 8", "10 8", "10 8"], deck=TENS, lucky="6").play("6 6")
    assert game.asked == (3, "turn")


def test_b06_a_skipped_seat_loses_its_turn_of_the_last_lap():
    game = table(["1", "6 8", "10 8", "10 8"], deck=TENS, discard="4", rounds=1)
    game.call().play("6")
    assert (game.asked, game.lap_left) == ((3, "turn"), [3])
    game.play("8")
    assert game.phase == "over"


def test_b06_sixes_can_end_the_last_lap():
    game = table(["1", "6 6 8", "10 8", "10 8"], deck=TENS, discard="4", rounds=1)
    game.call().play("6 6")
    assert game.phase == "over"


def test_b06_seats_that_have_called_count_as_seats_to_be_skipped():
    game = table(["1", "2", "10 8", "6 6 8"], deck=TENS, discard="4").call().call()
    game.play("8").play("6 6")  # skips 0 and 1, both of whom have called
    assert (game.asked, game.lap_left) == ((2, "turn"), [2, 3])
    assert game.callers == [0, 1]


# B7 The call


@pytest.mark.parametrize(("caller", "lap"), [(0, [1, 2, 3]), (2, [3, 0, 1]), (3, [0, 1, 2])])
def test_b07_calling_opens_the_last_lap(caller, lap):
    hands = ["10 8", "10 8", "10 8", "10 8"]
    hands[caller] = "1"
    game = table(hands, deck=TENS, discard="4", starter=caller)
    assert (game.snapshot()["last_lap"], game.lap_left) == (False, [])
    game.call()
    assert (game.snapshot()["last_lap"], game.lap_left) == (True, lap)
    assert (game.callers, game.turn) == ([caller], 1)


def test_b07_every_other_seat_has_one_turn_left_and_the_caller_is_done():
    game = table(["10 8", "1", "10 8"], deck=TENS, discard="4", starter=1, rounds=1).call()
    laps = []
    while game.phase != "over":
        laps.append((game.asked, game.lap_left))
        game.play("8")
    assert laps == [((2, "turn"), [2, 0]), ((0, "turn"), [0])]
    assert game.lap_left == []


def test_b07_a_call_moves_no_cards():
    game = table(["1 3", "10 8"], deck="7 8", discard="4 2").call()
    assert (game.hand(0), game.draw_pile, game.discard) == ("1 3", "7 8", "4 2")


def test_b07_a_call_can_come_at_any_turn():
    game = table(["10 8", "10 1"], deck="1 2 2", discard="4").play("10", "10", "8").call()
    assert (game.callers, game.lap_left, game.asked) == ([1], [0], (0, "turn"))


# B8 Calls in the last lap


def test_b08_whoever_has_five_or_fewer_may_call_at_the_start_of_the_turn():
    game = table(["1", "5", "6"], deck=TENS, discard="4").call()
    assert game.choices() == ["play 5", "take, play 5", "call"]
    game.call()
    assert (game.callers, game.lap_left) == ([0, 1], [2])
    assert game.choices() == ["play 6", "take, play 6"]


def test_b08_calling_in_the_last_lap_opens_no_other():
    game = table(["1", "5", "4"], deck=TENS, discard="4", rounds=1).call().call().call()
    assert game.phase == "over"
    assert game.callers == [0, 1, 2]


def test_b08_whoever_is_left_with_five_or_fewer_by_the_play_may_call_at_once():
    game = table(["1", "10 3", "10 8"], deck="2 7", discard="4").call().play("10")
    assert game.asked == (1, "call")
    assert game.choices() == ["call", "pass"]
    assert (game.callers, game.lap_left, game.turn) == ([0], [2], 2)
    game.call()
    assert (game.callers, game.asked, game.turn) == ([0, 1], (2, "turn"), 2)


def test_b08_so_may_whoever_took_the_discard():
    game = table(["1", "10 3", "10 8"], deck="8 7", discard="2").call().take("10")
    assert (game.asked, game.hand(1)) == ((1, "call"), "2 3")


@pytest.mark.parametrize(
    ("drawn", "asked"), [("2", (1, "call")), ("3", (2, "turn")), ("9", (1, "call"))]
)
def test_b08_the_card_drawn_counts(drawn, asked):
    game = table(["1", "3 10", "10 8"], deck=f"{drawn} 7", discard="4").call().play("10")
    assert game.asked == asked


def test_b08_nobody_must_call():
    game = table(["2", "1", "10"], deck="3 7", discard="4", rounds=1).call().play("1")
    assert game.asked == (1, "call")
    game.pass_()
    assert (game.callers, game.asked) == ([0], (2, "turn"))
    game.play("10")
    assert game.scores == [-10, 3, 7]


def test_b08_before_the_first_call_it_must_wait_for_the_next_turn():
    game = table(["10 1", "10 8"], deck="2 7", discard="4").play("10")
    assert game.asked == (1, "turn")
    assert game.callers == []


def test_b08_a_skipped_seat_cannot_call():
    game = table(["2", "6 8", "1", "10"], deck=TENS, discard="4", rounds=1).call().play("6")
    assert game.asked == (3, "turn")
    game.play("10")
    assert game.callers == [0]
    assert game.scores == [-10, 18, 1, 10]


def test_b08_there_is_no_passing_in_the_last_lap():
    assert refuses(table(["1", "10 8"], deck=TENS, discard="4").call(), "pass", seat=1)


@pytest.mark.parametrize("action", ["play 3", "take, play 3", "swap for 3"])
def test_b08_nothing_but_a_call_can_follow_the_play(action):
    game = table(["1", "10 3", "10 8"], deck="2 7", discard="4").call().play("10")
    assert refuses(game, action, seat=1)


# B9 Extra laps


@pytest.mark.parametrize(
    ("sixes", "lap"),
    [
        ("6", [1, 2, 3]),  # skips the first caller
        ("6 6", [2, 3]),  # and seat 1, who loses the extra turn
        ("6 6 6", [3]),
        ("6 6 6 6", []),  # the player too: nobody is left
        ("6 6 6 6 6", []),
    ],
)
def test_b09_a_six_that_skips_the_first_caller_opens_an_extra_lap(sixes, lap):
    game = table(["1", "10 8", "10 8", sixes], deck=TENS, discard="4", rounds=1)
    game.call().play("8", "8", sixes)
    assert game.lap_left == lap
    assert game.asked == ((lap[0], "turn") if lap else (None, "over"))


@pytest.mark.parametrize(
    ("sixes", "lap"),
    [
        ("6", [3]),  # skips 2: what was left of the lap goes on
        ("6 6", []),  # skips 2 and 3: it is over
        ("6 6 6", [1, 2, 3]),  # and the first caller: they all have one more turn
        ("6 6 6 6", [2, 3]),  # and the player itself
        ("6 6 6 6 6", [3]),  # and 2 a second time
    ],
)
def test_b09_what_was_left_of_the_lap_is_replaced(sixes, lap):
    game = table(["1", sixes, "10 8", "10 8"], deck=TENS, discard="4", rounds=1)
    game.call().play(sixes)
    assert game.lap_left == lap
    assert ("pass" in game.choices()) == (len(sixes.split()) > 2)


@pytest.mark.parametrize(("sixes", "lap"), [("6", [1]), ("6 6", []), ("6 6 6", [])])
def test_b09_of_two_players_the_other_has_one_more_turn(sixes, lap):
    game = table(["1", sixes], deck=TENS, discard="4", rounds=1).call().play(sixes)
    assert game.lap_left == lap
    assert (game.phase == "over") == (not lap)


def test_b09_a_seat_skipped_before_the_first_caller_has_the_extra_turn():
    game = table(["1", "10 8", "6 6", "10 8"], deck=TENS, discard="4", rounds=1)
    game.call().play("8", "6 6")
    turns = []
    while game.phase != "over":
        turns.append(game.asked)
        game.play("10")
    assert turns == [(1, "turn"), (2, "turn"), (3, "turn")]


def test_b09_within_an_extra_lap_any_seat_may_pass():
    game = table(["1", "10 8", "6 8"], deck=TENS, discard="4", rounds=1).call().play("8", "6")
    before = game.snapshot()
    assert game.choices()[-1] == "pass"
    game.pass_()
    assert (game.asked, game.turn) == ((2, "turn"), before["turn"] + 1)
    assert (game.hands, game.discard) == ([*map(" ".join, before["hands"])], "4 8 6")
    game.pass_()
    assert game.phase == "over"
    assert game.scores == [-10, 20, 18]


def test_b09_whoever_has_not_called_may_do_so_in_an_extra_lap():
    game = table(["2", "10", "6"], deck="1 10", discard="4", rounds=1).call().play("10").pass_()
    game.play("6")
    assert game.choices() == ["play 1", "take, play 1", "call", "pass"]
    game.call()
    assert game.callers == [0, 1]
    game.pass_()
    assert game.scores == [2, -10, 10]


def extra_lap_with_two_callers(deck="10", **options):
    """An extra lap of seats 1 and 2 in which 1 has called after 0, and 2 not at all."""
    return table(["2", "3", "6 8"], deck=deck, discard="4", **options).call().call().play("6")


def test_b09_for_a_seat_that_has_called_passing_means_standing():
    game = extra_lap_with_two_callers(rounds=1)
    assert (game.asked, game.callers, game.lap_left) == ((1, "turn"), [0, 1], [1, 2])
    game.pass_()
    assert (game.callers, game.hand(1)) == ([0, 1], "3")


def test_b09_it_cannot_call_again_without_playing():
    game = extra_lap_with_two_callers()
    assert game.choices() == ["play 3", "take, play 3", "pass"]
    assert refuses(game, "call", seat=1)


def test_b09_if_it_plays_its_call_is_withdrawn():
    game = extra_lap_with_two_callers(deck="10 7", rounds=1).play("3")
    assert (game.callers, game.hand(1), game.asked) == ([0], "7", (2, "turn"))
    assert game.pass_().scores == [-10, 7, 18]


def test_b09_if_that_leaves_it_with_five_or_fewer_it_may_call_again():
    game = extra_lap_with_two_callers(deck="10 1", rounds=1).play("3")
    assert (game.callers, game.asked) == ([0], (1, "call"))
    game.call()
    assert (game.callers, game.asked) == ([0, 1], (2, "turn"))
    assert game.pass_().scores == [2, -10, 18]


def test_b09_or_stay_silent_and_have_no_call():
    game = extra_lap_with_two_callers(deck="10 1", rounds=1).play("3").pass_()
    assert (game.callers, game.asked) == ([0], (2, "turn"))
    assert game.pass_().scores == [-10, 1, 18]


def test_b09_it_calls_again_as_the_latest():
    game = table(["2", "3", "4", "6 8"], deck="10 1", discard="4")
    game.call().call().call().play("6")
    assert game.callers == [0, 1, 2]
    game.play("3").call()
    assert game.callers == [0, 2, 1]


def test_b09_a_call_that_was_withdrawn_can_be_made_at_the_start_of_a_later_extra_lap():
    game = extra_lap_with_two_callers(deck="6 1 10", rounds=1).play("3").pass_()
    game.play("6")  # 2 has drawn another six: a second extra lap
    assert (game.asked, game.callers, game.lap_left) == ((1, "turn"), [0], [1, 2])
    assert "call" in game.choices()


def test_b09_the_call_after_a_play_is_asked_before_skips_are_worked_out():
    game = table(["1", "10 8", "6 3"], deck="10 2", discard="4", rounds=1).call().play("8", "6")
    assert (game.asked, game.lap_left) == ((2, "call"), [])
    game.call()
    assert (game.asked, game.lap_left, game.callers) == ((1, "turn"), [1, 2], [0, 2])


def test_b09_so_it_is_for_seats_that_are_about_to_be_skipped():
    game = table(["1", "6 3", "10 8", "10 8"], deck="2", discard="4").call().play("6")
    assert (game.asked, game.lap_left) == ((1, "call"), [2, 3])
    game.pass_()
    assert (game.asked, game.lap_left) == ((3, "turn"), [3])


def test_b09_an_extra_lap_can_lead_to_another():
    game = table(["1", "10 8", "6 6"], deck=TENS, discard="4", rounds=1).call().play("8", "6")
    for card in ["6", "10"]:
        assert (game.asked, game.lap_left) == ((1, "turn"), [1, 2])
        game.pass_().play(card)
    assert game.phase == "over"


def test_b09_a_six_in_an_extra_lap_that_stops_short_of_the_first_caller_only_skips():
    game = table(["1", "6 8", "10 8", "6 8"], deck=TENS, discard="4", rounds=1)
    game.call().play("8", "8", "6")
    assert game.lap_left == [1, 2, 3]
    game.play("6")
    assert (game.asked, game.lap_left) == ((3, "turn"), [3])
    game.pass_()
    assert game.phase == "over"


def test_b09_a_call_stands_when_its_seat_is_skipped_in_an_extra_lap():
    game = table(["2", "10", "1", "6 6 8"], deck="6 10 10 10", discard="4", rounds=1)
    game.call().play("10").call().play("6").play("6")  # 1 skips 2 in the extra lap
    assert (game.asked, game.lap_left, game.callers) == ((3, "turn"), [3], [0, 2])
    assert game.pass_().scores == [2, 10, -10, 24]


# B10 The winner


@pytest.mark.parametrize(
    ("hands", "winner"),
    [
        (["1", "2", "3"], 0),
        (["3", "2", "4"], 1),
        (["2", "2", "3"], 1),  # a tie: the later call
        (["2", "3", "2"], 2),
        (["J J 1", "2", "1"], 2),
        (["9 9", "1", "J"], 2),  # lucky cards and Bungee cards count nothing
        (["1", "9 9", "J 1"], 1),
        (["4", "4", "4"], 2),
    ],
)
def test_b10_the_caller_with_the_fewest_points_wins_on_a_tie_the_later(hands, winner):
    game = table(hands, deck=TENS, discard="4", rounds=1).call().call().call()
    assert [score == -10 for score in game.scores] == [seat == winner for seat in range(3)]


def test_b10_the_order_is_that_of_the_calls_not_of_the_seats():
    game = table(["2", "10", "2"], deck=TENS, discard="4", starter=2, rounds=1)
    game.call().call().play("10")  # 2 calls first, then 0
    assert game.callers == [2, 0]
    assert game.scores == [-10, 10, 2]


def test_b10_whoever_has_not_called_cannot_win():
    game = table(["5", "1 10", "10 8"], deck="9 8", discard="4", rounds=1)
    game.call().play("10").pass_().play("10")
    assert game.scores == [-10, 1, 16]


@pytest.mark.parametrize(("again", "winner"), [(True, 1), (False, 2)])
def test_b10_a_call_made_again_counts_as_the_later_one_and_one_that_stood_does_not(again, winner):
    game = table(["5", "3", "3", "6 8"], deck="10 3", discard="4", rounds=1)
    game.call().call().call().play("6")
    if again:
        game.play("3").call()
    else:
        game.pass_()
    game.pass_().pass_()
    assert game.scores[winner] == -10


# B11 Score


def test_b11_the_printed_example():
    hands = ["1 2 8 J", "10 1 J J", "4 3 2", "7 7 8 8", "5 4 2 3"]
    game = table(hands, deck="8 6 1 9", discard="5", lucky="8", rounds=1)
    game.call().play("10").call().play("4", "7 7").call().play("5")
    assert game.hands == ["1 2 8 J", "1 8 J J", "2 3 6", "1 8 8", "2 3 4 9"]
    assert game.callers == [0, 1, 3]
    assert game.scores == [13, 21, 11, -10, 18]
    assert game.rewards == [-13, -21, -11, 10, -18]


def test_b11_the_winner_scores_minus_ten_whatever_is_in_hand():
    game = table(["5", "J J J"], deck="7", discard="4", rounds=1).call().call()
    assert game.scores == [5, -10]


@pytest.mark.parametrize(
    ("hand", "lucky", "score"),
    [
        ("1 2 3 4 7", "9", 17),
        ("10 10 5", "9", 25),
        ("J J", "9", 20),
        ("9 9 9 9", "9", 0),
        ("10 10 5", "10", 5),
        ("J 8 3", "8", 13),
    ],
)
def test_b11_everyone_else_scores_the_hand(hand, lucky, score):
    game = table(["1", "6 8", hand], deck="10", discard="4", lucky=lucky, rounds=1)
    game.call().play("6")  # skips the seat whose hand is counted
    assert (game.scores[0], game.scores[2]) == (-10, score)


def test_b11_a_lucky_bungee_card_costs_nothing():
    game = table(["1", "6 8", "J J 3"], deck="10", discard="4", lucky="J", rounds=1)
    assert game.pass_().call().play("6").scores == [-10, 18, 3]


def test_b11_only_the_step_that_scores_a_round_pays():
    game = table(["1", "10 8", "10 8"], deck="7 7", discard="4").call()
    assert game.rewards == [0, 0, 0]
    game.play("8")
    assert game.rewards == [0, 0, 0]
    game.play("8")
    assert game.rewards == [10, -17, -17]
    assert game.scores == [-10, 17, 17]


# B12 End of the game


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_b12_the_game_ends_after_so_many_rounds(rounds):
    game = Table(seed=4, rounds=rounds, turn_limit=9)
    for number in range(1, rounds + 1):
        assert (game.round, game.phase == "over") == (number, False)
        game.play_out_round()
    assert (game.round, game.phase) == (rounds, "over")
    assert game.choices() == []


def test_b12_there_are_six():
    game = Table(seed=4, turn_limit=9)
    for _ in range(6):
        assert game.phase != "over"
        game.play_out_round()
    assert (game.round, game.phase) == (6, "over")


def test_b12_rounds_add_up():
    game = table(["1", "10 8"], deck="7", discard="4", turn_limit=9).call().play("8")
    assert game.scores == [-10, 17]
    game.play_out_round()
    assert game.round == 3
    assert game.scores == [-10 - game.rewards[0], 17 - game.rewards[1]]


def test_b12_equal_lowest_totals_share_the_win():
    game = table(["7 8", "8 7", "10 8"], deck="8 7 7", turn_limit=3, rounds=1)
    game.play("8", "7", "8")
    assert game.scores == [15, 15, 17]
    assert win_shares(game.scores).tolist() == [0.5, 0.5, 0]
    assert "player_0 and player_1 won with 15 points" in game.env.render()


# B13 Empty draw pile


def test_b13_an_empty_pile_is_rebuilt_from_the_discard_without_its_top():
    game = table(["10 8", "10 8"], discard="1 2 3").play("10")
    (drawn,) = set(game.hand(0).split()) - {"8"}
    assert sorted([drawn, *game.draw_pile.split()]) == ["1", "2", "3"]
    assert game.discard == "10"


def test_b13_it_is_shuffled_and_all_but_the_last_card_played_can_come_back():
    drawn = set()
    for seed in range(60):
        game = table(["7 7 10", "10 8"], discard="1 2", seed=seed).play("7 7")
        drawn.add(game.hand(0).removesuffix(" 10"))
        assert game.discard == "7"
    assert drawn == {"1", "2", "7"}


def test_b13_the_discard_stays_until_a_card_must_be_drawn():
    game = table(["10 8", "10 8"], deck="4", discard="1 2").play("10")
    assert (game.hand(0), game.draw_pile, game.discard) == ("4 8", "", "1 2 10")
    game.take("8")
    assert (game.hand(1), game.draw_pile, game.discard) == ("10 10", "", "1 2 8")


def test_b13_of_nothing_nothing_is_drawn():
    game = table(["10 8", "10 8"]).play("10")
    assert (game.hand(0), game.draw_pile, game.discard) == ("8", "", "10")
    assert game.asked == (1, "turn")


def test_b13_a_hand_without_cards_can_only_call():
    game = table(["10", "10 8"]).play("10", "8")
    assert game.hands == ["", "10 10"]
    assert game.choices() == ["call"]


def test_b13_in_an_extra_lap_it_can_pass_as_well():
    game = table(["6 6 8", "10", "1"], starter=1, rounds=1).play("10").call()
    game.play("6 6").pass_()  # skips 1 and the first caller; then 0 passes in the extra lap
    assert (game.asked, game.hand(1)) == ((1, "turn"), "")
    assert game.choices() == ["call", "pass"]


def test_b13_or_only_stand_if_it_has_called():
    game = table(["1", "10", "6 8"], starter=1).play("10").take("8").call().call()
    game.play("6")
    assert (game.asked, game.hand(1), game.callers) == ((1, "turn"), "", [0, 1])
    assert game.choices() == ["pass"]


# B14 Next round


@pytest.mark.parametrize("starter", [0, 1, 2])
@pytest.mark.parametrize("n_turns", [1, 2, 3])
def test_b14_the_starter_moves_one_seat_left_whoever_had_the_last_turn(starter, n_turns):
    hands = ["10 8", "10 8", "10 8"]
    game = table(hands, deck=TENS, starter=starter, turn_limit=n_turns)
    assert game.snapshot()["dealer"] == (starter - 1) % 3
    game.play_out_round()
    assert game.round == 2
    assert game.snapshot()["dealer"] == starter


def test_b14_the_dealer_sits_right_of_the_starter():
    game = Table(seed=8, num_players=5, turn_limit=9)
    dealers = []
    while game.phase != "over":
        dealers.append(game.snapshot()["dealer"])
        if game.phase == "lucky":
            assert game.asked[0] == dealers[-1]
            game.pass_()
        assert game.asked == ((dealers[-1] + 1) % 5, "turn")
        game.play_out_round()
    assert dealers == [(dealers[0] + step) % 5 for step in range(6)]


# B15 The limit of turns


def test_b15_at_the_limit_everyone_scores_the_hand_and_nobody_wins():
    game = table(["10 1", "J 8"], deck="7 2 3", turn_limit=3, rounds=1).play("10", "8", "7")
    assert game.phase == "over"
    assert game.hands == ["1 3", "2 J"]
    assert game.scores == [4, 12]


def test_b15_it_is_200():
    game = Table(seed=6, rounds=1).play_out_round()
    assert (game.turn, game.phase) == (200, "over")
    assert -10 not in game.scores


def test_b15_a_lap_that_it_cuts_short_has_no_winner():
    game = table(["1 J", "10 8", "10 8"], deck="7 7", discard="4", turn_limit=2, rounds=1)
    game.call().play("8")
    assert game.phase == "over"
    assert game.scores == [11, 17, 18]


def test_b15_a_turn_that_ends_the_lap_as_well_is_scored_by_the_rules():
    game = table(["1 J", "10 8", "10 8"], deck="7 7", discard="4", turn_limit=3, rounds=1)
    game.call().play("8", "8")
    assert game.scores == [-10, 17, 17]


def test_b15_so_is_one_whose_call_ends_the_lap():
    game = table(["2", "10"], deck="1", discard="4", turn_limit=2, rounds=1).call().play("10")
    assert game.asked == (1, "call")
    assert game.call().scores == [2, -10]


def test_b15_passing_is_a_turn_and_being_skipped_is_none():
    game = table(["1", "6 8", "10 8", "6 8"], deck=TENS, discard="4", turn_limit=4, rounds=1)
    game.call().play("6").play("6")  # 2 is skipped, then 0
    assert game.turn == 3
    game.pass_()
    assert game.phase == "over"
    assert game.scores == [1, 18, 18, 18]


def test_b15_it_counts_each_round_by_itself():
    game = table(["10 1", "10 8"], deck="7 2", turn_limit=2, rounds=2).play("10", "8")
    assert (game.round, game.turn) == (2, 0)
    game.play_out_round()
    assert (game.round, game.turn, game.phase) == (2, 2, "over")
