"""Positions agree with the engine."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import subprocess
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from noughts import Engine, IllegalMoveError, Limit, Move, Position, positions
from noughts.binary import find

from .program import rules_of

QUERIES = ["query position", "query result", "query moves", "query line"]
SQUARES = [(3, 0), (3, 2), (3, 1), (3, 4), (1, 0), (2, 0), (4, 3), (6, 4), (9, 5), (20, 5)]
RECTANGLES = [
    (1, 9, 0),
    (9, 1, 3),
    (2, 3, 0),
    (4, 9, 4),
    (9, 4, 4),
    (3, 5, 5),
    (5, 3, 6),
    (3, 4, 1),
    (7, 2, 3),
    (20, 19, 5),
]
STARTS = [
    *(Position(size, connect) for size, connect in SQUARES),
    *(Position(rows=rows, columns=columns, connect=connect) for rows, columns, connect in RECTANGLES),
]


def heard(questions: list[list[str]]) -> list[tuple[str, ...] | None]:
    """The engine's answers about the position after each block of lines; nothing if it refuses one of them."""
    lines = [line for question in questions for line in [*question, *QUERIES]]
    done = subprocess.run([find()], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    said = iter(done.stdout.splitlines())
    answers: list[tuple[str, ...] | None] = []
    for _ in questions:
        block = [next(said)]
        if block[0].startswith("info string error"):
            block += [next(said)]
        block += [next(said) for _ in QUERIES[1:]]
        answers.append(
            None if len(block) > len(QUERIES) else tuple(line.removeprefix("response").strip() for line in block)
        )
    return answers


def told(position: Position) -> tuple[str, ...]:
    """Those answers as the package knows them."""
    result = {"x": "p1win", "o": "p2win", "draw": "draw", None: "none"}[position.outcome]
    moves = " ".join(str(move) for move in position.moves)
    return position.text, result, moves, " ".join(str(move) for move in position.line) or "none"


def game(position: Position) -> list[str]:
    """The lines that choose the game."""
    return [f"setoption {name} {value}" for name, value in rules_of(position)]


def walk(start: Position, seed: int) -> list[Position]:
    """The positions of a game at random."""
    chance = random.Random(seed)
    walked = [start]
    while walked[-1].moves:
        walked.append(walked[-1].play(chance.choice(walked[-1].moves)))
    return walked


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("rows", "columns", "connect"), [(3, 3, 0), (2, 3, 0), (3, 2, 3), (1, 5, 3), (4, 2, 3)])
def test_every_board_is_what_the_engine_says(rows: int, columns: int, connect: int, reverse: bool) -> None:  # noqa: FBT001
    start = Position(rows=rows, columns=columns, connect=connect, reverse=reverse)
    questions, expected = [game(start)], [told(start)]
    refused = 0
    for cells in itertools.product("xo.", repeat=rows * columns):
        board = "/".join("".join(cells[row * columns : (row + 1) * columns]) for row in range(rows))
        for side in ("", " x", " o"):
            text = board + side
            try:
                expected.append(told(Position.parse(text, connect=connect, reverse=reverse)))
            except ValueError:
                refused += 1
                expected.append(())
            questions.append([f"position fen {text}"])
    answers = heard(questions)
    assert [() if answer is None else answer for answer in answers] == expected
    assert 0 < refused < len(questions)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_games_at_random_are_what_the_engine_says(start: Position, reverse: bool) -> None:  # noqa: FBT001
    walks = [walk(start.replace(reverse=reverse), seed) for seed in range(20)]
    questions, expected = [game(walks[0][0])], [told(walks[0][0])]
    for walked in walks:
        for position in (walked[len(walked) // 2], walked[-1]):
            questions.append([f"position fen {position.text}"])
            expected.append(told(position))
    assert heard(questions) == expected


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_a_move_leads_to_the_position_that_its_text_says(start: Position) -> None:
    for position in walk(start, 7):
        read = Position.parse(position.text, connect=start.connect)
        assert read == position
        assert read.outcome == position.outcome
        assert hash(read) == hash(position)


def test_symmetries_keep_the_value_of_a_position() -> None:
    with Engine(player="perfect") as engine:
        for reverse in (False, True):
            for position in list(positions(reverse=reverse))[:2000:37]:
                images = position.symmetries()
                assert images[0] == position
                assert len({image.canonical() for image in images}) == 1
                found = engine.analyse_all(images)
                assert len({(answer.value, answer.plies) for answer in found}) == 1


@pytest.mark.parametrize(("rows", "columns", "images"), [(2, 3, 4), (4, 3, 4), (1, 5, 2), (3, 3, 8), (1, 1, 1)])
def test_a_rectangle_has_the_symmetries_that_keep_its_rows(rows: int, columns: int, images: int) -> None:
    start = Position(rows=rows, columns=columns, connect=7)
    everything = set(positions(rows=rows, columns=columns, connect=7) if rows * columns < 12 else walk(start, 3))
    # A move may have fewer images than its board.
    most = 0
    for position in everything:
        found = position.symmetries()
        assert found[0] == position
        assert len(found) == (8 if rows == columns else 4)
        assert {image.shape for image in found} == {(rows, columns)}
        assert {other.canonical() for other in found} == {position.canonical()}
        most = max(most, len(set(found)))
    assert most == images


def test_values_of_rectangles_do_not_depend_on_the_image() -> None:
    with Engine(player="perfect") as engine:
        for reverse in (False, True):
            start = Position(rows=3, columns=4, connect=3, reverse=reverse)
            for position in [position for seed in range(8) for position in walk(start, seed)[2:]]:
                columns = ["".join(position[row, column] for row in range(3)) for column in range(4)]
                turned = Position.parse("/".join(columns) + f" {position.side}", connect=3, reverse=reverse)
                images = [*position.symmetries(), turned]
                found = engine.analyse_all(images)
                assert len({(answer.value, answer.plies) for answer in found}) == 1


def test_positions_of_3x3_are_as_many_as_known() -> None:
    assert sum(1 for _ in positions()) == 5478
    assert sum(1 for position in positions() if not position.outcome) == 4520
    assert len({position.canonical() for position in positions()}) == 765


def test_a_line_of_all_rows_has_two_numbers_and_one_game() -> None:
    assert Position(4, 4) == Position(4)
    assert {Position(4, 4).play("a1")} == {Position(4).play("a1")}
    assert Position(4, 5) != Position(4)


def test_a_square_can_be_given_by_either_name() -> None:
    square, other = Position(4, 3), Position(rows=4, columns=4, connect=3)
    assert square == other == Position(rows=4, columns=5, connect=3).replace(columns=4, cells="")
    assert (square.size, square.shape, hash(square), repr(square)) == (4, (4, 4), hash(other), repr(other))
    assert repr(Position(1)) == "Position(size=1, connect=0, reverse=False, cells='.', side='x')"
    board = Position(rows=2, columns=1)
    assert repr(board) == "Position(rows=2, columns=1, connect=0, reverse=False, cells='..', side='x')"
    assert eval(repr(board)) == board  # noqa: S307
    match square:
        case Position(size, connect):
            assert (size, connect) == (4, 3)
    with pytest.raises(AttributeError, match="a board of 2x1 has no size"):
        print(board.size)


@pytest.mark.parametrize(
    ("board", "error"),
    [
        ({"size": 3, "rows": 4, "columns": 9}, "size 3 is that of a square.* rows 4 and columns 9"),
        ({"size": 4, "rows": 4}, "size 4 is that of a square.* rows 4 and columns None"),
        ({"rows": 4}, "found rows 4 and columns None"),
        ({"columns": 9}, "found rows None and columns 9"),
        ({"rows": 4, "columns": 21}, "1 to 20 rows and columns, not 4x21"),
        ({"rows": 0, "columns": 5}, "1 to 20 rows and columns, not 0x5"),
        ({"rows": 2, "columns": 5, "cells": "." * 9}, "expected 10 cells"),
    ],
)
def test_a_wrong_shape_is_an_error_that_names_both_numbers(board: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Position(**board)


def test_a_line_is_as_long_as_the_shorter_side_unless_told_otherwise() -> None:
    assert Position(rows=4, columns=9).line_length == Position(rows=9, columns=4).line_length == 4
    assert Position(rows=4, columns=9, connect=4) == Position(rows=4, columns=9)
    assert Position.parse("x2/o2 x").play((1, 1)).outcome == "x"
    assert Position.parse("xx1/oo1 x", connect=3).play((0, 2)).outcome == "x"
    assert {position.outcome for position in positions(rows=2, columns=3, connect=4)} == {None, "draw"}


def test_copies_are_equal_and_go_on() -> None:
    narrow = Position(4, 3).play("a1")
    assert pickle.loads(pickle.dumps(narrow)).play("b1").play("b2") == Position(4, 3).play("a1", "b1", "b2")
    wide = Position(rows=4, columns=9).play("i1")
    assert copy.deepcopy(wide) == copy.copy(wide) == pickle.loads(pickle.dumps(wide)) == wide


def test_moves_have_two_names() -> None:
    for size in (1, 3, 10, 20):
        for row, column in itertools.product(range(size), repeat=2):
            named = chr(ord("a") + column) + str(size - row)
            assert Move.parse(f"{row},{column}", size) == Move.parse(named, size) == (row, column)
    assert Position().play("b2") == Position().play((1, 1)) == Position().play(Move(1, 1))


@pytest.mark.parametrize("move", [(3, 0), (0, -1), (0,), "d1", "x", "", None, 4, (0.5, "a"), (0, 0), [1, 1, 1]])
def test_nonsense_is_no_move(move: object) -> None:
    with pytest.raises(IllegalMoveError):
        Position().play((0, 0)).play(move)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "3/2/3", "xx1/3/3", "xo1/1x1/3 x", "xxx/ooo/3", "a2/3/3", "0/3/3", "3/3/3 z", "99/3/3"]
)
def test_nonsense_is_no_position(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Position.parse(text)
    with pytest.raises(ValueError, match=r"\w"):
        Position(21)


def test_a_drawing_shows_every_stone_and_value(engine: Engine) -> None:
    for position in walk(Position(5, 4), 3):
        values = engine.analyse(position, Limit(trials=20), multipv=25).moves
        root = ET.fromstring(position.svg(values, last=(0, 0)))  # noqa: S314
        groups = [node for node in root if node.tag.endswith("}g")]
        assert len(groups) == 25
        texts = sum(len(group.findall("{*}text")) for group in groups)
        assert texts == len(values) if not position.outcome else texts == 0
        assert position._repr_html_().startswith("<svg")


@pytest.mark.parametrize(("rows", "columns", "drawn"), [(2, 3, (200, 140)), (4, 20, (480, 102)), (20, 1, (31, 480))])
def test_a_drawing_has_the_shape_of_the_board(rows: int, columns: int, drawn: tuple[int, int]) -> None:
    position = Position(rows=rows, columns=columns).play((rows - 1, columns - 1))
    root = ET.fromstring(position.svg())  # noqa: S314
    assert (int(root.attrib["width"]), int(root.attrib["height"])) == drawn
    assert len([node for node in root if node.tag.endswith("}g")]) == rows * columns
    numbers = [int(node.text or "") for node in root if node.tag.endswith("}text")]
    assert sorted(numbers) == sorted([*range(rows), *range(columns)])
    assert [len(row.split()) for row in str(position).split("\n")] == [columns] * rows
