"""The environments for Gymnasium and PettingZoo."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from contextlib import closing
from typing import Any

import pytest

from noughts import Engine, EngineError, IllegalMoveError, Move, Position, positions

gymnasium = pytest.importorskip("gymnasium")
np = pytest.importorskip("numpy")

from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402

from noughts._noughts import Values, observe  # noqa: E402
from noughts.envs import NoughtsEnv  # noqa: E402

from .forks import in_a_fork  # noqa: E402

RULES: list[dict[str, Any]] = [
    {"size": 1},
    {"size": 2, "connect": 1},
    {"size": 2, "reverse": True},
    {"size": 3},
    {"size": 3, "reverse": True},
    {"size": 4, "connect": 3},
    {"size": 5, "connect": 4, "reverse": True},
    {"rows": 1, "columns": 4, "connect": 2},
    {"rows": 3, "columns": 2},
    {"rows": 2, "columns": 6, "connect": 3, "reverse": True},
]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"reverse": True, "side": "o"},
    {"size": 4, "connect": 3, "side": "random", "opponent": "mcts", "level": 3, "trials": 50},
    {"size": 5, "connect": 4, "side": "alternating", "opponent": "random"},
    {"rows": 4, "columns": 3, "connect": 3, "side": "alternating", "opponent": "perfect"},
]
# PettingZoo warns of modules such as tictactoe_v3, which its checker imports too.
OLD_NAMES = "ignore:The old environment creation API"


def first(position: Position) -> Move:
    return position.moves[0]


def zoo() -> Any:
    pytest.importorskip("pettingzoo")
    from noughts.envs import noughts_v0  # noqa: PLC0415

    return noughts_v0


def legal(env: NoughtsEnv, chance: random.Random) -> int:
    return chance.choice(np.flatnonzero(env.action_masks()).tolist())  # type: ignore[no-any-return]


def game(env: NoughtsEnv, chance: random.Random, seed: int | None = None) -> list[Any]:
    """The returns of an environment during a game of random moves, beginning with the reset."""
    seen: list[Any] = [env.reset(seed=seed), env.side]
    while True:
        seen.append(env.step(legal(env, chance)))
        if seen[-1][2]:
            return seen


def minimax(position: Position, known: dict[Position, tuple[int, int]]) -> tuple[int, int]:
    """The result of best play for the side to move, and the plies to the end of a win or loss, else 0."""
    if position not in known:
        if position.outcome:
            known[position] = (0 if position.outcome == "draw" else 1 if position.outcome == position.side else -1), 0
        else:
            moves = [after_move(position, move, known) for move in position.moves]
            value = max(value for value, _ in moves)
            plies = [plies for each, plies in moves if each == value]
            known[position] = value, min(plies) if value == 1 else max(plies)
    return known[position]


def after_move(position: Position, move: Move, known: dict[Position, tuple[int, int]]) -> tuple[int, int]:
    value, plies = minimax(position.play(move), known)
    return -value, plies + 1 if value else 0


@pytest.mark.parametrize("setting", SETTINGS)
def test_gymnasium_finds_no_fault(setting: dict[str, Any]) -> None:
    with closing(gymnasium.make("Noughts/Noughts-v0", **setting)) as env:
        check_env(env.unwrapped)


def test_gymnasium_finds_no_fault_with_a_function() -> None:
    with closing(gymnasium.make("Noughts/Noughts-v0", opponent=first)) as env:
        check_env(env.unwrapped)


# The checker exempts only its own games from these: a mask beside the observation, empty, full and 1x1 boards.
@pytest.mark.filterwarnings("ignore:.* is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space .* should be")
@pytest.mark.filterwarnings("ignore:.* is all zeros")
@pytest.mark.filterwarnings("ignore:.* is a single number")
@pytest.mark.filterwarnings(OLD_NAMES)
@pytest.mark.parametrize("rules", RULES)
def test_pettingzoo_finds_no_fault(rules: dict[str, Any]) -> None:
    module = zoo()
    from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]  # noqa: PLC0415

    with closing(module.env(**rules)) as env:
        api_test(env, num_cycles=100)
    seed_test(lambda: module.env(**rules), num_cycles=100)


@pytest.mark.filterwarnings(OLD_NAMES)
def test_games_agree_with_tictactoe_v3() -> None:
    pytest.importorskip("pygame")
    ours = zoo().env(value_nodes=0)
    from pettingzoo.classic import tictactoe_v3  # type: ignore[import-untyped]  # noqa: PLC0415

    def seen(env: Any) -> Any:
        agents = [env.observe(agent) for agent in env.possible_agents]
        return [env.last(), agents, env.rewards, env.terminations, env.truncations, env.agents, env.agent_selection]

    def in_step(one: Any, other: Any) -> bool:
        return bool(data_equivalence(seen(one), seen(other), exact=True))

    theirs = tictactoe_v3.env()
    chance = random.Random(1)
    ended = set()
    for _ in range(300):
        ours.reset()
        theirs.reset()
        while ours.agents:
            assert in_step(ours, theirs)
            observation, reward, terminated, truncated, _ = theirs.last()
            taken = np.flatnonzero(observation["action_mask"] == 0).tolist()
            actions = np.flatnonzero(observation["action_mask"]).tolist()
            over = terminated or truncated
            action = None if over else chance.choice(taken if taken and chance.random() < 0.03 else actions)
            ended |= {(reward, truncated)} if over else set()
            ours.step(action)
            theirs.step(action)
        assert not theirs.agents
    assert ended == {(1, False), (-1, False), (0, False), (-1, True), (0, True)}


@pytest.mark.parametrize("rules", RULES)
def test_both_environments_follow_the_rules(rules: dict[str, Any]) -> None:
    chance = random.Random(2)
    start = Position(**rules)
    with closing(zoo().env(**rules, value_nodes=0)) as env:
        for _ in range(30):
            env.reset()
            position = start
            for agent in env.agent_iter():
                observation, reward, terminated, _, _ = env.last()
                side = "x" if agent == "player_1" else "o"
                assert env.unwrapped.position == position
                assert observation["observation"].tolist() == [
                    [[stone == side, stone in "xo" and stone != side] for stone in row.split()]
                    for row in str(position).split("\n")
                ]
                assert np.flatnonzero(observation["action_mask"]).tolist() in (
                    [row * position.columns + column for row, column in position.empty],
                    [] if position.outcome else None,
                )
                assert terminated == (position.outcome is not None)
                assert reward == {None: 0, "draw": 0, side: 1}.get(position.outcome, -1)
                action = None if terminated else chance.randrange(len(position.cells))
                while action is not None and not observation["action_mask"][action]:
                    action = chance.randrange(len(position.cells))
                env.step(action)
                if action is not None:
                    position = position.play(divmod(action, position.columns))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("side", ["x", "o"])
def test_the_learner_plays_its_side_against_a_function(rules: dict[str, Any], side: Any) -> None:
    chance = random.Random(3)
    asked: list[Position] = []

    def opponent(position: Position) -> Move:
        asked.append(position)
        return chance.choice(position.moves)

    if side == "o" and Position(**rules).play((0, 0)).outcome:
        with pytest.raises(ValueError, match="the learner can only be x"):
            NoughtsEnv(**rules, side=side, opponent=opponent)
        return
    with closing(NoughtsEnv(**rules, side=side, opponent=opponent, value_nodes=0)) as env:
        for _ in range(30):
            (observation, info), _, *steps = game(env, chance)
            assert info["action_mask"].sum() == len(Position(**rules).cells) - (side == "o")
            assert observation.sum(axis=(0, 1)).tolist() == [0, side == "o"]
            assert [reward for _, reward, *_ in steps[:-1]] == [0] * len(steps[:-1])
            observation, reward, terminated, truncated, info = steps[-1]
            assert terminated
            assert not truncated
            assert reward == {"draw": 0, side: 1}.get(env.position.outcome or "", -1)
            assert (observation == observe(env.position, side)[0]).all()
            assert (observation.sum(axis=2).ravel() == 1 - info["action_mask"]).all()
    assert {position.side for position in asked} <= {"o" if side == "x" else "x"}
    assert not any(position.outcome for position in asked)


@pytest.mark.parametrize("reverse", [False, True])
def test_values_and_plies_are_those_of_plain_minimax(reverse: bool) -> None:  # noqa: FBT001
    known: dict[Position, tuple[int, int]] = {}
    values = Values(None)
    for position in positions(reverse=reverse):
        info = values.info(position)
        after = {row * 3 + column: after_move(position, Move(row, column), known) for row, column in position.moves}
        assert info["values"].tolist() == [after.get(action, (-np.inf, 0))[0] for action in range(9)]
        assert info["plies"].tolist() == [after.get(action, (0, 0))[1] for action in range(9)]


def test_proven_values_of_larger_boards_are_those_of_plain_minimax() -> None:
    chance, known = random.Random(8), dict[Position, tuple[int, int]]()
    values, proven = Values(100_000), 0
    for _ in range(30):
        position = Position(rows=3, columns=6, connect=4, reverse=chance.random() < 0.5)
        while len(position.empty) > 8 and position.moves:
            position = position.play(chance.choice(position.moves))
        info = values.info(position)
        assert info["values"].dtype == np.float32
        assert info["plies"].dtype == np.int16
        for row, column in position.moves:
            value, plies = info["values"][row * 6 + column], info["plies"][row * 6 + column]
            assert not np.isfinite(value) or (value, plies) == after_move(position, Move(row, column), known)
            proven += np.isfinite(value)
    assert proven > 100
    with pytest.raises(ValueError, match="value_nodes is a number from 0, not -1"):
        Values(-1)


@pytest.mark.parametrize(
    "rules",
    [{"size": 3}, {"size": 4, "connect": 3}, {"size": 4, "reverse": True}, {"rows": 2, "columns": 8, "connect": 3}],
)
def test_info_has_the_values_of_the_side_to_move(rules: dict[str, Any]) -> None:
    chance = random.Random(4)
    values = Values(None)
    with (
        closing(
            NoughtsEnv(**rules, side="alternating", opponent=lambda position: chance.choice(position.moves))
        ) as one,
        closing(zoo().env(**rules)) as both,
    ):
        for _ in range(4):
            one.reset()
            over = False
            while not over:
                _, _, over, _, info = one.step(legal(one, chance))
                assert data_equivalence({**values.info(one.position)}, {key: info[key] for key in ("values", "plies")})
                assert (np.isfinite(info["values"]) <= info["action_mask"]).all()
            both.reset()
            for _ in both.agent_iter():
                observation, _, over, _, info = both.last()
                if over:
                    break
                assert data_equivalence(values.info(both.unwrapped.position), info)
                both.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))


def test_what_a_small_budget_proves_a_large_one_proves_too() -> None:
    chance = random.Random(5)
    small, large, unproven = Values(500), Values(100_000), 0
    for _ in range(20):
        position = Position(rows=3, columns=6, connect=3, reverse=True)
        for _ in range(8):
            position = position.play(chance.choice(position.moves)) if position.moves else position
        few, many = small.info(position)["values"], large.info(position)["values"]
        proven = np.isfinite(few)
        unproven += len(position.moves) - proven.sum()
        assert (few[proven] == many[proven]).all()
    assert unproven


@pytest.mark.parametrize(
    ("size", "nodes", "there"), [(4, None, True), (5, None, False), (5, 1000, True), (3, 0, False)]
)
def test_values_are_there_when_they_are_wanted(size: int, nodes: int | None, there: bool) -> None:  # noqa: FBT001
    keys = {"values", "plies"} if there else set()
    with closing(NoughtsEnv(size, opponent=first, value_nodes=nodes)) as env:
        assert env.reset()[1].keys() == {"action_mask"} | keys
        assert env.step(size)[4].keys() == {"action_mask"} | keys
    with closing(zoo().env(size=size, value_nodes=nodes)) as both:
        both.reset()
        assert both.infos == {"player_1": both.last()[4], "player_2": {}}
        assert both.last()[4].keys() == keys


@pytest.mark.parametrize(
    "opponent",
    [{"opponent": "random"}, {"opponent": "mcts", "trials": 1000}, {"opponent": "perfect", "level": 3}, {}],
)
def test_a_seed_makes_games_the_same_every_time(opponent: dict[str, Any]) -> None:
    def games(env: NoughtsEnv, seed: int) -> list[Any]:
        chance = random.Random(6)
        return [game(env, chance, seed if number == 0 else None) for number in range(4)]

    setting: dict[str, Any] = {"size": 4, "side": "o", "value_nodes": 0, **opponent}
    with closing(NoughtsEnv(**setting)) as one, closing(NoughtsEnv(**setting)) as other:
        expected = games(one, 7)
        assert data_equivalence(expected, games(one, 7), exact=True)
        assert data_equivalence(expected, games(other, 7), exact=True)
        assert not data_equivalence(expected, games(other, 8), exact=True)
        again = [game(other, random.Random(6), 7) for _ in range(2)]
        assert data_equivalence(again, [expected[0]] * 2, exact=True)
        # Without a seed each game is another one, though the learner draws the same numbers.
        different = [game(other, random.Random(6)) for _ in range(4)]
        assert not data_equivalence(different, [different[0]] * 4, exact=True)


def test_arrays_have_the_shape_of_the_board() -> None:
    with closing(NoughtsEnv(rows=2, columns=9, opponent=first)) as one, closing(zoo().env(rows=2, columns=9)) as both:
        both.reset()
        observation, info = one.reset()
        assert one.observation_space.shape == observation.shape == (2, 9, 2)
        assert one.action_space == gymnasium.spaces.Discrete(18)
        assert info.keys() == {"action_mask"}
        assert both.observe("player_1")["observation"].shape == (2, 9, 2)
        assert both.action_space("player_2") == gymnasium.spaces.Discrete(18)
        one.step(17)
        both.step(17)
        assert one.position[1, 8] == both.unwrapped.position[1, 8] == "x"
        with pytest.raises(gymnasium.error.InvalidAction):
            one.step(18)
    for make in (NoughtsEnv, zoo().env):
        with pytest.raises(ValueError, match="found rows 3 and columns None"):
            make(rows=3)
    with closing(NoughtsEnv(rows=2, columns=8, opponent=first)) as env:
        assert env.reset()[1]["values"].shape == (16,)


def test_the_sides_are_those_that_were_asked_for() -> None:
    def sides(side: Any, seed: int) -> str:
        with closing(NoughtsEnv(side=side, opponent=first, value_nodes=0)) as env:
            env.reset()
            env.reset(seed=seed)
            seen = env.side
            for _ in range(19):
                env.reset()
                seen += env.side
            return seen

    assert sides("x", 1) == "x" * 20
    assert sides("o", 1) == "o" * 20
    assert sides("alternating", 1) == "xo" * 10
    assert len({sides("random", seed) for seed in range(10)}) == 10
    with pytest.raises(ValueError, match="side is one of"):
        NoughtsEnv(side="X")  # type: ignore[arg-type]


def test_an_illegal_move_loses_and_changes_nothing() -> None:
    with closing(NoughtsEnv(opponent=first)) as env:
        env.reset()
        before = env.step(4)
        for action in (0, 4):
            env.reset()
            env.step(4)
            observation, reward, terminated, truncated, info = env.step(action)
            assert (reward, terminated, truncated, info.pop("illegal")) == (-1, True, False, True)
            assert data_equivalence((observation, info), (before[0], before[4]))
            with pytest.raises(gymnasium.error.ResetNeeded):
                env.step(8)


@pytest.mark.parametrize("action", [-1, 9, 4.0, "4", None])
def test_an_action_that_there_is_not_is_an_error(action: Any) -> None:
    with closing(NoughtsEnv(opponent=first, value_nodes=0)) as env:
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(4)
        env.reset()
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step(action)
        assert env.step(np.int64(4))[1] == 0


@pytest.mark.parametrize("answer", [(1, 1), (3, 3), None, "z9"])
def test_a_function_that_plays_no_legal_move_is_an_error(answer: Any) -> None:
    with closing(NoughtsEnv(opponent=lambda _: answer, value_nodes=0)) as env:
        env.reset()
        with pytest.raises(IllegalMoveError):
            env.step(4)


def test_an_engine_as_opponent_plays_as_its_name_does() -> None:
    with Engine(player="perfect", tiebreak="first") as engine:
        games = []
        for env in (NoughtsEnv(opponent=engine), NoughtsEnv(opponent="perfect", tiebreak="first")):
            env.reset(seed=1)
            walked = [env.position]
            while env.position.moves:
                env.step(np.int64(env.position.cells.index(".")))
                walked.append(env.position)
            env.close()
            games.append(walked)
        assert games[0] == games[1]
        assert engine.play(Position()) == (0, 0)


def test_options_are_for_the_engine_and_must_be_its_own() -> None:
    with pytest.raises(TypeError, match="only the name of a player has options: level"):
        NoughtsEnv(opponent=first, level=3)
    for name in ("seed", "player", "multipv"):
        options: dict[str, Any] = {name: 1}
        with pytest.raises(TypeError, match=name):
            NoughtsEnv(**options)
    for setting in ({"opponent": "nobody"}, {"level": 11}, {"strength": 3}, {"command": "noughts"}):
        with pytest.raises(EngineError):
            NoughtsEnv(**setting)


def test_a_forked_process_plays_the_same_games_by_itself() -> None:
    for settings in ({}, {"value_nodes": 0}, {"opponent": first}, {"opponent": "perfect", "size": 4}):
        with closing(NoughtsEnv(**settings)) as env:
            env.reset(seed=1)

            def played() -> str:
                return str(env.step(4))

            assert in_a_fork(played) == played()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_draws_the_same_numbers(copied: Any) -> None:
    players: list[dict[str, Any]] = [{"opponent": "random"}, {"opponent": "perfect", "level": 3}]
    for settings in players:
        env = NoughtsEnv(size=4, **settings)
        env.reset(seed=1)
        env.step(5)
        assert data_equivalence(game(env, random.Random(2), 3), game(copied(env), random.Random(2), 3), exact=True)
        other = copied(env)
        assert data_equivalence(game(env, random.Random(2)), game(other, random.Random(2)), exact=True)


@pytest.mark.parametrize(("opponent", "options"), [("perfect", {}), ("random", {}), ("perfect", {"level": 2})])
def test_opponents_of_the_module_play_legal_and_perfect_ones_best_moves(opponent: str, options: dict[str, Any]) -> None:
    chance, known = random.Random(9), dict[Position, tuple[int, int]]()
    for rules in RULES:
        env = NoughtsEnv(**rules, opponent=opponent, value_nodes=0, **options)
        if len(env._start.cells) > 12:
            continue
        for _ in range(20):
            env.reset(seed=chance.randrange(1000))
            over = False
            while not over:
                action = legal(env, chance)
                asked = env.position.play(divmod(action, env.position.columns))
                over = env.step(action)[2]
                assert asked.outcome or env.position in [asked.play(move) for move in asked.moves]
                if opponent == "perfect" and not options and not asked.outcome:
                    best = minimax(asked, known)
                    (move,) = (move for move in asked.moves if asked.play(move) == env.position)
                    assert after_move(asked, move, known) == best


def test_environments_run_side_by_side_in_a_vector() -> None:
    with closing(gymnasium.make_vec("Noughts/Noughts-v0", 3, side="random", level=1)) as env:
        observation, infos = env.reset(seed=9)
        for _ in range(10):
            assert observation.shape == (3, 3, 3, 2)
            assert infos["values"].shape == infos["plies"].shape == infos["action_mask"].shape == (3, 9)
            observation, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_a_game_plays_on_by_itself(copied: Any) -> None:
    with closing(zoo().env(size=4)) as env:
        env.reset()
        for action in range(5):
            env.step(action)
        with closing(copied(env)) as other:
            assert data_equivalence(env.last(), other.last())
            other.step(5)
            assert other.agent_selection != env.agent_selection
            env.step(5)
            assert data_equivalence(env.last(), other.last())


def test_boards_are_rendered_as_text() -> None:
    for mode in ("ansi", None):
        environments: list[Any] = [NoughtsEnv(opponent=first, render_mode=mode), zoo().env(render_mode=mode)]
        for env in environments:
            with closing(env):
                env.reset()
                env.step(4)
                assert env.render() == (str(env.unwrapped.position) if mode else None)


def test_pictures_have_the_stones_and_mark_the_last_move() -> None:
    def squares(env: Any) -> list[list[tuple[int, ...]]]:
        """The colours in the middle of the strokes, and at the edge of each square."""
        image = env.render()
        assert (image.shape, image.dtype) == ((32 * 2, 32 * 4, 3), np.uint8)
        places = [(row * 32 + 16, column * 32 + 16) for row in range(2) for column in range(4)]
        return [[tuple(image[y + down, x + right]) for y, x in places] for down, right in ((0, 0), (9, 0), (-14, -14))]

    white, yellow, blue, red = (255, 255, 255), (255, 240, 170), (30, 90, 160), (190, 60, 40)
    board: dict[str, Any] = {"rows": 2, "columns": 4, "render_mode": "rgb_array"}
    one = NoughtsEnv(**board, opponent=first)
    one.reset()
    assert squares(one) == [[white] * 8] * 3
    one.step(5)
    both = zoo().env(**board)
    both.reset()
    both.step(5)
    both.step(0)
    for env in (one, both):
        middle, ring, edge = squares(env)
        assert middle == [yellow] + [white] * 4 + [blue] + [white] * 2
        assert ring == [red] + [white] * 7
        assert edge == [yellow] + [white] * 7
    both.reset()
    assert squares(both) == [[white] * 8] * 3


def test_the_extras_are_needed_for_the_environments_alone() -> None:
    code = """
import sys

def missing(name, module):
    sys.modules[name] = None
    try:
        __import__(module)
    except ImportError as error:
        return str(error)

import noughts
assert not {"gymnasium", "numpy", "pettingzoo"} & set(sys.modules)
assert 'pip install "noughts[gymnasium]"' in missing("gymnasium", "noughts.envs")
del sys.modules["gymnasium"]
import noughts.envs
assert "pettingzoo" not in sys.modules
assert 'pip install "noughts[pettingzoo]"' in missing("pettingzoo", "noughts.envs.noughts_v0")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
