"""Exact values as arrays."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy")

from noughts import Engine, Limit, Position, exact_values, positions  # noqa: E402

SMALL = [(3, 3, 0), (3, 3, 2), (2, 4, 3), (1, 9, 3), (3, 2, 7), (1, 1, 0)]
LARGE = [(4, 4, 3), (4, 4, 4), (3, 5, 3), (2, 8, 4), (16, 1, 3)]


def plain(position: Position, known: dict[Position, tuple[int, int, set[int]]]) -> tuple[int, int, set[int]]:
    """The result, the distance and the best squares by plain minimax."""
    if position in known:
        return known[position]
    if position.outcome:
        found = (0 if position.outcome == "draw" else 1 if position.outcome == position.side else -1, 0, set[int]())
    else:
        rated = {}
        for move in position.moves:
            result, plies, _ = plain(position.play(move), known)
            rated[move.row * position.columns + move.column] = (-result, plies + 1 if result else 0)
        best = max(rated.values(), key=lambda rating: (rating[0], -rating[0] * rating[1]))
        found = (*best, {cell for cell, rating in rated.items() if rating == best})
    known[position] = found
    return found


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("rows", "columns", "connect"), SMALL)
def test_arrays_are_those_of_plain_minimax(rows: int, columns: int, connect: int, reverse: bool) -> None:  # noqa: FBT001
    asked = list(positions(rows=rows, columns=columns, connect=connect, reverse=reverse))
    found = exact_values(asked)
    assert (found.value.dtype, found.plies.dtype, found.proven.dtype) == (np.int8, np.int16, np.bool_)
    assert (found.best.dtype, found.best.shape) == (np.bool_, (len(asked), rows * columns))
    known: dict[Position, tuple[int, int, set[int]]] = {}
    for number, position in enumerate(asked):
        best = set(map(int, found.best[number].nonzero()[0]))
        assert (found.value[number], found.plies[number], best) == plain(position, known), position
    assert found.proven.all()


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("rows", "columns", "connect"), LARGE)
def test_tables_say_what_proofs_say(rows: int, columns: int, connect: int, reverse: bool) -> None:  # noqa: FBT001
    chance = random.Random(str((rows, columns, connect, reverse)))
    asked: list[Position] = []
    while len(asked) < 60:
        position = Position(rows=rows, columns=columns, connect=connect, reverse=reverse)
        for _ in range(chance.randrange(rows * columns)):
            position = position.play(chance.choice(position.moves)) if position.moves else position
        asked.append(position)
    found = exact_values(asked)
    assert found.proven.all()
    with Engine(player="perfect") as engine:
        proofs = engine.analyse_all(asked, Limit(nodes=50_000_000), multipv=16)
    for number, proof in enumerate(proofs):
        assert (found.value[number], found.plies[number]) == (proof.value, proof.plies or 0), asked[number]
        best = {move for move, line in proof.moves.items() if (line.value, line.plies) == (proof.value, proof.plies)}
        assert {divmod(int(cell), columns) for cell in found.best[number].nonzero()[0]} == best, asked[number]


def test_what_is_not_proven_on_a_large_board_is_said_to_be_open() -> None:
    win = Position.parse("xxx2/ooo2/5/5/5 x", connect=4)
    found = exact_values([win, Position(5, 4), win.play("d5")], nodes=2_000)
    assert list(found.proven) == [True, False, True]
    assert (found.value[0], found.plies[0], list(found.best[0].nonzero()[0])) == (1, 1, [3])
    assert (int(found.value[2]), int(found.plies[2]), bool(found.best[1:].any())) == (-1, 0, False)


def test_positions_of_two_games_are_an_error_that_names_both() -> None:
    with pytest.raises(ValueError, match=r"of one game, found 3x3 and 3x4 connect 2 reverse"):
        exact_values([Position(), Position(rows=3, columns=4, connect=2, reverse=True)])
    with pytest.raises(TypeError):
        exact_values(["xo1/3/3"])  # type: ignore[list-item]
    assert exact_values([]).best.shape == (0, 9)


def test_without_numpy_arrays_are_an_error_and_the_rest_goes_on() -> None:
    script = """
import sys
sys.modules["numpy"] = None
from noughts import BatchGames, Engine, Position, evaluate_policy, exact_values
for ask in (lambda: exact_values([Position()]), lambda: BatchGames(4), lambda: evaluate_policy({})):
    try:
        ask()
    except ImportError as error:
        print(error)
print(Engine().play(Position.parse("xx1/oo1/3 x")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "arrays need NumPy: pip install numpy\n" * 3 + "0,2\n"
