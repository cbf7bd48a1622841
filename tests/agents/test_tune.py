"""The search for weights."""

import ast

import numpy as np
import pytest

from agents import tune
from agents.match import Entrant
from agents.players import find_player
from cardcore import find_game
from tests.games import each_game


@pytest.mark.compiled
def test_a_better_candidate_is_judged_better():
    spec = find_game("cabanga")
    tuned = find_player("tuned", spec)
    good = np.array(tuned.usual(spec.checked(2, {})))
    basic = [Entrant("basic", find_player("basic", spec))]
    worth = tune.judge(spec, tuned, 2, [good, -good], basic, range(100), tune.TUNING.start)
    assert (worth[0] > worth[1] + 0.5).all()


@pytest.mark.compiled
@each_game
def test_the_search_prints_the_table_of_weights_and_the_same_one_again(game, capsys):
    words = [game.spec.name, "--generations", "2", "--games", "20"]
    tune.main(words)
    once = capsys.readouterr().out
    tune.main(words)
    assert capsys.readouterr().out == once
    terms = find_player("tuned", game.spec).terms
    printed = ast.literal_eval(f"({once})")
    assert [row[:2] for row in printed] == [row[:2] for row in terms]
    assert [len(row[2]) for row in printed] == [len(row[2]) for row in terms]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["cabanga", "--seed", "1"], "--seed must be from 1000000 to 1999999"),
        (["cabanga", "--seed", "2000000"], "--seed must be from 1000000 to 1999999"),
        (["cabanga", "--generations", "0"], "--generations must be from 1"),
        (["cabanga", "--games", "0"], "--games must be from 1"),
        (["chess"], "no game 'chess'"),
    ],
)
def test_what_cannot_be_searched_is_refused(words, told, capsys):
    with pytest.raises(SystemExit):
        tune.main(words)
    assert told in capsys.readouterr().err
