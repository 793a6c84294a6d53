"""Engines in this process."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from noughts import (
    Analysis,
    AsyncEngine,
    Engine,
    EngineError,
    IllegalMoveError,
    Limit,
    Line,
    Move,
    Position,
    positions,
)

from . import program
from .forks import in_a_fork

FOREIGN = "EngineError: the engine belongs to another process, from which this one was forked"


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
    with pytest.raises(EngineError, match='there is no option "Contempt"'):
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
    engine.new_game()
    assert engine.configured() == {"player": "montecarlo", "seed": "9", "score_other": "2.5"}
    again = copy.copy(engine)
    assert again.analyse(Position(4), Limit(trials=50), multipv=16).totals == before


@pytest.mark.parametrize("kind", [Engine, AsyncEngine])
def test_a_wrong_option_is_an_error_where_it_is_written(kind: type[Engine | AsyncEngine]) -> None:
    with pytest.raises(EngineError, match=r'player accepts one of auto, .*, negamax, not "stockfish"'):
        kind(player="stockfish")
    with pytest.raises(EngineError, match=r'there is no option "foo"; .* options are player, .*, Move Overhead'):
        kind(foo=3)
    with pytest.raises(EngineError, match="level"):
        kind(player="mcts", level=11)
    assert kind(Player="MCTS", move_overhead=5).configured() == {"player": "MCTS", "move overhead": "5"}


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


@pytest.mark.parametrize("options", REPEATABLE, ids=str)
def test_a_move_without_a_limit_repeats_where_that_is_asked(options: dict[str, Any]) -> None:
    board = Position(15, 5)
    seeded = {"seed": 4, **options}
    assert Engine(**seeded).play(board) == Engine(**seeded).play(board, Limit())
    # A second would be over by then.
    begun = time.monotonic()
    Engine(**{**options, "trials": 5}).play(board)
    assert time.monotonic() - begun < 1


@pytest.mark.parametrize("options", THINKING, ids=str)
def test_a_move_without_a_limit_takes_about_a_second(options: dict[str, Any]) -> None:
    for engine in (Engine(**options), copy.copy(Engine(**options))):
        begun = time.monotonic()
        engine.play(Position(15, 5))
        assert 0.5 < time.monotonic() - begun < 10


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


def test_answers_can_be_copied_and_sent_to_other_processes(engine: Engine) -> None:
    for limit in (Limit(nodes=500), Limit(trials=20, depth=3)):
        found = engine.analyse(Position(5, 4), limit, multipv=4)
        for copied in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            assert copied == found
            assert (copied.lines, repr(copied)) == (found.lines, repr(found))
        assert pickle.loads(pickle.dumps(limit)) == limit


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


def test_copies_have_options_and_random_numbers_of_their_own(engine: Engine) -> None:
    engine.configure(player="random", seed=7)
    first = [engine.play(Position()) for _ in range(5)]
    for copied in (copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        assert copied.configured() == engine.configured()
        assert [copied.play(Position()) for _ in range(5)] == first
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
        engine.__enter__,
        lambda: in_a_fork(lambda: engine.play(board)),
    ):
        assert in_a_fork(work).startswith(FOREIGN)
    assert in_a_fork(lambda: copy.copy(engine).play(Position.parse("xx1/oo1/3 x"))) == "0,2"
    asking.join()
    assert len(answers) == 1
    assert engine.play(Position.parse("xx1/oo1/3 x")) == (0, 2)


def test_an_engine_that_has_not_begun_can_be_used_in_a_forked_process() -> None:
    engine = Engine(player="perfect")
    board = Position.parse("xx1/oo1/3 x")
    assert in_a_fork(lambda: engine.play(board)) == "0,2"
    with engine:
        assert engine.play(board) == (0, 2)


def test_any_iterable_of_positions_is_asked(engine: Engine) -> None:
    two = positions(2)
    assert len(engine.analyse_all(two)) == len(list(positions(2)))
    assert engine.analyse_all([]) == []
    mixed = [Position(4), Position(reverse=True), Position(connect=3), Position.parse("xxx/oo1/3")]
    assert [answer.move is None for answer in engine.analyse_all(mixed)] == [False, False, False, True]


def test_a_closed_engine_answers_nothing() -> None:
    engine = Engine()
    engine.close()
    for ask in (lambda: engine.play(Position()), engine.new_game, engine.__enter__, lambda: engine.configure(level=3)):
        with pytest.raises(EngineError, match="closed"):
            ask()

    async def close() -> None:
        async with AsyncEngine() as twin:
            await twin.play(Position())
        with pytest.raises(EngineError, match="closed"):
            await twin.play(Position())

    asyncio.run(close())


SHAPES = [(3, 3, 0), (3, 3, 2), (4, 4, 3), (4, 4, 0), (5, 5, 4)]
SHAPES += [(3, 5, 3), (1, 9, 3), (7, 2, 3), (4, 9, 4), (15, 15, 5)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_module_says_what_the_program_says(shape: tuple[int, int, int], reverse: bool) -> None:  # noqa: FBT001
    rows, columns, connect = shape
    chance = random.Random(str((shape, reverse)))
    asked = []
    for _ in range(500):
        position = Position(rows=rows, columns=columns, connect=connect, reverse=reverse)
        for _ in range(chance.randrange(rows * columns)):
            if position.moves:
                position = position.play(chance.choice(position.moves))
        asked.append(position)
    players: list[dict[str, Any]] = [{}, {"player": "mcts"}, {"player": "montecarlo", "score_other": 2}, {"level": 4}]
    players += [{"player": name} for name in ("perfect", "random", "uct", "montecarlolimit", "alphabeta", "negamax")]
    for number, player in enumerate(players):
        options = {**player, "seed": number + 1, "hash": 1}
        # A search that goes on where one of before stood is another one than a fresh search.
        part, limit = asked[number :: len(players)], Limit(trials=30, nodes=60)
        found = Engine(**options).analyse_all(part, limit, multipv=3)
        told = program.answers({**options, "multipv": 3}, part, f"go{limit}")
        for position, ours, (move, infos, notes) in zip(part, found, told, strict=True):
            assert str(ours.move or "(none)") == move, position
            lines = [program.said(line, rank) for rank, line in enumerate(ours.lines, 1)]
            assert [*lines, program.said(ours.best)] == [program.without_times(info) for info in infos], position
            assert list(ours.notes) == notes, position


def test_a_list_of_moves_is_all_that_there_is_to_choose_from(engine: Engine) -> None:
    board = Position.parse("xx1/oo1/3 x")
    assert engine.play(board, searchmoves=["c1", (2, 0)]) in {(2, 2), (2, 0)}
    assert set(engine.analyse(board, multipv=9, searchmoves=[(2, 1)]).moves) == {(2, 1)}
    with pytest.raises(IllegalMoveError, match="0,0 is taken"):
        engine.play(board, searchmoves=["0,0"])


def test_what_is_found_on_the_way_is_told(engine: Engine) -> None:
    told: list[Analysis] = []
    found = engine.analyse(Position(15, 5), Limit(movetime=400), on_info=told.append)
    assert told
    assert all(isinstance(each, Analysis) and each.best.nodes <= found.best.nodes for each in told)

    def fail(_: Analysis) -> None:
        raise KeyError("enough")

    begun = time.monotonic()
    with pytest.raises(KeyError, match="enough"):
        engine.analyse(Position(15, 5), Limit(movetime=600_000), on_info=fail)
    assert time.monotonic() - begun < 60
    assert engine.play(Position.parse("xx1/oo1/3 x")) == (0, 2)


def test_other_threads_run_while_a_search_runs(engine: Engine) -> None:
    counted = 0
    asking = threading.Thread(target=engine.analyse, args=(Position(15, 5), Limit(movetime=500)))
    asking.start()
    while asking.is_alive():
        counted += 1
    assert counted > 1000


def test_a_search_can_be_stopped_from_another_thread(engine: Engine) -> None:
    found: list[Analysis] = []
    asking = threading.Thread(target=lambda: found.append(engine.analyse(Position(20, 5), Limit(movetime=600_000))))
    asking.start()
    while not found:
        engine.stop()
        time.sleep(0.01)
    asking.join()
    assert found[0].move in Position(20, 5).moves


def test_a_cancelled_task_ends_its_search() -> None:
    async def cancelled() -> None:
        async with AsyncEngine(player="montecarlo") as twin:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(twin.play(Position(20, 5), Limit(movetime=600_000)), 0.3)
            assert await twin.play(Position.parse("xx1/oo1/3 x"), Limit(trials=1000)) == (0, 2)

    asyncio.run(cancelled())


# Where the tests run in the background of a script, Ctrl-C is ignored until it is caught.
INTERRUPTED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from noughts import Engine, Limit, Position, exact_values, playouts
engine = Engine(player="montecarlo")
print("begun", flush=True)
try:
    {ask}
except KeyboardInterrupt:
    engine.configure(player="perfect")
    print(engine.play(Position.parse("xx1/oo1/3 x")), flush=True)
"""
ENDED = """
import threading, time
from noughts import Engine, Limit, Position
engine = Engine(player="mcts")
ask = lambda: engine.play(Position(20, 5), Limit(movetime=600_000))
threading.Thread(target=ask, daemon=True).start()
time.sleep(0.3)
print("ends", flush=True)
"""
ASKED = [
    "engine.play(Position(20, 5), Limit(movetime=600_000))",
    "engine.analyse_all([Position(15, 5)] * 100_000, Limit(trials=100_000))",
    "playouts(Position(15, 5), 10**12)",
    "exact_values([Position(15, 5)] * 100_000, nodes=10**9)",
]


@pytest.mark.parametrize("ask", ASKED)
def test_ctrl_c_ends_a_search_and_the_engine_goes_on(ask: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED.format(ask=ask)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "0,2\n"
    assert child.returncode == 0


def test_an_interpreter_can_end_in_the_middle_of_a_search() -> None:
    done = subprocess.run([sys.executable, "-c", ENDED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")


def test_memory_stays_flat_over_many_searches() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    boards = ongoing()
    with Engine(player="perfect", seed=1) as engine:

        def ask(times: int) -> None:
            for number in range(times):
                engine.play(boards[number % len(boards)])
            for _ in range(times // 20_000):
                engine.analyse_all(boards, multipv=9)

        ask(50_000)
        before = resident()
        ask(1_000_000)
        assert resident() - before < 4 << 20


def test_an_interpreter_without_a_global_lock_is_refused() -> None:
    script = "import sysconfig; sysconfig.get_config_var = lambda name: name == 'Py_GIL_DISABLED'; import noughts"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "needs an interpreter with a global lock, and this one has none" in done.stderr
