"""Engines: processes that are asked about positions over pipes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
import weakref
from typing import IO, TYPE_CHECKING, Any, TypeVar

from . import binary, protocol
from .protocol import Analysis, Conversation, EngineError, Limit, Option, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from .move import Move
    from .position import Position

Result = TypeVar("Result")

Value = str | int | float | bool
SECONDS_TO_START = 10.0
"""The time that an engine may take to introduce itself."""
_SECONDS_TO_END = 2.0
_A_SECOND = Limit(movetime=1000)
_LONGEST_LINE = 1 << 20
# What every new process takes for granted. So an engine that plays on squares only is not told of columns.
_UNSAID = {"columns": "0"}
_BYTES = 1 << 16
_FOREIGN = "the engine belongs to another process, from which this one was forked; a copy of it can be used here"
_ENDED = "the engine has ended"
_SILENT = f"the engine did not introduce itself within {SECONDS_TO_START:g} s"


class Talk:
    """The settings that an engine has got, for :class:`Engine` and :class:`AsyncEngine`."""

    def __init__(self, command: Sequence[str] | str | None, options: Mapping[str, Value]) -> None:
        """Remember what to start, and how."""
        words = [command] if isinstance(command, str) else list(command or [binary.find()])
        self.command = words
        self.options: dict[str, Option] = {}
        self.introduction: list[str] = []
        self._set = {name: _text(value) for name, value in options.items()}
        self._is_ours = command is None
        if self._is_ours and self._set:
            _check_options(words, self._set)
        self._sent = dict(_UNSAID)
        # Set in a forked process, if the engine had begun before.
        self._is_foreign = False
        # Last: from here on another thread may fork, and the child needs all attributes, also those of the subclass.
        _engines.add(self)

    @property
    def name(self) -> str:
        """The engine's name and version."""
        names = (line.removeprefix("id name ") for line in self.introduction if line.startswith("id name "))
        return next(names, "")

    def __reduce__(self) -> tuple[Any, ...]:
        """Make copies with the same command and options, and a process of their own."""
        return _again, (type(self), self.command, dict(self._set), self._is_ours)

    def _limit_of_play(self, limit: Limit | None) -> Limit | None:
        """Return the limit of a move: a second if nothing says how long to think, and nothing asks for repetition."""
        is_bounded = "trials" in self._set or "max_trials" in self._set
        is_repeatable = self._set.get("seed", "0") != "0"
        if limit is None and self._is_ours and not is_bounded and not is_repeatable:
            return _A_SECOND
        return limit

    def configured(self) -> dict[str, str]:
        """Return the options that were set."""
        return dict(self._set)

    def _check_owner(self) -> None:
        if self._is_foreign:
            raise EngineError(_FOREIGN)

    def _leave_to_parent(self) -> None:
        """Leave the engine's process and its pipes to the process from which this one was forked."""
        raise NotImplementedError

    def _begin(self) -> Conversation[None]:
        """Begin with a new process, which knows nothing yet."""
        self._sent = dict(_UNSAID)
        self.introduction.clear()
        yield from protocol.declare(self.introduction, self.options)
        yield from self._tell(self._set)

    def _tell(self, values: Mapping[str, str]) -> Conversation[None]:
        """Set the options that differ from what the engine was told."""
        for name, value in values.items():
            if self._sent.get(name) != value:
                yield from protocol.set_option(name, value)
                self._sent[name] = value

    def _configure(self, options: Mapping[str, Value]) -> Conversation[None]:
        for name, value in options.items():
            # Also if the engine has the value: setting a seed begins its random numbers again.
            yield from protocol.set_option(name, _text(value))
            self._sent[name] = self._set[name] = _text(value)

    def _check_shape(self, position: Position) -> None:
        """Refuse a board that the engine would take for a square."""
        if position.rows != position.columns and not any(name.lower() == "columns" for name in self.options):
            shape = f"{position.rows}x{position.columns}"
            raise RefusedError(f"the engine has no option columns, so it plays on square boards only, not on {shape}")

    def _analyse(
        self, positions: Sequence[Position], limit: Limit | None, multipv: int
    ) -> Conversation[list[Analysis]]:
        found: list[Analysis] = []
        start = 0
        while start < len(positions):
            rules = protocol.rules_of(positions[start])
            self._check_shape(positions[start])
            end = start + 1
            while end < len(positions) and protocol.rules_of(positions[end]) == rules:
                end += 1
            yield from self._tell({**dict(rules), "multipv": str(multipv)})
            found += yield from protocol.analyse(positions[start:end], limit or Limit())
            start = end
        return found


_engines: weakref.WeakSet[Talk] = weakref.WeakSet()
# Kept for ever: a transport that is collected removes its pipes from the epoll object, which the parent shares.
_left_to_parent: list[asyncio.subprocess.Process] = []


def _after_fork() -> None:
    # After an error the stack goes on with the other engines. Python prints the error.
    with contextlib.ExitStack() as stack:
        for engine in list(_engines):
            stack.callback(engine._leave_to_parent)  # noqa: SLF001


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Engine(Talk):
    """An engine in a process of its own.

    ::

        with Engine(player="perfect") as engine:
            engine.play(Position().play("b2"))

    ``command`` starts another engine of the same protocol. ``options`` are those of ``protocol.md``, such as
    ``player``, ``trials``, ``seed``, ``hash``, ``threads`` and ``move_overhead``. The game and ``multipv`` come with
    each question. Threads may share an engine; they ask one after the other. An option that our engine does not have is
    an :class:`EngineError` at once, and so is a value that it does not take; another engine refuses when it starts.

    The process begins with the first question. It ends with :meth:`close`, at the end of ``with``, and when this
    program ends, however it ends. After an interrupt a new process begins with the next question. A forked program
    cannot use an engine whose process began before the fork; it can use a copy.
    """

    def __init__(self, command: Sequence[str] | str | None = None, **options: Value) -> None:
        """Remember how to start the engine."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Iterator[bytes] = iter(())
        self._closed = False
        # Threads ask one after the other.
        self._lock = threading.Lock()
        super().__init__(command, _named(options))

    def play(self, position: Position, limit: Limit | None = None) -> Move:
        """Return the move that the engine plays.

        Without a limit our engine thinks about a second where no proof ends sooner. With a ``seed``, ``trials`` or
        ``max_trials`` it takes the budget of a plain ``go``, and never the clock; ``Limit()`` asks for that budget.

        :raises ValueError: when the game is over.
        """
        return _move(position, self._ask([position], self._limit_of_play(limit))[0])

    def analyse(self, position: Position, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Return what the engine finds out about the position, and about its ``multipv`` best moves."""
        return self._ask([position], limit, multipv)[0]

    def analyse_all(
        self, positions: Iterable[Position], limit: Limit | None = None, *, multipv: int = 1
    ) -> list[Analysis]:
        """Return what the engine finds out about each position. It gets many questions at a time."""
        return self._ask(positions, limit, multipv)

    def configure(self, **options: Value) -> None:
        """Set options. They last, also for a new process."""
        self._hold(self._configure(_named(options)))

    def new_game(self) -> None:
        """Have the engine forget what it has found out."""
        self._hold(protocol.new_game())

    def start(self) -> Self:
        """Start the process, if it does not run yet. ``name`` and ``options`` are known then."""
        self._hold(protocol.nothing())
        return self

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._end(_SECONDS_TO_END)

    def __enter__(self) -> Self:
        """Start the process."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()

    def __del__(self) -> None:
        """End the process of an engine that was not closed."""
        if getattr(self, "_process", None):
            self._end(0)

    def _ask(self, positions: Iterable[Position], limit: Limit | None, multipv: int = 1) -> list[Analysis]:
        _check(multipv)
        return self._hold(self._analyse(list(positions), limit, multipv))

    def _hold(self, conversation: Conversation[Result]) -> Result:
        """Hold a conversation. If it is broken off the process ends, because its answers would be taken for others."""
        self._check_owner()
        with self._lock:
            try:
                if self._process is None:
                    self._begin_process()
                return self._run(conversation)
            except RefusedError:
                # The engine has answered everything.
                raise
            except BaseException:
                self._end(0)
                raise

    def _begin_process(self) -> None:
        if self._closed:
            raise EngineError("the engine is closed")
        # A process group of its own: Ctrl-C is for the interpreter, which decides what becomes of the engine.
        # Pipes without a buffer have no lock, which another thread could hold when the program is forked.
        process = subprocess.Popen(  # noqa: S603
            self.command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdout is not None
        self._process, self._lines = process, _lines(process.stdout)
        is_silent = False

        def give_up() -> None:
            nonlocal is_silent
            is_silent = True
            process.kill()

        patience = threading.Timer(SECONDS_TO_START, give_up)
        patience.daemon = True
        try:
            patience.start()
            self._run(self._begin())
        except RefusedError as error:
            # With some of its options it would be another engine.
            raise EngineError(str(error)) from error
        except EngineError as error:
            raise EngineError(_SILENT if is_silent else str(error)) from error
        finally:
            patience.cancel()

    def _run(self, conversation: Conversation[Result]) -> Result:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            said = next(conversation)
            while True:
                if said is None:
                    line = next(self._lines, None)
                    if line is None:
                        raise EngineError(self._end(_SECONDS_TO_END))
                    said = conversation.send(line.decode("utf-8", "replace").rstrip("\r"))
                else:
                    _write(process.stdin, said.encode())
                    said = next(conversation)
        except StopIteration as done:
            result: Result = done.value
            return result
        except BrokenPipeError as error:
            raise EngineError(self._end(_SECONDS_TO_END)) from error

    def _end(self, seconds: float) -> str:
        """End the process, by force after so many seconds. Return a sentence that says how it has ended."""
        process, self._process = self._process, None
        if process is None:
            return _ENDED
        _close(process.stdin)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _close(process.stdout)
        return _how_it_ended(process.returncode)

    def _leave_to_parent(self) -> None:
        # Another thread may have held it.
        self._lock = threading.Lock()
        process, self._process = self._process, None
        if process is not None:
            self._is_foreign = True
            # To the parent, the engine's input ends with its own end of the pipe.
            _close(process.stdin)
            _close(process.stdout)
            # The parent waits for it.
            process.returncode = 0


class AsyncEngine(Talk):
    """The twin of :class:`Engine` for asyncio. Its questions are coroutines; a task waits while another one asks.

    It belongs to the event loop of its first question.
    """

    def __init__(self, command: Sequence[str] | str | None = None, **options: Value) -> None:
        """Remember how to start the engine."""
        self._process: asyncio.subprocess.Process | None = None
        self._closed = False
        self._lock = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        super().__init__(command, _named(options))

    async def play(self, position: Position, limit: Limit | None = None) -> Move:
        """Return the move that the engine plays.

        Without a limit our engine thinks about a second where no proof ends sooner. With a ``seed``, ``trials`` or
        ``max_trials`` it takes the budget of a plain ``go``, and never the clock; ``Limit()`` asks for that budget.

        :raises ValueError: when the game is over.
        """
        return _move(position, (await self._ask([position], self._limit_of_play(limit)))[0])

    async def analyse(self, position: Position, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Return what the engine finds out about the position, and about its ``multipv`` best moves."""
        return (await self._ask([position], limit, multipv))[0]

    async def analyse_all(
        self, positions: Iterable[Position], limit: Limit | None = None, *, multipv: int = 1
    ) -> list[Analysis]:
        """Return what the engine finds out about each position. It gets many questions at a time."""
        return await self._ask(positions, limit, multipv)

    async def configure(self, **options: Value) -> None:
        """Set options. They last, also for a new process."""
        await self._hold(self._configure(_named(options)))

    async def new_game(self) -> None:
        """Have the engine forget what it has found out."""
        await self._hold(protocol.new_game())

    async def start(self) -> Self:
        """Start the process, if it does not run yet. ``name`` and ``options`` are known then."""
        await self._hold(protocol.nothing())
        return self

    async def close(self) -> None:
        """End the process."""
        self._closed = True
        await self._end(_SECONDS_TO_END)

    async def __aenter__(self) -> Self:
        """Start the process."""
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        await self.close()

    async def _ask(self, positions: Iterable[Position], limit: Limit | None, multipv: int = 1) -> list[Analysis]:
        _check(multipv)
        return await self._hold(self._analyse(list(positions), limit, multipv))

    async def _hold(self, conversation: Conversation[Result]) -> Result:
        """Hold a conversation. If it is broken off the process ends, because its answers would be taken for others."""
        self._check_owner()
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            raise EngineError("the engine belongs to another event loop")
        self._loop = loop
        async with self._lock:
            try:
                if self._process is None:
                    await self._begin_process()
                return await self._run(conversation)
            except RefusedError:
                # The engine has answered everything.
                raise
            except BaseException:
                await self._end(0)
                raise

    async def _begin_process(self) -> None:
        if not self._closed:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                limit=_LONGEST_LINE,
            )
        # It may have been closed meanwhile.
        if self._closed:
            raise EngineError("the engine is closed")
        try:
            await asyncio.wait_for(self._run(self._begin()), SECONDS_TO_START)
        except RefusedError as error:
            raise EngineError(str(error)) from error
        except asyncio.TimeoutError as error:
            raise EngineError(_SILENT) from error

    async def _run(self, conversation: Conversation[Result]) -> Result:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            said = next(conversation)
            while True:
                if said is None:
                    line = await process.stdout.readline()
                    if not line.endswith(b"\n"):
                        raise EngineError(await self._end(_SECONDS_TO_END))
                    said = conversation.send(line[:-1].decode("utf-8", "replace").rstrip("\r"))
                else:
                    process.stdin.write(said.encode())
                    await process.stdin.drain()
                    said = next(conversation)
        except StopIteration as done:
            result: Result = done.value
            return result
        except (BrokenPipeError, ConnectionResetError) as error:
            raise EngineError(await self._end(_SECONDS_TO_END)) from error

    async def _end(self, seconds: float) -> str:
        """End the process, by force after so many seconds. Return a sentence that says how it has ended."""
        process, self._process = self._process, None
        if process is None:
            return _ENDED
        if process.stdin:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), seconds)
        except asyncio.TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        return _how_it_ended(process.returncode or 0)

    def _leave_to_parent(self) -> None:
        self._lock = asyncio.Lock()
        process, self._process = self._process, None
        if process is not None:
            self._is_foreign = True
            _left_to_parent.append(process)
            # To the parent, the engine's input ends with its own end of the pipe. The transports keep their numbers.
            for number in (0, 1):
                _replace_by_null(process._transport.get_pipe_transport(number))  # type: ignore[attr-defined]  # noqa: SLF001


def _lines(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines that come, without their ends."""
    rest = b""
    while read := pipe.read(_BYTES):
        *lines, rest = (rest + read).split(b"\n")
        yield from lines


def _write(pipe: IO[bytes], data: bytes) -> None:
    """Write all of the data: a pipe without a buffer may take a part of it."""
    while data:
        data = data[pipe.write(data) :]


def _close(pipe: IO[bytes] | None) -> None:
    with contextlib.suppress(OSError):
        if pipe:
            pipe.close()


def _replace_by_null(transport: asyncio.BaseTransport | None) -> None:
    """Give up this process's end of a pipe, with the null device under its number."""
    pipe = transport.get_extra_info("pipe") if transport else None
    # A closed pipe has no number.
    if pipe and not pipe.closed:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, pipe.fileno(), inheritable=False)
        os.close(null)


def _check(multipv: int) -> None:
    if multipv < 1:
        raise ValueError(f"multipv is a number from 1, not {multipv}")


def _move(position: Position, analysis: Analysis) -> Move:
    if analysis.move is None:
        raise ValueError("the game is over, so there is no move")
    return position.move(analysis.move)


_OF_THE_QUESTION = ("size", "columns", "connect", "reverse", "multipv", "uci_variant")


def _named(options: Mapping[str, Value]) -> dict[str, Value]:
    """Return the options under the engine's names, in small letters: some have blanks, which a keyword cannot have."""
    names = {"move_overhead": "move overhead", "debug_log_file": "debug log file"}
    named = {name.lower(): value for name, value in options.items()}
    for name in _OF_THE_QUESTION:
        if name in named:
            raise TypeError(f"{name} is no option here: the position or the question says it")
    return {names.get(name, name): value for name, value in named.items()}


def _again(kind: Any, command: list[str], options: dict[str, str], is_ours: bool) -> Talk:  # noqa: FBT001
    engine: Talk = kind(command)
    engine._set.update(options)  # noqa: SLF001
    engine._is_ours = is_ours  # noqa: SLF001
    return engine


def _check_options(command: list[str], options: Mapping[str, str]) -> None:
    """Have a process read the options and end, so that a wrong one is an error where it was written.

    The log file is not set: a log would begin.
    """
    named = {name: value for name, value in options.items() if name != "debug log file"}
    said = "".join(f"setoption name {name} value {value}\n" for name, value in named.items())
    done = subprocess.run(command, input=said + "quit\n", capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    protocol.refuse(done.stdout.splitlines())


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _how_it_ended(code: int) -> str:
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{_ENDED} with {how}"
