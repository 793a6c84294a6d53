"""Positions agree with the engine."""

from __future__ import annotations

import itertools
import random
import subprocess
import xml.etree.ElementTree as ET

import pytest

from noughts import Engine, IllegalMoveError, Limit, Move, Position, positions
from noughts.binary import find
from noughts.protocol import rules_of

QUERIES = ["query position", "query result", "query moves", "query line"]
RULES = [(3, 0), (3, 2), (3, 1), (3, 4), (1, 0), (2, 0), (4, 3), (6, 4), (9, 5), (20, 5)]


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


def walk(size: int, connect: int, *, reverse: bool, seed: int) -> list[Position]:
    """The positions of a game at random."""
    chance = random.Random(seed)
    walked = [Position(size, connect, reverse)]
    while walked[-1].moves:
        walked.append(walked[-1].play(chance.choice(walked[-1].moves)))
    return walked


@pytest.mark.parametrize("reverse", [False, True])
def test_every_board_of_3x3_is_what_the_engine_says(reverse: bool) -> None:  # noqa: FBT001
    questions, expected = [game(Position(reverse=reverse))], [told(Position(reverse=reverse))]
    refused = 0
    for cells in itertools.product("xo.", repeat=9):
        rows = "/".join("".join(cells[start : start + 3]) for start in (0, 3, 6))
        for side in ("", " x", " o"):
            text = rows + side
            try:
                expected.append(told(Position.parse(text, reverse=reverse)))
            except ValueError:
                refused += 1
                expected.append(())
            questions.append([f"position fen {text}"])
    answers = heard(questions)
    assert [() if answer is None else answer for answer in answers] == expected
    assert 0 < refused < len(questions)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("size", "connect"), RULES)
def test_games_at_random_are_what_the_engine_says(size: int, connect: int, reverse: bool) -> None:  # noqa: FBT001
    walks = [walk(size, connect, reverse=reverse, seed=seed) for seed in range(20)]
    questions, expected = [game(walks[0][0])], [told(walks[0][0])]
    for walked in walks:
        for position in (walked[len(walked) // 2], walked[-1]):
            questions.append([f"position fen {position.text}"])
            expected.append(told(position))
    assert heard(questions) == expected


@pytest.mark.parametrize(("size", "connect"), RULES)
def test_a_move_leads_to_the_position_that_its_text_says(size: int, connect: int) -> None:
    for position in walk(size, connect, reverse=False, seed=7):
        read = Position.parse(position.text, connect=connect)
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


def test_positions_of_3x3_are_as_many_as_known() -> None:
    assert sum(1 for _ in positions()) == 5478
    assert sum(1 for position in positions() if not position.outcome) == 4520
    assert len({position.canonical() for position in positions()}) == 765


def test_a_line_of_all_rows_has_two_numbers_and_one_game() -> None:
    assert Position(4, 4) == Position(4)
    assert {Position(4, 4).play("a1")} == {Position(4).play("a1")}
    assert Position(4, 5) != Position(4)


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
    "text", ["", "3/3", "xx1/3/3", "xo1/1x1/3 x", "xxx/ooo/3", "a2/3/3", "0/3/3", "3/3/3 z", "99/3/3"]
)
def test_nonsense_is_no_position(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Position.parse(text)
    with pytest.raises(ValueError, match=r"\w"):
        Position(21)


def test_a_drawing_shows_every_stone_and_value(engine: Engine) -> None:
    for position in walk(5, 4, reverse=False, seed=3):
        values = engine.analyse(position, Limit(trials=20), multipv=25).moves
        root = ET.fromstring(position.svg(values, last=(0, 0)))  # noqa: S314
        groups = [node for node in root if node.tag.endswith("}g")]
        assert len(groups) == 25
        texts = sum(len(group.findall("{*}text")) for group in groups)
        assert texts == len(values) if not position.outcome else texts == 0
        assert position._repr_html_().startswith("<svg")
