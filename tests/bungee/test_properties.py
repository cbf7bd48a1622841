"""What holds in every turn of Bungee, whoever plays; tests/shared has what holds in every game."""

import random
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bungee_env import bungee_v0
from cardcore.jit import JIT_ON
from tests.bungee.test_observation import cards_in, eager
from tests.bungee.test_referee import scarce_table
from tests.games import is_over, legal

MOST_STEPS = 120  # of a game
quick = settings(
    max_examples=60 if JIT_ON else 12,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def anything(env, chance):
    """What somebody does who does not care."""
    return env.action_name(chance.choice(legal(env)))


@st.composite
def games(draw):
    """The steps of a game, dealt or laid out with few cards: the env, what was, was done and is."""
    n_seats, choose = draw(st.integers(2, 5)), draw(st.sampled_from([eager, anything]))
    chance = random.Random(draw(st.integers(0, 2**32)))
    env = bungee_v0.env(num_players=n_seats, rounds=3, turn_limit=draw(st.sampled_from([40, 12])))
    first_round = scarce_table(chance, n_seats) if draw(st.booleans()) else None
    env.reset(seed=draw(st.integers(0, 2**63 - 1)), options=first_round)
    return steps(env, chance, choose)


def steps(env, chance, choose):
    """Play on, and show each step."""
    for _ in range(MOST_STEPS):
        if is_over(env):
            return
        before, name = env.snapshot(), choose(env, chance)
        env.step(env.action_id(name))
        yield env, before, name, env.snapshot()


def is_scored(before, now):
    """Whether a step ended its round."""
    return now["round"] != before["round"] or now["phase"] == "over"


@quick
@given(games())
def test_no_hand_grows_beyond_five_cards(game):
    for _, _, _, now in game:
        assert max(map(len, now["hands"])) <= 5


@quick
@given(games())
def test_a_card_taken_from_the_discard_is_not_played_in_its_own_turn(game):
    for _, before, name, now in game:
        if name.startswith("take"):
            seat = before["to_act"]
            held, played = Counter(before["hands"][seat]), Counter(cards_in(name))
            assert played <= held
            if now["round"] == before["round"]:
                assert Counter(now["hands"][seat]) == held - played + Counter([before["top"]])


@quick
@given(games())
def test_the_cards_that_a_seat_is_known_to_hold_are_in_its_hand(game):
    for env, _, _, now in game:
        known = env.describe("player_0")["known"]
        for seat, hand in enumerate(now["hands"]):
            assert Counter(known[seat]) <= Counter(hand)


@quick
@given(games())
def test_at_most_one_seat_wins_a_round_and_it_has_called(game):
    for env, before, name, now in game:
        if is_scored(before, now):
            scores = [-reward for reward in env.rewards.values()]
            winners = [seat for seat, score in enumerate(scores) if score == -10]
            assert len(winners) <= 1
            assert set(winners) <= callers_at_the_end(before, name)
            assert all(score >= 0 for seat, score in enumerate(scores) if seat not in winners)


def callers_at_the_end(before, name):
    """Whose call stands after the last step of a round: a call adds one, a play withdraws one."""
    callers, actor = set(before["callers"]), {before["to_act"]}
    if name == "call":
        return callers | actor
    return callers - actor if cards_in(name) else callers
