"""What a policy is worth, against plain value iteration, OpenSpiel, and the exams of the program."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from noughts import Move, PolicyEvaluation, Position, Rules, evaluate_policy, exam, positions

np = pytest.importorskip("numpy")

if TYPE_CHECKING:
    from collections.abc import Callable

Array = Any

# The size or the rows and columns, and the number in a row.
BOARDS: list[tuple[dict[str, Any], int]] = [
    ({"size": 1}, 0),
    ({"size": 2}, 0),
    ({"size": 2}, 1),
    ({"size": 2}, 5),
    ({"size": 3}, 0),
    ({"size": 3}, 2),
    ({"size": 3}, 4),
    ({"rows": 1, "columns": 7}, 3),
    ({"rows": 2, "columns": 3}, 0),
    ({"rows": 4, "columns": 2}, 3),
    ({"rows": 2, "columns": 4}, 2),
    ({"rows": 2, "columns": 5}, 2),
    ({"rows": 1, "columns": 11}, 2),
    ({"size": 4}, 1),
    ({"size": 4}, 2),
]
GAMES: list[dict[str, Any]] = [
    {**board, "connect": connect, "reverse": reverse} for board, connect in BOARDS for reverse in (False, True)
]


def going_on(game: dict[str, Any]) -> list[Position]:
    """The positions of the rows of a table."""
    return [position for position in positions(**game) if position.outcome is None]


def empty(position: Position) -> Array:
    return np.array([cell == "." for cell in position.cells], float)


def random_policy(game: dict[str, Any], seed: int) -> Array:
    """Random probabilities: equal, different or mostly one move's; many are 0."""
    generator = np.random.default_rng(seed)
    rows = []
    for position in going_on(game):
        row = empty(position) * generator.random(len(position.cells)) ** generator.choice([0, 1, 8])
        fewer = row * (generator.random(row.size) < generator.choice([0.3, 1]))
        rows.append(fewer if fewer.sum() > 0 else row)
    return np.array(rows) / np.sum(rows, axis=1, keepdims=True)


def index(position: Position, move: Move) -> int:
    return int(move.row * position.columns + move.column)


class Plain:
    """The figures of a policy by the book: values and best responses backward, results and reach forward."""

    def __init__(self, game: dict[str, Any], table: Array) -> None:
        """Take the policy."""
        self.all = going_on(game)
        self.rows = dict(zip(self.all, table, strict=True))
        self.start = self.all[0]
        self.value = cache(self._value)
        self.against = cache(self._against)

    def result(self, position: Position, side: str) -> int | None:
        outcome = position.outcome
        return None if outcome is None else 0 if outcome == "draw" else 1 if outcome == side else -1

    def _value(self, position: Position) -> tuple[int, int]:
        """The result for the side to move, and the plies for it: what sooner ends comes last in a lost game."""
        result = self.result(position, position.side)
        if result is not None:
            return result, 0
        return max((self.after(position, move) for move in position.moves), key=self.preference)

    def after(self, position: Position, move: Move) -> tuple[int, int]:
        result, plies = self.value(position.play(move))
        return -result, plies + 1

    @staticmethod
    def preference(value: tuple[int, int]) -> tuple[int, int]:
        result, plies = value
        return result, -result * plies

    def kept(self, position: Position, *, distance: bool) -> list[Move]:
        """The moves that are best by the result, or by result and distance. Draws have no distance."""
        best = self.preference(self.value(position))
        moves = [(move, self.preference(self.after(position, move))) for move in position.moves]
        return [move for move, value in moves if (value == best if distance else value[0] == best[0])]

    def _against(self, position: Position, side: str) -> float:
        """The expected result of the policy as this side against a best response."""
        result = self.result(position, side)
        if result is not None:
            return result
        results = [self.against(position.play(move), side) for move in position.moves]
        if position.side != side:
            return min(results)
        row = self.rows[position]
        return math.fsum(
            row[index(position, move)] * found for move, found in zip(position.moves, results, strict=True)
        )

    def odds(self, side: str, opponent: str) -> Array:
        """The probabilities of a win, a draw and a loss, by the probability of each position in games."""
        reach, odds = {self.start: 1.0}, np.zeros(3)
        for position in self.all:
            moves = list(position.moves)
            if position.side == side:
                weights = [self.rows[position][index(position, move)] for move in moves]
            else:
                kept = moves if opponent == "random" else self.kept(position, distance=True)
                weights = [(move in kept) / len(kept) for move in moves]
            for move, weight in zip(moves, weights, strict=True):
                after = position.play(move)
                result, probability = self.result(after, side), weight * reach.get(position, 0.0)
                if result is None:
                    reach[after] = reach.get(after, 0.0) + probability
                else:
                    odds[1 - result] += probability
        return odds

    def shares(self) -> dict[str, float]:
        faults = {
            distance: {p: 1 - sum(self.rows[p][index(p, m)] for m in self.kept(p, distance=distance)) for p in self.all}
            for distance in (False, True)
        }
        only_kept = {
            distance: {
                p: all(self.rows[p][index(p, m)] == 0 for m in set(p.moves) - set(self.kept(p, distance=distance)))
                for p in self.all
            }
            for distance in (False, True)
        }
        possible = [p for p in self.all if len(self.kept(p, distance=False)) < len(p.moves)]
        reached = [p for p in self.all if p in self.reached(p.side)]
        return {
            "positions": len(self.all),
            "possible": len(possible),
            "blunder_rate": sum(faults[False][p] for p in possible) / max(len(possible), 1),
            "strongly_solved": sum(only_kept[False].values()) / len(self.all),
            "perfect": sum(only_kept[True].values()) / len(self.all),
            "reached": len(reached),
            "weakly_solved": sum(only_kept[False][p] for p in reached) / len(reached),
        }

    @cache  # noqa: B019, there are few
    def reached(self, side: str) -> set[Position]:
        found = {self.start}
        for position in self.all:
            if position in found:
                played = self.rows[position]
                moves = [m for m in position.moves if position.side != side or played[index(position, m)] > 0]
                found.update(position.play(move) for move in moves)
        return found

    def lines(self, side: str) -> dict[tuple[Move, ...], tuple[float, int]]:
        """All games between the policy and best responses: their probabilities, and their regrets."""
        perfect = self.value(self.start)[0] * (1 if side == "x" else -1)
        found: dict[tuple[Move, ...], tuple[float, int]] = {}

        def descend(position: Position, moves: tuple[Move, ...], probability: float) -> None:
            result = self.result(position, side)
            if result is not None:
                found[moves] = probability, perfect - result
                return
            for move in position.moves:
                after, factor = position.play(move), 1.0
                if position.side == side:
                    factor = self.rows[position][index(position, move)]
                elif self.against(after, side) > self.against(position, side) + 1e-9:
                    continue
                if factor > 0:
                    descend(after, (*moves, move), probability * factor)

        descend(self.start, (), 1.0)
        return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_all_figures_are_those_of_plain_value_iteration(game: dict[str, Any]) -> None:
    # 4x4 with two in a row has 28,117 positions.
    for seed in range(3 if Position(**game).cells.count(".") < 16 else 1):
        table = random_policy(game, seed)
        plain, found = Plain(game, table), evaluate_policy(table, **game)
        for name, figure in plain.shares().items():
            assert getattr(found, name) == pytest.approx(figure, abs=1e-12), name
        assert found.value == plain.value(plain.start)[0]
        assert found.expected is not None
        assert found.worst_result is not None
        for opponent, seats in found.expected.items():
            for side in ("x", "o"):
                odds, expected = plain.odds(side, opponent), seats[side]
                assert [expected.win, expected.draw, expected.loss] == pytest.approx(odds, abs=1e-12)
                assert expected.score == pytest.approx(odds[0] + odds[1] / 2, abs=1e-12)
            assert seats["both"].score == pytest.approx((seats["x"].score + seats["o"].score) / 2, abs=1e-12)
        for side in ("x", "o"):
            assert found.worst_result[side] == pytest.approx(plain.against(plain.start, side), abs=1e-12)
        gains = found.value - found.worst_result["x"], -found.value - found.worst_result["o"]
        assert found.nash_conv == pytest.approx(sum(gains), abs=1e-12)
        assert found.exploitability == pytest.approx(sum(gains) / 2, abs=1e-12)
        assert all(gain > -1e-12 for gain in gains)
        assert found.rules == Rules(**game)
        assert found.sample is None


@pytest.mark.parametrize("game", [game for game in GAMES if Position(**game).cells.count(".") < 8 or game == GAMES[8]])
def test_the_worst_line_is_the_game_with_the_greatest_regret(game: dict[str, Any]) -> None:
    for seed in range(5):
        table = random_policy(game, seed)
        plain, line = Plain(game, table), evaluate_policy(table, **game).worst_line
        lines = {side: plain.lines(side) for side in ("x", "o")}
        most = max(probability * regret for found in lines.values() for probability, regret in found.values())
        if line is None:
            assert most <= 0
        else:
            probability, regret = lines[line.side][line.moves]
            assert line.probability == pytest.approx(probability)
            assert line.regret == regret
            assert probability * regret == pytest.approx(most)


def test_uniform_play_among_perfect_moves_is_perfect() -> None:
    for game in GAMES:
        plain = Plain(game, np.zeros((len(going_on(game)), Position(**game).cells.count("."))))
        for position, row in plain.rows.items():
            for move in plain.kept(position, distance=True):
                row[index(position, move)] = 1
        table = np.array([plain.rows[position] for position in plain.all])
        found = evaluate_policy(table / table.sum(axis=1, keepdims=True), **game)
        assert (found.exploitability, found.blunder_rate, found.worst_line) == (0, 0, None)
        assert (found.strongly_solved, found.perfect, found.weakly_solved) == (1, 1, 1)
        assert found.worst_result == {"x": found.value, "o": -(found.value or 0)}
        assert found.expected is not None
        assert found.expected["perfect"]["both"].score == 0.5


def by_row(game: dict[str, Any], table: Array) -> Callable[[Any, Any], Array]:
    """The policy of a table as a function, which finds the row by the stones alone."""
    rows = {}
    for position, row in zip(going_on(game), table, strict=True):
        own, other = position.side, "o" if position.side == "x" else "x"
        planes = [[cell == own, cell == other] for cell in position.cells]
        rows[np.array(planes, np.int8).tobytes()] = row

    def policy(observations: Any, masks: Any) -> Array:
        start = Position(**game)
        assert observations.shape[1:] == (start.rows, start.columns, 2)
        assert (observations.dtype, masks.dtype) == (np.int8, np.int8)
        assert (masks == 1 - observations.sum(axis=-1).reshape(masks.shape)).all()
        return np.array([rows[observation.tobytes()] for observation in observations])

    return policy


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_rows_are_in_the_order_of_positions(game: dict[str, Any]) -> None:
    table = random_policy(game, 7)
    found = evaluate_policy(table, **game)
    assert evaluate_policy(dict(zip(going_on(game), table, strict=True)), **game) == found
    for batch in (1, 7, 1000):
        assert evaluate_policy(by_row(game, table), batch=batch, **game) == found
    if len(table) < 1000:
        for number, position in enumerate(going_on(game)):
            wrong = table.copy()
            wrong[number, position.cells.index(".")] = np.nan
            with pytest.raises(ValueError, match=f"position {position.text}:"):
                evaluate_policy(wrong, **game)


def test_a_table_may_have_other_numbers() -> None:
    game: dict[str, Any] = {"rows": 2, "columns": 3}
    table = random_policy(game, 3)
    exact = evaluate_policy(table, **game)
    assert evaluate_policy(table.tolist(), **game) == exact
    assert evaluate_policy(np.asfortranarray(table), **game) == exact
    small = evaluate_policy(table.astype(np.float32), **game)
    assert small.exploitability == pytest.approx(exact.exploitability, abs=1e-6)
    ones = np.zeros(table.shape, np.int8)
    ones[range(len(table)), [position.cells.index(".") for position in going_on(game)]] = 1
    assert evaluate_policy(ones, **game) == evaluate_policy(ones.astype(float), **game)


def compared(found: PolicyEvaluation) -> tuple[list[float], PolicyEvaluation]:
    """The figures that are rounded, and the others. The worst line may be another of equally bad ones."""
    assert found.expected is not None
    assert found.worst_result is not None
    assert found.worst_line is not None
    odds = [
        figure for seats in found.expected.values() for expected in seats.values() for figure in vars(expected).values()
    ]
    line = found.worst_line
    rounded = [found.blunder_rate, *found.worst_result.values(), *odds, line.probability, line.regret]
    return rounded, replace(found, blunder_rate=0, worst_result=None, expected=None, worst_line=None)


@pytest.mark.parametrize("game", [{"size": 3}, {"size": 3, "reverse": True}, {"rows": 2, "columns": 4, "connect": 3}])
def test_symmetries_change_nothing(game: dict[str, Any]) -> None:
    start, all_ = Position(**game), going_on(game)
    rows = dict(zip(all_, random_policy(game, 11), strict=True))
    # The cells of each image, as numbers of the cells of the position.
    cells = np.arange(len(start.cells)).reshape(start.shape)
    flips = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    flips += [flip.T for flip in flips] if start.rows == start.columns else []
    images = []
    for flip in flips:
        image = {}
        for position, row in rows.items():
            numbers = flip.ravel()
            moved = position.replace(cells="".join(position.cells[number] for number in numbers), side=position.side)
            image[moved] = row[numbers]
        images.append(image)
    figures, others = compared(evaluate_policy(rows, **game))
    for image in images:
        turned, same = compared(evaluate_policy(image, **game))
        assert turned == pytest.approx(figures, abs=1e-12)
        assert same == others
    mean = {position: np.mean([image[position] for image in images], axis=0) for position in rows}
    symmetrised = evaluate_policy(mean, **game)
    # Only positions of one class are asked, and all others get the image of that answer.
    by_class = {}
    for position in all_:
        for flip in flips:
            numbers = flip.ravel()
            moved = position.replace(cells="".join(position.cells[number] for number in numbers), side=position.side)
            if moved == position.canonical():
                by_class[position] = np.empty(len(numbers))
                by_class[position][numbers] = mean[moved]
    figures, others = compared(symmetrised)
    assert compared(evaluate_policy(by_class, **game))[0] == pytest.approx(figures, abs=1e-12)
    assert compared(evaluate_policy(by_class, **game))[1] == others


def plain_agent(position: Position) -> Move:
    """An agent whose move follows from the stones. It errs now and then."""
    moves: tuple[Move, ...] = position.moves
    return moves[(7 * position.cells.count("x") + 3 * position.cells.index(".")) % len(moves)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("board", [{"size": 3}, {"rows": 2, "columns": 4, "connect": 3}])
def test_exams_of_the_program_say_the_same(board: dict[str, Any], *, reverse: bool) -> None:
    game: dict[str, Any] = {**board, "reverse": reverse}
    table = np.zeros((len(going_on(game)), len(Position(**game).cells)))
    for position, row in zip(going_on(game), table, strict=True):
        row[index(position, plain_agent(position))] = 1
    found = evaluate_policy(table, **game)
    examined = exam(plain_agent, rules="reverse" if reverse else "normal", **board).exams[0]
    assert (found.blunder_rate, found.possible) == (examined.blunder_rate, examined.all.possible)
    assert found.positions == examined.all.positions
    assert found.expected is not None
    assert examined.expected is not None
    for opponent, seats in examined.expected.items():
        for side, expected in seats.items():
            mine = found.expected[opponent][side]
            assert list(vars(mine).values()) == pytest.approx(list(vars(expected).values()), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("tic_tac_toe", {"size": 3}),
        ("misere(game=mnk(m=4,n=2,k=2))", {"rows": 2, "columns": 4, "reverse": True}),
        ("mnk(m=2,n=3,k=2)", {"rows": 3, "columns": 2}),
    ],
)
def test_openspiel_finds_the_same_exploitability(name: str, game: dict[str, Any]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    spiel_policy: Any = pytest.importorskip("open_spiel.python.policy")
    exploitability: Any = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    from noughts.openspiel import position_of  # noqa: PLC0415

    spiel = pyspiel.load_game(name)
    table = random_policy(game, 5)
    rows = {position.cells: row for position, row in zip(going_on(game), table, strict=True)}

    class Tabular(spiel_policy.Policy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
            del player_id
            row = rows[position_of(state).cells]
            return {action: row[action] for action in state.legal_actions()}

    found = evaluate_policy(table, **game)
    expected = exploitability.exploitability(spiel, Tabular(spiel, [0, 1]))
    assert found.exploitability == pytest.approx(expected, abs=1e-12)


def test_wrong_probabilities_are_named_with_their_position() -> None:
    table = random_policy({}, 1)
    all_ = going_on({})
    number = next(n for n, position in enumerate(all_) if position.text == "x2/1o1/3 x")
    for change, message in [
        ({1: math.nan}, "position x2/1o1/3 x: cell 0,1 has the probability NaN, expected a number of at least 0"),
        ({2: -0.25, 1: 1.25}, "cell 0,2 has the probability -0.25, expected a number of at least 0"),
        ({4: 0.5, 1: 0.5}, "position x2/1o1/3 x: the taken cell 1,1 has the probability 0.5, expected 0"),
        ({0: math.nan, 1: 1}, "the taken cell 0,0 has the probability NaN, expected 0"),
        ({1: 0.75}, "position x2/1o1/3 x: the sum of the probabilities is 0.75, expected 1, give or take 0.0001"),
        ({1: math.inf}, "position x2/1o1/3 x: the sum of the probabilities is inf"),
        ({}, "position x2/1o1/3 x: the sum of the probabilities is 0, expected 1"),
    ]:
        table[number] = 0
        for cell, probability in change.items():
            table[number, cell] = probability
        with pytest.raises(ValueError, match=message):
            evaluate_policy(table)
    table[number] = 0
    table[number, 1] = 1.00009
    assert evaluate_policy(table).positions == len(all_)


def test_wrong_shapes_are_named_with_the_right_ones() -> None:
    uniform_rows = {p: empty(p) / empty(p).sum() for p in going_on({"rows": 2, "columns": 3})}
    with pytest.raises(ValueError, match=r"shape \(4520, 9\).* those of the table have \(4519, 9\)"):
        evaluate_policy(np.zeros((4519, 9)))
    with pytest.raises(ValueError, match=r"shape \(9, 9\).* those of the policy have \(9, 3, 3\)"):
        evaluate_policy(lambda boards, _: np.zeros((len(boards), 3, 3)), batch=9)
    with pytest.raises(ValueError, match=r"shape \(1, 6\).* those of the policy have \(\)"):
        evaluate_policy(lambda *_: 1.0, rows=2, columns=3, batch=1)
    with pytest.raises(ValueError, match="the policy has no position 2x/3 o"):
        evaluate_policy({p: row for p, row in uniform_rows.items() if p.text != "2x/3 o"}, rows=2, columns=3)
    for name, number in [("batch", 0), ("batch", -1), ("sample", 0), ("sample", -3)]:
        with pytest.raises(ValueError, match=f"{name} is a number of positions, at least 1, not {number}"):
            evaluate_policy(uniform, None, **{name: number})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected a function or a mapping"):
        evaluate_policy(np.zeros((4520, 9)), sample=10)
    with pytest.raises(ZeroDivisionError):
        evaluate_policy(lambda *_: 1 // 0)


def uniform(_: Any, masks: Any) -> Array:
    return np.array(masks / masks.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("reverse", [False, True])
def test_a_sample_of_all_positions_says_what_all_say(*, reverse: bool) -> None:
    boards: list[dict[str, Any]] = [{"rows": 2, "columns": 3}, {"size": 2}]
    for board in boards:
        whole = evaluate_policy(uniform, reverse=reverse, **board)
        drawn = evaluate_policy(uniform, reverse=reverse, sample=5000, batch=10, **board)
        assert drawn.sample == {"positions": whole.positions, "proven": whole.positions, "nodes": 10_000, "seed": 1}
        assert (drawn.positions, drawn.possible) == (whole.positions, whole.possible)
        assert drawn.blunder_rate == pytest.approx(whole.blunder_rate)
        assert drawn.strongly_solved == pytest.approx(whole.strongly_solved)
        assert (drawn.exploitability, drawn.nash_conv, drawn.expected, drawn.worst_line) == (None,) * 4


def test_large_boards_are_sampled_and_say_so() -> None:
    found = evaluate_policy(uniform, 5, 4, sample=40, seed=3, nodes=2000)
    assert found.sample is not None
    assert found.sample["positions"] == 40
    assert 0 < found.sample["proven"] == found.positions <= 40
    assert 0 < found.blunder_rate < 1
    assert (found.perfect, found.reached, found.weakly_solved, found.value) == (None,) * 4
    assert evaluate_policy(uniform, 5, 4, sample=40, seed=3, nodes=2000, batch=3) == found
    assert evaluate_policy(uniform, 5, 4, sample=40, seed=4, nodes=2000) != found
    assert "40 drawn" in str(found)
    assert "exploitability" not in str(found)


def test_a_report_prints_its_figures() -> None:
    lines = dict(line.split(maxsplit=1) for line in str(evaluate_policy(uniform)).splitlines())
    assert lines["exploitability"] == "0.95983"
    assert lines["positions"] == "4,520"
