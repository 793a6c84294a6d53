"""Engines in this process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from ._noughts import Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from ._noughts import Analysis, Limit, Position
    from .move import Move

Value = str | int | float | bool
_Result = TypeVar("_Result")
_PAUSE = 0.005


class AsyncEngine:
    """The twin of :class:`Engine` for asyncio. Its questions are coroutines; a task waits while another one asks.

    It belongs to the event loop of its first question. A question that is cancelled ends its search.
    """

    def __init__(self, **options: Value) -> None:
        """Make the engine, with the options of :class:`Engine`."""
        self._engine = Engine(**options)
        self._lock = asyncio.Lock()
        self.name, self.options, self.configured = self._engine.name, self._engine.options, self._engine.configured

    async def play(self, position: Position, limit: Limit | None = None, **more: Any) -> Move:
        """Return the move that the engine plays: see :meth:`Engine.play`."""
        return await self._ask(self._engine.play, position, limit, **more)

    async def analyse(self, position: Position, limit: Limit | None = None, **more: Any) -> Analysis:
        """Return what the engine finds out about the position: see :meth:`Engine.analyse`."""
        return await self._ask(self._engine.analyse, position, limit, **more)

    async def analyse_all(
        self, positions: Iterable[Position], limit: Limit | None = None, **more: Any
    ) -> list[Analysis]:
        """Return what the engine finds out about each position."""
        return await self._ask(self._engine.analyse_all, list(positions), limit, **more)

    async def configure(self, **options: Value) -> None:
        """Set options. They last."""
        await self._ask(self._engine.configure, **options)

    async def new_game(self) -> None:
        """Have the engine forget what it has found out."""
        await self._ask(self._engine.new_game)

    async def close(self) -> None:
        """End the search that runs, and free the memory."""
        self._engine.close()

    async def __aenter__(self) -> Self:
        """Return the engine."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        """Close the engine."""
        await self.close()

    async def _ask(self, ask: Callable[..., _Result], *arguments: Any, **more: Any) -> _Result:
        async with self._lock:
            asked = asyncio.ensure_future(asyncio.to_thread(ask, *arguments, **more))
            try:
                return await asyncio.shield(asked)
            except asyncio.CancelledError:
                # The search may not have begun yet.
                while not asked.done():
                    self._engine.stop()
                    await asyncio.sleep(_PAUSE)
                raise
