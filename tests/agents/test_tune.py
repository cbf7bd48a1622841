"""The search for weights."""

import numpy as np
import pytest

from agents import tune
from agents.match import Entrant
from agents.players import find_player
from cardcore import find_game


@pytest.mark.compiled
def test_a_better_candidate_is_judged_better():
    spec = find_game("cabanga")
    tuned = find_player("tuned", spec)
    good = np.array(tuned.usual(spec.checked(2, {})))
    basic = [Entrant("basic", find_player("basic", spec))]
    worth = tune.judge(spec, tuned, 2, [good, -good], basic, range(100), tune.FIRST_SEED)
    assert worth[0] > worth[1] + 0.5


@pytest.mark.compiled
def test_the_search_prints_what_it_found(capsys, monkeypatch):
    monkeypatch.setattr(tune, "LAST_LOOK", 4)
    words = ["cabanga", "--seats", "2", "--generations", "1", "--population", "4", "--deals", "2"]
    tune.main(words)
    shown = capsys.readouterr().out
    assert "on 4 other deals" in shown
    spec = find_game("cabanga")
    n_weights = len(find_player("tuned", spec).usual(spec.checked(2, {})))
    assert len(shown.splitlines()[-1].split()) == 1 + n_weights


def test_seeds_of_published_figures_are_refused(capsys):
    with pytest.raises(SystemExit):
        tune.main(["cabanga", "--seed", "1"])
    assert "published figures" in capsys.readouterr().err
