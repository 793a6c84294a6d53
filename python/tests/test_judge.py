"""Exams and matches of agents."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from noughts import (
    AgentError,
    AgentWarning,
    Engine,
    EngineError,
    Limit,
    Move,
    Position,
    Rules,
    exam,
    match,
    positions,
)
from noughts.binary import find
from noughts.results import rules_of

from .forks import in_a_fork

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).parent
CODE = "import noughts; noughts.run_engine(lambda position: position.moves[0])"
RUN_FIRST = shlex.join([f"cmd={sys.executable}", f"args={shlex.join(['-c', CODE])}"])


def first(position: Position) -> Move:
    return position.moves[0]


def firsts(block: Sequence[Position]) -> list[Move]:
    return [position.moves[0] for position in block]


class TestExam:
    def test_an_agent_is_graded_as_the_same_engine(self) -> None:
        asked = exam(first, name="first")
        template = f"{sys.executable} {HERE / 'first_move.py'}"
        engine = exam(f"cmd={sys.executable} args={HERE / 'first_move.py'}", name="first")
        assert asked.exams == engine.exams
        assert asked.blunder_rate == engine.blunder_rate > 0.5
        assert str(asked).replace("a function in Python", template) == str(engine)
        faults = sum(len(exam.faults) for exam in asked.exams)
        assert asked.text.count("\n") > faults > str(asked).count("\n")

    def test_batches_get_the_same_grade(self) -> None:
        sizes: list[int] = []

        def counted(block: Sequence[Position]) -> list[Move]:
            sizes.append(len(block))
            return firsts(block)

        assert exam(counted, batch=100, rules="normal").exams == exam(first, rules="normal").exams
        assert sum(sizes) == 4520
        assert 1 < max(sizes) <= 100

    def test_the_result_is_what_the_program_prints(self) -> None:
        arguments = ["--sample", "300", "--size", "4", "--seed", "5", "--trials", "20", "--list", "--rules", "reverse"]
        command = [find(), "exam", "--engine", "cmd=noughts name=mc option.player=montecarlo", *arguments]
        printed = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True).stdout
        said = json.loads(printed)["exams"][0]
        result = exam(
            Engine(player="montecarlo"), name="mc", sample=300, size=4, seed=5, limit=Limit(trials=20), rules="reverse"
        )
        asked = result.exams[0]
        assert vars(asked.all) == said["all"]
        assert asked.sample == said["sample"]
        assert len(asked.faults) == len(said["list"])
        assert len(result.rows()) == 3 + len(asked.stones)
        assert result.rows()[0]["rate"] == said["all"]["rate"]

    @pytest.mark.parametrize(
        "options", [{"player": "montecarlo", "trials": 7, "seed": 3}, {"player": "mcts", "seed": 8}]
    )
    def test_an_engine_of_this_process_is_graded_as_the_program(self, options: dict[str, Any]) -> None:
        words = [f"option.{name}={value}" for name, value in options.items()]
        command = [find(), "exam", "--engine", f"cmd=noughts {' '.join(words)}", "--nodes", "50", "--list"]
        result = exam(Engine(**options), limit=Limit(nodes=50))
        assert result.text == subprocess.run(command, capture_output=True, text=True, check=True).stdout
        printed = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True).stdout
        for asked, said in zip(result.exams, json.loads(printed)["exams"], strict=True):
            assert [vars(grade) for grade in (asked.all, *asked.stones)] == [said["all"], *said["stones"]]
            assert [fault.move for fault in asked.faults] == [fault["move"] for fault in said["list"]]

    def test_every_refutation_is_a_game_that_shows_the_fault(self) -> None:
        for asked in exam(first).exams:
            for fault in asked.faults:
                position = Position(reverse=asked.rules.reverse)
                walked = [position := position.play(move) for move in fault.refutation]
                assert walked[-1].outcome
                assert any(after.cells == fault.position.play(fault.move).cells for after in walked)
                ended = {"p1win": "x", "p2win": "o", "draw": "draw"}[fault.result or ""]
                assert walked[-1].outcome == ended
                assert fault.move not in [str(move) for move in fault.best]
            assert sum(fault.times for fault in asked.mistakes) == asked.all.given_away
            assert asked.blunder_rate == asked.all.rate_where_possible

    def test_rectangles_are_examined_as_by_the_program(self) -> None:
        result = exam(first, rows=2, columns=4, connect=3, rules="normal", name="first")
        assert result.exams == exam(RUN_FIRST, rows=2, columns=4, connect=3, rules="normal", name="first").exams
        asked = result.exams[0]
        assert asked.rules == Rules(rows=2, columns=4, connect=3)
        assert asked.all.answers == sum(
            1 for position in positions(rows=2, columns=4, connect=3) if not position.outcome
        )
        for fault in asked.faults:
            position = asked.rules.start.play(*fault.refutation)
            assert fault.position.shape == (2, 4)
            assert position.outcome == {"p1win": "x", "p2win": "o", "draw": "draw"}[fault.result or ""]
            assert set(fault.best) <= set(fault.position.moves)
        assert {"rows": 2, "columns": 4, "connect": 3, "reverse": False, "group": "all"}.items() <= result.rows()[
            0
        ].items()
        assert "size" not in result.rows()[0]
        assert exam(first, size=2).rows()[0]["size"] == 2
        with Engine(player="perfect") as engine:
            assert exam(engine.play, rows=3, columns=4, connect=3, sample=200, seed=1).blunder_rate == 0

    def test_perfect_players_give_nothing_away(self) -> None:
        with Engine(player="perfect") as engine:
            result = exam(engine.play)
        assert result.blunder_rate == 0
        assert [exam.expected["perfect"]["x"].score for exam in result.exams if exam.expected] == [0.5, 0.5]


class TestNonsense:
    @pytest.mark.parametrize("answer", [None, "nonsense", (9, 9), (1, "x"), object(), "two words", "\n", "ä", -1])
    def test_what_is_no_move_is_an_illegal_answer(self, answer: object) -> None:
        with pytest.warns(AgentWarning, match="played no legal move"):
            result = exam(lambda _: answer, rules="normal", size=2, name="nonsense")
        assert result.exams[0].all.illegal == result.exams[0].all.answers

    def test_a_batch_of_the_wrong_length_is_illegal(self) -> None:
        for answers in ([], None, [(0, 0)] * 99):
            with pytest.warns(AgentWarning, match="played no legal move"):
                result = exam(lambda _, answers=answers: answers, batch=4, rules="normal", size=2)
            assert result.exams[0].all.illegal == result.exams[0].all.answers

    def test_an_exception_ends_the_exam_and_is_its_cause(self) -> None:
        def raising(position: Position) -> Move:
            if position.cells.count("x") == 3:
                raise ZeroDivisionError
            return position.moves[0]

        for ask in (lambda: exam(raising), lambda: match(raising, first)):
            with pytest.raises(AgentError, match="raising raised ZeroDivisionError") as caught:
                ask()
            assert isinstance(caught.value.__cause__, ZeroDivisionError)

    def test_a_hanging_agent_loses_its_answer(self) -> None:
        hung = threading.Event()
        asked = 0

        def hanging(position: Position) -> Move:
            nonlocal asked
            asked += 1
            if asked == 10:
                hung.wait(60)
            return position.moves[0]

        with pytest.warns(AgentWarning, match="its threads cannot be ended"):
            result = exam(hanging, rules="normal", seconds=0.5)
        hung.set()
        assert result.exams[0].all.illegal == 1

    def test_a_slow_batch_has_its_whole_time(self) -> None:
        def slow(block: Sequence[Position]) -> list[Move]:
            # Longer than the program waits for readyok.
            if block[0].empty == Position(2).empty:
                time.sleep(5.5)
            return firsts(block)

        assert exam(slow, batch=256, size=2, rules="normal").exams == exam(first, size=2, rules="normal").exams

    def test_a_batch_may_be_a_generator(self) -> None:
        def moves(block: Sequence[Position]) -> Iterator[Move]:
            yield from firsts(block)

        def raising(block: Sequence[Position]) -> Iterator[int]:
            yield len(block) // 0

        assert exam(moves, batch=8, size=2, rules="normal").exams == exam(first, size=2, rules="normal").exams
        with pytest.raises(AgentError, match="ZeroDivisionError"):
            exam(raising, batch=8, size=2)

    def test_late_threads_end_with_their_answer(self) -> None:
        before = threading.active_count()
        with pytest.warns(AgentWarning, match="17 times"):
            result = exam(lambda _: time.sleep(0.1), size=2, rules="normal", seconds=0.01, name="late")
        assert result.exams[0].all.illegal == result.exams[0].all.answers == 17
        until = time.monotonic() + 5
        while threading.active_count() > before and time.monotonic() < until:
            time.sleep(0.02)
        assert threading.active_count() <= before

    def test_no_function_is_no_player(self) -> None:
        with pytest.raises(TypeError, match="expected a function"):
            exam(3)  # type: ignore[arg-type]
        with pytest.raises(EngineError, match="there is no program nothere"):
            match("cmd=nothere", first)
        with pytest.raises(EngineError, match="at most 16 cells"):
            exam(first, size=5)
        for wrong in ({"seconds": 0}, {"seconds": -1}, {"batch": -1}, {"batch": 2.5}):
            with pytest.raises(ValueError, match="is a"):
                exam(first, **wrong)


class TestMatch:
    def test_wins_are_those_of_the_games(self) -> None:
        chance = random.Random(1)
        result = match(lambda position: chance.choice(position.moves), first, games=60, names=("random", "first"))
        assert result.names == ("random", "first")
        assert match(first, first, games=2).names == ("first", "first-2")
        games = result.games
        assert games.games == 60 == games.wins + games.draws + games.losses
        assert games.score == (games.wins + games.draws / 2) / 60
        assert (result.x.games, result.o.games) == (30, 30)
        assert result.score.low is not None
        assert "random" in str(result)

    def test_engines_and_agents_meet(self) -> None:
        for reverse in (False, True):
            result = match(Engine(player="perfect"), first, games=10, reverse=reverse, openings="random:2", seed=4)
            assert result.rules.reverse == reverse
            assert result.games.score is not None
            assert result.games.score > 0.5

    def test_engines_of_this_process_play_the_games_of_the_program(self) -> None:
        engines = [Engine(player="montecarlo", trials=20), Engine(player="mcts", level=2)]
        words = ["name=a cmd=noughts option.player=montecarlo option.trials=20"]
        words += ["name=b cmd=noughts option.player=mcts option.level=2"]
        command = [find(), "match", "--games", "40", "--size", "4x3", "--connect", "3", "--seed", "7", "--trials", "30"]
        command += ["--openings", "random:1", "--format", "json", "--engine", words[0], "--engine", words[1]]
        said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        result = match(
            *engines,
            games=40,
            rows=4,
            columns=3,
            connect=3,
            seed=7,
            limit=Limit(trials=30),
            openings="random:1",
            names=("a", "b"),
        )
        assert timeless(result.json) == timeless(said)

    def test_agents_and_engines_meet_on_rectangles(self) -> None:
        for player in (first, RUN_FIRST):
            result = match(
                Engine(player="perfect"), player, games=8, rows=3, columns=5, connect=3, openings="random:2", seed=4
            )
            assert result.rules == Rules(rows=3, columns=5, connect=3)
            assert result.reasons["illegal"] + result.reasons["crash"] == 0
            assert result.games.score is not None
            assert result.games.score > 0.5

    def test_a_limit_of_time_is_judged_by_the_program(self) -> None:
        def slow(position: Position) -> Move:
            time.sleep(0.5)
            return position.moves[0]

        with pytest.warns(AgentWarning, match=r"slow loses as [XO] \(time\): [0-9]+ ms too late") as warned:
            result = match(slow, "cmd=noughts", games=2, limit=Limit(movetime=100))
        assert sorted(re.findall("as [XO]", " ".join(str(warning.message) for warning in warned))) == ["as O", "as X"]
        assert result.reasons["time"] == 2
        assert result.games.losses == 2


def timeless(said: Any) -> Any:
    """What the program says of a match, without times."""
    if isinstance(said, dict):
        return {key: timeless(value) for key, value in said.items() if key not in {"games_per_second", "ms_per_move"}}
    return [timeless(value) for value in said] if isinstance(said, list) else said


def test_a_fork_holds_exams_of_its_own() -> None:
    def mistakes() -> float:
        return exam(first, size=2).exams[0].all.given_away + exam(Engine(), size=2).exams[0].all.given_away

    assert in_a_fork(mistakes) == str(mistakes())


def test_rules_are_values() -> None:
    rules = Rules(rows=4, columns=9, connect=3, reverse=True)
    assert repr(rules) == "Rules(rows=4, columns=9, connect=3, reverse=True)"
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules != Rules(4)
    assert len({rules, Rules(4), Rules(rows=4, columns=4)}) == 2
    result = exam(first, size=2)
    assert pickle.loads(pickle.dumps(result)) == result


def test_an_interrupt_ends_a_run_soon_and_the_next_one_begins() -> None:
    asked = 0

    def interrupting(position: Position) -> Move:
        nonlocal asked
        asked += 1
        if asked % 100 == 1:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        return position.moves[0]

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        started = time.monotonic()
        for run in (
            lambda: exam(interrupting),
            lambda: match(interrupting, Engine(player="perfect"), games=1000, size=7, limit=Limit(nodes=10**12)),
        ):
            asked = 0
            with pytest.raises(KeyboardInterrupt):
                run()
        assert time.monotonic() - started < 20
    finally:
        signal.signal(signal.SIGINT, before)
    assert exam(first, size=2).exams[0].all.answers == 17


def test_rules_of_squares_keep_their_size() -> None:
    old = {"size": 4, "connect": 3, "reverse": True}
    for said in (old, {**old, "rows": 4, "columns": 4}):
        assert rules_of(said) == Rules(4, 3, reverse=True) == Rules(rows=4, columns=4, connect=3, reverse=True)
    assert Rules(4).row() == {"size": 4, "rows": 4, "columns": 4, "connect": 0, "reverse": False}
    assert Rules(4).start == Position(4)
    assert Rules(4, 4) == Rules(4)
    assert Rules(4, 4).start == Position(4, 4)
    assert rules_of({"rows": 4, "columns": 9, "connect": 0, "reverse": False}).start == Position(rows=4, columns=9)
    with pytest.raises(AttributeError, match="4x9"):
        print(Rules(rows=4, columns=9).size)


# Where the tests run in the background of a script, Ctrl-C is ignored until it is caught.
CHILD = """
import os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from noughts import exam, match
def slow(position):
    print(os.getpid(), flush=True)
    time.sleep(600)
match(slow, "cmd=noughts", seconds=600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_a_match(how: signal.Signals) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert child.stdout
    child.stdout.readline()
    tree = family(child.pid)
    assert len(tree) >= 3
    child.send_signal(how)
    child.wait(20)
    child.stdout.close()
    assert all(ends(process) for process in tree)


def ends(process: int, seconds: float = 10) -> bool:
    """Returns true if a process ends within `seconds`; one that has ended and was not waited for counts as ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        except FileNotFoundError:
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def family(process: int) -> list[int]:
    """A process and all below it."""
    children = Path(f"/proc/{process}/task").glob("*/children")
    found = [int(child) for path in children for child in path.read_text().split()]
    return [process, *(below for child in found for below in family(child))]
