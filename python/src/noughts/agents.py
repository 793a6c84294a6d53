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
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import binary
from .engine import Engine
from .position import IllegalMoveError, Position
from .protocol import EngineError

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

Agent = Callable[[Position], Any]
BatchAgent = Callable[[Sequence[Position]], Sequence[Any]]
Player = Agent | BatchAgent | Engine | str
"""Who plays: a function, an :class:`~noughts.Engine`, or an engine in the words of ``noughts match --engine``."""

_RELAY = str(Path(__file__).with_name("relay.py"))
_GUARD = "guard"
_BYTES = 1 << 16
_SECONDS_TO_END = 10.0
# Programs take this as no move.
_NO_MOVE = "(none)"
_INTRODUCTION = """\
id author an agent in Python
option name size type spin default 3 min 1 max 20
option name connect type spin default 0 min 0 max 400
option name reverse type check default false
ugiok
"""


class AgentError(Exception):
    """An agent has raised an exception, which is the cause of this one."""


class AgentWarning(UserWarning):
    """An agent did not answer in time, or with something else than a move."""


class _Asked:
    """An agent on a thread of its own. If it does not answer in time it gets another thread."""

    def __init__(self, name: str, agent: Callable[[Any], Any], batch: int, seconds: float) -> None:
        self.name, self.agent, self.batch, self.seconds = name, agent, batch, seconds
        self.error: BaseException | None = None
        self.has_erred = False
        self._begin()

    def _begin(self) -> None:
        self._questions: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(
            target=self._work, args=(self._questions, self._answers), name=f"agent {self.name}", daemon=True
        ).start()

    def _work(self, questions: queue.SimpleQueue[Any], answers: queue.SimpleQueue[Any]) -> None:
        while (question := questions.get()) is not None:
            try:
                answers.put((self.agent(question), None))
            except BaseException as error:  # noqa: BLE001, the caller gets it
                answers.put((None, error))

    def end(self) -> None:
        """Have the thread end."""
        self._questions.put(None)

    def moves(self, positions: list[Position]) -> list[str]:
        """Ask about positions. Return the words behind ``bestmove`` for each."""
        if not self.batch:
            return [self._word(position, self._ask(position)) for position in positions]
        words: list[str] = []
        for start in range(0, len(positions), self.batch):
            block = positions[start : start + self.batch]
            answers = self._ask(block)
            try:
                listed = list(answers)
            except TypeError:
                listed = []
            if len(listed) != len(block):
                self._warn(f"{self.name} answered {answers!r} to {len(block)} positions: no moves")
                listed = [_NO_MOVE] * len(block)
            words += [self._word(position, answer) for position, answer in zip(block, listed, strict=True)]
        return words

    def _ask(self, question: Any) -> Any:
        self._questions.put(question)
        try:
            answer, error = self._answers.get(timeout=self.seconds)
        except queue.Empty:
            self._warn(
                f"{self.name} did not answer within {self.seconds:g} s, and loses this answer; its thread cannot be "
                "ended and may go on"
            )
            self._begin()
            return [_NO_MOVE] * len(question) if self.batch else _NO_MOVE
        if error is not None:
            self.error = error
            raise AgentError(f"{self.name} raised {type(error).__name__}: {error}") from error
        return answer

    def _word(self, position: Position, answer: Any) -> str:
        if answer is _NO_MOVE:
            # It was late.
            return str(answer)
        try:
            return str(position.move(answer))
        except IllegalMoveError as error:
            if not self.has_erred:
                self._warn(
                    f"{self.name} plays no legal move in {position.text}: {error}; others like it are only counted"
                )
            self.has_erred = True
        # The program judges what the agent has said, if it can be a word.
        word = str(answer)
        if isinstance(answer, tuple):
            word = ",".join(str(part) for part in answer)
        return word if word.isprintable() and word.isascii() and word and " " not in word else _NO_MOVE

    def _warn(self, said: str) -> None:
        warnings.warn(said, AgentWarning, stacklevel=2)


class Stage:
    """Where the program can ask agents: a socket on this machine, for as long as the ``with`` lasts."""

    def __init__(self, seconds: float, batch: int) -> None:
        """Listen. An agent has ``seconds`` for an answer. With ``batch``, it gets so many positions at a time."""
        self.seconds, self.batch = seconds, batch
        self._agents: dict[str, _Asked] = {}
        # How the program names them.
        self._commands: list[str] = []
        self._secret = secrets.token_hex(16)
        self._guards: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> Self:
        """Begin to listen."""
        threading.Thread(target=self._listen, name="noughts relay", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything that was started here."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._guards:
            connection.close()
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
        key = str(len(self._agents))
        named = name or str(getattr(player, "__name__", type(player).__name__))
        self._agents[key] = _Asked(named, player, self.batch, self.seconds)
        relay = shlex.join([_RELAY, str(self._listener.getsockname()[1]), key])
        self._commands.append(f"{sys.executable} {relay}")
        return shlex.join([f"name={named}", f"cmd={sys.executable}", f"args={relay}"])

    def run(self, arguments: Sequence[str]) -> tuple[dict[str, Any], str]:
        """Run the program. Return the JSON that it prints, and its tables as text."""
        with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
            record = str(Path(folder) / "record.jsonl")
            program = binary.find()
            port = str(self._listener.getsockname()[1])
            command = [
                sys.executable,
                _RELAY,
                port,
                _GUARD,
                program,
                *arguments,
                "--format",
                "json",
                "--record",
                record,
            ]
            process = subprocess.Popen(  # noqa: S603
                command,
                env={**os.environ, "NOUGHTS_RELAY": self._secret},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
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
            text = subprocess.run([program, "report", record], capture_output=True, text=True, check=False)  # noqa: S603
            tables = text.stdout
            for name in self._commands:
                tables = tables.replace(f"({name})", "(a function in Python)")
            return json.loads(printed), tables

    def _hang_up(self) -> None:
        """Have the guard end the program."""
        for connection in self._guards:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

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
        if not secrets.compare_digest(secret, self._secret):
            connection.close()
            return
        if name == _GUARD:
            self._guards.append(connection)
            return
        with connection, contextlib.suppress(AgentError, OSError):
            _Dialogue(self._agents[name], connection).speak(chain([others], lines))
        if self._agents[name].error is not None:
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

    def __init__(self, agent: _Asked, connection: socket.socket) -> None:
        self.agent, self.connection = agent, connection
        self.rules: dict[str, Any] = {"size": 3, "connect": 0, "reverse": False}
        self.position = Position()
        # What is to be said, with an empty text for the answer to each question.
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
            self.position = _read(rest, self.rules)
        elif word == "go":
            if not self.agent.batch:
                self._answer()
            self.said.append("")
            self.asked.append(self.position)
        elif word == "setoption":
            name, _, value = rest.removeprefix("name ").partition(" value ")
            self.rules[name] = value == "true" if name == "reverse" else int(value)
        elif word == "isready":
            self.said.append("readyok\n")
        elif word == "ugi":
            self.said.append(f"id name {self.agent.name}\n{_INTRODUCTION}")

    def _answer(self) -> None:
        words = iter(self.agent.moves(self.asked))
        self.connection.sendall("".join(text or f"bestmove {next(words)}\n" for text in self.said).encode())
        self.said, self.asked = [], []


def _read(rest: str, rules: dict[str, Any]) -> Position:
    """Read what follows ``position``."""
    start, _, moves = rest.partition("moves")
    if start.startswith("fen "):
        position = Position.parse(start.removeprefix("fen "), connect=rules["connect"], reverse=rules["reverse"])
    else:
        position = Position(rules["size"], rules["connect"], rules["reverse"])
    return position.play(*moves.split())
