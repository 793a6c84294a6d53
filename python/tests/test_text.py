"""Positions as prompts, answers as moves, and exams of functions from text to text. No model is called."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from noughts import AgentWarning, Move, Position, exact_values, exam, positions
from noughts.text import Answer, AnswerError, Form, TextExamResult, prompt, read_answer, text_exam

if TYPE_CHECKING:
    from pathlib import Path

FORMS: tuple[Form, ...] = ("drawing", "sentences", "protocol")
DIAGONAL = Position.parse("xo1/1x1/3 o")


def coded(position: Position) -> str:
    """A question from which the stubs read the position."""
    return f"{position.text}|{position.connect}|{position.reverse}"


def decoded(question: str) -> Position:
    text, connect, reverse = question.partition("\n")[0].split("|")
    return Position.parse(text, connect=int(connect), reverse=reverse == "True")


def perfect_move(position: Position) -> Move:
    best = exact_values([position]).best[0].nonzero()[0]
    return Move(*divmod(int(best[0]), position.columns))


def lottery(position: Position) -> random.Random:
    return random.Random(coded(position))


def any_square(position: Position) -> Move:
    """A square by lot, so most of them are taken."""
    return Move(*divmod(lottery(position).randrange(position.rows * position.columns), position.columns))


def without_times(result: TextExamResult) -> list[Answer]:
    return [replace(answer, seconds=0) for answer in result.answers]


class TestPrompt:
    def test_every_form_has_the_whole_position(self) -> None:
        boards = list(positions(rows=2, columns=4, connect=3))
        for position in random.Random(1).sample([board for board in boards if board.outcome is None], 100):
            drawn = re.findall(r"^ +[0-9]((?:  [XO.]){4})$", prompt(position, "drawing"), re.MULTILINE)
            assert "".join(drawn).replace(" ", "").lower() == position.cells
            said = prompt(position, "sentences").split("\n")
            for start, mark in (("Squares of X", "x"), ("Squares of O", "o"), ("Empty squares", ".")):
                line = next(line for line in said if line.startswith(start))
                squares = {(int(row), int(column)) for row, column in re.findall(r"\(([0-9]+),([0-9]+)\)", line)}
                assert squares == {divmod(square, 4) for square in range(8) if position.cells[square] == mark}
            text = re.search(r"^position: (.*)$", prompt(position, "protocol"), re.MULTILINE)
            assert text is not None
            assert Position.parse(text[1], connect=3) == position

    @pytest.mark.parametrize("form", FORMS)
    def test_every_form_has_the_rules_the_turn_and_the_form_of_the_answer(self, form: Form) -> None:
        said = prompt(DIAGONAL, form)
        assert said == prompt(Position.parse("xo1/1x1/3 o"), form)
        assert "3 rows and 3 columns" in said
        assert "At least 3 marks" in said
        assert "completes a line wins" in said
        assert "You are O" in said
        assert "\nmove: ROW,COLUMN\n" in said
        assert "completes a line loses" in prompt(DIAGONAL.replace(reverse=True), form)
        assert "1 row and 3 columns" in prompt(Position(rows=1, columns=3), form)
        # No example that might be repeated: the words of the form are no move.
        with pytest.raises(AnswerError, match='"move:" has something else'):
            read_answer(said, DIAGONAL)

    def test_what_cannot_be_asked(self) -> None:
        with pytest.raises(ValueError, match="the game is over"):
            prompt(Position.parse("xxx/oo1/3 o"))
        with pytest.raises(ValueError, match="form is drawing, sentences or protocol, not 'song'"):
            prompt(DIAGONAL, "song")  # type: ignore[arg-type]


class TestReadAnswer:
    @pytest.mark.parametrize(
        "text",
        [
            "1,2",
            "(1, 2)",
            "c2",
            " C2.\n",
            "move: 1,2",
            "MOVE:1 , 2",
            "**Move:** `1,2`",
            "I could play 2,2 or a1.\n\nmove: (1,2)\n",
            "move: 1,2\nI hope that is good: 0,2 is not.",
            "move: 1,2\nmove: c2",
            "```\nmove: 1,2\n```",
            '"1,2"',
            "1,2\r\n\r\n1,2",
        ],
    )
    def test_a_move_is_read(self, text: str) -> None:
        assert read_answer(text, DIAGONAL) == Move(1, 2)

    @pytest.mark.parametrize(
        ("text", "problem", "reason"),
        [
            ("", "no_move", 'no line begins with "move:", and the answer has something else than one move'),
            ("I take 1,2", "no_move", "no line begins"),
            ("The answer is move: 1,2", "no_move", "no line begins"),
            ("1,2,0", "no_move", "no line begins"),
            ("1,2\nThat wins.", "no_move", "no line begins"),
            ("move: ROW,COLUMN", "no_move", 'a line that begins with "move:" has something else'),
            ("move: 1,2 because it blocks", "no_move", 'a line that begins with "move:"'),
            ("move: 1,2\nmove: the middle", "no_move", 'a line that begins with "move:"'),
            ("move: 1234,0", "no_move", 'a line that begins with "move:"'),
            ("move:", "no_move", 'a line that begins with "move:"'),
            ("move: \u0661,\u0662", "no_move", 'a line that begins with "move:"'),
            ("move: 1,2\nNo:\nmove: 2,2", "two_moves", "the answer has different moves: 1,2 and 2,2"),
            ("move: 0,2 or 1,2", "two_moves", "different moves: 0,2 and 1,2"),
            ("1,2\n2,2", "two_moves", "different moves"),
            ("move: 1,3", "off_board", "1,3 is off the board: rows are 0 to 2 and columns 0 to 2"),
            ("(-1, 0)", "off_board", "-1,0 is off the board"),
            ("d1", "off_board", "2,3 is off the board"),
            ("a4", "off_board", "-1,0 is off the board"),
            ("move: 1,1", "taken", "1,1 is taken by X"),
            ("b3", "taken", "0,1 is taken by O"),
            (None, "no_text", "the answer is no text but NoneType"),
            (b"1,2", "no_text", "the answer is no text but bytes"),
        ],
    )
    def test_a_problem_has_a_name_and_a_sentence(self, text: Any, problem: str, reason: str) -> None:
        with pytest.raises(AnswerError) as caught:
            read_answer(text, DIAGONAL)
        assert (caught.value.problem, reason in str(caught.value)) == (problem, True)
        assert (caught.value.move is not None) == (problem in {"off_board", "taken"})

    def test_every_square_is_read_in_every_notation(self) -> None:
        board = Position(rows=12, columns=20, connect=5)
        for move in board.moves:
            name = f"{'abcdefghijklmnopqrst'[move.column]}{12 - move.row}"
            for text in (f"{move.row},{move.column}", f"({move.row}, {move.column})", name, name.upper()):
                assert read_answer(f"move: {text}", board) == Move.parse(name, 12) == move

    def test_any_text_is_a_legal_move_or_a_problem(self) -> None:
        draw, read = random.Random(1), 0
        parts = ["move:", "1,2", "(", ")", "c2", "\n", " ", "-", "2", ",", "*", "\u00e9", "\u2028", "or", "0,0", "b9"]
        for _ in range(20_000):
            try:
                move = read_answer("".join(draw.choices(parts, k=draw.randrange(6))), DIAGONAL)
            except AnswerError:
                continue
            assert move in DIAGONAL.moves
            read += 1
        assert read > 100


class TestTextExam:
    @pytest.mark.parametrize("form", FORMS)
    def test_a_perfect_function_passes_in_every_form(self, form: Form) -> None:
        known = {prompt(board, form): board for board in positions() if board.outcome is None}
        result = text_exam(lambda text: f"I see.\nmove: {perfect_move(known[text])}", form=form, rules="normal")
        assert (result.blunder_rate, result.regret, result.problems) == (0, 0, {})
        assert (len(result.answers), len(known)) == (4520, 4520)
        assert str(result).endswith("questions  4520, answers 4520\nproblems   none\nregret     0.0000 an answer")

    @pytest.mark.parametrize(
        "questions",
        [
            {"rules": "both"},
            {"size": 4, "connect": 3, "sample": 50, "seed": 7, "rules": "normal"},
            {"rows": 2, "columns": 4, "sample": "all"},
            {"rules": "normal", "repeat": 2, "sample": 100},
        ],
    )
    def test_the_figures_are_those_of_an_exam_with_the_same_moves(self, questions: dict[str, Any]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgentWarning)
            expected = exam(any_square, name="lots", **questions)
        result = text_exam(
            lambda text: f"({any_square(decoded(text))})", form=coded, name="lots", concurrency=3, **questions
        )
        assert result.result.exams == expected.exams
        assert result.result.text == expected.text
        assert result.blunder_rate == expected.blunder_rate > 0
        assert result.problems == {"taken": sum(one.all.illegal for one in expected.exams)}
        # What moves gave away is what the faults of the exam say.
        lost = {
            (fault.position, fault.move): fault.value - fault.value_after
            for one in expected.exams
            for fault in one.faults
            if fault.value_after is not None
        }
        regrets = [(answer, answer.regret) for answer in result.final if answer.regret is not None]
        assert regrets
        assert all(regret == lost.get((answer.position, str(answer.move)), 0) for answer, regret in regrets)

    def test_answers_that_differ_are_counted_one_by_one(self) -> None:
        asked: dict[str, int] = {}

        def ask(text: str) -> str:
            asked[text] = asked.get(text, 0) + 1
            moves = decoded(text).moves
            return str(moves[0] if asked[text] == 1 else moves[-1])

        result = text_exam(ask, form=coded, repeat=2, rules="normal")
        halves = [exam(lambda board, end=end: board.moves[end], rules="normal").exams[0].all for end in (0, -1)]
        grade = result.result.exams[0].all
        assert grade.given_away == sum(half.given_away for half in halves)
        assert (grade.positions, grade.answers) == (4520, 9040)

    def test_any_number_of_threads_gives_the_same_result(self) -> None:
        def ask(text: str) -> str:
            move = any_square(decoded(text))
            if move == (0, 0):
                raise ConnectionError("the line is down")
            return "" if move == (0, 1) else f"move: {move}"

        async def ask_async(text: str) -> str:
            await asyncio.sleep(0)
            return ask(text)

        results = [text_exam(ask, form=coded, retries=1, sample=100, concurrency=number) for number in (1, 2, 16)]
        results.append(text_exam(ask_async, form=coded, retries=1, sample=100, concurrency=16, name="ask"))
        assert all(without_times(result) == without_times(results[0]) for result in results)
        assert len({str(result) for result in results}) == 1
        assert set(results[0].problems) == {"exception", "no_move", "taken"}

    def test_so_many_answers_are_waited_for_at_a_time(self) -> None:
        barrier = threading.Barrier(3)

        def ask(text: str) -> str:
            barrier.wait(10)
            return str(decoded(text).moves[0])

        result = text_exam(ask, form=coded, rules="normal", sample=9, concurrency=3)
        assert (len(result.answers), result.problems) == (9, {})

    def test_a_wrong_answer_is_asked_again_with_the_problem_in_words(self) -> None:
        def ask(text: str) -> str:
            if "This does not count" in text:
                return f"move: {decoded(text).moves[0]}"
            return "move: 7,7"

        result = text_exam(ask, form=coded, retries=3, sample=20, rules="normal")
        first, second = result.answers[:2]
        assert (first.problem, first.move, first.regret) == ("off_board", Move(7, 7), None)
        assert second.prompt == (
            f"{first.prompt}\n\nYou have answered:\nmove: 7,7\n\n"
            "This does not count: 7,7 is off the board: rows are 0 to 2 and columns 0 to 2.\nAnswer again."
        )
        assert (second.number, second.attempt, second.problem, second.reason) == (0, 2, None, None)
        assert (len(result.answers), len(result.final), result.problems) == (40, 20, {})
        again = text_exam(lambda _: "move: 7,7", form=coded, retries=3, sample=20, rules="normal")
        assert ([answer.attempt for answer in again.answers[:5]], len(again.answers)) == ([1, 2, 3, 4, 1], 80)
        assert again.problems == {"off_board": 20}

    @pytest.mark.parametrize(
        ("said", "problem", "reason"),
        [
            (None, "no_text", "the answer is no text but NoneType"),
            ("", "no_move", "no line begins with"),
            (RuntimeError("no credit left"), "exception", "RuntimeError: no credit left"),
            (TimeoutError("of the caller"), "exception", "TimeoutError: of the caller"),
            (StopIteration(), "exception", "StopIteration"),
            (asyncio.CancelledError(), "exception", "CancelledError"),
        ],
    )
    def test_no_answer_is_an_illegal_answer_with_its_reason(self, said: Any, problem: str, reason: str) -> None:
        def ask(text: str) -> Any:
            assert text
            if isinstance(said, BaseException):
                raise said
            return said

        async def ask_async(text: str) -> Any:
            if isinstance(said, StopIteration):
                # A coroutine cannot raise it.
                return await asyncio.sleep(0, ask.__name__) and (_ for _ in ()).throw(RuntimeError("StopIteration"))
            return ask(text)

        for function in (ask, ask_async):
            result = text_exam(function, sample=10, rules="normal", retries=1)
            grade = result.result.exams[0].all
            assert (result.problems, len(result.answers), grade.illegal) == ({problem: 10}, 20, 10)
            assert reason in str(result.answers[0].reason)
            # Where the answer is no text, there is nothing to show to the function.
            assert (result.answers[1].prompt == result.answers[0].prompt) == (not isinstance(said, str))
            assert result.regret == sum(answer.value + 1 for answer in result.final) / 10

    def test_an_answer_that_comes_too_late_is_lost(self) -> None:
        done = threading.Event()

        def ask(text: str) -> str:
            position = decoded(text)
            if position.cells[0] == "x":
                done.wait(60)
            return str(position.moves[0])

        async def ask_async(text: str) -> str:
            position = decoded(text)
            await asyncio.sleep(60 if position.cells[0] == "x" else 0)
            return str(position.moves[0])

        began = time.perf_counter()
        found = [
            text_exam(function, form=coded, rules="normal", size=2, seconds=2, concurrency=8)
            for function in (ask, ask_async)
        ]
        done.set()
        assert time.perf_counter() - began < 60
        for result in found:
            late = [answer for answer in result.answers if answer.position.cells[0] == "x"]
            assert result.problems == {"late": len(late)}
            assert {answer.reason for answer in late} == {"there was no answer within 2 s"}
            assert 0 < len(late) < len(result.answers)

    def test_a_transcript_has_every_answer(self, tmp_path: Path) -> None:
        path = tmp_path / "transcript.jsonl"
        result = text_exam(
            lambda text: f"{any_square(decoded(text))}",
            form=coded,
            retries=1,
            sample=30,
            concurrency=4,
            transcript=path,
        )
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert rows == [answer.row() for answer in result.answers]
        assert list(rows[0]) == [
            "number",
            "attempt",
            "position",
            "prompt",
            "answer",
            "problem",
            "reason",
            "move",
            "value",
            "regret",
            "seconds",
            "connect",
            "reverse",
        ]
        for row, answer in zip(rows, result.answers, strict=True):
            assert Position.parse(row["position"], reverse=row["reverse"]) == answer.position
        with pytest.raises(FileExistsError):
            text_exam(lambda _: pytest.fail("asked"), sample=1, transcript=path)
        assert len(path.read_text(encoding="utf-8").splitlines()) == len(rows)

    def test_it_runs_within_an_event_loop_as_in_a_notebook(self) -> None:
        async def ask(text: str) -> str:
            return str(decoded(text).moves[0])

        async def cell() -> TextExamResult:
            return text_exam(ask, form=coded, sample=10)

        assert asyncio.run(cell()).problems == {}

    def test_arguments_that_make_no_sense(self) -> None:
        for wrong in ({"concurrency": 0}, {"retries": -1}, {"seconds": 0}, {"seconds": float("nan")}):
            with pytest.raises(ValueError, match="concurrency is at least 1, retries at least 0 and seconds above 0"):
                text_exam(str, **wrong)
        with pytest.raises(TypeError, match="expected a function from text to text, found 'a model'"):
            text_exam("a model")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="sise"):
            text_exam(str, sise=3)
        with pytest.raises(ValueError, match="form is drawing"):
            text_exam(str, form="song", sample=1)  # type: ignore[arg-type]
