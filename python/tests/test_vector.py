"""Many games at a time, against plain games of positions."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from noughts import Engine, EngineError, Position

gymnasium = pytest.importorskip("gymnasium")
np = pytest.importorskip("numpy")

from noughts import vector  # noqa: E402
from noughts._noughts import BatchGames  # noqa: E402

from .test_envs import after_move  # noqa: E402

BOARDS: list[dict[str, Any]] = [
    {"size": 1},
    {"size": 2, "connect": 1},
    {"size": 3},
    {"rows": 2, "columns": 4, "connect": 3},
    {"rows": 1, "columns": 7, "connect": 3},
    {"rows": 4, "columns": 3, "connect": 3},
    {"size": 4, "connect": 3},
    {"rows": 2, "columns": 9, "connect": 12},
    {"size": 8, "connect": 4},
    {"rows": 9, "columns": 8, "connect": 3},
    {"size": 15, "connect": 5},
    {"rows": 17, "columns": 20, "connect": 4},
]
SIDES = ["x", "o", "random", "alternating"]


def planes(position: Position, side: str) -> list[bool]:
    return [cell == owner for cell in position.cells for owner in (side, "xo"[side == "x"])]


def empty(position: Position) -> list[bool]:
    return [cell == "." for cell in position.cells]


def result(position: Position, side: str) -> int:
    return {None: 0, "draw": 0, side: 1}.get(position.outcome, -1)


class Plain:
    """One game of a batch, followed by its arrays: the stone that is new is the opponent's move."""

    def __init__(self, start: Position, both: bool) -> None:  # noqa: FBT001
        self.start, self.both = start, both
        self.answers: list[tuple[Position, tuple[int, int]]] = []

    def begin(self, seen: list[bool]) -> None:
        """Begin with what is seen: the empty board, or the opponent's first stone."""
        self.position, self.side = self.start, "o" if any(seen) else "x"
        if self.side == "o":
            self.answer(seen)
        assert seen == planes(self.position, self.side)

    def answer(self, seen: list[bool]) -> None:
        """Play the opponent's move."""
        before = planes(self.position, self.side)
        (new,) = (index for index in range(len(seen)) if seen[index] != before[index])
        move = divmod(new // 2, self.position.columns)
        self.answers.append((self.position, move))
        self.position = self.position.play(move)

    def step(self, action: int, seen: list[bool], after: list[bool], reward: float, over: bool) -> None:  # noqa: FBT001
        """Compare a step: ``after`` is seen by the learner at its end, and ``seen`` is the last board of the game."""
        columns, mover = self.position.columns, self.side
        if self.position.cells[action] != ".":
            expected, is_over = -1, True
        else:
            self.position = self.position.play(divmod(action, columns))
            if self.both:
                self.side = "xo"[mover == "x"]
            elif self.position.outcome is None:
                self.answer(seen)
            expected, is_over = result(self.position, mover), self.position.outcome is not None
        assert (reward, over) == (expected, is_over)
        assert seen == planes(self.position, self.side)
        if over:
            self.begin(after)


def follow(env: Any, start: Position, steps: int, chance: random.Random, both: bool = False) -> list[Plain]:  # noqa: FBT001, FBT002
    """Compare every game of a batch with a plain one, taken squares now and then."""
    observations, infos = env.reset(seed=chance.randrange(2**32))
    games = [Plain(start, both) for _ in observations]
    for game, seen in zip(games, observations, strict=True):
        game.begin(seen.astype(bool).ravel().tolist())
    for _ in range(steps):
        legal = [chance.choice(np.flatnonzero(mask).tolist()) for mask in infos["action_mask"]]
        actions = [chance.randrange(len(start.cells)) if chance.random() < 0.05 else action for action in legal]
        observations, rewards, over, truncated, infos = env.step(np.array(actions))
        assert not truncated.any()
        seen = np.where(over[:, None, None, None], infos["final_obs"], observations)
        for index, game in enumerate(games):
            last, after = (each[index].astype(bool).ravel().tolist() for each in (seen, observations))
            game.step(actions[index], last, after, float(rewards[index]), bool(over[index]))
            assert infos["action_mask"][index].astype(bool).tolist() == empty(game.position)
    return games


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_every_game_is_that_of_positions(board: dict[str, Any], side: Any, reverse: bool) -> None:  # noqa: FBT001
    start, chance = Position(**board, reverse=reverse), random.Random(1)
    if side != "x" and start.play((0, 0)).outcome:
        with pytest.raises(ValueError, match="the learner can only be x"):
            vector.make(2, **board, reverse=reverse, side=side)
        return
    env = vector.make(6, **board, reverse=reverse, side=side, final_obs=True)
    games = follow(env, start, 40 + 3 * len(start.cells), chance)
    assert start.play((0, 0)).outcome or any(game.answers for game in games)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_self_play_shows_the_board_to_the_side_to_move(board: dict[str, Any], reverse: bool) -> None:  # noqa: FBT001
    start = Position(**board, reverse=reverse)
    for opponent in (None, "self"):
        env = vector.make(3, **board, reverse=reverse, opponent=opponent, final_obs=True)
        games = follow(env, start, 30 + 3 * len(start.cells), random.Random(2), both=True)
        assert not any(game.answers for game in games)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("board", BOARDS[:6], ids=str)
def test_perfect_plays_every_best_move_and_no_other(board: dict[str, Any], reverse: bool) -> None:  # noqa: FBT001
    start = Position(**board, reverse=reverse)
    known: dict[Position, tuple[int, int]] = {}
    side: Any = "x" if start.play((0, 0)).outcome else "random"
    env = vector.make(50, **board, reverse=reverse, opponent="perfect", side=side, final_obs=True)
    games = follow(env, start, 200, random.Random(3))
    played: dict[Position, Counter[tuple[int, int]]] = {}
    for game in games:
        for position, move in game.answers:
            played.setdefault(position, Counter())[move] += 1
    for position, moves in played.items():
        values = {(move.row, move.column): after_move(position, move, known) for move in position.moves}
        # The best of values such as (1, plies): fast wins, slow losses.
        rank = {move: (value, -value * plies) for move, (value, plies) in values.items()}
        best = {move for move in rank if rank[move] == max(rank.values())}
        assert moves.keys() <= best, position
        assert moves.keys() == best or moves.total() < 20 * len(best)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("board", BOARDS[:7], ids=str)
def test_values_and_regrets_are_exact(board: dict[str, Any], reverse: bool) -> None:  # noqa: FBT001
    start, chance = Position(**board, reverse=reverse), random.Random(4)
    known: dict[Position, tuple[int, int]] = {}
    env = vector.make(20, **board, reverse=reverse, opponent=None, regret=True)
    _, infos = env.reset(seed=1)
    positions, squares = [start] * 20, len(start.cells)
    seen: dict[Position, tuple[list[float], list[int]]] = {}
    assert not infos["regret"].any()
    for _ in range(30):
        for position, values, plies in zip(positions, infos["values"], infos["plies"], strict=True):
            seen[position] = values.tolist(), plies.tolist()
        before = infos["values"].copy()
        actions = [chance.randrange(squares) for _ in positions]
        _, _, over, _, infos = env.step(actions)
        played = np.maximum(before[range(20), actions], -1)
        assert (infos["regret"] == before.max(axis=1) - played).all()
        positions = [
            start if over[index] else position.play(divmod(actions[index], start.columns))
            for index, position in enumerate(positions)
        ]
    if squares <= 12:
        for position, found in seen.items():
            assert found == exact(position, lambda move, position=position: after_move(position, move, known))
    with Engine(player="perfect", trials=1) as engine:
        asked = list(seen)[:: 1 + len(seen) // 40]
        for position, analysis in zip(asked, engine.analyse_all(asked, multipv=squares), strict=True):
            assert seen[position] == exact(
                position, lambda move, a=analysis: (a.moves[move].value, a.moves[move].plies)
            )


def exact(position: Position, value: Any) -> tuple[list[float], list[int]]:
    """The arrays of a position, by the value and plies of each move."""
    known = {row * position.columns + column: value(move) for move in position.moves for row, column in [move]}
    squares = range(len(position.cells))
    found = [known.get(square, (-np.inf, 0)) for square in squares]
    return [float(value) for value, _ in found], [plies or 0 for _, plies in found]


@pytest.mark.parametrize(
    "setting",
    [
        {"opponent": "montecarlo", "trials": 20},
        {"opponent": "auto", "level": 2, "side": "alternating"},
        {"opponent": "perfect", "level": 4, "side": "random", "reverse": True},
        {"opponent": "perfect", "tiebreak": "first", "side": "o"},
        {"opponent": "mcts", "trials": 30, "size": 5, "connect": 4, "side": "o"},
        {"opponent": "random", "rows": 3, "columns": 5},
    ],
    ids=str,
)
def test_any_player_is_an_opponent_and_its_games_are_repeatable(setting: dict[str, Any]) -> None:
    def games(num_envs: int, seed: int) -> list[Any]:
        env = vector.make(num_envs, **setting, final_obs=True)
        observations, infos = env.reset(seed=seed)
        seen = [observations[:3].copy()]
        for _ in range(12):
            seen += [each[:3].copy() for each in env.step(infos["action_mask"].argmax(axis=1))[:3]]
        return [each.tolist() for each in seen]

    board = {name: setting[name] for name in ("size", "connect", "rows", "columns", "reverse") if name in setting}
    follow(vector.make(3, **setting, final_obs=True), Position(**board), 20, random.Random(5))
    # The games of a seed are the same in a batch of another size.
    assert games(3, 7) == games(3, 7) == games(5, 7)
    assert games(3, 7) != games(3, 8) or setting.get("tiebreak")


def test_side_and_streams_go_on_without_a_seed() -> None:
    env = vector.make(64, side="alternating")
    stones = [env.reset(seed=1)[0].sum(), env.reset()[0].sum(), env.reset()[0].sum(), env.reset(seed=1)[0].sum()]
    assert stones == [0, 64, 0, 0]
    env = vector.make(64, side="random", seed=5)
    one, other = env.reset()[0].copy(), env.reset()[0].copy()
    assert (one != other).any()
    assert (vector.make(64, side="random", seed=5).reset()[0] == one).all()
    assert (vector.make(64, side="random").reset()[0] != vector.make(64, side="random").reset()[0]).any()
    assert 16 <= one.sum() <= 48


def test_a_random_opponent_plays_all_moves_equally_often() -> None:
    observations, _ = vector.make(9000, size=3, side="o", seed=1).reset()
    counts = observations[..., 1].sum(axis=0, dtype=int)
    assert (abs(counts - 1000) < 5 * 30).all()


def test_arrays_of_the_caller_are_written_in_place() -> None:
    rollout = np.full((2, 5, 3, 3, 2), 7, np.int8)
    given = {"observations": rollout[1], "rewards": np.ones(5, np.float32)}
    env = vector.make(5, buffers=given)
    observations, infos = env.reset(seed=1)
    assert observations is given["observations"]
    assert (rollout[0] == 7).all()
    assert not rollout[1].any()
    after = env.step([4] * 5)
    assert after[0] is observations
    assert after[1] is given["rewards"]
    assert rollout[1].sum() == 10
    assert after[4]["action_mask"] is infos["action_mask"]
    assert given.keys() == {"observations", "rewards"}
    for wrong in (
        {"observations": np.zeros((5, 3, 3, 2))},
        {"observations": np.zeros((4, 3, 3, 2), np.int8)},
        {"rewards": np.zeros(10, np.float32)[::2]},
        {"rewards": np.broadcast_to(np.float32(0), 5)},
        {"rewards": [0.0] * 5},
    ):
        with pytest.raises(ValueError, match="expected a writable contiguous array of"):
            vector.make(5, buffers=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"buffers has .*reward"):
        vector.make(5, buffers={"reward": np.zeros(5, np.float32)})
    games = BatchGames(3, opponent=None)
    games.reset(1)
    games.step(np.array([0, 1, 2], np.int32))
    assert games.buffers["observations"].reshape(3, 18).argmax(axis=1).tolist() == [1, 3, 5]


def test_each_step_may_write_into_another_row_of_a_rollout() -> None:
    games, env = BatchGames(8, side="random"), vector.make(8, side="random")
    rollout = np.zeros((21, 8, 3, 3, 2), np.int8)
    games.buffers["observations"] = rollout[0]
    games.reset(1)
    observations, infos = env.reset(seed=1)
    for row in rollout[1:]:
        games.buffers["observations"] = row
        actions = infos["action_mask"].argmax(axis=1)
        games.step(actions)
        observations, *_, infos = env.step(actions)
        assert (row == observations).all()
    before = rollout[-1].copy()
    for wrong in (rollout[0, 1:], rollout[0].astype(float), rollout[:16:2, 0], None):
        games.buffers["observations"] = wrong  # type: ignore[assignment]
        with pytest.raises(ValueError, match="144 entries; nothing is played"):
            games.step(actions)
    games.buffers["observations"] = rollout[-1]
    assert (rollout[-1] == before).all()
    del games.buffers["rewards"]
    with pytest.raises(ValueError, match="rewards"):
        games.step(actions)


def test_a_wrong_call_changes_nothing() -> None:
    env = vector.make(3, seed=1)
    env.reset()
    before = {name: array.copy() for name, array in env.games.buffers.items()}
    for actions, kind, words in (
        ([0, 9, 0], ValueError, "action 9 of game 1 is not from 0 to 8"),
        ([0, 0, -1], ValueError, "action -1 of game 2"),
        ([0, 0], ValueError, "expected 3 actions, found 2"),
        ([0.0, 1.0, 2.0], TypeError, "int64 or int32"),
        ([[0, 1, 2]], TypeError, "int64 or int32"),
    ):
        with pytest.raises(kind, match=words):
            env.step(actions)
        assert all((array == before[name]).all() for name, array in env.games.buffers.items())


@pytest.mark.parametrize(
    ("setting", "kind", "words"),
    [
        ({"size": 21}, ValueError, "1 to 20"),
        ({"opponent": "nobody"}, EngineError, "nobody"),
        ({"level": 11}, EngineError, "level"),
        ({"strength": 3}, EngineError, "strength"),
        ({"player": "mcts"}, TypeError, "player"),
        ({"level": 3}, TypeError, "random has no options"),
        ({"side": "X"}, ValueError, "side is one of"),
        ({"opponent": None, "side": "o"}, ValueError, "both sides"),
        ({"opponent": None, "level": 3}, ValueError, "both sides"),
        ({"size": 5, "regret": True}, ValueError, "up to 16 cells, not on 5x5"),
    ],
)
def test_wrong_arguments_are_errors(setting: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        vector.make(2, **setting)
    for num_envs in (0, 2**30):
        with pytest.raises(ValueError, match="num_envs is a number from 1 to"):
            vector.make(num_envs)


def test_threads_step_batches_of_their_own() -> None:
    def games(seed: int) -> Any:
        env = vector.make(4096, opponent="perfect")
        _, infos = env.reset(seed=seed)
        for _ in range(50):
            observations = env.step(infos["action_mask"].argmax(axis=1))[0]
        return observations

    with ThreadPoolExecutor(4) as pool:
        assert all((one == games(seed)).all() for seed, one in enumerate(pool.map(games, range(4))))


def test_gymnasium_takes_it_as_a_vector() -> None:
    for setting in ({"size": 3, "regret": True}, {"rows": 2, "columns": 9, "connect": 3, "opponent": None}):
        inner = vector.make(16, seed=3, **setting)
        assert inner.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(inner)
        observations, infos = env.reset(seed=1)
        ended = 0
        for _ in range(60):
            assert env.observation_space.contains(observations)
            actions = np.array([chosen(mask) for mask in infos["action_mask"]])
            assert env.action_space.contains(actions)
            observations, rewards, over, truncated, infos = env.step(actions)
            assert rewards.shape == over.shape == truncated.shape == (16,)
            assert (over.dtype, truncated.dtype) == (np.bool_, np.bool_)
            assert not rewards[~over].any()
            ended += over.sum()
            assert not over.any() or (infos["episode"]["r"][over] == rewards[over]).all()
        assert ended
        env.close()


def chosen(mask: Any) -> int:
    return int(np.random.default_rng(int(mask.sum())).choice(np.flatnonzero(mask)))
