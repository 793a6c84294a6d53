"""The board of the assignment, and functions that play as it asks."""

from __future__ import annotations

import random
import subprocess
import sys
from math import sqrt
from typing import TYPE_CHECKING

import pytest

import noughts.homework as provided
from noughts import AgentError, Engine, Limit, Position, exam, match
from noughts.homework import DRAW, EMPTY, PLAYERO, PLAYERX, TTTBoard, board_of, expected_scores, switch_player

from .program import rules_of

if TYPE_CHECKING:
    from pathlib import Path

NTRIALS = 20
SCORE_CURRENT = 1.0
SCORE_OTHER = 1.0
ERRORS = 4.5
"""Standard errors by which two samples of the same player may differ: more happens once in 100,000 tests."""


# A plain solution of the assignment.
def mc_trial(board: TTTBoard, player: int) -> None:
    while board.check_win() is None:
        board.move(*random.choice(board.get_empty_squares()), player)
        player = switch_player(player)


def mc_update_scores(scores: list[list[float]], board: TTTBoard, player: int) -> None:
    winner = board.check_win()
    for row, column in ((row, column) for row in range(board.get_dim()) for column in range(board.get_dim())):
        square = board.square(row, column)
        if winner != DRAW and square != EMPTY:
            points = SCORE_CURRENT if square == player else -SCORE_OTHER
            scores[row][column] += points if winner == player else -points


def get_best_move(board: TTTBoard, scores: list[list[float]]) -> tuple[int, int]:
    best = max(scores[row][column] for row, column in board.get_empty_squares())
    return random.choice([(row, column) for row, column in board.get_empty_squares() if scores[row][column] == best])


def scores_of(board: TTTBoard, player: int, trials: int) -> list[list[float]]:
    scores = [[0.0] * board.get_dim() for _ in range(board.get_dim())]
    for _ in range(trials):
        trial = board.clone()
        mc_trial(trial, player)
        mc_update_scores(scores, trial, player)
    return scores


def mc_move(board: TTTBoard, player: int, trials: int) -> tuple[int, int]:
    return get_best_move(board, scores_of(board, player, trials))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dim", range(1, 7))
def test_the_board_keeps_the_rules_of_positions(dim: int, reverse: bool) -> None:  # noqa: FBT001
    chance = random.Random(dim)
    results = {"x": PLAYERX, "o": PLAYERO, "draw": DRAW, None: None}
    for connect in (0, 0, 0, max(1, dim - 1), dim + 1):
        position, board, player = Position(dim, connect, reverse), TTTBoard(dim, reverse, connect=connect), PLAYERX
        while True:
            assert board.check_win() == results[position.outcome]
            assert board.get_empty_squares() == list(position.empty)
            rows = [[board.square(row, column) for column in range(dim)] for row in range(dim)]
            again = TTTBoard(dim, reverse, rows, connect)
            assert (again.check_win(), str(again)) == (board.check_win(), str(board))
            read, to_move = board_of(position)
            assert (str(read), read.check_win(), to_move) == (str(board), board.check_win(), player)
            assert board.position(player) == position
            if position.outcome:
                break
            move = chance.choice(position.moves)
            before, copied = str(board), board.clone()
            copied.move(*move, player)
            assert str(board) == before
            board.move(*move, player)
            board.move(*move, switch_player(player))
            assert str(board) == str(copied) != before
            assert copied.check_win() == board.check_win()
            position, player = position.play(move), switch_player(player)


def test_a_board_of_rows_is_what_the_rows_say() -> None:
    board = TTTBoard(3, False, [[PLAYERX, EMPTY, PLAYERO], [PLAYERX, PLAYERO, EMPTY], [PLAYERX, EMPTY, EMPTY]])  # noqa: FBT003
    assert str(board).splitlines() == ["X |   | O", "---------", "X | O |  ", "---------", "X |   |  "]
    assert board.check_win() == PLAYERX
    for row, column in ((3, 0), (0, 3), (-1, 0)):
        with pytest.raises(IndexError, match="off the 3x3 board"):
            board.square(row, column)
        with pytest.raises(IndexError, match="off the 3x3 board"):
            board.move(row, column, PLAYERX)
    # More stones of one player than a game allows.
    assert TTTBoard(2, True, [[PLAYERX, EMPTY], [EMPTY, PLAYERX]]).check_win() == PLAYERO  # noqa: FBT003


def test_the_assignment_has_no_rectangles() -> None:
    with pytest.raises(ValueError, match="boards of the assignment are square, not 3x4"):
        board_of(Position(rows=3, columns=4))
    with pytest.raises(AgentError, match="not 2x3"):
        exam(mc_move, rows=2, columns=3)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_solution_is_examined_like_the_reference(reverse: bool) -> None:  # noqa: FBT001
    mine = exam(mc_move, rules="reverse" if reverse else "normal")
    with Engine(player="montecarlo", trials=NTRIALS) as engine:
        reference = exam(engine, rules="reverse" if reverse else "normal")
    mistakes, theirs = mine.exams[0].all.given_away, reference.exams[0].all.given_away
    assert mine.name == "mc_move"
    assert mine.exams[0].all.illegal == 0
    assert abs(mistakes - theirs) < ERRORS * sqrt(mistakes + theirs)


def test_a_solution_draws_with_the_reference() -> None:
    games = 200
    for size, reverse in ((3, False), (3, True), (4, False)):
        result = match(mc_move, Engine(player="montecarlo", trials=NTRIALS), games=games, size=size, reverse=reverse)
        assert result.reasons["illegal"] == 0
        assert result.games.score is not None
        assert abs(result.games.score - 0.5) < ERRORS * sqrt(0.25 / games)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("moves", [[], [(1, 1)], [(0, 0), (0, 2), (2, 2)]])
def test_scores_come_near_the_expected_ones(moves: list[tuple[int, int]], reverse: bool) -> None:  # noqa: FBT001
    trials = 2000
    board, player = board_of(Position(reverse=reverse).play(*moves))
    expected = expected_scores(board, player, trials, SCORE_CURRENT, SCORE_OTHER)
    for row, column in board.get_empty_squares():
        # A trial adds at most one point, up or down.
        assert abs(scores_of(board, player, trials)[row][column] - expected[row][column]) < ERRORS * sqrt(trials)
    assert all(
        expected[row][column] == 0 for row in range(3) for column in range(3) if board.square(row, column) != EMPTY
    )
    with pytest.raises(ValueError, match="up to 3x3"):
        expected_scores(TTTBoard(4), PLAYERX, 1)


def test_the_trials_are_those_of_the_solution() -> None:
    asked: list[int] = []

    def first(board: TTTBoard, player: int, trials: int) -> tuple[int, int]:
        assert player in (PLAYERX, PLAYERO)
        asked.append(trials)
        return board.get_empty_squares()[0]

    others: dict[str, object] = {}
    exec("def last(board, player, trials, strict=True): return board.get_empty_squares()[trials - 101]", others)  # noqa: S102
    exam(first, size=2)
    assert set(asked) == {NTRIALS}
    assert exam(others["last"], size=2).exams[0].all.illegal == 0  # type: ignore[arg-type]
    assert provided.agent(first, 7)(Position()) == (0, 0)
    assert asked[-1] == 7
    with pytest.raises(TypeError, match="batch"):
        exam(first, batch=8)


def test_a_solution_plays_itself_on_the_console(capsys: pytest.CaptureFixture[str]) -> None:
    provided.play_game(mc_move, 3, reverse=True)
    *boards, result = capsys.readouterr().out.strip().split("\n\n")
    assert 5 <= len(boards) <= 9
    assert result in ("X wins", "O wins", "A draw")


MINE = """
import noughts

def agent(position):
    print("thinks about", position.text)
    return {answer}

noughts.run_engine(agent)
"""


def test_a_file_that_runs_an_engine_is_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.format(answer="position.moves[-1]"), encoding="utf-8")
    command = [sys.executable, str(file)]
    for position in (Position(), Position(5, 4, reverse=True).play("a1"), Position(rows=2, columns=7).play("g1")):
        options = "".join(f"setoption name {name} value {value}\n" for name, value in rules_of(position))
        asked = f"ugi\n{options}position fen {position.text}\ngo\nquit\n"
        said = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
        assert said.stdout.startswith("id name agent\n")
        assert said.stdout.splitlines()[-1] == f"bestmove {position.moves[-1]}"
        assert said.stderr.startswith("thinks about")
    result = match(f"{sys.executable} {file}", lambda position: position.moves[-1], games=2, size=4, reverse=True)
    assert result.reasons["illegal"] + result.reasons["crash"] == 0
    file.write_text(MINE.format(answer="1 / 0"), encoding="utf-8")
    done = subprocess.run(command, input="go\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "AgentError: agent raised ZeroDivisionError" in done.stderr


def test_an_error_of_a_solution_is_the_cause_of_the_error() -> None:
    def wrong(board: TTTBoard, player: int, trials: int) -> tuple[int, int]:
        raise KeyError(board.get_dim() + player + trials)

    with pytest.raises(AgentError, match="wrong raised KeyError"):
        match(wrong, mc_move, games=2, limit=Limit(trials=1))
