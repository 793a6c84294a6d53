"""Exams of OpenSpiel's MCTS bot and of the Monte Carlo players of Noughts, with the same number of playouts.

    python examples/openspiel_mcts.py

asks each of them every position of 3x3 under normal rules, and prints a table. The blunder rate is the share of answers
that gave value away, of those where a move could: a win that became a draw or a loss, or a draw that became a loss. The
answers are the same every time. The speeds are those of the machine. In the exam, bots of OpenSpiel are asked through
Python, one position at a time. ``moves a second`` is without the exam: the steps of the bot in states that exist
already, and the answers of the engine to all positions, asked together.

``MCTSBot`` is the one in C++, with ``uct_c`` 2 and one random playout for each simulation. ``mcts`` of Noughts tries a
short proof first, which ``trials`` does not limit; ``nodes`` limits both the proof and the playouts.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pyspiel  # type: ignore[import-not-found]

from noughts import Engine, Limit, exam, positions
from noughts.openspiel import bot_agent, state_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from noughts.agents import Player

SEED = 1
UCT_C = 2.0
MEGABYTES = 100
ASKED = [position for position in positions() if not position.outcome]
STATES = [state_of(position) for position in ASKED]


def seconds(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(name: str, limit: Limit, player: Player, answer_all: Callable[[], object]) -> str:
    """Examine a player and have it answer all positions. Return its row of the table."""
    start = time.perf_counter()
    result = exam(player, rules="normal", limit=limit, seed=SEED, seconds=60)
    took = time.perf_counter() - start
    away, rate = result.exams[0].all.given_away, result.blunder_rate
    return f"| {name} | {away:.0f} | {rate:.2%} | {took:.1f} | {len(ASKED) / seconds(answer_all):,.0f} |"


def openspiel_row(simulations: int, *, solve: bool) -> str:
    """Return the row of OpenSpiel's bot, with its solver or without it."""

    def bot() -> pyspiel.Bot:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        game = pyspiel.load_game("tic_tac_toe")
        return pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEGABYTES, solve=solve, seed=SEED, verbose=False)

    alone = bot()
    name = f"OpenSpiel `MCTSBot`, {simulations:,} simulations" + ("" if solve else ", no solver")
    return row(name, Limit(), bot_agent(bot()), lambda: [alone.step(state) for state in STATES])


def noughts_row(player: str, limit: Limit) -> str:
    """Return the row of a player of Noughts."""
    with Engine(player=player, seed=SEED) as engine:
        name, number = str(limit).split()
        return row(
            f"Noughts `{player}`, {int(number):,} {name}", limit, engine, lambda: engine.analyse_all(ASKED, limit)
        )


def main() -> None:
    """Print the table."""
    print("| player, for a move | gave value away | blunder rate | exam, seconds | moves a second |")
    print("|---|---:|---:|---:|---:|")
    for number in (10, 100, 1000):
        print(openspiel_row(number, solve=False), flush=True)
        print(openspiel_row(number, solve=True), flush=True)
        print(noughts_row("montecarlo", Limit(trials=number)), flush=True)
        print(noughts_row("mcts", Limit(nodes=number)), flush=True)
        print(noughts_row("mcts", Limit(trials=number)), flush=True)


if __name__ == "__main__":
    main()
