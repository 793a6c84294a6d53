"""``python -m noughts.tournament`` holds a tournament as the command line says."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from pathlib import Path

from . import OPTIONS, Tournament, tournament


def main() -> None:
    """Hold a tournament as the command line says."""
    about = (Tournament.__doc__ or "").partition(" ``str``")[0]
    parser = argparse.ArgumentParser("python -m noughts.tournament", description=about)
    parser.add_argument("folder")
    for name, default in ((each.name, each.default) for each in fields(Tournament) if each.name in OPTIONS):
        parser.add_argument(f"--{name}", default=default, type=type(default))
    parser.add_argument("--reverse", action="store_true")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the page")
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the results.json of Gradescope")
    parser.add_argument("--grade", metavar="NAME", help="the player that --results is about; all without it")
    options = vars(parser.parse_args())
    page, results, grade = (options.pop(name) for name in ("html", "results", "grade"))
    try:
        held = tournament(**options)
        if results:
            results.write_text(json.dumps(held.results(grade), indent=1) + "\n", encoding="utf-8")
        if page:
            page.write_text(held.html(), encoding="utf-8")
        print(held)  # noqa: T201
    except (OSError, ValueError) as error:
        parser.exit(1, f"error: {error}\n")


if __name__ == "__main__":
    main()
