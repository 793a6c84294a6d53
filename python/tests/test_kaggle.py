"""Agents for tic-tac-toe of Kaggle, by exact values and in the package itself."""

from __future__ import annotations

import random
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import pytest

np = pytest.importorskip("numpy")

from noughts import EngineError, Position, exact_values  # noqa: E402
from noughts.kaggle import agent, agent_of  # noqa: E402

from .forks import in_a_fork  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

OPENSPIEL = {"openSpielGameName": "tic_tac_toe"}


def marks(position: Position) -> dict[str, Any]:
    return {"board": [".xo".index(cell) for cell in position.cells], "mark": "xo".index(position.side) + 1}


def text(position: Position) -> dict[str, Any]:
    rows = [position.cells[start : start + 3] for start in (0, 3, 6)]
    return {"observationString": "\n".join(rows), "playerId": "xo".index(position.side)}


def reached() -> list[Position]:
    """All positions of 3x3, by a walk from the empty board."""
    found, asked = {Position()}, [Position()]
    while asked:
        position = asked.pop()
        fresh = {position.play(move) for move in position.moves} - found
        found |= fresh
        asked += fresh
    return sorted(found, key=lambda position: position.text)


def test_every_answer_is_a_legal_square_that_keeps_the_exact_value() -> None:
    positions = reached()
    values = exact_values(positions)
    value = dict(zip(positions, map(int, values.value), strict=True))
    best = dict(zip(positions, values.best, strict=True))
    asked = [position for position in positions if not position.outcome]
    assert len(asked) == 4520
    for position in asked:
        square = agent(marks(position), {})
        assert type(square) is int
        assert position.cells[square] == "."
        assert value[position.play(divmod(square, 3))] == -value[position]
        assert best[position][square], "a win is not put off, and a loss is"
        assert agent(marks(position)) == square
        assert agent(text(position), OPENSPIEL) == {"submission": square}


def test_the_first_question_of_openspiel_shows_no_board() -> None:
    assert agent({"remainingOverageTime": 12, "step": 0}, OPENSPIEL) == agent(text(Position()), OPENSPIEL)


@pytest.mark.parametrize(
    ("board", "mark"),
    [
        ([1, 1, 1, 2, 2, 0, 0, 0, 0], 2),
        ([1, 2, 1, 1, 2, 1, 2, 1, 2], 2),
        ([1, 1, 1, 2, 2, 2, 0, 0, 0], 1),
        ([1, 1, 0, 0, 0, 0, 0, 0, 0], 2),
        ([1, 0, 0, 0, 0, 0, 0, 0, 0], 1),
        ([0, 2, 0, 0, 0, 0, 0, 0, 0], 1),
        ([0] * 9, 2),
        ([0] * 9, 3),
        ([3] + [0] * 8, 1),
        ([0] * 42, 1),
        ([[0] * 3] * 3, 1),
        (None, None),
    ],
)
def test_a_board_that_no_game_goes_on_from_is_an_error_that_shows_it(board: Any, mark: Any) -> None:
    with pytest.raises(ValueError, match="expected 9 squares of 0, 1 and 2, a game that mark 1 began") as raised:
        agent({"board": board, "mark": mark}, {})
    assert f"found {board} and mark {mark}" in str(raised.value)


def test_an_agent_of_another_strength_has_the_options_of_an_engine() -> None:
    empty = marks(Position())
    games = [[other(empty, {}) for _ in range(9)] for other in (agent_of(level=2, seed=1), agent_of(level=2, seed=1))]
    assert games[0] == games[1]
    assert len(set(games[0])) > 1
    with pytest.raises(EngineError, match="nobody"):
        agent_of(player="nobody")


def test_a_forked_process_can_ask_on() -> None:
    assert in_a_fork(lambda: agent(marks(Position()), {})) == str(agent(marks(Position()), {}))


@pytest.fixture(scope="module")
def environment() -> Any:
    kaggle = pytest.importorskip("kaggle_environments")
    name = next(name for name in ("tictactoe", "open_spiel_tic_tac_toe") if name in kaggle.core.environments)
    # The random agent of OpenSpiel's environment needs the legal actions.
    return kaggle.make(name, configuration={"includeLegalActions": True})


def rewards(environment: Any, first: Any, second: Any) -> list[int]:
    """The rewards of both seats after a game."""
    last = environment.run([first, second])[-1]
    assert [seat.status for seat in last] == ["DONE", "DONE"], last
    assert sum(seat.reward for seat in last) == 0
    return [seat.reward for seat in last]


@pytest.mark.parametrize(
    ("opponent", "games"),
    [("random", 200), (agent_of(level=3, seed=1), 200), (agent, 20)],
    ids=["random", "level", "itself"],
)
def test_no_game_is_lost_from_either_seat(environment: Any, opponent: Any, games: int) -> None:
    random.seed(1)
    results = []
    for seat in islice(cycle((0, 1)), games):
        seats = (opponent, agent) if seat else (agent, opponent)
        results.append(rewards(environment, *seats)[seat])
    print(f"{results.count(1)} won, {results.count(0)} drawn, {results.count(-1)} lost")
    assert results.count(-1) == 0
    assert (results.count(1) > 0) == (opponent is not agent)


def test_an_agent_can_be_a_file(environment: Any, tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text("from noughts.kaggle import agent\n", encoding="utf-8")
    assert rewards(environment, str(path), "random")[0] >= 0
    assert rewards(environment, agent, str(path)) == [0, 0]
