"""Noughts and OpenSpiel agree, and play each other."""

from __future__ import annotations

import os
import random
import re
import runpy
import subprocess
import sys
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from noughts import Engine, EngineError, Limit, Move, Position, exam, match, positions

pyspiel = pytest.importorskip("pyspiel")

from noughts.openspiel import EngineBot, board_of, bot_agent, game_of, policy_agent, position_of, state_of  # noqa: E402

GAMES = {
    "tic_tac_toe": Position(3),
    "misere(game=tic_tac_toe())": Position(3, reverse=True),
    "mnk(m=1,n=1,k=1)": Position(1),
    "mnk(m=2,n=2,k=1)": Position(2, 1),
    "mnk(m=3,n=3,k=7)": Position(3, 7),
    "mnk(m=5,n=5,k=4)": Position(5, 4),
    "mnk(m=20,n=20,k=6)": Position(20, 6),
    "mnk": Position(15, 5),
    "misere(game=mnk(m=6,n=6,k=3))": Position(6, 3, reverse=True),
    "gomoku": Position(15, 5),
    "gomoku(size=6,connect=3)": Position(6, 3),
    "gomoku(size=5,connect=4,anti=true)": Position(5, 4, reverse=True),
    "misere(game=gomoku(size=4,connect=3,anti=true))": Position(4, 3),
}
RECTANGLES = {
    "mnk(m=9,n=1,k=3)": Position(rows=1, columns=9, connect=3),
    "mnk(m=1,n=6,k=2)": Position(rows=6, columns=1, connect=2),
    "mnk(m=7,n=2,k=2)": Position(rows=2, columns=7),
    "misere(game=mnk(m=2,n=5,k=2))": Position(rows=5, columns=2, reverse=True),
    "mnk(m=5,n=3,k=4)": Position(rows=3, columns=5, connect=4),
    "misere(game=mnk(m=4,n=3,k=3))": Position(rows=3, columns=4, reverse=True),
    "mnk(m=9,n=4,k=4)": Position(rows=4, columns=9),
    "mnk(m=4,n=9,k=4)": Position(rows=9, columns=4),
    "mnk(m=3,n=2,k=5)": Position(rows=2, columns=3, connect=5),
    "mnk(m=6,n=5,k=4)": Position(rows=5, columns=6, connect=4),
}
UNKNOWN = [
    "mnk(m=21,n=3,k=3)",
    "mnk(m=21,n=21,k=5)",
    "mnk(m=3,n=3,k=0)",
    "gomoku(size=3,connect=3,dims=3)",
    "gomoku(size=5,connect=4,wrap=true)",
    "misere(game=misere(game=tic_tac_toe()))",
    "start_at(game=tic_tac_toe(),history=0;1)",
    "connect_four",
]
if "gomoku" not in pyspiel.registered_names():
    # OpenSpiel has it since version 2.
    GAMES = {name: board for name, board in GAMES.items() if "gomoku" not in name}
    UNKNOWN = [name for name in UNKNOWN if "gomoku" not in name]
SMALL = 36
REFEREED = int(os.environ.get("NOUGHTS_REFEREED_GAMES", "1000"))


def seen(state: Any) -> tuple[Any, ...]:
    """The facts of a state by the rules of OpenSpiel."""
    return str(state), state.current_player(), state.legal_actions(), state.is_terminal(), state.returns()


def returns(position: Position) -> list[float]:
    """The returns of both players."""
    won = {"x": 1.0, "o": -1.0}.get(position.outcome or "", 0.0)
    return [won, -won]


def ongoing(*, reverse: bool) -> list[Position]:
    return [position for position in positions(reverse=reverse) if not position.outcome]


def trees(simulations: int) -> Any:
    """A bot of OpenSpiel that is told the position with every question."""
    game = pyspiel.load_game("tic_tac_toe")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 5)
    return pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 10, True, 5, False)  # noqa: FBT003


def solve(state: Any, known: dict[str, float]) -> float:
    """The return of X from best play, by the rules of OpenSpiel."""
    key = str(state)
    if key not in known:
        values = [solve(state.child(action), known) for action in state.legal_actions()]
        known[key] = state.returns()[0] if not values else min(values) if state.current_player() else max(values)
    return known[key]


class Whims:
    """A policy that does not depend on the order of moves."""

    def action_probabilities(self, state: Any) -> dict[int, float]:
        rng = random.Random("".join(str(state).split()))
        return {action: rng.random() for action in state.legal_actions()}


def whim(position: Position) -> Move:
    """The most probable move of these whims."""
    rng = random.Random(position.cells)
    chances = {move: rng.random() for move in position.moves}
    return max(chances, key=chances.__getitem__)


@pytest.mark.parametrize("name", [*GAMES, *RECTANGLES])
def test_random_games_are_the_same_in_both_programs(name: str) -> None:
    rng = random.Random(name)
    game = pyspiel.load_game(name)
    start = {**GAMES, **RECTANGLES}[name]
    assert board_of(game) == start
    is_small = len(start.cells) <= SMALL
    for _ in range(6 if is_small else 1):
        state, position = game.new_initial_state(), start
        while True:
            if is_small or position.outcome or rng.random() < 1 / position.columns:
                assert position_of(state) == position
                assert seen(state_of(position, game)) == seen(state)
                assert position_of(state_of(position)) == position
            assert state.is_terminal() == bool(position.outcome)
            assert state.returns() == returns(position)
            if position.outcome:
                break
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            position = position.play(divmod(action, position.columns))


@pytest.mark.parametrize("reverse", [False, True])
def test_every_position_of_3x3_is_a_state_and_back(reverse: bool) -> None:  # noqa: FBT001
    for position in positions(reverse=reverse):
        assert position_of(state_of(position)) == position


@pytest.mark.parametrize("name", UNKNOWN)
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="board"):
        board_of(pyspiel.load_game(name))


def test_what_no_game_that_x_begins_can_reach_is_refused() -> None:
    # O has begun; O has completed the line before the last move of X; one move cannot complete two lines without a
    # square in common.
    for text in ("o2/3/3 x", "3/3/3 o", "xo1/3/3 o", "ooo/xx1/xx1 o", "xxx1/o2o/xxx1/oo1o o"):
        with pytest.raises(ValueError, match="no game that X begins"):
            state_of(Position.parse(text, connect=3))


def test_rules_and_beginnings_must_agree() -> None:
    with pytest.raises(ValueError, match="other rules"):
        state_of(Position(3, reverse=True), pyspiel.load_game("tic_tac_toe"))
    with pytest.raises(ValueError, match="other rules"):
        state_of(Position(rows=3, columns=4), pyspiel.load_game("mnk(m=3,n=4,k=3)"))
    stones = state_of(Position().play("b2", "a1"))
    if not hasattr(stones, "to_json"):
        pytest.skip("states of this version of OpenSpiel begin with the empty board")
    with pytest.raises(ValueError, match="empty board"):
        position_of(pyspiel.load_game("tic_tac_toe").new_initial_state(stones.to_json()))


@pytest.mark.parametrize("reverse", [False, True])
def test_values_are_those_of_the_tree_of_open_spiel(reverse: bool) -> None:  # noqa: FBT001
    asked = ongoing(reverse=reverse)
    known: dict[str, float] = {}
    with Engine() as engine:
        for position, analysis in zip(asked, engine.analyse_all(asked), strict=True):
            value = solve(state_of(position), known)
            assert analysis.value == (value if position.side == "x" else -value)


@pytest.mark.parametrize("reverse", [False, True])
def test_perfect_bots_never_lose_value_in_games(reverse: bool) -> None:  # noqa: FBT001
    game = game_of(Position(reverse=reverse))
    known: dict[str, float] = {}
    with Engine(player="perfect") as engine:
        for number in range(60):
            player = number % 2
            bots = [EngineBot(engine), pyspiel.make_uniform_random_bot(1 - player, number)]
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots[::-1] if player else bots, number)
            # The result that the bot can force, from the first state to the end: it rises when the other bot blunders.
            passed = [game.new_initial_state()]
            for action in state.history():
                passed.append(passed[-1].child(action))
            values = [solve(each, known) * (-1 if player else 1) for each in passed]
            assert values == sorted(values)
            assert values[-1] == state.returns()[player]


def test_exams_of_a_policy_are_those_of_the_same_choices() -> None:
    assert exam(policy_agent(Whims())).exams == exam(whim).exams


def test_exams_of_an_engine_are_those_of_its_bot() -> None:
    with Engine(player="alphabeta") as engine:
        assert exam(bot_agent(EngineBot(engine))).exams == exam(engine).exams


def test_exams_of_a_bot_with_a_seed_repeat() -> None:
    first, second = (exam(bot_agent(trees(5)), rules="normal") for _ in range(2))
    assert first.exams == second.exams
    assert first.name == "MCTSBot"
    assert 0 < first.blunder_rate < exam(policy_agent(Whims()), rules="normal").blunder_rate


def test_policies_play_their_most_probable_move_or_draw_one() -> None:
    asked = random.Random(1).sample(ongoing(reverse=False), 500)
    uniform = pyspiel.UniformRandomPolicy(pyspiel.load_game("tic_tac_toe"))
    first = policy_agent(uniform)
    assert all(first(position) == position.moves[0] for position in asked)
    drawn, again, other = (policy_agent(uniform, seed=seed) for seed in (1, 1, 2))
    answers = [drawn(position) for position in asked]
    assert answers == [again(position) for position in asked] != [other(position) for position in asked]
    begin = policy_agent(uniform, seed=3)
    counts = Counter(begin(Position()) for _ in range(900))
    assert all(60 < counts[move] < 145 for move in Position().moves)


def test_bots_made_for_one_player_play_that_player() -> None:
    bots = [pyspiel.make_uniform_random_bot(player, 7) for player in (0, 1)]
    with Engine(player="perfect") as engine:
        result = match(bot_agent(*bots), engine, games=40, seed=1)
    assert result.games.wins == 0
    assert result.games.losses > result.games.draws


def test_steps_with_policy_are_the_steps() -> None:
    evaluate_bots = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
    with Engine(player="alphabeta") as engine:
        bot = EngineBot(engine)
        for position in random.Random(1).sample(ongoing(reverse=True), 50):
            state = state_of(position)
            chances, action = bot.step_with_policy(state)
            assert [legal for legal, _ in chances] == state.legal_actions()
            assert dict(chances)[action] == sum(chance for _, chance in chances) == 1
            assert divmod(action, 3) == engine.play(position)
        state = pyspiel.load_game("tic_tac_toe").new_initial_state()
        assert list(evaluate_bots.evaluate_bots(state, [bot, bot], random)) == [0, 0]
    with pytest.raises(EngineError, match="closed"):
        pyspiel.evaluate_bots(pyspiel.load_game("tic_tac_toe").new_initial_state(), [bot, bot], 1)


@pytest.mark.parametrize("games", [GAMES, RECTANGLES], ids=["squares", "rectangles"])
def test_open_spiel_referees_a_thousand_games(games: dict[str, Position]) -> None:
    boards = [(pyspiel.load_game(name), board) for name, board in games.items() if len(board.cells) <= SMALL]
    with Engine(player="montecarlo", seed=1) as first, Engine(player="random", seed=2) as second:
        bots = [EngineBot(first, Limit(trials=2)), EngineBot(second)]
        for number, (game, board) in enumerate(islice(cycle(boards), REFEREED)):
            state = game.new_initial_state()
            paid = pyspiel.evaluate_bots(state, bots if number % 2 else bots[::-1], number)
            position = board.play(*(divmod(action, board.columns) for action in state.history()))
            assert state.is_terminal()
            assert position.outcome
            assert paid == returns(position) == state.returns()


def test_only_this_module_needs_open_spiel() -> None:
    alone = "import sys, noughts; assert 'pyspiel' not in sys.modules; sys.modules['pyspiel'] = None"
    code = f"{alone}; import noughts.openspiel"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.endswith("ImportError: noughts.openspiel needs OpenSpiel: pip install 'noughts[open-spiel]'\n")


def test_the_table_of_the_page_is_what_the_example_prints(capsys: pytest.CaptureFixture[str]) -> None:
    here = Path(__file__).resolve().parent
    pages = [here.parent / "pages" / "python.md", here.parents[1] / "docs" / "python.md"]
    page = next(page for page in pages if page.exists()).read_text(encoding="utf-8")
    runpy.run_path(str(here.parent / "examples" / "openspiel_mcts.py"), run_name="__main__")

    def rows(text: str) -> set[tuple[str, ...]]:
        """The player, its budget and the moves that gave value away, of each row."""
        found = re.findall(r"^\| (?:OpenSpiel|Noughts) `(\w+)`(.*?) \| ([\d,]+) \|", text, re.MULTILINE)
        without = "without", "no solver"
        return {
            (
                player,
                "no solver" if any(word in budget for word in without) else "",
                *re.findall(r"[\d,]*\d", budget),
                given,
            )
            for player, budget, given in found
        }

    assert len(rows(page)) == 12
    assert rows(page) <= rows(capsys.readouterr().out)
