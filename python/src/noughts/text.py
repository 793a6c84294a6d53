"""Text in, text out: positions as prompts, answers as moves, and exams of any function from text to text.

This is for tests of language models. Nothing here calls a model: the caller's function does.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import time
import traceback
import warnings
from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ._noughts import AgentWarning, Position, exact_values, exam
from .move import Move

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from .results import ExamResult

__all__ = ["Answer", "AnswerError", "Form", "TextExamResult", "describe", "prompt", "read_answer", "text_exam"]

Form: TypeAlias = Literal["drawing", "sentences", "protocol"]
Problem: TypeAlias = Literal["no_text", "no_move", "two_moves", "off_board", "taken", "late", "exception"]
_MOVE = re.compile(r"(?<!\w)(?:(-?[0-9]{1,3})\s*,\s*(-?[0-9]{1,3})|([a-z])([0-9]{1,3}))(?!\w)")
_AROUND = " \t\"'.()"


def prompt(position: Position, form: Form = "drawing") -> str:
    """Return a position in words: the rules, the board, whose turn it is, and how the answer has to end.

    ``drawing`` draws the board with the numbers of rows and columns, ``sentences`` lists the squares, and ``protocol``
    has the text of the position as :meth:`Position.parse` reads it, with its meaning. The same position and form give
    the same text. It contains no example of a move, because a model might repeat that.
    """
    if position.outcome is not None:
        raise ValueError(f"the game is over, so there is no move to ask for: {position.text}")
    (rows, columns), connect = position.shape, position.line_length
    return f"""This is tic-tac-toe on a board with {rows} row{"s"[: rows > 1]} and {columns} column{"s"[: columns > 1]}.
X and O take turns. A turn puts one mark on an empty square.
At least {connect} mark{"s"[: connect > 1]} of one player in a row, horizontally, vertically or diagonally, are a line.
The player who completes a line {"loses" if position.reverse else "wins"}. A full board without a line is a draw.
Rows are numbered from the top and columns from the left, both from 0.

{describe(position, form)}

You are {position.side.upper()}, and it is your turn.
End your answer with a line of its own that has your move, in exactly this form:
move: ROW,COLUMN
ROW and COLUMN stand for the two numbers of an empty square."""


def describe(position: Position, form: Form = "drawing") -> str:
    """Return the board as a :func:`prompt` has it, for prompts of one's own."""
    rows, columns = range(position.rows), range(position.columns)
    if form == "drawing":
        drawn = [["", *columns], *([row, *(position[row, column].upper() for column in columns)] for row in rows)]
        lines = ("".join(f"{cell:>3}" for cell in line) for line in drawn)
        return "\n".join(['The board, where "." is an empty square:\n', *lines])
    if form == "sentences":
        squares: dict[str, list[str]] = {"x": [], "o": [], ".": []}
        for row, column in product(rows, columns):
            squares[position[row, column]].append(f"({row},{column})")
        x, o, empty = (", ".join(found) or "none" for found in squares.values())
        return f"Squares are written as (row,column).\nSquares of X: {x}.\nSquares of O: {o}.\nEmpty squares: {empty}."
    if form == "protocol":
        meaning = 'Rows are separated by "/", numbers count empty squares, and the side to move stands at the end.'
        return f"{meaning}\nposition: {position.text}"
    raise ValueError(f"form is drawing, sentences or protocol, not {form!r}")


class AnswerError(ValueError):
    """An answer that has no legal move. Its text is a sentence that can be shown to a model."""

    def __init__(self, problem: Problem, reason: str, move: Move | None = None) -> None:
        """Keep what is wrong."""
        super().__init__(reason)
        self.problem: Problem = problem
        self.move = move
        """The move of ``off_board`` and ``taken``."""


def read_answer(text: str, position: Position) -> Move:
    """Return the move of an answer, or raise an :class:`AnswerError` whose ``problem`` says what is wrong.

    These lines count: those that begin with ``move:``, wherever they stand; if there are none, all lines. Each of them
    has to be one move and nothing else, ``1,2``, ``(1, 2)`` or ``b2``, and all of them the same. Case, blanks, empty
    lines, ``*``, ``_`` and backquotes do not matter, nor do quotes, brackets and full stops at the ends of a line. So a
    sentence with a move in it is no answer.

    The problems are ``no_text``: anything but a ``str``. ``two_moves``: the lines that count have different squares.
    ``no_move``: one of them is not just a move, or there is none. ``off_board`` and ``taken``: the move is clear, but
    not possible.
    """
    if not isinstance(text, str):
        raise AnswerError("no_text", f"the answer is no text but {type(text).__name__}")
    lines = [line for whole in re.sub("[*_`]", "", text.lower()).splitlines() if (line := whole.strip(_AROUND))]
    marked = [line[5:].strip(_AROUND) for line in lines if line.startswith("move:")]
    counted = marked or lines
    found = {
        Move(int(row), int(column)) if row else Move(position.rows - int(rank), ord(letter) - ord("a"))
        for line in counted
        for row, column, letter, rank in _MOVE.findall(line)
    }
    if len(found) > 1:
        raise AnswerError("two_moves", f"the answer has different moves: {' and '.join(map(str, sorted(found)))}")
    if not found or not all(_MOVE.fullmatch(line) for line in counted):
        where = 'a line that begins with "move:" has' if marked else 'no line begins with "move:", and the answer has'
        raise AnswerError("no_move", f"{where} something else than one move")
    move = found.pop()
    if not (0 <= move.row < position.rows and 0 <= move.column < position.columns):
        most = f"rows are 0 to {position.rows - 1} and columns 0 to {position.columns - 1}"
        raise AnswerError("off_board", f"{move} is off the board: {most}", move)
    if position[move] != ".":
        raise AnswerError("taken", f"{move} is taken by {position[move].upper()}", move)
    return move


@dataclass(frozen=True)
class Answer:
    """One answer of a text exam. A line of the transcript has the same names, in JSON."""

    number: int
    """The index of the question, from 0."""
    attempt: int
    """From 1; higher where the question was asked again."""
    position: Position
    prompt: str
    answer: str | None
    problem: Problem | None
    reason: str | None
    """The problem in words."""
    move: Move | None
    """The legal move, or the impossible one of ``off_board`` and ``taken``."""
    value: int
    """The result of perfect play for the side to move: 1 a win, 0 a draw, -1 a loss."""
    regret: int | None
    """What the move gave away, 0 to 2: ``value`` less the value after the move. ``None`` without a legal move."""
    seconds: float

    def row(self) -> dict[str, Any]:
        """Return what a line of the transcript has: ``connect`` and ``reverse`` belong to the text of the position."""
        position, move = self.position, None if self.move is None else str(self.move)
        rules = {"position": position.text, "connect": position.line_length, "reverse": position.reverse}
        return {**vars(self), **rules, "move": move, "seconds": round(self.seconds, 6)}


@dataclass(frozen=True)
class TextExamResult:
    """The result of a text exam. ``str`` of it is the table of the exam and what was odd about the texts."""

    result: ExamResult
    """The figures of :func:`noughts.exam` for the moves of the final answers."""
    answers: tuple[Answer, ...]
    """All answers, by question and attempt."""

    @property
    def final(self) -> tuple[Answer, ...]:
        """The last answer to each question, which is the one that counts."""
        return tuple({answer.number: answer for answer in self.answers}.values())

    @property
    def blunder_rate(self) -> float:
        """The share of answers that gave value away, of those where a move could: see :class:`ExamResult`."""
        return self.result.blunder_rate

    @property
    def regret(self) -> float:
        """What an answer gave away on average, from 0 to 2. One without a legal move counts as a loss."""
        lost = [answer.value + 1 if answer.regret is None else answer.regret for answer in self.final]
        return sum(lost) / len(lost)

    @property
    def problems(self) -> dict[Problem, int]:
        """How many final answers had each problem."""
        return dict(sorted(Counter(answer.problem for answer in self.final if answer.problem).items()))

    def __str__(self) -> str:
        """Return the table of the exam, and three lines about the texts."""
        problems = ", ".join(f"{problem} {count}" for problem, count in self.problems.items()) or "none"
        asked = f"questions  {len(self.final)}, answers {len(self.answers)}\nproblems   {problems}"
        return f"{str(self.result).rstrip()}\n\n{asked}\nregret     {self.regret:.4f} an answer"


def text_exam(
    ask: Callable[[str], Any],
    *,
    form: Form | Callable[[Position], str] = "drawing",
    concurrency: int = 1,
    retries: int = 0,
    seconds: float = 60.0,
    transcript: str | os.PathLike[str] | None = None,
    name: str | None = None,
    **questions: Any,
) -> TextExamResult:
    """Ask a function from text to text the positions of :func:`noughts.exam`, and grade its answers in the same way.

    ``questions`` are the arguments of ``exam`` that choose the positions: ``rules``, ``size``, ``rows``, ``columns``,
    ``connect``, ``sample``, ``repeat`` and ``seed``. ``form`` is that of :func:`prompt`, or a function that makes the
    question of a position. ``concurrency`` answers are waited for at a time. A function is called on threads, an
    ``async`` function on an event loop that ends with the exam. If the answers of ``ask`` do not depend on the number,
    neither does the result.

    An answer that :func:`read_answer` refuses is asked for again, at most ``retries`` times, with the answer and the
    problem below the question. After an exception of ``ask``, or no answer within ``seconds``, the same question is
    asked again. What is still wrong then is an illegal answer. A thread that is late cannot be ended, and goes on.

    ``transcript`` is a new file for a line of JSON with each answer, in the order of the questions. It is written
    while the exam goes on. NumPy is needed.
    """
    if not callable(ask):
        raise TypeError(f"expected a function from text to text, found {ask!r}")
    if concurrency < 1 or retries < 0 or not seconds > 0:
        found = f"{concurrency}, {retries} and {seconds}"
        raise ValueError(f"concurrency is at least 1, retries at least 0 and seconds above 0, not {found}")
    asked: list[Position] = []
    exam(lambda position: asked.append(position) or position.moves[0], **questions)  # type: ignore[func-returns-value]
    answers: list[Answer] = []
    moves: dict[Position, deque[Move | None]] = {position: deque() for position in asked}
    with ExitStack() as stack:
        file = stack.enter_context(Path(transcript).open("x", encoding="utf-8")) if transcript else None
        asking = _Asking(_starter(ask, stack), form, retries, seconds)
        for attempts in stack.enter_context(ThreadPoolExecutor(concurrency)).map(asking.ask, range(len(asked)), asked):
            answers += attempts
            moves[attempts[-1].position].append(attempts[-1].move)
            if file:
                file.writelines(json.dumps(answer.row()) + "\n" for answer in attempts)
                file.flush()
    name = name or getattr(ask, "__name__", type(ask).__name__)
    with warnings.catch_warnings():
        # The problems are part of the result.
        warnings.simplefilter("ignore", AgentWarning)
        result = exam(lambda position: moves[position].popleft(), name=name, **questions)
    return TextExamResult(result, tuple(answers))


def _starter(ask: Callable[[str], Any], stack: ExitStack) -> Callable[[str], Future[Any]]:
    """Return a function that starts an answer. Its threads do not hold up the end of the interpreter."""
    if inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(type(ask).__call__):
        loop = asyncio.new_event_loop()

        def serve() -> None:
            loop.run_forever()
            loop.close()

        Thread(target=serve, daemon=True).start()
        stack.callback(loop.call_soon_threadsafe, loop.stop)
        return lambda text: asyncio.run_coroutine_threadsafe(ask(text), loop)

    def start(text: str) -> Future[Any]:
        answered: Future[Any] = Future()
        answered.set_running_or_notify_cancel()
        Thread(target=_settle, args=(answered, ask, text), daemon=True).start()
        return answered

    return start


def _settle(answered: Future[Any], ask: Callable[[str], Any], text: str) -> None:
    try:
        answered.set_result(ask(text))
    except BaseException as error:  # noqa: BLE001, it is the answer
        answered.set_exception(error)


@dataclass(frozen=True)
class _Asking:
    start: Callable[[str], Future[Any]]
    form: Form | Callable[[Position], str]
    retries: int
    seconds: float

    def ask(self, number: int, position: Position) -> list[Answer]:
        """Ask a question until the answer has a legal move, or has been wrong too often."""
        question = text = self.form(position) if callable(self.form) else prompt(position, self.form)
        answers: list[Answer] = []
        while not answers or (answers[-1].problem and len(answers) <= self.retries):
            answer = self.attempt(number, len(answers) + 1, position, text)
            answers.append(answer)
            if answer.answer is not None:
                said = f"You have answered:\n{answer.answer}"
                text = f"{question}\n\n{said}\n\nThis does not count: {answer.reason}.\nAnswer again."
        return answers

    def attempt(self, number: int, attempt: int, position: Position, text: str) -> Answer:
        began, value = time.perf_counter(), _value(position)
        said, move, regret, problem, reason = None, None, None, None, None
        try:
            said = self.answer(text)
            move = read_answer(said, position)
            regret = value + _value(position.play(move))
        except AnswerError as error:
            problem, reason, move = error.problem, str(error), error.move
        said, seconds = said if isinstance(said, str) else None, time.perf_counter() - began
        return Answer(number, attempt, position, text, said, problem, reason, move, value, regret, seconds)

    def answer(self, text: str) -> Any:
        started = self.start(text)
        wait([started], self.seconds)
        if not started.done():
            started.cancel()
            raise AnswerError("late", f"there was no answer within {self.seconds:g} s")
        try:
            return started.result()
        except BaseException as error:
            raise AnswerError("exception", traceback.format_exception_only(error)[-1].strip()) from error


def _value(position: Position) -> int:
    return int(exact_values([position]).value[0])
