"""The checker that is written in Python, on boards that are not square.

It accepts what the engine proves, and nothing that is false: the values are those of a plain search of this file.
"""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from noughts import Engine, Position
from noughts.binary import find

HERE = Path(__file__).resolve().parent
# The check puts the script beside the tests.
SCRIPT = next(
    path
    for path in (HERE.parent / "scripts" / "check_certificate.py", HERE.parents[1] / "scripts" / "check_certificate.py")
    if path.is_file()
)

# Boards, and what their certificates say.
PROVED = {
    "4x5 4 normal": "neither player can force a win: a draw",
    "3x4 3 normal": "x wins in exactly 7 plies",
    "4x3 3 normal": "x wins in exactly 7 plies",
    "3x4 3 reverse": "o wins in exactly 11 plies",
    "5x6 4 normal": "x wins in exactly 11 plies",
    "2x7 2 normal": "x wins in exactly 3 plies",
    "1x9 1 normal": "x wins within 1 ply",
    "9x1 3 normal": "neither player can force a win: a draw",
    "1x9 6 reverse": "neither player can force a win: a draw",
    "3x5 3 normal": "x wins in exactly 7 plies",
    "2x3 2 reverse": "o wins in exactly 5 plies",
    "4x3 2 reverse": "o wins in exactly 9 plies",
    "3x5 4 reverse": "neither player can force a win: a draw",
    "3x19 8 normal": "neither player can force a win: a draw",
}
# The shapes of up to nine cells, which a plain search knows.
SMALL = [(rows, columns) for rows in range(1, 10) for columns in range(1, 10) if rows * columns <= 9]


def checker() -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("check_certificate", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = checker()


def verdict(text: str) -> str:
    said, code = CHECKER.Checker(theorems_allowed=True).check(BytesIO(text.encode()))
    assert (code == 1) == said.startswith("not checked")
    return str(said)


def is_accepted(text: str) -> bool:
    return not verdict(text).startswith("not checked")


@cache
def certificate(game: str) -> str:
    """What the engine writes about the empty board of a game."""
    size, connect, rule = game.split()
    options = ["--size", size, "--connect", connect, *(["--reverse"] if rule == "reverse" else [])]
    return subprocess.run([find(), "prove", *options], capture_output=True, text=True, check=True).stdout


def start_of(game: str) -> Position:
    """The empty board of a header."""
    size, connect, rule = game.split()
    rows, columns = (size.split("x") * 2)[:2] if "x" not in size else size.split("x")
    return Position(rows=int(rows), columns=int(columns), connect=int(connect), reverse=rule == "reverse")


def solve(position: Position, known: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """The result of best play for the side to move, and the plies to the end of a win or loss, else 0."""
    if position.text not in known:
        if position.outcome:
            known[position.text] = {"draw": 0, position.side: 1}.get(position.outcome, -1), 0
        else:
            after = [solve(position.play(move), known) for move in position.moves]
            value = max(-value for value, _ in after)
            plies = [plies + 1 for each, plies in after if -each == value]
            known[position.text] = value, 0 if value == 0 else min(plies) if value > 0 else max(plies)
    return known[position.text]


def is_true(claim: str, position: Position, value: int, plies: int) -> bool:
    """Whether a claim holds, by the value for the side to move and the plies to the end."""
    kind, player, *limit = claim.split()
    wins = value == (1 if player == position.side else -1) and (not limit or plies <= int(limit[-1]))
    return wins if kind == "wins" else not wins


def one_proof(game: str, position: str, claim: str, *records: str) -> str:
    """A certificate of one claim."""
    head = ["noughts certificate 1", f"game {game}", f"position {position}", f"claim {claim}", "prove 1", *records]
    return "\n".join([*head, f"end {len(head) + 1}", ""])


@pytest.mark.parametrize("game", PROVED)
def test_what_the_engine_proves_is_accepted(game: str) -> None:
    text = certificate(game)
    size, connect, rule = game.split()
    beginning = f"{size}, {connect} in a row, {rule} rule, empty board, x to move: checked"
    assert verdict(text).startswith(beginning)
    assert verdict(text).endswith(f": {PROVED[game]}")
    if len(start_of(game).cells) <= 9:
        value, plies = solve(start_of(game), {})
        assert all(is_true(claim, start_of(game), value, plies) for claim in re.findall("claim (.*)", text))


def test_a_certificate_of_one_board_is_none_of_another() -> None:
    for game in PROVED:
        text, (size, connect, rule) = certificate(game), game.split()
        rows, columns = map(int, size.split("x"))
        for other_rows, other_columns in ((columns, rows), (rows, columns + 1), (rows + 1, columns), (rows, rows)):
            other = f"{other_rows}x{other_columns}" if other_rows != other_columns else f"{other_rows}"
            changed = text.replace(f"game {game}", f"game {other} {connect} {rule}")
            assert verdict(changed).startswith("not checked: record")
            asked, _ = CHECKER.arguments_of(["--game", f"{other} 1 {rule}", "-"])
            assert asked.check(BytesIO(text.encode()))[0].startswith("not checked: record 2: expected game")
        own, _ = CHECKER.arguments_of(["--game", game, "--position", "startpos", "-"])
        assert own.check(BytesIO(text.encode()))[1] == 0


SIZES = ["4x4", "4x0", "x4", "4x", "04x5", "4x5x6", "4X5", "4x21", "21x4", "4,5", "4x-5"]


@pytest.mark.parametrize("header", [*(f"{size} 3 normal" for size in SIZES), "4x5 6 normal", "4x5 0 normal"])
def test_other_sizes_are_refused(header: str) -> None:
    said = verdict(one_proof(header, "5/5/5/5 x", "cannot x", "potential"))
    assert said.startswith("not checked: record 2:")


def test_rows_and_columns_are_not_exchanged_by_a_symmetry() -> None:
    # A lemma of the empty board, used for the empty board.
    for game, board, most in (("3x4 3 normal", "4/4/4", 3), ("4 4 normal", "4/4/4/4", 7)):
        for symmetry in range(9):
            lines = ["noughts certificate 1", f"game {game}", f"position {board} x", "claim cannot o"]
            lines += [f"lemma 1 {board} x cannot o", "theorem strategy-stealing", "prove 1", f"use 1 {symmetry}"]
            text = "\n".join([*lines, f"end {len(lines) + 1}", ""])
            said = verdict(text)
            assert is_accepted(text) == (symmetry <= most)
            assert symmetry <= most or f"not checked: record 8: expected a symmetry from 0 to {most}" in said


def test_theorems_about_squares_are_about_squares() -> None:
    for size, is_right in (("7", True), ("8", True), ("7x8", False), ("8x7", False), ("5x7", False), ("9", False)):
        start = start_of(f"{size} 5 normal")
        text = one_proof(f"{size} 5 normal", f"{start.text}", "cannot x", "theorem hsu")
        assert is_accepted(text) == is_right
    assert is_accepted(one_proof("3x9 8 normal", "9/9/9 x", "cannot x", "theorem zetters"))
    assert not is_accepted(one_proof("3x9 7 normal", "9/9/9 x", "cannot x", "theorem zetters"))


@pytest.mark.parametrize("reverse", [False, True])
def test_a_leaf_proves_only_what_is_true(reverse: bool) -> None:  # noqa: FBT001
    chance = random.Random(int(reverse))
    right = dict.fromkeys(("mirror", "none", "potential", "pairs -", "survive -", "theorem strategy-stealing"), 0)
    for rows, columns in SMALL:
        for connect in range(1, max(rows, columns) + 1):
            size = f"{rows}" if rows == columns else f"{rows}x{columns}"
            game = f"{size} {connect} {'reverse' if reverse else 'normal'}"
            start = start_of(game)
            known: dict[str, tuple[int, int]] = {}
            asked = {start, *around(start, chance)}
            every = claims_of(start)
            claims = chance.sample(every, min(8, len(every)))
            for position in asked:
                for record in right:
                    for claim in claims:
                        if is_accepted(one_proof(game, position.text, claim, record)):
                            assert is_true(claim, position, *solve(position, known)), (
                                game,
                                position.text,
                                claim,
                                record,
                            )
                            right[record] += 1
    rules = ("mirror", "none", "potential", "survive -") if reverse else ("none", "potential", "pairs -")
    assert all(right[record] > 20 for record in rules), right


def claims_of(start: Position) -> list[str]:
    """Claims of a header, those without a limit and with all limits."""
    within = [f" within {limit}" for limit in range(1, len(start.cells) + 1)]
    wins = [f"wins {player}{limit}" for player in "xo" for limit in within]
    return wins + [f"cannot {player}{limit}" for player in "xo" for limit in ["", *within]]


def around(start: Position, chance: random.Random) -> list[Position]:
    """Positions with stones that mirror each other, with and without the centre, and some others."""
    found = []
    cells = len(start.cells)
    for _ in range(3):
        position = start
        if cells % 2 and chance.random() < 0.5 and not position.outcome:
            position = position.play(divmod(cells // 2, start.columns))
        for _ in range(chance.randrange(3)):
            if position.outcome or cells < 3:
                break
            cell = chance.choice(position.moves)
            image = start.rows - 1 - cell.row, start.columns - 1 - cell.column
            after = position.play(cell)
            if not after.outcome and image in after.moves and not after.play(image).outcome:
                position = after.play(image)
        if not position.outcome:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("game", "limit", "is_right"),
    [
        ("2x3 2 reverse", 5, True),
        ("2x3 2 reverse", 4, False),
        ("3x4 2 reverse", 9, True),
        ("3x4 2 reverse", 8, False),
        ("4x5 2 reverse", 13, True),
        ("4x5 2 reverse", 12, False),
        ("1x4 2 reverse", 4, False),
        ("6x1 2 reverse", 6, False),
        ("3x5 2 reverse", 15, False),
        ("3x4 3 reverse", 12, False),
        ("3x4 2 normal", 12, False),
    ],
)
def test_a_mirror_wins_with_one_stone_more_than_blocks(game: str, limit: int, is_right: bool) -> None:  # noqa: FBT001
    text = one_proof(game, start_of(game).text, f"wins o within {limit}", "mirror")
    assert is_accepted(text) == is_right


@pytest.mark.parametrize(
    ("game", "claim", "is_right"),
    [
        # Cells that are even in number have no centre: the second player mirrors.
        ("3x4 3 reverse", "cannot x", True),
        ("3x4 3 reverse", "cannot o", False),
        ("1x6 4 reverse", "cannot x", True),
        # With a centre the first player begins there, if no line ends there: also none along the longer side.
        ("3x5 4 reverse", "cannot o", True),
        ("3x5 3 reverse", "cannot o", False),
        ("3x5 4 reverse", "cannot x", False),
        ("1x9 6 reverse", "cannot o", True),
        ("1x9 5 reverse", "cannot o", False),
        ("3x7 4 reverse", "cannot o", False),
        ("7x3 5 reverse", "cannot o", True),
    ],
)
def test_a_mirror_needs_the_centre_where_there_is_one(game: str, claim: str, is_right: bool) -> None:  # noqa: FBT001
    assert is_accepted(one_proof(game, start_of(game).text, claim, "mirror")) == is_right


def mutant(lines: list[str], chance: random.Random) -> list[str]:
    """The lines with a change, and the right number of lines at the end."""
    lines = lines.copy()
    # The first line says nothing, and the last one is made right.
    place = chance.randrange(1, len(lines) - 1)
    match chance.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, chance.choice(lines[1:-1]))
        case 2:
            lines[place] = chance.choice(lines[1:-1])
        case 3:
            numbers = list(re.finditer("[0-9]+", lines[place]))
            if numbers:
                number = chance.choice(numbers)
                changed = str(max(0, int(number[0]) + chance.choice((-2, -1, 1, 2))))
                lines[place] = lines[place][: number.start()] + changed + lines[place][number.end() :]
        case 4:
            words = lines[place].split() or ["-"]
            del words[chance.randrange(len(words))]
            lines[place] = " ".join(words)
        case 5:
            words = lines[place].split() or ["-"]
            words[chance.randrange(len(words))] = chance.choice(chance.choice(lines).split() or ["-"])
            lines[place] = " ".join(words)
    lines[-1] = f"end {len(lines)}"
    return lines


MUTATED = [
    "3x4 3 normal",
    "3x4 3 reverse",
    "4x5 4 normal",
    "2x7 2 normal",
    "3x5 3 normal",
    "2x3 2 reverse",
    "4x3 2 reverse",
]


@pytest.mark.parametrize("game", MUTATED)
def test_a_mutant_is_refused_or_says_what_is_true(engine: Engine, game: str) -> None:
    chance = random.Random(game)
    original = certificate(game).splitlines()
    changed = refused = 0
    for _ in range(300):
        lines = original
        for _ in range(chance.choice((1, 1, 2, 3))):
            lines = mutant(lines, chance)
        if lines == original:
            continue
        changed += 1
        if not is_accepted("\n".join([*lines, ""])):
            refused += 1
            continue
        header = dict(line.split(" ", 1) for line in lines[1:3])
        start = start_of(header["game"])
        position = Position.parse(header["position"], connect=start.connect, reverse=start.reverse)
        found = engine.analyse(position)
        claims = [line.removeprefix("claim ") for line in lines if line.startswith("claim ")]
        assert found.proven
        assert all(is_true(claim, position, int(found.value), found.plies or 0) for claim in claims), lines[:6]
    assert refused > changed / 2, (refused, changed)


@pytest.mark.parametrize("game", MUTATED)
def test_a_false_claim_is_refused_whatever_its_proof(game: str) -> None:
    chance = random.Random(game)
    original = certificate(game).splitlines()
    value, plies = {"a draw": (0, 0), "x wins": (1, 0), "o wins": (-1, 0)}[PROVED[game].split(": ")[-1][:6]]
    if value:
        plies = int(re.findall("[0-9]+", PROVED[game])[-1])
    start = start_of(game)
    false = [claim for claim in claims_of(start) if not is_true(claim, start, value, plies)]
    heads = [place for place, line in enumerate(original) if line.startswith("claim ")]
    for claim in false:
        for place in heads:
            lines = original.copy()
            lines[place] = f"claim {claim}"
            for _ in range(2):
                assert not is_accepted("\n".join([*lines, ""])), claim
                lines = [*lines[:5], *mutant(["", *lines[5:]], chance)[1:]]
                lines[-1] = f"end {len(lines)}"
