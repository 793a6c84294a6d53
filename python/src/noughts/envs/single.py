"""An environment of Gymnasium: the learner plays one side, the engine or a function the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from noughts._noughts import Limit
from noughts.engine import Engine, Value
from noughts.position import IllegalMoveError, Position

from . import arrays

if TYPE_CHECKING:
    from noughts.agents import Agent

Side = Literal["x", "o", "random", "alternating"]
_SEEDS = 2**31


class NoughtsEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One game is one episode. A step is a move of the learner and the answer of its opponent.

    **Arguments.** ``size`` or ``rows`` and ``columns``, ``connect`` and ``reverse`` choose the game, as for
    :class:`~noughts.Position`. ``side`` is the learner's: ``x``, which moves first, or ``o``; or ``random``, drawn by
    each reset; or ``alternating``, which begins with ``x`` after each reset with a seed. ``opponent`` is a player of
    the engine, such as ``random``, ``perfect`` or ``mcts``, and further arguments are its options: ``level=3``,
    ``trials=100``. Or it is a function of a :class:`~noughts.Position` that returns a move; or an
    :class:`~noughts.Engine`, which the caller closes. ``value_nodes`` is explained below.

    **Observation.** An array of 0 and 1, ``int8``, shape ``(rows, columns, 2)``: the first two axes are row and column.
    Plane 0 has the learner's stones and plane 1 the opponent's, whichever side the learner plays. So a policy can play
    both sides. The layout is that of :mod:`noughts.envs.noughts_v0`, and of ``tictactoe_v3`` of PettingZoo. It is a
    plain array, and the mask is in ``info``, so that algorithms without masks need no wrapper.

    **Action.** A number from 0 to ``rows * columns - 1``: the square in row ``action // columns``, column
    ``action % columns``. An action whose square is taken loses: the episode ends with reward -1, the board stays as it
    is, and ``info["illegal"]`` is ``True``.

    **Reward.** 1 when the learner has won, -1 when it has lost, 0 otherwise. Under reverse rules the side that
    completes a line has lost.

    **Info.** Arrays of shape ``(rows * columns,)`` about the position that was returned:

    - ``action_mask``, ``int8``: 1 for each empty square, also when the game is over.
    - ``values``, ``float32``: the exact value of each action for the learner, -1, 0 or 1. It is -inf where the action
      is not legal or its value is not proven; ``numpy.isfinite`` tells which values are proven.
    - ``plies``, ``int16``: of a proven win or loss, plies to the end when the winner hurries and the loser delays, the
      action counted; 0 where that is not proven.

    ``values`` and ``plies`` come from proofs of the engine of at most ``value_nodes`` positions. ``None`` means 100,000
    up to 16 squares and 0 above. With 0 they are left out. Most positions of 4x4 need less than 2 ms; those of 3 in a
    row under reverse rules need up to half a second. The values of 16,384 positions are remembered.

    **Random numbers.** ``reset(seed=...)`` makes the side, the engine's moves and all that follows repeatable. A
    function that draws random numbers has to care for that itself.

    ``render`` returns the board as text with ``render_mode="ansi"``. ``position`` and ``side`` are the current position
    and the learner's side; ``position.svg()`` is a drawing. ``close`` ends the processes of the engine.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012, Gymnasium declares it for instances

    def __init__(
        self,
        size: int | None = None,
        connect: int = 0,
        *,
        rows: int | None = None,
        columns: int | None = None,
        reverse: bool = False,
        side: Side = "x",
        opponent: str | Agent | Engine = "auto",
        value_nodes: int | None = None,
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        """Set the game up. The engine starts with the first reset.

        :raises ValueError: when there is no such game or side, or when every first move ends the game, so that the
            learner cannot be O.
        :raises TypeError: when a function is given options, or the engine a ``seed``.
        :raises EngineError: when the engine refuses an option.
        """
        self._start = Position(size, connect, reverse, rows=rows, columns=columns)
        squares = len(self._start.cells)
        if side not in get_args(Side):
            raise ValueError(f"side is one of {', '.join(get_args(Side))}, not {side!r}")
        if side != "x" and self._start.play((0, 0)).outcome:
            raise ValueError("the first move ends this game, so the learner can only be x")
        self._engine: Engine | None = None
        if isinstance(opponent, str):
            # The seed is new for each game. Here it only keeps it out of the options.
            self._engine = Engine(None, player=opponent, seed=1, **options)
            self._opponent: Agent = self._engine.play
        elif options:
            raise TypeError(f"only the name of a player has options: {', '.join(options)}")
        else:
            # With the budget of a plain "go", never the clock.
            self._opponent = partial(opponent.play, limit=Limit()) if isinstance(opponent, Engine) else opponent
        self._side = side
        self._values = arrays.Values(squares, value_nodes)
        self._games = 0
        self._over = True
        self.position, self.side = self._start, "x"
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 1, (*self._start.shape, 2), np.int8)
        self.action_space = spaces.Discrete(squares)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a game. If the learner is O, its opponent has made the first move already."""
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
        if self._side == "random":
            self.side = "xo"[self.np_random.integers(2)]
        else:
            self.side = "xo"[self._games % 2] if self._side == "alternating" else self._side
        self._games += 1
        if self._engine:
            self._engine.configure(seed=int(self.np_random.integers(1, _SEEDS)))
        self.position = self._start
        self._over = False
        if self.side == "o":
            self._answer()
        return self._observation(), self._info()

    def step(self, action: int | np.integer[Any]) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponent's answer if the game goes on.

        :raises gymnasium.error.ResetNeeded: when the episode is over.
        :raises gymnasium.error.InvalidAction: when the action is not in the action space.
        :raises IllegalMoveError: when a function returns no legal move.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(f"expected an action of {self.action_space}, found {action!r}")
        try:
            self.position = self.position.play(divmod(int(action), self.position.columns))
        except IllegalMoveError:
            self._over = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        if not self.position.outcome:
            self._answer()
        outcome = self.position.outcome
        self._over = outcome is not None
        reward = {None: 0.0, "draw": 0.0, self.side: 1.0}.get(outcome, -1.0)
        return self._observation(), reward, self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which squares are empty, shape ``(rows * columns,)``, under the name that sb3-contrib asks for."""
        return arrays.mask(self.position).astype(np.bool_)

    def render(self) -> str | None:
        """Return the board as text, or ``None`` without ``render_mode="ansi"``."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the processes of the engine. The environment cannot be reset any more."""
        if self._engine:
            self._engine.close()
        self._values.close()

    def _answer(self) -> None:
        self.position = self.position.play(self._opponent(self.position))

    def _observation(self) -> NDArray[np.int8]:
        return arrays.planes(self.position, self.side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": arrays.mask(self.position), **self._values.info(self.position)}
