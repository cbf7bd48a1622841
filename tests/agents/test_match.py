"""Matches: the result depends on seed, deal, seating and players, and on nothing else."""

import signal
import threading
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from agents import match, players
from agents.match import Entrant, play
from agents.players import (
    Chance,
    FunctionPlayer,
    PlayerError,
    RandomPlayer,
    find_player,
    new_generators,
)
from agents.watching import watch
from cardcore import VectorGames, find_game
from cardcore.aec import GameEnv
from cardcore.jit import JIT_ON
from tests.games import each_game

OWN = "tests.agents.own:"
N_DEALS = 11 if JIT_ON else 4


def entrants(spec, *names):
    return [Entrant(name, find_player(name, spec)) for name in names]


def short(spec, seats=3):
    """A game of one round."""
    return spec.checked(seats, {"rounds": 1})


TABLES = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0]])


@each_game
@pytest.mark.parametrize("name", ["Remembers", "Hoards", "Tidy"])
def test_lanes_and_threads_change_nothing(game, name, monkeypatch):
    spec = game.spec
    who = entrants(spec, "random", OWN + name)
    results = []
    for lanes, threads in ((1024, 1), (4, 1), (20, 1), (12, 3)):
        monkeypatch.setattr(match, "LANES", lanes)
        results.append(play(spec, short(spec), who, TABLES, range(N_DEALS), 5, threads=threads))
    assert results[0].scores.any()
    assert results[0].decisions > N_DEALS * len(TABLES)
    for other in results[1:]:
        assert np.array_equal(results[0].scores, other.scores)
        assert results[0].decisions == other.decisions


MANY = 2000  # deals, each of which takes far more than one decision


@each_game
def test_a_failure_in_one_thread_ends_the_matches_of_all(game, monkeypatch):
    monkeypatch.setattr(match, "LANES", 1)
    asked = []

    class FailsOnce(RandomPlayer):
        def act(self, view):
            asked.append(view)
            if len(asked) == 10:
                raise IndexError("list index out of range")
            return super().act(view)

    table = np.zeros((1, 3), np.int64)
    with pytest.raises(PlayerError, match="'once' failed"):
        play(
            game.spec,
            short(game.spec),
            [Entrant("once", FailsOnce)],
            table,
            range(MANY),
            5,
            threads=2,
        )
    assert len(asked) < MANY


@each_game
def test_ctrl_c_ends_the_matches_of_all_threads(game, monkeypatch):
    """It reaches the main thread, which waits for the others."""
    monkeypatch.setattr(match, "LANES", 1)
    steps = []

    def report(n):
        steps.append(n)
        if len(steps) == 10:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    who, table = entrants(game.spec, "random"), np.zeros((1, 3), np.int64)
    with pytest.raises(KeyboardInterrupt):
        play(game.spec, short(game.spec), who, table, range(MANY), 5, threads=2, report=report)
    assert len(steps) < MANY


@each_game
def test_a_deal_and_a_seating_play_alike_in_whatever_match(game):
    spec = game.spec
    both = entrants(spec, "random", OWN + "by_chance")
    whole = play(spec, short(spec), both, TABLES, range(N_DEALS), 5).scores
    part = play(spec, short(spec), both[::-1], 1 - TABLES[2:], range(2, N_DEALS), 5).scores
    assert np.array_equal(part, whole[2:, 2:])
    other = play(spec, short(spec), both, TABLES, range(N_DEALS), 6).scores
    assert not np.array_equal(other, whole)


@each_game
def test_a_match_needs_a_deal(game):
    with pytest.raises(ValueError, match="n must be"):
        play(game.spec, short(game.spec), entrants(game.spec, "random"), TABLES * 0, range(0), 5)


@each_game
def test_a_match_is_the_game_itself(game):
    """Played again in the environment, one deal ends with the same totals."""
    spec = game.spec
    who = entrants(spec, OWN + "first_legal", OWN + "LastLegal")
    played = play(spec, short(spec), who, TABLES, range(3), 9)
    choose = {0: lambda mask: mask.argmax(), 1: lambda mask: len(mask) - 1 - mask[::-1].argmax()}
    lanes = VectorGames(spec, 3, **short(spec))
    seeds = lanes.reset(9, first_deal=[0, 1, 2]).game_seed.tolist()
    for deal, seed in enumerate(seeds):
        for t, table in enumerate(TABLES):
            env = GameEnv(spec, **short(spec))
            env.reset(seed=seed)
            while not any(env.terminations.values()):
                mask = env.observe(env.agent_selection)["action_mask"]
                seat = env.possible_agents.index(env.agent_selection)
                env.step(int(choose[int(table[seat])](mask)))
            assert env.snapshot()["scores"] == played.scores[deal, t].tolist()


@each_game
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cheat", r"cheat' chose .* is not allowed; allowed is .*seat \d"),
        ("Garbled", "Garbled' must give .* whole numbers"),
        ("Scribbles", r"Scribbles' chose .* is not allowed; allowed is .*seat \d"),
        ("Unmade", "Unmade' cannot be made: KeyError: 'a weight'.*own.py"),
        ("Breaks", r"Breaks' failed \(.*(deal|seed).*: IndexError: list index.*own.py, line"),
        ("breaks", r"breaks' failed \(.*seat \d\): ValueError: invalid literal.*own.py, line"),
        ("Forgets", "Forgets' failed as .* began: ZeroDivisionError"),
    ],
)
def test_a_wrong_player_is_reported_by_name(game, name, words):
    spec = game.spec
    who = entrants(spec, OWN + name, "random")
    with pytest.raises(PlayerError, match=words):
        play(spec, short(spec), who, TABLES, range(2), 0)
    with pytest.raises(PlayerError, match=words):
        list(watch(spec, who[:1], short(spec), 0))


@each_game
@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("nobody", ValueError, "there are"),
        ("no.such.module:Player", ValueError, "no module 'no.such.module'"),
        (
            "tests.agents.broken:Player",
            ValueError,
            "tests.agents.broken fails with RuntimeError: x",
        ),
        ("another.basic", ValueError, "no player 'another.basic'"),
        ("another.game.basic", ValueError, "no player 'another.game.basic'"),
        (OWN + "Nobody", ValueError, "has no 'Nobody'"),
        (OWN + "NOT_A_PLAYER", TypeError, "neither a player class nor a function"),
        ("cardcore.spec:GameSpec", TypeError, "does not derive from"),
        (OWN + "Duck", TypeError, "does not derive from agents.players.Player"),
    ],
)
def test_a_wrong_name_is_explained(game, name, error, words):
    with pytest.raises(error, match=words):
        find_player(name, game.spec)


def installed(monkeypatch, **places):
    """Only these players are installed; a name is written with _ for a dot."""
    points = [
        EntryPoint(name.replace("_", "."), place, players.ENTRY_POINTS)
        for name, place in places.items()
    ]
    monkeypatch.setattr(players, "entry_points", lambda group: points)


@each_game
def test_installed_players_are_those_of_the_game_and_of_all_games(game, monkeypatch):
    spec = game.spec
    own = {f"{spec.name}_mine": OWN + "LastLegal", f"{spec.name}_twice": OWN + "Remembers"}
    other = {"another_basic": OWN + "Hoards", "twice": OWN + "Hoards", "all": OWN + "first_legal"}
    installed(monkeypatch, **own, **other)
    assert players.player_names(spec) == ["all", "mine", "twice"]
    for name in ("mine", f"{spec.name}.mine"):
        assert find_player(name, spec).__name__ == "LastLegal"
    assert find_player("twice", spec).__name__ == "Remembers"
    for name in ("another.basic", "basic"):
        with pytest.raises(ValueError, match=f"no player '{name}'.*there are all, mine, twice"):
            find_player(name, spec)


@each_game
def test_an_installed_player_that_fails_is_named(game, monkeypatch):
    installed(monkeypatch, broken="tests.agents.broken:Player", gone="no.such.module:Player")
    with pytest.raises(PlayerError, match=r"'broken': the module tests.agents.broken fails with"):
        find_player("broken", game.spec)
    with pytest.raises(PlayerError, match=r"'gone': there is no module 'no.such.module'"):
        find_player("gone", game.spec)


@pytest.mark.parametrize(
    ("function", "wants"),
    [
        (lambda observation, mask: 0, False),
        (lambda observation, mask, number: 0, True),
        (lambda observation, mask, depth=2: 0, False),
        (lambda observation, mask, *rest, depth: 0, False),
    ],
)
def test_a_function_gets_a_random_number_if_it_must_have_one(function, wants):
    assert FunctionPlayer(find_game("cabanga"), {}, function).wants_chance == wants


def test_chance_is_fair_and_goes_on():
    generators = new_generators(2000)
    generators["rng"] = np.arange(2000)
    chance = Chance(generators)
    first, second = chance.random(), chance.random()
    assert first.min() >= 0
    assert first.max() < 1
    assert abs(first.mean() - 0.5) < 0.03
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.08
    mask = np.zeros((2000, 70), np.int8)
    mask[:, [3, 40, 69]] = 1
    assert np.bincount(chance.pick(mask), minlength=70)[[3, 40, 69]].min() > 560


@each_game
@pytest.mark.parametrize("n", [0, 4])
def test_all_who_are_named_find_a_seat(game, n):
    who = entrants(game.spec, *["random"] * n)
    with pytest.raises(ValueError, match=f"{n} players are named: for 3 seats name 1 to 3"):
        watch(game.spec, who, short(game.spec), 3)


@each_game
def test_a_game_can_be_watched(game):
    spec = game.spec
    text = list(watch(spec, entrants(spec, "random", OWN + "first_legal"), short(spec), 3))
    assert "player_1 is tests.agents.own:first_legal" in text[0]
    assert any("the round is scored" in line for line in text)
    assert "won with" in text[-1]
