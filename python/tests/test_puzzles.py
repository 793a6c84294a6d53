"""Puzzles."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("numpy")

from noughts import Engine, IllegalMoveError, Limit, Position, Puzzle, exact_values, positions, puzzles

if TYPE_CHECKING:
    from collections.abc import Callable

    from noughts import Move

    Rated = dict[Move, tuple[int, int | None]]

HERE = Path(__file__).resolve().parent
# The check puts the page beside the tests, where the source is not in sight.
FORMATS = next(page for page in (HERE.parent / "formats.md", HERE.parents[1] / "docs/formats.md") if page.exists())
# So many of each board with up to 16 squares, and of each larger one: 1,000 together. NOUGHTS_PUZZLES=1000 asks for
# 1,000 of each board, 10,000 together, which takes minutes.
SMALL, LARGE = (int(os.environ.get("NOUGHTS_PUZZLES", usual)) for usual in ("180", "20"))
NODES = 2_000
BOARDS: list[dict[str, Any]] = [
    {"rows": 3, "columns": 4, "connect": 3},
    {"rows": 2, "columns": 7, "connect": 3, "reverse": True},
    {"rows": 5, "columns": 3, "connect": 3},
    {"size": 4, "connect": 4},
    {"size": 4, "connect": 3, "reverse": True},
    {"size": 5, "connect": 4},
    {"size": 6, "connect": 4},
    {"rows": 4, "columns": 9, "connect": 4},
    {"rows": 4, "columns": 5, "connect": 3, "reverse": True},
    {"size": 5, "connect": 4, "reverse": True},
]


def minimax() -> Callable[[Position], tuple[int, int | None]]:
    """Plain minimax with a table of its own: the result and the distance."""
    known: dict[Position, tuple[int, int | None]] = {}

    def value(position: Position) -> tuple[int, int | None]:
        if position not in known:
            if position.outcome:
                result = 0 if position.outcome == "draw" else 1 if position.outcome == position.side else -1
                known[position] = result, 0 if result else None
            else:
                rated = [after(value(position.play(move))) for move in position.moves]
                known[position] = max(rated, key=rank)
        return known[position]

    return value


def after(value: tuple[int, int | None]) -> tuple[int, int | None]:
    """The value of the move that leads to a position with this value."""
    result, plies = value
    return -result, None if plies is None or not result else plies + 1


def rank(value: tuple[int, int | None]) -> tuple[int, int]:
    return value[0], -value[0] * (value[1] or 0)


def plainly(position: Position) -> Rated:
    """The values of the moves by plain minimax."""
    value = minimax()
    return {move: after(value(position.play(move))) for move in position.moves}


def tables(position: Position) -> Rated:
    """The values of the moves by tables."""
    found = exact_values([position.play(move) for move in position.moves])
    values = zip(map(int, found.value), map(int, found.plies), strict=True)
    return dict(zip(position.moves, map(after, values), strict=True))


def proofs(position: Position) -> Rated:
    """The values of the moves by an engine that knows nothing else: a search for each move."""
    rated: Rated = {}
    with Engine(player="perfect") as engine:
        for move in position.moves:
            left = position.play(move)
            if left.outcome:
                rated[move] = (0, None) if left.outcome == "draw" else (1 if left.outcome == position.side else -1, 1)
            else:
                found = engine.analyse(left, Limit(nodes=50_000_000))
                assert found.proven
                rated[move] = after((int(found.value), found.plies))
    return rated


def check(puzzle: Puzzle, rated: Rated) -> None:
    best = max(rated.values(), key=rank)
    assert (puzzle.value, puzzle.plies) == best, puzzle
    assert puzzle.best == tuple(move for move in puzzle.position.moves if rated[move] == best), puzzle
    assert puzzle.regrets == {move: best[0] - result for move, (result, _) in rated.items()}, puzzle
    assert puzzle.traps == tuple(move for move in puzzle.position.moves if rated[move][0] < best[0]), puzzle


def all_different(found: list[Puzzle]) -> bool:
    """Whether no two are the same up to symmetry. Each is compared with all images of the others."""
    seen: set[Position] = set()
    for puzzle in found:
        if puzzle.position in seen:
            return False
        seen.update(puzzle.position.symmetries())
    return True


def punished(puzzle: Puzzle, move: Move, rated: Callable[[Position], Rated]) -> bool:
    """Whether a refutation is a game to its end, in which no move after the first gives anything away."""
    line = puzzle.refutation(move)
    position = puzzle.position.play(line[0])
    for played in line[1:]:
        values = rated(position)
        assert values[played] == max(values.values(), key=rank), (puzzle, line, played)
        position = position.play(played)
    result = 0 if position.outcome == "draw" else 1 if position.outcome == puzzle.position.side else -1
    assert position.outcome
    return line[0] == move and puzzle.value - result == puzzle.regrets[move] > 0


def lines_of(found: list[Puzzle]) -> str:
    return "".join(puzzle.to_json() + "\n" for puzzle in found)


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_every_value_best_move_and_regret_is_that_of_another_computation(rules: dict[str, Any]) -> None:
    start = Position(**rules)
    small = start.rows * start.columns <= 16
    count, rated = (SMALL, tables) if small else (LARGE, proofs)
    found = list(puzzles(**rules, count=count, seed=1, nodes=NODES))
    for puzzle in found:
        check(puzzle, rated(puzzle.position))
        if len(puzzle.regrets) <= 6:
            check(puzzle, plainly(puzzle.position))
        assert puzzle.traps
        assert Puzzle.from_json(puzzle.to_json()) == puzzle
        assert Position(**rules) == puzzle.position.replace(cells=start.cells, side="x")
    assert (len(found), all_different(found)) == (count, True)
    few = 10
    again, others = (list(puzzles(**rules, count=few, seed=seed, nodes=NODES)) for seed in (1, 2))
    assert lines_of(again) == lines_of(found[:few])
    assert {puzzle.position for puzzle in others} != {puzzle.position for puzzle in again}
    for puzzle in found[: 5 if small else 2]:
        for trap in puzzle.traps:
            assert punished(puzzle, trap, rated)


@pytest.mark.parametrize("reverse", [False, True])
def test_all_positions_of_3x3_are_found_and_have_the_values_of_plain_minimax(reverse: bool) -> None:  # noqa: FBT001
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = list(puzzles(count=1_000, seed=1, traps=0, reverse=reverse))
    going_on = {each.canonical() for each in positions(reverse=reverse) if each.outcome is None}
    assert {puzzle.position.canonical() for puzzle in found} == going_on
    assert all_different(found)
    said = rf"expected 1000 puzzles of \(3, 3\).*{reverse=}.*, found {len(going_on)}, then none in 10000 tries; these"
    assert re.match(said, str(caught[0].message))
    for puzzle in found:
        check(puzzle, plainly(puzzle.position))


@pytest.mark.parametrize("rules", [{"size": 4}, {"size": 4, "reverse": True}], ids=str)
def test_filters_keep_what_they_say_and_nothing_else_is_lost(rules: dict[str, Any]) -> None:
    every = list(puzzles(**rules, count=300, seed=5, traps=0))
    assert {puzzle.value for puzzle in every} == {-1, 0, 1}
    wanted: list[tuple[dict[str, Any], Callable[[Puzzle], bool]]] = [
        ({"kind": "win"}, lambda puzzle: puzzle.value == 1),
        ({"kind": "draw"}, lambda puzzle: puzzle.value == 0),
        ({"best": (1, 2)}, lambda puzzle: len(puzzle.best) in {1, 2}),
        ({"traps": 3}, lambda puzzle: len(puzzle.traps) >= 3),
        ({"plies": (1, 4)}, lambda puzzle: puzzle.plies in {1, 2, 3, 4}),
        (
            {"kind": "win", "plies": (3, 5), "best": (1, 1)},
            lambda p: (p.value, len(p.best)) == (1, 1) and p.plies in {3, 4, 5},
        ),
    ]
    for wishes, keeps in wanted:
        found = list(puzzles(**rules, count=40, seed=5, **{"traps": 0, **wishes}))
        assert len(found) == 40
        assert all(map(keeps, found)), wishes
        if not {"plies", "traps"} & set(wishes):
            # Filters of plies and traps draw from other games: those that leave enough squares empty.
            kept = [puzzle for puzzle in every if keeps(puzzle)][:40]
            assert kept == found[: len(kept)]


def test_positions_of_large_boards_that_are_not_decided_do_not_count() -> None:
    easy, hard = (list(puzzles(5, 4, count=20, seed=1, nodes=nodes)) for nodes in (50, 5_000))
    assert {puzzle.position for puzzle in easy} != {puzzle.position for puzzle in hard}
    with pytest.raises(ValueError, match=r"expected 3 puzzles of \(8, 8\), .*, found none in 20 tries; no puzzle"):
        list(puzzles(8, 4, count=3, seed=1, kind="draw", nodes=1, tries=20))


def test_a_move_that_gives_nothing_away_has_no_refutation() -> None:
    puzzle = next(puzzles(4, 3, count=1, seed=1, kind="win"))
    assert puzzle.refutation(puzzle.best[0]) == ()
    assert puzzle.refutation(str(puzzle.traps[0])) == puzzle.refutation(puzzle.traps[0])
    taken = next(square for square in ((r, c) for r in range(4) for c in range(4)) if square not in puzzle.regrets)
    with pytest.raises(IllegalMoveError):
        puzzle.refutation(taken)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="kind: expected 'win', 'draw' or 'any', found 'loss'; nothing is searched"):
        puzzles(count=1, seed=1, kind="loss")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"expected 1 .*plies=\(9, 9\).*, found none in 10000 tries; no puzzle is given"
    ):
        list(puzzles(count=1, seed=1, plies=(9, 9)))
    assert list(puzzles(count=0, seed=1)) == []


def test_what_is_no_puzzle_is_not_read() -> None:
    puzzle = next(puzzles(count=1, seed=1))
    said = json.loads(puzzle.to_json(refutations=True))
    assert Puzzle.from_json(json.dumps({**said, "later": 1})) == puzzle
    assert Puzzle.from_json(json.dumps({**said, "regrets": dict(reversed(said["regrets"].items()))})) == puzzle
    move = next(iter(said["regrets"]))
    bad: list[Any] = ["", "[]", "{}", "7", *(json.dumps({**said, key: "?"}) for key in ("rules", "position", "best"))]
    bad += [json.dumps({**said, "best": []}), json.dumps({**said, "best": [str(puzzle.traps[0])]})]
    bad += [json.dumps({**said, "regrets": {move: 0}}), json.dumps({**said, "regrets": {**said["regrets"], "9,9": 0}})]
    for line in bad:
        with pytest.raises(ValueError, match=r"expected a puzzle as JSON, found .*; it is not read"):
            Puzzle.from_json(line)


def test_every_key_stands_in_the_document() -> None:
    chapter = FORMATS.read_text(encoding="utf-8").split("\n## Puzzles")[1].split("\n## ")[0]
    names = set(re.findall(r"`([^`]*)`", chapter))
    said = json.loads(next(puzzles(4, 3, count=1, seed=1, kind="win", plies=(3, 9))).to_json(refutations=True))
    assert {*said, *said["rules"]} <= names
    assert set(re.findall(r"^\| (`.*?`) \|", chapter, re.MULTILINE)) == {f"`{key}`" for key in said}


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "noughts.puzzles", *arguments], capture_output=True, check=False)


def test_the_command_prints_the_same_bytes() -> None:
    done = run("--size", "3x4", "--connect", "3", "--count", "20", "--seed", "7", "--kind", "win", "--best", "1", "1")
    found = list(puzzles(rows=3, columns=4, connect=3, count=20, seed=7, kind="win", best=(1, 1)))
    assert (done.returncode, done.stdout, done.stderr) == (0, lines_of(found).encode(), b"")
    assert b'"refutations"' in run("--count", "1", "--refutations").stdout
    for arguments, code, words in (
        (["--size", "3x"], 2, b"--size"),
        (["--plies", "9", "9"], 1, b"no puzzle is given"),
        (["--count", "500"], 1, b"found 431, then none in 10000 tries; these are given"),
    ):
        done = run(*arguments)
        assert (done.returncode, words in done.stderr) == (code, True), done
