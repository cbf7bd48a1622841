"""The bench measures every contestant of every game and writes what it shows."""

import json
from functools import partial

import pytest

import cardcore
from agents import bench, bench_training


@pytest.mark.compiled
def test_the_report_has_a_row_for_everybody(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bench, "first_steps", lambda spec: {"cold": 2.0, "warm": 1.0})
    monkeypatch.setattr(bench, "LANES", (1, 8))
    quick = partial(bench_training.speeds, lanes=8)
    monkeypatch.setattr(bench_training, "speeds", quick)
    monkeypatch.setattr(bench, "THREADED_LANES", 8)
    monkeypatch.setattr(bench, "DEALS_TO_TRY", 2)
    out = tmp_path / "deep" / "bench.json"
    bench.main(["--slices", "1", "--seconds", "0.01", "--out", str(out)])
    report = json.loads(out.read_text())
    names = [row["name"] for row in report["rows"]]
    assert names[0] == bench.BASELINE
    for game in cardcore.game_names():
        mine = [name for name in names if name.startswith(game.capitalize())]
        assert len(mine) == 6
        assert report["games"][game]["two_threads"] > 0
        assert min(report["games"][game]["learning"].values()) > 0
    assert all(row["steps_per_second"] > 0 for row in report["rows"])
    assert [row["ratio"] for row in report["rows"][:2]] == [1, 1]
    assert str(out) in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize("words", [["--slices", "0"], ["--seconds", "0"], ["--slices", "many"]])
def test_bad_input_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        bench.main(words)
    assert words[0] in capsys.readouterr().err
