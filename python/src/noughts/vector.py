"""Many games at a time for Gymnasium: the games, their resets and the opponents run inside the engine's module.

::

    from noughts import vector

    env = vector.make(4096, size=3, opponent="perfect", side="random")
    observations, infos = env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import gymnasium
    import numpy as np
except ImportError as error:
    raise ImportError('noughts.vector needs Gymnasium and NumPy: pip install "noughts[gymnasium]"') from error

from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from ._noughts import BatchGames

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .engine import Value
    from .envs.single import Side

_INFOS = ("action_mask", "values", "plies", "regret", "final_obs")


class NoughtsVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """``num_envs`` games. Each step plays an action in every game, and the answers of the opponent.

    **Arguments.** ``size`` or ``rows`` and ``columns``, ``connect`` and ``reverse`` choose the game, and ``side`` is
    the learner's, as for :class:`~noughts.envs.NoughtsEnv`. ``opponent`` is a player of the engine with its options:
    ``level=3``, ``trials=100``. ``random`` plays any legal move. ``perfect`` plays any of the moves that are best by
    value and distance, up to 16 squares from a table; on larger boards it is the engine's, with the budget of a plain
    ``go``. ``random`` and ``perfect`` up to 16 squares are the fast ones. With ``None`` or ``self`` the learner plays
    both sides.

    **Arrays.** ``reset`` and ``step`` return the same arrays each time, written in place: copy what you keep.
    ``buffers`` is a dictionary of arrays to write into in place of new ones, contiguous, of these shapes and types:
    ``observations`` ``(num_envs, rows, columns, 2)`` ``int8``, ``action_mask`` ``(num_envs, rows * columns)``
    ``int8``, ``rewards`` ``(num_envs,)`` ``float32``, ``terminations`` and ``truncations`` ``(num_envs,)`` ``bool``.
    Observations, actions, rewards and masks are those of :class:`~noughts.envs.NoughtsEnv`, a row for each game. A
    taken square ends the game with reward -1. Nothing is truncated.

    **Self-play.** Each step is a move of the side to move. Observations show its own stones in plane 0 and masks its
    moves, and the reward is that of the side that has just moved: the other side gets the negative.

    **Resets.** A game that ends begins again in the same step (``AutoresetMode.SAME_STEP``): where ``terminations`` is
    true, the observation is the first one of the next game. Its value counts for nothing, as no game is truncated.
    With ``final_obs``, ``infos["final_obs"]`` has the last observation of these games, and ``infos["_final_obs"]``
    says which.

    **Values.** With ``regret``, up to 16 squares, ``infos`` has the exact ``values`` and ``plies`` of each action, as
    in :class:`~noughts.envs.NoughtsEnv`, and ``regret``, ``float32``, what the last action of each game gave away: 0
    is a perfect move, 1 a draw for a win or a loss for a draw, 2 a loss for a win. A taken square counts as a loss.

    **Random numbers.** Each game has a stream of its own, from the seed and its index: the same seed gives the same
    games on every machine, however many there are.
    """

    def __init__(
        self,
        num_envs: int,
        size: int | None = None,
        connect: int = 0,
        *,
        rows: int | None = None,
        columns: int | None = None,
        reverse: bool = False,
        opponent: str | None = "random",
        side: Side = "x",
        seed: int | None = None,
        regret: bool = False,
        final_obs: bool = False,
        buffers: dict[str, NDArray[Any]] | None = None,
        **options: Value | None,
    ) -> None:
        """Set the games up.

        :raises ValueError: when there is no such game or side, when an array does not fit, or when the values of the
            board are not known.
        :raises EngineError: when the engine has no such player or refuses an option.
        :raises TypeError: when an option belongs to the game, or ``random`` is given any.
        """
        game: dict[str, Any] = {"size": size, "connect": connect, "rows": rows, "columns": columns, "reverse": reverse}
        extras: dict[str, Any] = {
            "seed": seed,
            "regret": regret,
            "final_obs": final_obs,
            "buffers": buffers,
            "options": options,
        }
        self.games = BatchGames(num_envs, **game, opponent=opponent, side=side, **extras)
        self._arrays = self.games.buffers
        self._infos = {name: self._arrays[name] for name in _INFOS if name in self._arrays}
        if final_obs:
            self._infos["_final_obs"] = self._arrays["terminations"]
        self.num_envs = num_envs
        # Gymnasium 1.0 has no names of the modes.
        mode: Any = getattr(gymnasium.vector, "AutoresetMode", None)
        self.metadata = {"autoreset_mode": mode and mode.SAME_STEP}
        shape = self._arrays["observations"].shape[1:]
        self.single_observation_space = spaces.Box(0, 1, shape, np.int8)
        self.single_action_space = spaces.Discrete(shape[0] * shape[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002
        """Begin all games. With a seed, all that follows is repeatable."""
        super().reset(seed=seed)
        self.games.reset(seed)
        return self._arrays["observations"], dict(self._infos)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action in each game.

        :raises ValueError: when an action is not in the action space, or there are too many or too few. None is played.
        :raises TypeError: when the actions are no whole numbers.
        """
        self.games.step(np.asarray(actions))
        rewards, terminations, truncations = (self._arrays[name] for name in ("rewards", "terminations", "truncations"))
        return self._arrays["observations"], rewards, terminations, truncations, dict(self._infos)


make = NoughtsVectorEnv
