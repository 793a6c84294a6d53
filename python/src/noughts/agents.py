"""Agents: functions that choose moves. The compiled module asks them in exams and matches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ._noughts import AgentDialogue, AgentError, AgentWarning, Engine, Position
from .homework import Mover

if TYPE_CHECKING:
    from queue import SimpleQueue

    from ._noughts import AnswerSender

__all__ = ["Agent", "AgentError", "AgentWarning", "BatchAgent", "Player", "run_engine", "work"]

Agent: TypeAlias = Callable[[Position], Any]
BatchAgent: TypeAlias = Callable[[Sequence[Position]], Iterable[Any]]
Player: TypeAlias = Agent | BatchAgent | Mover | Engine | str
"""A player: a function, an :class:`~noughts.Engine`, or an engine in the words of ``noughts match --engine``."""


def work(agent: Callable[[Any], Any], questions: SimpleQueue[list[Any] | None], answer: AnswerSender) -> None:
    """Answer questions, on the thread of an agent, until it is to end or its answer comes too late."""
    while (asked := questions.get()) is not None:
        for question in asked:
            try:
                is_in_time = answer(question, agent(question))
            except BaseException as error:  # noqa: BLE001, the caller gets it
                return answer.fail(error)
            if not is_in_time:
                return None
    return None


def run_engine(player: Agent | Mover) -> None:
    """Be an engine of the protocol over standard input and output, which plays as the function does.

    A file that ends with this call is a program for boards and matches: ``noughts play --o-engine "python3 mine.py"``.
    What the function prints goes to standard error, where it is no answer.
    """
    dialogue = AgentDialogue(player)
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        answers.write(dialogue.reply(line))
        answers.flush()
    for warning in dialogue.warnings():
        print(warning, file=sys.stderr)  # noqa: T201
