"""An environment of PettingZoo (AEC): two agents play against each other, on any board and under both rules.

On 3x3 under normal rules it agrees with ``pettingzoo.classic.tictactoe_v3`` in agents, actions, observations, masks,
rewards and terminations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import spaces

from noughts._noughts import Position, Values, observe

from .rendering import MODES, render

try:
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError('noughts.envs.noughts_v0 needs PettingZoo: pip install "noughts[pettingzoo]"') from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDES = {"player_1": "x", "player_2": "o"}
_AGENTS = {side: agent for agent, side in _SIDES.items()}


def env(**arguments: Any) -> AECEnv:
    """Return a :class:`raw_env` with these arguments, in the usual wrappers of PettingZoo.

    An action whose square is taken ends the game with reward -1 for its agent and 0 for the other. An action outside
    the action space is an error, and so are calls in a wrong order.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801
    """The game without wrappers. ``player_1`` plays X and moves first, ``player_2`` plays O.

    **Arguments.** ``size`` or ``rows`` and ``columns``, ``connect`` and ``reverse`` choose the game, as for
    :class:`~noughts.Position`. ``value_nodes`` is that of :class:`~noughts.envs.NoughtsEnv`.

    **Observation.** ``observation``: 0 and 1, ``int8``, shape ``(rows, columns, 2)``, axes row, column, plane. Plane 0
    has the stones of the agent, plane 1 those of its opponent. ``action_mask``, ``int8``, shape ``(rows * columns,)``:
    1 for each empty square, also when the game is over; all 0 for an agent that is not selected.

    **Action.** A number from 0 to ``rows * columns - 1``: the square in row ``action // columns``, column
    ``action % columns``.

    **Reward.** At the end 1 for the winner and -1 for the loser, or 0 for both. Under reverse rules the side that
    completes a line has lost.

    **Info.** The selected agent has ``values`` and ``plies`` of its actions, as in :class:`~noughts.envs.NoughtsEnv`.

    ``render`` returns the board as text or as a picture, as in :class:`~noughts.envs.NoughtsEnv`. ``position`` is the
    current position. A copy of the environment plays on by itself.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "noughts_v0",
        "render_modes": MODES,
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        size: int | None = None,
        connect: int = 0,
        *,
        rows: int | None = None,
        columns: int | None = None,
        reverse: bool = False,
        value_nodes: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set the game up.

        :raises ValueError: when there is no such game.
        """
        super().__init__()
        self._start = self.position = self._before = Position(size, connect, reverse, rows=rows, columns=columns)
        squares = len(self._start.cells)
        self._values = Values(value_nodes)
        self.render_mode = render_mode
        self.possible_agents = list(_SIDES)
        self.action_spaces = {agent: spaces.Discrete(squares) for agent in _SIDES}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (*self._start.shape, 2), np.int8),
                    "action_mask": spaces.Box(0, 1, (squares,), np.int8),
                }
            )
            for agent in _SIDES
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game. Nothing is drawn, so ``seed`` changes nothing."""
        self.agents = list(_SIDES)
        self.rewards: dict[str, float] = dict.fromkeys(_SIDES, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(_SIDES, 0)
        self.terminations = dict.fromkeys(_SIDES, False)
        self.truncations = dict.fromkeys(_SIDES, False)
        self.position = self._start
        self._reach(self._start)

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play a move of the selected agent; ``None`` for an agent whose game is over.

        :raises IllegalMoveError: when the square is taken or off the board; :func:`env` ends the game instead.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._reach(self.position.play(divmod(int(action), self.position.columns)))
        outcome = self.position.outcome
        if outcome is None:
            return
        if outcome != "draw":
            self.rewards = {agent: 1 if side == outcome else -1 for agent, side in _SIDES.items()}
        self.terminations = dict.fromkeys(_SIDES, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """Return what the agent sees, whether it is selected or not."""
        observation, empty = observe(self.position, _SIDES[agent])
        return {
            "observation": observation,
            "action_mask": empty if agent == self.agent_selection else np.zeros_like(empty),
        }

    def render(self) -> Any:
        """Return the board as ``render_mode`` says, or ``None`` without one."""
        return render(self.render_mode, self.position, self._before)

    def _reach(self, position: Position) -> None:
        self._before, self.position = self.position, position
        self.agent_selection = _AGENTS[position.side]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = self._values.info(position)
