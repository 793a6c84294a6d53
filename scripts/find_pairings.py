#!/usr/bin/env python3
"""Finds the pairings that crates/core/src/search/proof/known_values holds, and prints them as it stores them.

    python3 -m pip install python-sat
    scripts/find_pairings.py 12 8                     # a 12x12 board, 8 in a row
    scripts/find_pairings.py 12 8 --turns 4           # only pairings that a quarter turn leaves as they are
    scripts/find_pairings.py 8 9 --torus              # a pattern that repeats every 8 rows and columns
    scripts/find_pairings.py 6 5 --one-reply          # for each first move a reply, and pairs for the other lines

The stored pairings are 5 5, 7 6, 10 7, 13 8 and 8 9 --torus, all with --turns 4, in about a second each. Larger boards
take long or have none. The stored replies are 6 5, 8 6 and 11 7 with --one-reply, in 0.2, 2 and 64 seconds.

A pairing is a set of disjoint pairs of cells such that every line holds both cells of a pair. The question is handed
to a SAT solver: a variable for every two cells of a line, at most one pair a cell, at least one pair a line. It says
"none" when the solver has shown that there is none. Needs python-sat, which no check and no test needs.

With --one-reply the board has a stone of the first player, in no pair. The solver also chooses the cell of one reply,
in no pair either, and the lines through it need no pair. There is one picture for each first move, up to turns and
mirror images.
"""

import argparse
import itertools
import sys
from collections import defaultdict

from pysat.card import CardEnc, EncType
from pysat.solvers import Cadical153

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def lines_of(size, connect, torus):
    """Every line as a list of cells; on a torus those that wrap around as well."""
    for row, column in itertools.product(range(size), repeat=2):
        for down, right in DIRECTIONS:
            line = [(row + down * step, column + right * step) for step in range(connect)]
            if torus:
                yield [(r % size, c % size) for r, c in line]
            elif all(0 <= r < size and 0 <= c < size for r, c in line):
                yield line


def pairs_of(line, torus):
    """The pairs that block a line; on a torus only neighbours, so that a line never holds one cell twice."""
    couples = zip(line, line[1:]) if torus else itertools.combinations(line, 2)
    return {tuple(sorted(couple)) for couple in couples}


def find(size, connect, torus=False, turns=1):
    """A list of pairs, or None when there is none; a `turns`-th of a full turn leaves the pairs as they are."""

    def orbit(pair):
        images = {pair}
        for _ in range(turns - 1):
            for _ in range(4 // turns):
                pair = tuple(sorted((column, size - 1 - row) for row, column in pair))
            images.add(pair)
        return frozenset(images)

    orbits = {}
    lines = [pairs_of(line, torus) for line in lines_of(size, connect, torus)]
    for pair in sorted(set().union(*lines)):
        if pair not in orbits:
            orbits.update(dict.fromkeys(orbit(pair), orbit(pair)))
    variables = {images: number for number, images in enumerate(dict.fromkeys(orbits.values()), start=1)}
    holding = defaultdict(list)
    for images, number in variables.items():
        for cell in itertools.chain.from_iterable(images):
            holding[cell].append(number)

    with Cadical153() as solver:
        for line in lines:
            solver.add_clause(sorted({variables[orbits[pair]] for pair in line}))
        # An orbit with two pairs that share a cell is in a list twice, so it is ruled out as well.
        add_at_most_one(solver, len(variables), holding.values())
        if not solver.solve():
            return None
        true = set(solver.get_model())
    return sorted(pair for pair, images in orbits.items() if variables[images] in true)


def add_at_most_one(solver, variables, lists):
    """Adds clauses by which at most one variable of each list is true. `variables` are in use so far."""
    top = variables
    for numbers in lists:
        at_most_one = CardEnc.atmost(numbers, top_id=top, encoding=EncType.seqcounter)
        top = max(top, at_most_one.nv)
        solver.append_formula(at_most_one.clauses)


def first_moves(size):
    """One cell of each class of cells that turns and mirror images take to each other, in reading order."""
    half = (size + 1) // 2
    return [(row, column) for row in range(half) for column in range(row, half)]


def find_reply(size, connect, opening):
    """A reply to the first move `opening` and pairs in all lines without the reply, or None when there are none."""
    lines = list(lines_of(size, connect, torus=False))
    blocking = [{pair for pair in pairs_of(line, False) if opening not in pair} for line in lines]
    numbers = itertools.count(1)
    replies = {cell: next(numbers) for cell in itertools.product(range(size), repeat=2) if cell != opening}
    variables = {pair: next(numbers) for pair in sorted(set().union(*blocking))}
    holding = {cell: [number] for cell, number in replies.items()}
    for pair, number in variables.items():
        for cell in pair:
            holding[cell].append(number)
    with Cadical153() as solver:
        for line, pairs in zip(lines, blocking):
            solver.add_clause([replies[cell] for cell in line if cell != opening] + [variables[p] for p in sorted(pairs)])
        add_at_most_one(solver, len(replies) + len(variables), [list(replies.values()), *holding.values()])
        if not solver.solve():
            return None
        true = set(solver.get_model())
    reply = next((cell for cell, number in replies.items() if number in true), None)
    return reply, [pair for pair, number in variables.items() if number in true]


def print_replies(size, connect):
    """Prints a picture for each first move: `**` is the first move, `++` the reply."""
    for index, opening in enumerate(first_moves(size)):
        found = find_reply(size, connect, opening)
        if found is None:
            sys.exit(f"none after {opening}")
        reply, pairs = found
        left = [line for line in lines_of(size, connect, torus=False) if reply not in line]
        pairs = without_needless(pairs, [pairs_of(line, False) for line in left])
        print(f"{opening}: {len(pairs)} pairs", file=sys.stderr)
        if index:
            print()
        print_picture(size, pairs, {opening: "**", reply: "++"})


def print_picture(size, pairs, marks):
    """Prints a board: the two cells of a pair show the same number, `..` is a cell without one."""
    shown = marks | {cell: f"{index:02x}" for index, pair in enumerate(pairs) for cell in pair}
    for row in range(size):
        print(*(shown.get((row, column), "..") for column in range(size)), flush=True)


def without_needless(pairs, lines):
    """The same without pairs whose lines are all blocked by others; a line is the set of its pairs."""
    needed = list(pairs)
    for pair in pairs:
        others = set(needed) - {pair}
        if all(line & others for line in lines):
            needed.remove(pair)
    return needed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", type=int, help="rows and columns of the board")
    parser.add_argument("connect", type=int, help="cells of a line")
    parser.add_argument("--torus", action="store_true", help="a pattern that repeats, of pairs of neighbours")
    parser.add_argument("--one-reply", action="store_true", help="one reply to each first move, then pairs")
    parser.add_argument("--turns", type=int, choices=[1, 2, 4], default=1, help="2: the same after half a turn")
    options = parser.parse_args()
    if options.one_reply:
        print_replies(options.size, options.connect)
        return
    pairs = find(options.size, options.connect, options.torus, options.turns)
    if pairs is None:
        sys.exit("none")
    lines = [pairs_of(line, options.torus) for line in lines_of(options.size, options.connect, options.torus)]
    pairs = without_needless(pairs, lines)
    print(f"{len(pairs)} pairs", file=sys.stderr)
    print_picture(options.size, pairs, {})


if __name__ == "__main__":
    main()
