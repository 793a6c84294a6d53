"""Noughts and OpenSpiel: engines as bots of OpenSpiel, and bots and policies of OpenSpiel as agents.

The games are ``tic_tac_toe``, ``mnk`` on boards up to 20x20, of m columns and n rows, and ``gomoku`` on square boards.
Completing a line loses in ``misere`` of them, and in ``gomoku(anti=true)``. Actions of OpenSpiel number the squares in
reading order, from 0. X is player 0.

This module needs the extra ``open-spiel``.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ._noughts import Limit, Position
from .move import Move

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError as error:
    raise ImportError("noughts.openspiel needs OpenSpiel: pip install 'noughts[open-spiel]'") from error

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._noughts import Engine


def game_of(position: Position) -> pyspiel.Game:
    """Return the game with the rules of a position: ``tic_tac_toe`` or ``mnk``, or ``misere`` of them if lines lose."""
    rows, columns, connect = *position.shape, position.line_length
    name = "tic_tac_toe()" if rows == columns == connect == 3 else f"mnk(m={columns},n={rows},k={connect})"  # noqa: PLR2004
    return pyspiel.load_game(f"misere(game={name})" if position.reverse else name)


def board_of(game: pyspiel.Game) -> Position:
    """Return the empty board of a game. Its ``connect`` is 0 if a line has as many squares as the shorter side.

    :raises ValueError: when Noughts does not know the game.
    """
    kind, given = game.get_type(), game.get_parameters()
    name, reverse = kind.short_name, False
    if name == "misere":
        given, reverse = dict(given["game"]), True
        name = given.pop("name")
    match name, {**kind.parameter_specification, **given}:
        case "tic_tac_toe", _:
            rows = columns = connect = 3
        case "mnk", {"m": columns, "n": rows, "k": connect} if connect > 0:
            pass
        case "gomoku", {"size": rows, "connect": connect, "anti": anti, "dims": 2, "wrap": False} if connect > 0:
            columns = rows
            reverse ^= anti
        case _:
            raise ValueError(f"expected tic_tac_toe, mnk or gomoku on a flat board, found {game}")
    return Position(None, connect, reverse, rows=rows, columns=columns)


def position_of(state: pyspiel.State) -> Position:
    """Return the position of a state: the moves of its history, played from the empty board.

    :raises ValueError: when Noughts does not know the game, or when the state began with stones on the board.
    """
    position = board_of(state.get_game())
    position = position.play(*(divmod(action, position.columns) for action in state.history()))
    if [_action(position, move) for move in position.moves] != state.legal_actions():
        raise ValueError("the state is not reached from the empty board by its history")
    return position


def state_of(position: Position, game: pyspiel.Game | None = None) -> pyspiel.State:
    """Return a state with the stones of a position, of ``game`` or else of :func:`game_of`.

    A state has a history: stones of X and O in turn, those of each side in reading order. A stone that completes all
    lines of the position comes last.

    :raises ValueError: when the game has other rules, and when no game that X begins leads to the position.
    """
    game = game or game_of(position)
    board = board_of(game)
    if (board.shape, board.line_length, board.reverse) != (position.shape, position.line_length, position.reverse):
        raise ValueError(f"{position.text} has other rules than {game}")
    x, o = ([cell for cell, stone in enumerate(position.cells) if stone == side] for side in "xo")
    unreached = f"no game that X begins leads to {position.text}"
    if len(x) - len(o) != (position.side == "o"):
        raise ValueError(unreached)
    if position.outcome in ("x", "o"):
        for last in [_action(position, square) for square in position.line if position[square] != position.side]:
            cells = position.cells[:last] + "." + position.cells[last + 1 :]
            before = position.replace(cells=cells, side="")
            if not before.outcome:
                state = state_of(before, game)
                state.apply_action(last)
                return state
        raise ValueError(unreached)
    state = game.new_initial_state()
    for place in range(len(x) + len(o)):
        state.apply_action((x, o)[place % 2][place // 2])
    return state


class EngineBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays the moves of an engine, for either player. The caller closes the engine.

    ::

        with Engine(player="perfect") as engine:
            bots = [EngineBot(engine), pyspiel.make_uniform_random_bot(1, 7)]
            pyspiel.evaluate_bots(pyspiel.load_game("tic_tac_toe").new_initial_state(), bots, 7)
    """

    def __init__(self, engine: Engine, limit: Limit | None = None) -> None:
        """Play with an engine. ``limit`` is for each move; without it the budget of a plain ``go``."""
        pyspiel.Bot.__init__(self)
        self._engine, self._limit = engine, limit or Limit()

    def step(self, state: pyspiel.State) -> int:
        """Return the action that the engine plays.

        :raises ValueError: as :func:`position_of`, and when the game is over.
        """
        position = position_of(state)
        return _action(position, self._engine.play(position, self._limit))

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """Return the legal actions, each with 1 if it is played and else 0, and the action that is played."""
        played = self.step(state)
        return [(action, float(action == played)) for action in state.legal_actions()], played

    def restart(self) -> None:
        """Have the engine forget what it has found out."""
        self._engine.new_game()

    def restart_at(self, state: pyspiel.State) -> None:  # noqa: ARG002
        """Have the engine forget what it has found out. It needs no history."""
        self.restart()


def bot_agent(
    bot: pyspiel.Bot, other: pyspiel.Bot | None = None, *, game: pyspiel.Game | None = None
) -> Callable[[Position], Move]:
    """Return an agent that asks a bot: the argument of :func:`noughts.exam` and :func:`noughts.match`.

    The bot plays both sides, or X if ``other`` plays O. A bot that OpenSpiel makes for one player needs the other one:
    it may end the whole process when the turn is not its own. ``game`` is what the bots were made for, if it is not
    :func:`game_of` the position. A bot gets ``restart_at`` and then ``step``, with the state of :func:`state_of`.
    """

    def agent(position: Position) -> Move:
        state = state_of(position, game)
        asked = other if other and state.current_player() else bot
        asked.restart_at(state)
        return _move(position, asked.step(state))

    agent.__name__ = type(bot).__name__
    return agent


def policy_agent(
    policy: pyspiel.Policy, *, seed: int | None = None, game: pyspiel.Game | None = None
) -> Callable[[Position], Move]:
    """Return an agent that asks a policy: anything with ``action_probabilities(state)``, which returns a dictionary.

    The agent plays the most probable action, the first one in reading order if there are several. With ``seed`` it
    draws an action by the probabilities; the same questions in the same order get the same answers. ``game`` is what
    the policy was made for, if it is not :func:`game_of` the position. A policy that depends on the order of moves,
    such as a table of histories, is asked about the order of :func:`state_of` only.
    """
    rng = None if seed is None else random.Random(seed)  # noqa: S311

    def agent(position: Position) -> Move:
        chances = sorted(policy.action_probabilities(state_of(position, game)).items())
        if rng is None:
            action, _ = max(chances, key=lambda chance: chance[1])
        else:
            ((action, _),) = rng.choices(chances, [chance for _, chance in chances])
        return _move(position, action)

    agent.__name__ = type(policy).__name__
    return agent


def _action(position: Position, move: Move) -> int:
    return move.row * position.columns + move.column


def _move(position: Position, action: int) -> Move:
    return Move(*divmod(int(action), position.columns))
