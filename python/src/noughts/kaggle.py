"""Noughts and Kaggle: agents for tic-tac-toe in the package ``kaggle_environments``.

::

    import kaggle_environments
    import noughts.kaggle

    environment = kaggle_environments.make("tictactoe")
    environment.run([noughts.kaggle.agent, "random"])

``tictactoe`` is in versions before 1.25, ``open_spiel_tic_tac_toe`` in later ones. Both have 3x3 squares and normal
rules only. ``connectx`` is another game: its stones fall. An agent may also be a file with the line ``from
noughts.kaggle import agent``; the package has to be installed where it runs.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from ._noughts import Engine, Limit, Position

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .engine import Value

_CELLS = {0: ".", 1: "x", 2: "o"}
# How many more stones X has, and the mark to move.
_SIDES = {(0, 1): "x", (1, 2): "o"}


def agent_of(**options: Value) -> Callable[..., Any]:
    """Return an agent that plays as an :class:`~noughts.Engine` with these options, such as ``level=3, seed=1``."""
    # A forked process needs an engine of its own.
    engine_of = cache(lambda _process: Engine(**options))
    engine_of(os.getpid())

    def square(board: Any, mark: Any) -> int:
        try:
            cells = "".join(_CELLS[cell] for cell in board)
            side = _SIDES[cells.count("x") - cells.count("o"), mark]
            move = engine_of(os.getpid()).play(Position(cells=cells, side=side), Limit())
        except (KeyError, TypeError, ValueError) as error:
            expected = "expected 9 squares of 0, 1 and 2, a game that mark 1 began and mark 1 or 2 goes on with"
            raise ValueError(f"{expected}, found {board} and mark {mark}") from error
        return move.row * 3 + move.column

    def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any] | None = None) -> int | dict[str, int]:
        """Return the square to play, 0 to 8 in reading order; in ``open_spiel_tic_tac_toe`` as ``{"submission": 4}``.

        The observation has a ``board`` of 9 numbers, 0 for empty squares, and the ``mark`` to move, 1 or 2. That of
        ``open_spiel_tic_tac_toe`` has an ``observationString`` and a ``playerId``.

        :raises ValueError: when the game is over, and when no game that mark 1 begins leads there.
        """
        if not configuration or "openSpielGameName" not in configuration:
            return square(observation.get("board"), observation.get("mark"))
        # The first question shows no board, and takes any answer.
        text = observation.get("observationString", "." * 9).replace("\n", "")
        return {"submission": square([".xo".find(cell) for cell in text], observation.get("playerId", 0) + 1)}

    return agent


agent = agent_of(player="perfect", tiebreak="trap")
"""The agent that never loses. Among the best moves it plays the one that is worst for a random opponent."""
