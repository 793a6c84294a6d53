"""An environment of Gymnasium: the learner plays one side, the engine or a function the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from noughts._noughts import Engine, IllegalMoveError, Limit, Opponent, Position, Values, observe

from .rendering import MODES, render

if TYPE_CHECKING:
    from noughts.agents import Agent
    from noughts.engine import Value

Side = Literal["x", "o", "random", "alternating"]
_SEEDS = 2**63


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

    Up to 16 squares, ``values`` and ``plies`` come from a table of all positions, which is built in less than a second.
    On larger boards they come from proofs of the engine of at most ``value_nodes`` positions, and those of 16,384
    positions are remembered. ``None`` means 100,000 up to 16 squares and 0 above. With 0 they are left out.

    **Random numbers.** ``reset(seed=...)`` makes the side, the engine's moves and all that follows repeatable. A
    function that draws random numbers has to care for that itself.

    ``render`` returns the board as text with ``render_mode="ansi"``, and as a picture with ``rgb_array``: ``uint8``,
    shape ``(32 * rows, 32 * columns, 3)``. ``position`` and ``side`` are the current position and the learner's side;
    ``position.svg()`` is a drawing. The engine runs in this process, so nothing is left to close.
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012, Gymnasium declares it for instances

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
        """Set the game up.

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
        self._player: Opponent | None = None
        if isinstance(opponent, str):
            self._player = Opponent(self._start, opponent, options)
        elif options:
            raise TypeError(f"only the name of a player has options: {', '.join(options)}")
        else:
            # With the budget of a plain "go", never the clock.
            self._agent = partial(opponent.play, limit=Limit()) if isinstance(opponent, Engine) else opponent
        self._side = side
        self._values = Values(value_nodes)
        self._games = 0
        self._over = True
        self.position = self._before = self._start
        self.side = "x"
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
        if self._player and not self._games:
            self._player.state = int(self.np_random.integers(_SEEDS))
        if self._side == "random":
            self.side = "xo"[self.np_random.integers(2)]
        else:
            self.side = "xo"[self._games % 2] if self._side == "alternating" else self._side
        self._games += 1
        self.position = self._before = self._start
        self._over = False
        if self.side == "o":
            self._answer()
        return self._seen()

    def step(self, action: int | np.integer[Any]) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponent's answer if the game goes on.

        :raises gymnasium.error.ResetNeeded: when the episode is over.
        :raises gymnasium.error.InvalidAction: when the action is not in the action space.
        :raises IllegalMoveError: when a function returns no legal move.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset")
        # The question to the space takes longer than the whole step.
        is_whole = isinstance(action, (int, np.integer))
        if not (0 <= action < len(self.position.cells) if is_whole else self.action_space.contains(action)):
            raise gymnasium.error.InvalidAction(f"expected an action of {self.action_space}, found {action!r}")
        before = self.position
        try:
            self.position = before.play(divmod(int(action), before.columns))
        except IllegalMoveError:
            self._over = True
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": True}
        self._before = before
        if not self.position.outcome:
            self._answer()
        outcome = self.position.outcome
        self._over = outcome is not None
        reward = 0.0 if outcome is None or outcome == "draw" else 1.0 if outcome == self.side else -1.0
        observation, info = self._seen()
        return observation, reward, self._over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which squares are empty, shape ``(rows * columns,)``, under the name that sb3-contrib asks for."""
        masks: NDArray[np.bool_] = observe(self.position, self.side)[1] == 1
        return masks

    def render(self) -> Any:
        """Return the board as ``render_mode`` says, or ``None`` without one."""
        return render(self.render_mode, self.position, self._before)

    def _answer(self) -> None:
        before = self._before = self.position
        self.position = self._player.answer(before) if self._player else before.play(self._agent(before))

    def _seen(self) -> tuple[NDArray[np.int8], dict[str, Any]]:
        observation, mask = observe(self.position, self.side)
        return observation, {"action_mask": mask, **self._values.info(self.position)}
