"""Environments for reinforcement learning: one side for Gymnasium, both sides for PettingZoo.

The import registers ``Noughts/Noughts-v0`` with Gymnasium::

    import gymnasium
    import noughts.envs

    env = gymnasium.make("Noughts/Noughts-v0", size=4, connect=3, opponent="mcts", level=3)

:class:`NoughtsEnv` explains the arguments. The environment for PettingZoo is a module of its own::

    from noughts.envs import noughts_v0

    env = noughts_v0.env(rows=3, columns=4, reverse=True)

:mod:`noughts.vector` plays thousands of games at a time.

All need packages that ``import noughts`` does not need: ``pip install "noughts[gymnasium]"`` or
``pip install "noughts[pettingzoo]"``.
"""

try:
    import gymnasium
    import numpy as np  # noqa: F401
except ImportError as error:
    raise ImportError('noughts.envs needs Gymnasium and NumPy: pip install "noughts[gymnasium]"') from error

from .single import NoughtsEnv

__all__ = ["NoughtsEnv"]

gymnasium.register("Noughts/Noughts-v0", "noughts.envs:NoughtsEnv")
