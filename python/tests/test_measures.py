"""Playouts, and the statistics of matches."""

from __future__ import annotations

import json
import math
import subprocess

import pytest

from noughts import Position, playouts, statistics
from noughts.binary import find


def shares(position: Position, side: str) -> list[float]:
    """The shares of all ways to play on that are won, drawn and lost by a side, each square equally likely."""
    if position.outcome:
        other = "o" if side == "x" else "x"
        return [float(position.outcome == result) for result in (side, "draw", other)]
    parts = [shares(position.play(move), side) for move in position.moves]
    return [sum(part) / len(parts) for part in zip(*parts, strict=True)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("board", ["xo1/3/1x1 o", "x2/1o1/3 x", "xo2/2x1/o3 x"])
def test_playouts_end_as_often_as_all_games_do(board: str, reverse: bool) -> None:  # noqa: FBT001
    position = Position.parse(board, reverse=reverse, connect=3)
    trials = 200_000
    found = playouts(position, trials, seed=5)
    assert sum(found) == trials
    for number, share in zip(found, shares(position, position.side), strict=True):
        assert abs(number - trials * share) <= 5 * math.sqrt(trials * share * (1 - share)) + 1e-6


def test_the_same_seed_gives_the_same_playouts_on_any_threads() -> None:
    board = Position(15, 5)
    first = playouts(board, 100_000, seed=7)
    assert first == playouts(board, 100_000, seed=7) == playouts(board, 100_000, seed=7, threads=3)
    assert first != playouts(board, 100_000, seed=8)
    assert playouts(board, 100_000) != playouts(board, 100_000)


def test_playouts_of_nothing_are_errors() -> None:
    with pytest.raises(ValueError, match="whole numbers from 1, not 0 and 1"):
        playouts(Position(), 0)
    with pytest.raises(ValueError, match="the game is over"):
        playouts(Position.parse("xxx/oo1/3"), 5)


def test_statistics_are_those_of_a_match() -> None:
    engine = f"cmd={find()} option.player=random"
    command = [find(), "match", "--engine", engine, "--engine", engine, "--games", "60", "--seed", "3"]
    command += ["--sprt", "elo0=0 elo1=50", "--format", "json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    pairing = json.loads(told)["pairings"][0]
    found = statistics(pairs=pairing["pairs"], sprt=(0, 50))
    assert found.games == pairing["games"] == 60
    assert found.score == pytest.approx(pairing["score"])
    assert found.score_interval == pytest.approx((pairing["score_range"]["low"], pairing["score_range"]["high"]))
    assert found.elo_interval == pytest.approx((pairing["elo"]["low"], pairing["elo"]["high"]))
    assert found.superiority == pytest.approx(pairing["los"])
    assert found.llr == pytest.approx(pairing["sprt"]["llr"])
    assert (found.verdict or "none") == pairing["sprt"]["verdict"]


def test_a_pair_of_equal_games_says_what_its_games_say() -> None:
    games = statistics(30, 20, 10, sprt=(0, 10))
    pairs = statistics(pairs=(10, 0, 20, 0, 30), sprt=(0, 10))
    assert (games.games, pairs.games) == (60, 120)
    for name in ("score", "score_interval", "elo", "elo_interval", "superiority", "llr", "verdict"):
        assert getattr(games, name) == getattr(pairs, name)
    assert games.score == pytest.approx(40 / 60)
    assert games.score_interval[0] < games.score < games.score_interval[1]
    assert games.elo == pytest.approx(400 * math.log10(2))
    assert statistics(100, 0, 0, sprt=(0, 50)).verdict == "H1"
    assert statistics(0, 0, 100, sprt=(0, 50)).verdict == "H0"


def test_statistics_of_nothing_are_errors() -> None:
    for arguments, error in (
        ({}, "no results"),
        ({"wins": 1, "pairs": (1, 0, 0, 0, 0)}, "found both"),
        ({"wins": 1, "level": 1.0}, "between 0 and 1, not 1"),
        ({"wins": 1, "sprt": (5, 0)}, "elo0 must be below elo1"),
    ):
        with pytest.raises(ValueError, match=error):
            statistics(**arguments)
