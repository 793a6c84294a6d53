"""The server of the Model Context Protocol, asked by the official client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import pytest

from noughts import Position, exact_values

pytest.importorskip("mcp.server.mcpserver")

from mcp import Client, StdioServerParameters

KEPT = {name: os.environ[name] for name in ("PYTHONPATH", "NOUGHTS", "PATH") if name in os.environ}
SERVER = StdioServerParameters(command=sys.executable, args=["-m", "noughts.mcp"], env=KEPT)
Call = tuple[str, dict[str, Any]]


def answers(*calls: Call) -> list[tuple[bool, str]]:
    """Whether each call is an error, and its text."""

    async def session() -> list[tuple[bool, str]]:
        found = []
        async with Client(SERVER) as client:
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                found.append((bool(result.is_error), "".join(getattr(part, "text", "") for part in result.content)))
        return found

    return asyncio.run(session())


def texts(*calls: Call) -> list[str]:
    found = answers(*calls)
    assert not any(is_error for is_error, _ in found), found
    return [text for _, text in found]


def test_every_tool_says_what_it_is_for() -> None:
    async def session() -> tuple[str | None, list[Any]]:
        async with Client(SERVER) as client:
            return client.instructions, (await client.list_tools()).tools

    instructions, tools = asyncio.run(session())
    assert instructions is not None
    assert "counted from 0 at the top left" in instructions
    assert {tool.name for tool in tools} == {"analyse", "explain", "play", "prove", "known_value"}
    for tool in tools:
        assert len(tool.description) > 60
        properties = tool.input_schema["properties"]
        assert "description" in properties["connect"]
        assert "description" in properties["reverse"]
        if tool.name != "known_value":
            assert 'An empty 3x3 board is ".../.../... x".' in properties["position"]["description"]


def test_analyse_has_the_exact_value_and_all_best_moves() -> None:
    boards = ["xo./.x./... o", "x../.../... o", ".../.../... x", "xx./oo./... x", "x.o./.x../..../...o x"]
    for text, said in zip(boards, texts(*(("analyse", {"position": text}) for text in boards)), strict=True):
        board = Position.parse(text)
        values = exact_values([board])
        best = [str(move) for move in board.moves if values.best[0][move.row * board.columns + move.column]]
        line = next(line for line in said.splitlines() if line.startswith("best moves: "))
        assert set(line.removeprefix("best moves: ").split(", ")) == set(best)
        winner = {1: board.side, -1: "o" if board.side == "x" else "x"}.get(int(values.value[0]))
        verdict = (
            f"value: {winner.upper()} wins in {values.plies[0]} plies, proven" if winner else "value: a draw, proven"
        )
        assert verdict in said
        assert f"{board.line_length} in a row wins; {board.side.upper()} is to move" in said


def test_explain_and_play_and_the_rules_of_the_game() -> None:
    explained, wrong, played, last, reverse = texts(
        ("explain", {"position": "xx./oo./... x"}),
        ("explain", {"position": ".x./.../... o", "move": "a1", "reverse": False}),
        ("play", {"position": "xx./oo./... x"}),
        ("play", {"position": "xox/xoo/ox. x", "level": 1}),
        ("analyse", {"position": ".../.../... x", "reverse": True}),
    )
    assert "X wins in 1 ply" in explained
    assert "O 2,0 is wrong" in wrong
    assert "X plays 0,2." in played
    assert "position: xxx/oo1/3 o" in played
    assert "X has won" in played
    assert "X plays 2,2." in last
    assert "the game is a draw" in last
    assert "3 in a row loses" in reverse
    assert "best moves: 1,1\n" in reverse


def test_prove_says_when_there_is_no_proof() -> None:
    empty = "/".join(["." * 20] * 20) + " x"
    proven, gomoku = texts(
        ("prove", {"position": "....../....../....../....../....../...... x", "connect": 4}),
        ("prove", {"position": empty, "connect": 5, "seconds": 0.5}),
    )
    assert "value: X wins in 11 plies, proven" in proven
    assert "No proof" not in proven
    assert "value: not proven; the estimate for X is" in gomoku
    assert "does not lose" in gomoku
    assert gomoku.endswith("No proof was found within 0.5 s.")


def test_known_values_come_from_the_table() -> None:
    small, lost, large, wide, none = texts(
        ("known_value", {"rows": 3, "columns": 4, "connect": 3}),
        ("known_value", {"rows": 3, "columns": 4, "connect": 3, "reverse": True}),
        ("known_value", {"rows": 9, "columns": 9, "connect": 5, "reverse": True}),
        ("known_value", {"rows": 8, "columns": 8, "connect": 5}),
        ("known_value", {"rows": 3, "columns": 3, "connect": 4}),
    )
    assert "3 rows, 4 columns, 3 in a row wins\nvalue: X in 7\n" in small
    assert "noughts prove --size 3x4 --connect 3" in small
    assert "value: O in 11" in lost
    assert "value: open" in large
    assert "value: draw\nrests on: checked by certificate, resting on strategy-stealing" in wide
    assert "value: draw\nrests on: no line fits on the board" in none


def test_bad_input_gets_a_sentence() -> None:
    board = {"position": ".../.../... x"}
    cases: list[tuple[Call, str]] = [
        (("analyse", {"position": "the middle"}), "expected"),
        (("analyse", {"position": ".../.../.. x"}), "have different lengths"),
        (("analyse", {"position": "xxx/oo./... o"}), "there is no move in xxx/oo1/3 o: X has won"),
        (("analyse", {"position": "xxx/ooo/... x"}), "both sides have completed a line"),
        (("analyse", {**board, "connect": -1}), "connect is a number from 0 to 400, not -1"),
        (("analyse", {**board, "connect": "many"}), "valid integer"),
        (("analyse", {}), "position"),
        (
            ("analyse", {"position": "/".join(["." * 21] * 21) + " x"}),
            "a board has 1 to 20 rows and columns, not 21x21",
        ),
        (("explain", {**board, "move": "9,9"}), "9,9 is off the 3x3 board"),
        (("explain", {"position": "--help"}), "expected"),
        (("play", {**board, "level": 11}), "level accepts a whole number from 1 to 10"),
        (("prove", {**board, "seconds": 3600}), "seconds is a number from 0.1 to 60, not 3600"),
        (("known_value", {"rows": 30, "columns": 3}), "20"),
        (("guess", board), "guess"),
    ]
    for (call, part), (is_error, text) in zip(cases, answers(*(call for call, _ in cases)), strict=True):
        assert is_error, call
        assert part in text, (call, text)
        assert "Traceback" not in text
