#!/usr/bin/env python3
"""Writes docs/known-values.md and its picture, docs/known-values.svg, from what `noughts map --json` prints, and
docs/results.md from certificates/index.json.

    scripts/known_values_page.py            writes all three
    scripts/known_values_page.py --check    only says which of them is out of date; exit code 1 if one is

The program is that which NOUGHTS names, or noughts on the PATH, or the release build.
"""

import itertools
import json
import os
import subprocess
import sys

import noughts_program

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
NOUGHTS = noughts_program.find()

# The kinds of values, each with its colour. They differ in lightness as well, for readers who see few colours.
COLOURS = {
    "X wins": "#2752b3",
    "draw": "#9fb8a8",
    "O wins": "#c9622c",
    "X wins or draws": "#dbe4f7",
    "O wins or draws": "#f8e3d6",
    "open": "#ffffff",
}

# Above this number of bytes, the size of a certificate stands beside the command that prints it.
LARGE = 100_000

INTRODUCTION = """\
# Known values of empty boards

`scripts/known_values_page.py` writes this page and its picture from `noughts map --json`. `noughts map` prints the
tables, `noughts map --size 4x9` the lines of one board of any size, and `--open` those of which nobody knows here who
wins. [Certificates](certificates.md) says what "checked by certificate" means, and how to check it yourself. The last
column has the file of the certificate, or the command that prints it. Squares come first, then
[rectangles](#rectangles).

![The values of all boards up to 20x20 under both rules](known-values.svg)
"""

EXPLANATION = """
"X in 11" means that X wins in exactly 11 plies; "X within 11" that it takes no more. "X wins or draws" means that O
cannot win, and no more is known.
"""

RECTANGLES = """
## Rectangles

All boards of at most 42 cells that are wider than high, and 4 in a row on 4x11 to 4x20. A board that is turned by a quarter
has the same value. A value without a star is checked by certificate. One with a star rests on a theorem, a pairing or a
mirror strategy, or it is open: `noughts map --size 4x9` says which, and prints the commands that make the certificates.
{open} games are open: no proof of them has ended within the seconds that `certificates/index.json` names as `tried`.

| board | rule | value by number in a row | certificates in the repository |
|---|---|---|---|
"""

RESULTS = """\
# Results with certificates

Each value on this page has a certificate: a text file that proves it, for a reader who need not trust Noughts. As far as
we know, nobody has published one for these boards, and most of the values are in no paper either; the last column says
what is in print. Tell us if you know better. `scripts/known_values_page.py` writes this page from
`certificates/index.json`, which has all boards; [known values](known-values.md) has the values alone.

To check a result, make its certificate and hand it to one of two checkers. They share no code with the engine or with
each other, and [certificates](certificates.md) says everything that a third one has to know:

```text
noughts prove --size 9 --connect 6 --hash 1024 --out result.txt
cargo install --locked --path crates/check
noughts-check --game "9 6 normal" --position startpos result.txt
scripts/check_certificate.py result.txt
```

The verdict says what a proof rests on. "Strategy stealing" is the theorem that the second player cannot win under the
normal rule (Hales and Jewett, 1963); all other steps are in the file. Times are seconds of one core of a shared virtual
machine, AMD EPYC at 2.6 GHz: the search and the writing, then the two checkers. The Python checker stops after
{python} s here, and "-" means that it did not end before.

To cite the program or a result, see [CITATION.cff](../CITATION.cff).
"""

# The results of docs/results.md: a heading, what is in print on the boards below it, and their names as in scripts/known-values.
PRINTED = [
    (
        "Draws under the normal rule",
        {
            "9x9-6": "nothing that we know: an open game until now",
            "11x11-7": "nothing that we know; a pairing answers each of the 21 first moves",
            "4x8-4": "the value, by a search (Uiterwijk and others, Maastricht, 2017)",
            "8x8-5": "the value, by a search (Hsu, Ko, Chen, Wei, Hsueh and Wu, 2020)",
            "7x7-5": "the value, by a search (Hsu, Ko, Chen, Wei, Hsueh and Wu, 2020)",
            "8x8-6": "the value, by pairings",
            "6x6-5": "the value, by searches",
            "5x5-4": "the value, by searches",
        },
    ),
    (
        "Four in a row: X wins in exactly 11 plies",
        {f"{size}x{size}-4": "that X wins; not the distance" for size in range(6, 21)},
    ),
    (
        "Four in a row on four rows: X wins",
        {"4x9-4": "that X wins, by a search (V. Charatsidis, Maastricht, 2017)"},
    ),
    (
        "The reverse rule: who completes a line loses",
        {
            name + "-reverse": "nothing that we know"
            for name in ["5x5-2", "6x6-2", "3x9-2", "3x11-2", "3x13-2", "2x13-2", "2x14-2", "4x7-2", "4x8-2", "5x6-2", "5x7-2"]
            + ["1x19-2", "1x20-2", "5x5-3", "3x6-3", "3x7-3", "3x8-3", "3x9-3", "4x6-3", "4x7-3", "5x6-3"]
            + ["5x5-4", "4x6-4", "4x7-4", "5x6-4", "5x8-5"]
        }
        | {
            f"{board}-3-reverse": "that X loses; not the distance (D. Friedman, Tic-Tac-Toe on Rectangular Boards, 2020)"
            for board in ["4x4", "3x5", "4x5"]
        },
    ),
]
PYTHON_SECONDS = 120

# The side of a square in units of the picture, the space around a triangle, and the space for the names of the colours.
SQUARE, MARGIN, LEGEND = 20, 44, 70
LARGEST = 20


def kind(row):
    """The value without its distance."""
    words = row["value"].split()
    return f"{words[0]} wins" if words[1:2] in (["in"], ["within"]) else row["value"]


def is_checked(row):
    return row["command"] is not None


def certificate(row):
    """The last column of the table."""
    if row["certificate"]:
        return f"[{row['certificate']}](../certificates/{row['certificate']})"
    if not is_checked(row):
        return ""
    size = f", {bytes_text(row['bytes'])}" if row["bytes"] > LARGE else ""
    return f"`{row['command']}`{size}"


def is_square(row):
    return row["rows"] == row["columns"]


def board(row):
    return f"{row['rows']}x{row['columns']}"


def rectangles(rows):
    """A row for each rectangle and rule. Numbers in a row that follow each other and have the same value stand together."""
    lines = []
    for (name, rule), games in itertools.groupby(rows, key=lambda row: (board(row), row["rule"])):
        games = list(games)
        values = []
        for value, same in itertools.groupby(games, key=lambda row: row["value"] + ("" if is_checked(row) else "*")):
            numbers = [str(row["connect"]) for row in same]
            values.append(f"{numbers[0]}{' to ' + numbers[-1] if numbers[1:] else ''}: {value}")
        kept = ", ".join(certificate(row) for row in games if row["certificate"])
        lines.append(f"| {name} | {rule} | {'; '.join(values)} | {kept} |")
    return lines


def page(rows):
    """The page, with the counts and a row for each square, and the table of rectangles."""
    oblong = sorted((row for row in rows if not is_square(row)), key=lambda row: (row["rows"], row["columns"], row["rule"]))
    rows = list(filter(is_square, rows))
    counts = [f"| rule | boards | {' | '.join(COLOURS)} | checked by certificate |", "|" + "---|" * 9]
    for rule in ("normal", "reverse"):
        of_rule = [row for row in rows if row["rule"] == rule]
        numbers = [len(of_rule), *(sum(kind(row) == name for row in of_rule) for name in COLOURS)]
        numbers.append(sum(map(is_checked, of_rule)))
        counts.append(f"| {rule} | {' | '.join(map(str, numbers))} |")
    table = ["| board | in a row | rule | value | rests on | certificate |", "|" + "---|" * 6]
    for row in rows:
        cells = [board(row), str(row["connect"]), row["rule"], row["value"], row["basis"]]
        table.append(f"| {' | '.join([*cells, certificate(row)])} |")
    not_settled = sum(kind(row) not in ("X wins", "draw", "O wins") for row in oblong)
    after = RECTANGLES.format(open=not_settled).removesuffix("\n")
    return "\n".join([INTRODUCTION, *counts, EXPLANATION, *table, after, *rectangles(oblong)]) + "\n"


def name_of(sides, row):
    """The name of a board, as in scripts/known-values. `sides` is 9x6, or 9 for a square."""
    size = sides if "x" in sides else f"{sides}x{sides}"
    return f"{size}-{row['connect']}" + ("-reverse" if row["rule"] == "reverse" else "")


def results(index, rows):
    """The page of the results with certificates. `rows` are those of the map."""
    by_name = {name_of(row["size"], row): row for row in index}
    values = {name_of(board(row), row): row["value"] for row in rows}
    lines = [RESULTS.format(python=PYTHON_SECONDS)]
    for heading, printed in PRINTED:
        lines += [f"## {heading}", ""]
        lines += ["| board | in a row | value | certificate | size | made in | noughts-check | Python | in print |", "|" + "---|" * 9]
        for name, in_print in printed.items():
            row = by_name[name]
            made = row["search"] + row["proof"]
            python = "-" if row["python"] is None else f"{row['python']:.1f} s"
            stealing = "; that O cannot win is strategy stealing" if row["rests_on"] else ""
            command = f"[{row['file']}](../certificates/{row['file']})" if row["file"] else f"`{row['command']}`"
            cells = [name.split("-")[0], str(row["connect"]), values[name] + stealing, command, bytes_text(row["bytes"])]
            times = [f"{made:.1f} s", f"{row['check']:.1f} s", python]
            lines.append(f"| {' | '.join([*cells, *times, in_print])} |")
        lines.append("")
    return "\n".join(lines)


def bytes_text(count):
    if count >= 1e9:
        return f"{count / 1e9:.1f} GB"
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(count // 1000, 1)} kB"


def picture(rows):
    """The picture: a triangle for each rule, with a square for each board."""
    triangle = LARGEST * SQUARE
    width, height = 2 * triangle + 3 * MARGIN, triangle + 2 * MARGIN + LEGEND
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        "<title>Values of all empty boards up to 20x20, under the normal and the reverse rule</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for place, name in enumerate(("normal rule", "reverse rule")):
        left = MARGIN + place * (triangle + MARGIN)
        lines.append(f'<text x="{left}" y="20" font-size="15" fill="#23272f">{name}</text>')
        for size in range(1, LARGEST + 1):
            middle = SQUARE * size - SQUARE // 2
            row, column = MARGIN + middle + 4, left + middle
            lines.append(f'<text x="{left - 5}" y="{row}" text-anchor="end" fill="#5b6270">{size}</text>')
            lines.append(f'<text x="{column}" y="{MARGIN - 6}" text-anchor="middle" fill="#5b6270">{size}</text>')
    for row in filter(is_square, rows):
        size, connect = row["size"], row["connect"]
        left = MARGIN + (triangle + MARGIN if row["rule"] == "reverse" else 0)
        x, y = left + (connect - 1) * SQUARE, MARGIN + (size - 1) * SQUARE
        stroke = "" if kind(row) in ("X wins", "draw", "O wins") else ' stroke="#c9c4b6"'
        title = f"<title>{connect} on {size}x{size}: {row['value']}, {row['basis']}</title>"
        side = SQUARE - 2
        colour = COLOURS[kind(row)]
        lines.append(
            f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="2" fill="{colour}"{stroke}>{title}</rect>'
        )
        if is_checked(row):
            x, y = x + SQUARE // 2 - 1, y + SQUARE // 2 - 1
            ink = "#ffffff" if kind(row) == "X wins" else "#23272f"
            lines.append(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{ink}" pointer-events="none"/>')
    below, x = MARGIN + triangle + 30, MARGIN
    for name, colour in COLOURS.items():
        box = f'<rect x="{x}" y="{below - 13}" width="16" height="16" rx="2"'
        lines.append(f'{box} fill="{colour}" stroke="#c9c4b6"/>')
        lines.append(f'<text x="{x + 22}" y="{below}" fill="#23272f">{name}</text>')
        x += 46 + 7 * len(name)
    lines.append(f'<circle cx="{x + 8}" cy="{below - 5}" r="2.5" fill="#23272f"/>')
    lines.append(f'<text x="{x + 22}" y="{below}" fill="#23272f">checked by certificate</text>')
    axes = "rows: the size of the board; columns: how many in a row"
    lines.append(f'<text x="{MARGIN}" y="{below + 26}" fill="#5b6270">{axes}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    rows = json.loads(subprocess.run([NOUGHTS, "map", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    with open(os.path.join(ROOT, "certificates", "index.json"), encoding="utf-8") as file:
        index = json.load(file)
    stale = []
    pages = {"known-values.md": page(rows), "known-values.svg": picture(rows), "results.md": results(index, rows)}
    for name, text in pages.items():
        path = os.path.join(ROOT, "docs", name)
        if sys.argv[1:]:
            with open(path, encoding="utf-8", newline="") as file:
                stale += [name] if file.read() != text else []
        else:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    if stale:
        sys.exit(f"error: out of date: {', '.join(stale)}; scripts/known_values_page.py writes them again")


if __name__ == "__main__":
    main()
