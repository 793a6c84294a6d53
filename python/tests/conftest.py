"""Fixtures that the tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from noughts import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
