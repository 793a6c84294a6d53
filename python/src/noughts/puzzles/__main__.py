"""``python -m noughts.puzzles`` prints puzzles as JSON, one a line."""

import argparse
import sys
import warnings

from . import puzzles


def main() -> None:
    """Print the puzzles that the arguments of the command line ask for."""
    parser = argparse.ArgumentParser(prog="python -m noughts.puzzles", description="Print puzzles as JSON, one a line")
    parser.add_argument("--size", type=lambda text: [*map(int, text.split("x", 1))], default="3", help="4, 4x9, ...")
    parser.add_argument("--connect", type=int, default=0, help="how many in a row complete a line; 0: the shorter side")
    parser.add_argument("--reverse", action="store_true", help="completing a line loses")
    parser.add_argument("--count", type=int, default=10, help="how many puzzles (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="where random numbers start (default: 1)")
    parser.add_argument("--kind", choices=["win", "draw", "any"], default="any", help="the result of best play")
    parser.add_argument("--plies", type=int, nargs=2, metavar=("MIN", "MAX"), help="plies to the end of the game")
    parser.add_argument("--best", type=int, nargs=2, metavar=("MIN", "MAX"), help="the number of best moves")
    parser.add_argument("--traps", type=int, default=1, help="the fewest moves that give value away (default: 1)")
    parser.add_argument("--refutations", action="store_true", help="print the refutation of every trap, too")
    asked = vars(parser.parse_args())
    refutations, shape = asked.pop("refutations"), asked.pop("size")
    # Fewer puzzles than asked for are a failure here.
    warnings.simplefilter("error")
    try:
        for puzzle in puzzles(rows=shape[0], columns=shape[-1], **asked):
            # Bytes, so that lines end the same way on every system.
            sys.stdout.buffer.write(puzzle.to_json(refutations=refutations).encode() + b"\n")
    except (ValueError, UserWarning) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
