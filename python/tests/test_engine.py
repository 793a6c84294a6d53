"""Engines over pipes."""

from __future__ import annotations

import asyncio
import copy
import gc
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import noughts.engine
from noughts import Analysis, AsyncEngine, Engine, EngineError, Limit, Line, Move, Position, positions
from noughts.binary import find
from noughts.engine import Talk
from noughts.protocol import read_line

from .forks import in_a_fork

if TYPE_CHECKING:
    from collections.abc import Callable

FOREIGN = "EngineError: the engine belongs to another process, from which this one was forked"


def runs(process: int) -> bool:
    """Returns true if a process runs; one that has ended and was not waited for does not."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        return stat.rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends(process: int, seconds: float = 10) -> bool:
    """Returns true if a process ends within `seconds`."""
    until = time.monotonic() + seconds
    while runs(process) and time.monotonic() < until:
        time.sleep(0.02)
    return not runs(process)


def process_of(engine: Engine | AsyncEngine) -> int:
    assert engine._process is not None
    return engine._process.pid


def ongoing(reverse: bool = False) -> list[Position]:  # noqa: FBT001, FBT002
    return [position for position in positions(reverse=reverse) if not position.outcome]


def minimax(position: Position, known: dict[Position, int]) -> int:
    """The result of best play for the side to move."""
    if position not in known:
        if position.outcome:
            known[position] = 0 if position.outcome == "draw" else 1 if position.outcome == position.side else -1
        else:
            known[position] = max(-minimax(position.play(move), known) for move in position.moves)
    return known[position]


@pytest.mark.parametrize("reverse", [False, True])
def test_values_are_those_of_plain_minimax(engine: Engine, reverse: bool) -> None:  # noqa: FBT001
    known: dict[Position, int] = {}
    asked = ongoing(reverse)
    for position, analysis in zip(asked, engine.analyse_all(asked, multipv=9), strict=True):
        assert analysis.proven
        assert analysis.value == minimax(position, known)
        values = {move: -minimax(position.play(move), known) for move in position.moves}
        assert {move: line.value for move, line in analysis.moves.items()} == values
        assert analysis.move == next(iter(analysis.moves)) == analysis.pv[0]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("rows", "columns", "connect"), [(2, 3, 0), (5, 2, 0), (2, 4, 3), (1, 9, 3), (8, 1, 2), (3, 2, 4)]
)
def test_values_on_rectangles_are_those_of_plain_minimax(
    engine: Engine,
    rows: int,
    columns: int,
    connect: int,
    reverse: bool,  # noqa: FBT001
) -> None:
    known: dict[Position, int] = {}
    asked = [
        position
        for position in positions(rows=rows, columns=columns, connect=connect, reverse=reverse)
        if not position.outcome
    ]
    for position, analysis in zip(asked, engine.analyse_all(asked), strict=True):
        assert analysis.proven
        assert analysis.value == minimax(position, known)
        assert analysis.move in position.moves


def test_boards_of_all_shapes_are_asked_together(engine: Engine) -> None:
    shapes = [(3, 3), (4, 9), (9, 4), (4, 4), (1, 20), (20, 1), (1, 1), (3, 4), (3, 3)]
    asked = [Position(rows=rows, columns=columns, connect=3) for rows, columns in shapes]
    limit = Limit(trials=5)
    for position, analysis in zip(asked, engine.analyse_all(asked, limit), strict=True):
        assert analysis.move in position.moves
        assert engine.analyse(position, limit).value == analysis.value
    assert engine.play(Position.parse("xx2/oo2/4 x", connect=3)) == (0, 2)

    async def ask() -> list[Analysis]:
        async with AsyncEngine() as twin:
            return await twin.analyse_all(asked, limit)

    assert [answer.proven for answer in asyncio.run(ask())] == [
        answer.proven for answer in engine.analyse_all(asked, limit)
    ]


SQUARES_ONLY = """
import sys
from noughts import Position
size = 3
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("option name size type spin default 3 min 1 max 20")
        print("ugiok", flush=True)
    elif words[0] == "setoption":
        if words[2] not in ("size", "connect", "reverse", "multipv"):
            print("info string error: there is no option", words[2])
        elif words[2] == "size":
            size = int(words[4])
    elif words[0] == "go":
        print(f"bestmove {size - 1},{size - 1}")
    elif words[0] == "query":
        print("response true", flush=True)
"""


def test_an_engine_of_squares_is_told_of_columns_by_nobody() -> None:
    with Engine([sys.executable, "-c", SQUARES_ONLY]) as other:
        assert other.play(Position(4)) == (3, 3)
        with pytest.raises(EngineError, match="no option columns, so it plays on square boards only, not on 4x9"):
            other.play(Position(rows=4, columns=9))
        assert [answer.move for answer in other.analyse_all([Position(5), Position(2)])] == [(4, 4), (1, 1)]


def test_many_questions_have_the_answers_of_single_ones(engine: Engine) -> None:
    asked = random.Random(1).sample([*ongoing(), *ongoing(reverse=True)], 1500)
    engine.configure(player="montecarlo", seed=5)
    together = engine.analyse_all(asked, Limit(trials=5))
    engine.configure(seed=5)
    singly = [engine.analyse(position, Limit(trials=5)) for position in asked]
    assert [answer.best.total for answer in together] == [answer.best.total for answer in singly]
    assert [answer.move for answer in together] == [answer.move for answer in singly]


def test_the_asyncio_twin_says_the_same() -> None:
    asked = ongoing()[:1200]

    async def ask() -> tuple[list[object], list[object]]:
        async with AsyncEngine(seed=3, player="perfect") as engine:
            many = await engine.analyse_all(asked)
            one = await asyncio.gather(*(engine.play(position) for position in asked[:50]))
            return [(answer.value, answer.plies) for answer in many], list(one)

    many, one = asyncio.run(ask())
    with Engine(seed=3, player="perfect") as engine:
        assert many == [(answer.value, answer.plies) for answer in engine.analyse_all(asked)]
        assert one == [engine.play(position) for position in asked[:50]]


def test_what_the_engine_refuses_is_an_error_in_its_words(engine: Engine) -> None:
    with pytest.raises(EngineError, match=r'player accepts one of .*, not "chess"; it stays auto'):
        engine.configure(player="chess")
    with pytest.raises(EngineError, match='there is no option "contempt"'):
        engine.configure(Contempt=3)
    for name in ("size", "Columns", "Connect", "reverse", "MultiPV", "UCI_Variant"):
        with pytest.raises(TypeError, match="the position or the question says it"):
            engine.configure(**{name: 3})
    assert engine.play(Position.parse("xx1/oo1/3 x")) == (0, 2)
    with pytest.raises(ValueError, match="the game is over"):
        engine.play(Position.parse("xxx/oo1/3"))
    for limit in ({"trials": 0}, {"movetime": -1}, {"nodes": 1.5}, {"depth": True}):
        with pytest.raises(ValueError, match="a whole number from 1"):
            Limit(**limit)
    with pytest.raises(ValueError, match="multipv"):
        engine.analyse(Position(), multipv=0)


def test_options_are_declared_and_last(engine: Engine) -> None:
    assert engine.name.startswith("Noughts ")
    assert engine.options["player"].default == "auto"
    assert "mcts" in engine.options["player"].var
    assert (engine.options["Move Overhead"].min, engine.options["Move Overhead"].max) == (0, 5000)
    engine.configure(player="montecarlo", seed=9, score_other="2.5")
    before = engine.analyse(Position(4), Limit(trials=50), multipv=16).totals
    os.kill(process_of(engine), signal.SIGKILL)
    with pytest.raises(EngineError, match="has ended with signal 9"):
        engine.play(Position())
    assert engine.analyse(Position(4), Limit(trials=50), multipv=16).totals == before


NO_ENGINES = ["exit 0", "echo ugiok; read x; exit 3", "exec cat", "exec sed -u 's/ugi/ugiok/; s/.*p1turn/response/'"]


@pytest.mark.parametrize("command", NO_ENGINES)
def test_programs_that_are_no_engines_are_errors(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noughts.engine, "SECONDS_TO_START", 0.5)

    async def ask() -> None:
        await AsyncEngine(["sh", "-c", command]).play(Position())

    with pytest.raises(EngineError):
        Engine(["sh", "-c", command]).play(Position())
    with pytest.raises(EngineError):
        asyncio.run(ask())


def test_an_engine_with_half_of_its_options_does_not_play() -> None:
    engine = Engine(find(), player="chess", seed=5)
    for _ in range(2):
        with pytest.raises(EngineError, match="player accepts one of"):
            engine.play(Position())
    assert engine._process is None

    async def ask() -> None:
        twin = AsyncEngine(find(), player="chess")
        with pytest.raises(EngineError, match="player accepts one of"):
            await twin.start()
        assert twin._process is None

    asyncio.run(ask())


@pytest.mark.parametrize("kind", [Engine, AsyncEngine])
def test_a_wrong_option_is_an_error_where_it_is_written(kind: type[Engine | AsyncEngine], tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r'player accepts one of auto, .*, negamax, not "stockfish"'):
        kind(player="stockfish")
    with pytest.raises(EngineError, match=r'there is no option "foo"; .* options are size, .*, Debug Log File'):
        kind(foo=3)
    with pytest.raises(EngineError, match="level"):
        kind(player="mcts", level=11)
    log = tmp_path / "log"
    kind(Player="MCTS", move_overhead=5, debug_log_file=str(log))
    assert not log.exists()


def said_of(question: Callable[[Engine], object], options: dict[str, Any], program: Path) -> list[str]:
    """The words behind ``go`` that a program in place of ours gets with a question."""
    cases = f"ugi) echo ugiok;; go*) echo bestmove 1,1; echo $line >> {program}.log;; query*) echo response;;"
    program.write_text(f"#!/bin/sh\nwhile read -r line; do case $line in {cases} esac; done\n", encoding="utf-8")
    program.chmod(0o755)
    with Engine(**options) as engine:
        question(engine)
        question(copy.copy(engine))
    log = program.with_suffix(".log").read_text(encoding="utf-8").splitlines()
    assert len(log) == 2
    return [line.removeprefix("go").strip() for line in log]


REPEATABLE: list[dict[str, Any]] = [
    {"seed": 1},
    {"player": "mcts", "seed": 7},
    {"trials": 5},
    {"max_trials": 5},
    {"player": "montecarlo", "trials": 100},
    {"level": 3, "seed": 9},
]
THINKING: list[dict[str, Any]] = [
    {},
    {"player": "perfect"},
    {"player": "Mcts", "seed": 0},
    {"level": 3, "hash": 8},
    {"player": "montecarlo"},
    {"player": "alphabeta"},
]


@pytest.mark.parametrize("options", [*REPEATABLE, *THINKING], ids=str)
def test_a_move_without_a_limit_takes_a_second_or_repeats(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "noughts"
    monkeypatch.setenv("NOUGHTS", str(program))
    board = Position(15, 5)
    expected = "movetime 1000" if options in THINKING else ""
    for question, words in (
        (lambda engine: engine.play(board), expected),
        (lambda engine: engine.play(board, Limit()), ""),
        (lambda engine: engine.play(board, Limit(nodes=3)), "nodes 3"),
        (lambda engine: engine.analyse(board), ""),
    ):
        program.with_suffix(".log").unlink(missing_ok=True)
        assert said_of(question, options, program) == [words] * 2


def test_the_same_seed_gives_the_same_game_on_a_large_board() -> None:
    def game() -> list[Position]:
        walked = [Position(9, 5)]
        with Engine(seed=3) as engine:
            while len(walked) < 8:
                walked.append(walked[-1].play(engine.play(walked[-1])))
        return walked

    assert game() == game()


def test_moves_and_answers_print_as_people_write_them(engine: Engine) -> None:
    assert str(Move(0, 4)) == f"{Move(0, 4)}" == "0,4"
    assert str((Move(0, 4), Move(10, 11))) == "(Move(0, 4), Move(10, 11))"
    assert [eval(repr(move)) for move in Position(4).moves] == list(Position(4).moves)  # noqa: S307
    for position in (Position(), Position(4, 3), Position.parse("xx1/oo1/3 x"), Position.parse("xxx/oo1/3")):
        analysis = engine.analyse(position, Limit(nodes=2000), multipv=3)
        head, *rows = str(analysis).splitlines()
        assert head.split() == ["move", "value", "line"]
        assert rows[len(rows) - len(analysis.notes) :] == list(analysis.notes)
        shown = [row.split() for row in rows[: len(rows) - len(analysis.notes)]]
        assert [row[0] for row in shown] == [str(move) for move in analysis.moves] or ["none"]
        assert [row[2:] for row in shown] == [[str(move) for move in line.pv] for line in analysis.lines or [Line()]]
    bounded = Analysis(Line(Move(0, 4), value=-1.0, proven=True, plies_at_most=9, pv=(Move(0, 4),)))
    assert str(bounded).splitlines()[1:] == ["0,4   L<=9   0,4"]


def test_an_engine_may_say_nothing_but_its_move() -> None:
    cases = "ugi) echo ugiok;; go*) echo bestmove 1,1;; query*) echo response;;"
    script = f"while read line; do case $line in {cases} esac; done"
    with Engine(["sh", "-c", script]) as engine:
        assert engine.play(Position()) == (1, 1)


def test_threads_share_an_engine_in_turn() -> None:
    known: dict[Position, int] = {}
    asked = random.Random(2).sample(ongoing(), 400)
    wrong: list[Position] = []
    with Engine(player="perfect") as engine:

        def ask(positions: list[Position]) -> None:
            wrong.extend(
                position for position in positions if engine.analyse(position).value != minimax(position, known)
            )

        threads = [threading.Thread(target=ask, args=(asked[part::4],)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_copies_have_a_process_of_their_own(engine: Engine) -> None:
    engine.configure(player="random", seed=7)
    first = [engine.play(Position()) for _ in range(5)]
    for copied in (copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        assert copied.configured() == engine.configured()
        assert [copied.play(Position()) for _ in range(5)] == first
        assert process_of(copied) != process_of(engine)
        copied.close()
    assert engine.play(Position()) in Position().moves


def test_a_forked_process_cannot_use_the_engine_of_its_parent(engine: Engine) -> None:
    board = Position()
    # One more thread waits for an answer, so that the engine is in use when the program is forked.
    answers: list[object] = []
    asking = threading.Thread(
        target=lambda: answers.append(engine.analyse(Position(20, 5), Limit(movetime=1500)).best.trials)
    )
    engine.configure(player="montecarlo")
    asking.start()
    time.sleep(0.3)
    for work in (
        lambda: engine.play(board),
        lambda: engine.analyse_all([board] * 5),
        lambda: engine.configure(level=3),
        engine.new_game,
        engine.start,
        engine.__enter__,
        lambda: in_a_fork(lambda: engine.play(board)),
    ):
        assert in_a_fork(work).startswith(FOREIGN)
    asking.join()
    assert len(answers) == 1
    assert engine.play(Position.parse("xx1/oo1/3 x")) == (0, 2)


def test_a_forked_process_leaves_the_engine_of_its_parent_running() -> None:
    engine = Engine(player="perfect").start()
    process = process_of(engine)

    def collected() -> str:
        nonlocal engine
        engine.close()
        del engine
        gc.collect()
        return "closed"

    board = Position.parse("xx1/oo1/3 x")
    copied = in_a_fork(lambda: copy.copy(engine).play(board))
    # The engine's input ends with the parent's end of the pipe, though a forked process goes on.
    reading, writing = os.pipe()
    waits = threading.Thread(target=in_a_fork, args=(lambda: os.read(reading, 1),))
    try:
        assert [in_a_fork(collected), copied] == ["closed", "0,2"]
        waits.start()
        assert runs(process)
        assert engine.play(board) == (0, 2)
        assert process_of(engine) == process
        begun = time.monotonic()
        engine.close()
        assert not runs(process)
        assert time.monotonic() - begun < noughts.engine._SECONDS_TO_END
    finally:
        os.write(writing, b"x")
        waits.join()
        os.close(reading)
        os.close(writing)


def test_an_engine_that_has_not_begun_can_be_used_in_a_forked_process() -> None:
    engine = Engine(player="perfect")
    board = Position.parse("xx1/oo1/3 x")
    assert in_a_fork(lambda: engine.play(board)) == "0,2"
    with engine:
        assert engine.play(board) == (0, 2)


def test_the_asyncio_twin_belongs_to_its_process_too() -> None:
    async def fork() -> None:
        async with AsyncEngine(player="perfect") as twin:
            board = Position.parse("xx1/oo1/3 x")

            def asked_and_closed() -> str:
                # The loop of the parent is none of the child's.
                asyncio._set_running_loop(None)
                with pytest.raises(EngineError) as raised:
                    asyncio.run(twin.play(board))
                asyncio.run(twin.close())
                return f"EngineError: {raised.value}"

            assert in_a_fork(asked_and_closed).startswith(FOREIGN)
            assert await twin.play(board) == (0, 2)
            assert runs(process_of(twin))

    asyncio.run(fork())


def test_a_living_fork_does_not_hold_the_asyncio_twin() -> None:
    board = Position.parse("xx1/oo1/3 x")

    async def close_beside(fork: threading.Thread) -> None:
        twin = await AsyncEngine(player="perfect").start()
        process = process_of(twin)
        fork.start()
        # The fork is there, and has run its hook.
        os.read(forked[0], 1)
        assert await twin.play(board) == (0, 2)
        begun = time.monotonic()
        await twin.close()
        assert not runs(process)
        assert time.monotonic() - begun < noughts.engine._SECONDS_TO_END

    def stay() -> None:
        os.write(forked[1], b"x")
        os.read(waits[0], 1)

    forked, waits = os.pipe(), os.pipe()
    fork = threading.Thread(target=in_a_fork, args=(stay,))
    try:
        asyncio.run(close_beside(fork))
    finally:
        os.write(waits[1], b"x")
        fork.join()
        for end in (*forked, *waits):
            os.close(end)


def test_after_a_fork_an_error_of_one_engine_spares_the_others(engine: Engine) -> None:
    board = Position.parse("xx1/oo1/3 x")
    assert engine.play(board) == (0, 2)

    class Bad(Engine):
        def _leave_to_parent(self) -> None:
            raise ValueError("bad")

    # The set of engines has no order: of so many, some stand before the good one.
    bad = [Bad() for _ in range(20)]
    assert in_a_fork(lambda: engine.play(board)).startswith(FOREIGN)
    assert len(bad) == 20


@pytest.mark.parametrize("kind", [Engine, AsyncEngine])
def test_a_fork_finds_every_engine_whole(kind: type[Engine | AsyncEngine], monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []

    class Engines(set[Talk]):
        def add(self, engine: Talk) -> None:
            left.append(in_a_fork(engine._leave_to_parent))

    monkeypatch.setattr(noughts.engine, "_engines", Engines())
    kind()
    assert left == ["None"]


def test_a_closed_engine_starts_no_process() -> None:
    engine = Engine()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.play(Position())

    async def close() -> None:
        twin = AsyncEngine()
        asked = asyncio.create_task(twin.play(Position()))
        await asyncio.sleep(0)
        await twin.close()
        with pytest.raises(EngineError, match="closed"):
            await asked
        assert twin._process is None

    asyncio.run(close())


def test_any_iterable_of_positions_is_asked(engine: Engine) -> None:
    two = positions(2)
    assert len(engine.analyse_all(two)) == len(list(positions(2)))
    assert engine.analyse_all([]) == []
    mixed = [Position(4), Position(reverse=True), Position(connect=3), Position.parse("xxx/oo1/3")]
    assert [answer.move is None for answer in engine.analyse_all(mixed)] == [False, False, False, True]


def test_a_program_that_is_missing_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        Engine("no-such-program").start()


def test_no_process_is_left_behind() -> None:
    left = []
    with Engine() as engine:
        engine.play(Position())
        left.append(process_of(engine))
    with pytest.raises(ValueError, match="the game is over"), Engine() as engine:  # noqa: PT012
        left.append(process_of(engine))
        engine.play(Position.parse("xxx/oo1/3"))
    engine = Engine().start()
    left.append(process_of(engine))
    del engine

    async def cancelled() -> None:
        engine = await AsyncEngine(player="montecarlo").start()
        left.append(process_of(engine))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.play(Position(20, 5), Limit(movetime=600_000)), 0.3)
        await engine.close()

    asyncio.run(cancelled())
    assert all(ends(process) for process in left)


# Where the tests run in the background of a script, Ctrl-C is ignored until it is caught.
CHILD = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from noughts import Engine, Limit, Position
engine = Engine(player="montecarlo").start()
print(engine._process.pid, flush=True)
try:
    engine.play(Position(20, 5), Limit(movetime=600_000))
except KeyboardInterrupt:
    engine.configure(player="perfect")
    print(engine.play(Position.parse("xx1/oo1/3 x")), engine._process.pid, flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_a_killed_interpreter(how: signal.Signals) -> None:
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(CHILD)], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    left = [int(child.stdout.readline())]
    time.sleep(0.2)
    child.send_signal(how)
    if how == signal.SIGINT:
        # The interrupt ended the search, and a new process goes on.
        move, again = child.stdout.readline().split()
        assert move == "0,2"
        left.append(int(again))
    child.wait(10)
    child.stdout.close()
    assert all(ends(process) for process in left)


def test_a_line_is_read_whatever_keys_it_has() -> None:
    rank, line = read_line(
        "info depth 7 multipv 2 score mate 3 lowerbound wdl 660 90 250 value 1 proven true plies_at_most 9 "
        "trials 28 total 1.5e300 nodes 7 nps 1 time 2 pv 0,0 19,19"
    )
    assert rank == 2
    assert (line.move, line.value, line.proven, line.plies, line.plies_at_most) == ((0, 0), 1, True, None, 9)
    assert (line.wdl, line.trials, line.total, line.pv[-1]) == ((660, 90, 250), 28, 1.5e300, (19, 19))
    rank, line = read_line("info depth 0 score mate 0 value -1 proven true plies 0 nodes 0 nps 0 time 0")
    assert (rank, line.move, line.value, line.plies) == (None, None, -1, 0)
