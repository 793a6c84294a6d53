"""Agents: functions that choose moves. The program asks them through a relay, as if they were engines."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import binary
from ._noughts import Engine, EngineError
from .homework import Mover, is_mover
from .homework import agent as homework_agent
from .position import IllegalMoveError, Position, read_position

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

Agent = Callable[[Position], Any]
BatchAgent = Callable[[Sequence[Position]], Iterable[Any]]
Player = Agent | BatchAgent | Mover | Engine | str
"""A player: a function, an :class:`~noughts.Engine`, or an engine in the words of ``noughts match --engine``."""

_RELAY = str(Path(__file__).with_name("relay.py"))
_GUARD = "guard"
_BYTES = 1 << 16
_SECONDS_TO_END = 10.0
# Programs take this as no move.
_NO_MOVE = "(none)"
_INTRODUCTION = """\
id author an agent in Python
option name size type spin default 3 min 1 max 20
option name columns type spin default 0 min 0 max 20
option name connect type spin default 0 min 0 max 400
option name reverse type check default false
ugiok
"""


class AgentError(Exception):
    """An agent has raised an exception, which is the cause of this one."""


class _AnswerError(Exception):
    """An agent has raised the cause of this."""


class AgentWarning(UserWarning):
    """An agent did not answer in time, or with something else than a move."""


class _Asked:
    """An agent on a thread of its own. If it does not answer in time it gets another thread."""

    def __init__(self, name: str, agent: Callable[[Any], Any], batch: int = 0, seconds: float | None = None) -> None:
        self.name, self.agent, self.batch, self.seconds = name, agent, batch, seconds
        self.error: BaseException | None = None
        self._late = 0
        self._illegal: list[str] = []
        self._has_ended = False
        self._begin()

    def _begin(self) -> None:
        self._questions: queue.SimpleQueue[list[Position] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        arguments = (self._questions, self._answers)
        threading.Thread(target=self._work, args=arguments, name=f"agent {self.name}", daemon=True).start()

    def end(self) -> None:
        """Have the thread end."""
        self._has_ended = True
        self._questions.put(None)

    def moves(self, positions: list[Position]) -> list[str]:
        """Ask about a position, or with ``batch`` about at most so many. Return the words behind each ``bestmove``."""
        if not positions:
            return []
        self._questions.put(positions)
        try:
            words, illegal, error = self._answers.get(timeout=self.seconds)
        except queue.Empty:
            self._late += 1
            self._replace_thread()
            return [_NO_MOVE] * len(positions)
        if error is not None:
            raise _AnswerError from error
        self._illegal += illegal
        return list(words)

    def _replace_thread(self) -> None:
        """Have the thread end after its late answer, and let another one answer from now on."""
        self._questions.put(None)
        if not self._has_ended:
            self._begin()

    def warnings(self) -> Iterator[str]:
        """Yield what the caller should know of the answers."""
        if self._late:
            yield (
                f"{self.name} did not answer within {self.seconds:g} s, {self._late} times, and lost these answers; "
                "its threads cannot be ended and may go on"
            )
        if self._illegal:
            yield f"{self.name} played no legal move, {len(self._illegal)} times: {self._illegal[0]}"

    def _work(self, questions: queue.SimpleQueue[list[Position] | None], answers: queue.SimpleQueue[Any]) -> None:
        """Answer questions, on the thread of the agent."""
        while (positions := questions.get()) is not None:
            illegal: list[str] = []
            try:
                answers.put((self._words(positions, illegal), illegal, None))
            except BaseException as error:  # noqa: BLE001, the caller gets it
                answers.put(((), (), error))

    def _words(self, positions: list[Position], illegal: list[str]) -> list[str]:
        if not self.batch:
            return [_word(position, self.agent(position), illegal) for position in positions]
        said = self.agent(positions)
        answers = list(said) if isinstance(said, Iterable) else []
        if len(answers) != len(positions):
            illegal += [f"{said!r} for {len(positions)} positions"] * len(positions)
            return [_NO_MOVE] * len(positions)
        return [_word(position, answer, illegal) for position, answer in zip(positions, answers, strict=True)]


def _word(position: Position, answer: Any, illegal: list[str]) -> str:
    """Return a move as a word. The program judges what is no move, if it can be a word."""
    try:
        return str(position.move(answer))
    except IllegalMoveError as error:
        illegal.append(f"{position.text}: {error}")
    word = ",".join(str(part) for part in answer) if isinstance(answer, tuple) else str(answer)
    return word if word.isprintable() and word.isascii() and word and " " not in word else _NO_MOVE


def _report(program: str, record: str) -> str:
    """Return the tables of a match as text, from its record."""
    done = subprocess.run([program, "report", record], capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    return done.stdout


def _read(_: str, tables: str) -> str:
    """Return the tables of an exam, which it has written as text."""
    return Path(tables).read_text(encoding="utf-8")


# The files that the program keeps besides the JSON that it prints: the option, and how the tables follow from the file.
_KEPT = {"match": ("--record", _report), "exam": ("--tables", _read)}


class Stage:
    """Where the program can ask agents: a socket on this machine, for as long as the ``with`` lasts."""

    def __init__(self, seconds: float, batch: int) -> None:
        """Listen. An agent has ``seconds`` for an answer. With ``batch``, it gets so many positions at a time.

        :raises ValueError: when ``seconds`` is not above 0, or ``batch`` is no whole number from 0.
        """
        if not seconds > 0:
            raise ValueError(f"seconds is a number above 0, not {seconds!r}")
        if not isinstance(batch, int) or batch < 0:
            raise ValueError(f"batch is a whole number from 0, not {batch!r}")
        self.seconds, self.batch = seconds, batch
        self._agents: dict[str, _Asked] = {}
        # The names that the program gives them.
        self._commands: list[str] = []
        self._secret = secrets.token_hex(16)
        self._guards: list[socket.socket] = []
        self._has_ended = False
        self._names: set[str] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> Self:
        """Begin to listen."""
        threading.Thread(target=self._listen, name="noughts relay", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything that was started here."""
        self._hang_up()
        for agent in self._agents.values():
            agent.end()

    def words(self, player: Player, name: str | None) -> str:
        """Return the words that tell the program of a player."""
        if isinstance(player, str):
            return player if name is None else f"{player} name={shlex.quote(name)}"
        if isinstance(player, Engine):
            options = [f"option.{option}={value}" for option, value in player.configured().items()]
            command, *arguments = player.command
            words = [f"cmd={command}", *options]
            if arguments:
                words.append(f"args={shlex.join(arguments)}")
            if name is not None:
                words.append(f"name={name}")
            return shlex.join(words)
        if not callable(player):
            raise TypeError(f"expected a function, an Engine or the words of an engine, found {player!r}")
        if is_mover(player):
            if self.batch:
                raise TypeError("batch is for functions that get positions")
            player = homework_agent(player)
        key = str(len(self._agents))
        named = name or self._new_name(str(getattr(player, "__name__", type(player).__name__)))
        self._agents[key] = _Asked(named, player, self.batch, self.seconds)
        relay = shlex.join([_RELAY, str(self._listener.getsockname()[1]), key])
        self._commands.append(f"{shlex.quote(sys.executable)} {relay}")
        return shlex.join([f"name={named}", f"cmd={sys.executable}", f"args={relay}"])

    def _new_name(self, name: str) -> str:
        """Return a name that no other function of this stage has."""
        numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
        new = next(other for other in numbered if other not in self._names)
        self._names.add(new)
        return new

    def run(self, arguments: Sequence[str]) -> tuple[dict[str, Any], str]:
        """Run the program. Return the JSON that it prints, and its tables as text."""
        with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
            option, tables_of = _KEPT[arguments[0]]
            kept = str(Path(folder) / "kept")
            program = binary.find()
            guard = [sys.executable, _RELAY, str(self._listener.getsockname()[1]), _GUARD]
            process = subprocess.Popen(  # noqa: S603
                [*guard, program, *arguments, "--format", "json", option, kept],
                env={**os.environ, "NOUGHTS_RELAY": self._secret},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                start_new_session=True,
            )
            try:
                printed, said = process.communicate()
            except BaseException:
                self._hang_up()
                try:
                    process.communicate(timeout=_SECONDS_TO_END)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                raise
            for said_of in chain.from_iterable(agent.warnings() for agent in self._agents.values()):
                warnings.warn(said_of, AgentWarning, stacklevel=3)
            for agent in self._agents.values():
                if agent.error is not None:
                    raise AgentError(
                        f"{agent.name} raised {type(agent.error).__name__}: {agent.error}"
                    ) from agent.error
            if process.returncode != 0:
                raise EngineError(said.strip().removeprefix("error: ") or f"exit code {process.returncode}")
            for line in said.splitlines():
                if line.startswith("warning: "):
                    warnings.warn(line.removeprefix("warning: "), AgentWarning, stacklevel=3)
            tables = tables_of(program, kept)
            for name in self._commands:
                tables = tables.replace(f"({name})", "(a function in Python)")
            return json.loads(printed), tables

    def _hang_up(self) -> None:
        """Have the guard end the program, also one that has not connected yet."""
        self._has_ended = True
        for connection in (self._listener, *self._guards):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        """Speak the protocol with a relay, or watch over a guard."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = _lines(connection)
        # The first line may not come alone.
        first, *others = next(lines, [""])
        secret, _, name = first.partition(" ")
        if not secrets.compare_digest(secret.encode(), self._secret.encode()):
            connection.close()
        elif name == _GUARD:
            self._guards.append(connection)
            if self._has_ended:
                connection.close()
        else:
            agent = self._agents[name]
            try:
                with connection, contextlib.suppress(OSError):
                    _Dialogue(agent, connection.sendall).speak(chain([others], lines))
            except _AnswerError as error:
                agent.error = error.__cause__
                self._hang_up()


def _lines(connection: socket.socket) -> Iterator[list[str]]:
    """Yield the lines that have come, all that are there at a time."""
    rest = b""
    while read := connection.recv(_BYTES):
        *whole, rest = (rest + read).split(b"\n")
        if whole:
            yield [line.decode("utf-8", "replace").strip() for line in whole]


class _Dialogue:
    """The protocol of ``protocol.md``, as much of it as an exam or a match speaks with an engine."""

    def __init__(self, agent: _Asked, send: Callable[[bytes], object]) -> None:
        self.agent, self.send = agent, send
        self.rules: dict[str, Any] = {"size": 3, "columns": 0, "connect": 0, "reverse": False}
        self.position = Position()
        # The lines to send, with an empty text for the answer to each question.
        self.said: list[str] = []
        self.asked: list[Position] = []

    def speak(self, blocks: Iterable[list[str]]) -> None:
        """Answer the lines of all blocks with the agent's moves."""
        for block in blocks:
            for line in block:
                self._hear(*line.partition(" ")[::2])
            self._answer()

    def _hear(self, word: str, rest: str) -> None:
        if word == "position":
            self.position, _ = read_position(rest, self._start())
        elif word == "go":
            # The first questions of a batch come with an isready, which is answered at once.
            if not self.asked or len(self.asked) >= (self.agent.batch or 1):
                self._answer()
            self.said.append("")
            self.asked.append(self.position)
        elif word == "setoption":
            name, _, value = rest.removeprefix("name ").partition(" value ")
            self.rules[name] = value == "true" if name == "reverse" else int(value)
        elif word == "isready":
            self.said.append("readyok\n")
        elif word == "query" and rest == "p1turn":
            self.said.append(f"response {str(self.position.side == 'x').lower()}\n")
        elif word == "ugi":
            self.said.append(f"id name {self.agent.name}\n{_INTRODUCTION}")

    def _start(self) -> Position:
        """Return the empty board of the options."""
        rows, connect, reverse = (self.rules[name] for name in ("size", "connect", "reverse"))
        return Position(None, connect, reverse, rows=rows, columns=self.rules["columns"] or rows)

    def _answer(self) -> None:
        words = iter(self.agent.moves(self.asked))
        self.send("".join(text or f"bestmove {next(words)}\n" for text in self.said).encode())
        self.said, self.asked = [], []


def run_engine(player: Agent | Mover) -> None:
    """Be an engine of the protocol over standard input and output, which plays as the function does.

    A file that ends with this call is a program for boards and matches: ``noughts play --o-engine "python3 mine.py"``.
    What the function prints goes to standard error, where it is no answer.
    """
    agent = _Asked(player.__name__, homework_agent(player) if is_mover(player) else player)
    answers, sys.stdout = sys.stdout, sys.stderr

    def send(answer: bytes) -> None:
        answers.write(answer.decode())
        answers.flush()

    dialogue = _Dialogue(agent, send)
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            dialogue.speak([[line.strip()]])
        except _AnswerError as error:
            raise AgentError(f"{agent.name} raised {error.__cause__!r}") from error.__cause__
    for warning in agent.warnings():
        print(warning, file=sys.stderr)  # noqa: T201
