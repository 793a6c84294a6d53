#!/usr/bin/env python3
"""Plays a short game in `noughts play` and writes it as a moving picture, docs/play.svg: text, and animation in CSS.

    scripts/play_picture.py [FILE]

tmux is the terminal (Debian: tmux). The game has a seed and a level, so the picture is the same each time. A program that shows
no animations, or a reader who wants none, sees the end of the game.
"""

import html
import os
import re
import subprocess
import sys
import time

import noughts_program

COLUMNS, ROWS = 64, 20
GAME = "play --level 4 --seed 1"
# The key that is pressed, and for how many seconds its screen is shown. X takes the centre, asks for hints, and wins.
KEYS = [(None, 1.0), ("Enter", 1.2), ("h", 1.5)]
KEYS += [("Left", 0.2), ("Up", 0.3), ("Enter", 1.3)]
KEYS += [("Down", 0.2), ("Down", 0.3), ("Enter", 1.2)]
KEYS += [("Right", 0.15), ("Right", 0.15), ("Up", 0.15), ("Up", 0.15), ("Enter", 2.5)]
WIDTH, HEIGHT, MARGIN = 8.4, 17, 12
PAPER, INK = "#191a1f", "#dddddd"
# The colours of the terminal that the board uses, by their numbers.
COLOURS = {8: "#72757f", 9: "#f47d86", 10: "#98dd7c", 11: "#e8c468", 12: "#82aaff", 13: "#d18cf0", 14: "#70d0e0", 15: "#ffffff"}
STYLE = re.compile(r"\x1b\[([0-9;]*)m")


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, program):
        self.socket = f"noughts-{os.getpid()}"
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        self.tmux("-f", os.devnull, "new-session", "-d", *size, f"exec '{program}' {GAME}")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def screen(self):
        """The text of the screen when it has not changed for a while."""
        screens = [None]
        while not screens[-1] or screens[-1] != screens[-2]:
            time.sleep(0.4)
            screens.append(self.tmux("capture-pane", "-p", "-e", "-N"))
        return screens[-1]


def runs(line, style):
    """The pieces of a line that look the same: column, length, text, colour, whether bold. One without text is a ground."""
    column = 0
    for place, piece in enumerate(STYLE.split(line)):
        if place % 2 == 0:
            if style["reverse"]:
                yield column, len(piece), "", style["colour"], False
            for blank, text in re.findall(r"( *)((?:[^ ]| (?=[^ ]))*)", piece):
                column += len(blank)
                if text:
                    yield column, len(text), text, PAPER if style["reverse"] else style["colour"], style["bold"]
                column += len(text)
            continue
        codes = [int(code or 0) for code in piece.split(";")]
        if codes[:2] == [38, 5]:
            style["colour"] = COLOURS[codes[2]]
        if 0 in codes:
            style.update(colour=INK, bold=False, reverse=False)
        if codes == [39]:
            style["colour"] = INK
        style["bold"] = style["bold"] or 1 in codes
        style["reverse"] = style["reverse"] or 7 in codes


def drawn(screen):
    """The elements of a screen."""
    style = {"colour": INK, "bold": False, "reverse": False}
    for row, line in enumerate(screen.split("\n")):
        for column, length, text, colour, bold in runs(line, style):
            x, y, width = round(MARGIN + column * WIDTH, 1), MARGIN + row * HEIGHT, round(length * WIDTH, 1)
            if text:
                words = f'x="{x}" y="{y + 13}" textLength="{width}" fill="{colour}"' + ' class="b"' * bold
                yield f"<text {words}>{html.escape(text)}</text>"
            else:
                # A little higher than a row, so that no seam is seen.
                yield f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT + 0.5}" fill="{colour}"/>'


def picture(screens, seconds):
    """The screens one after the other. What they share is drawn once."""
    frames = [list(drawn(screen)) for screen in screens]
    shared = [element for element in frames[0] if all(element in frame for frame in frames)]
    total, begun, rules, groups = sum(seconds), 0.0, [], []
    for number, (frame, lasts) in enumerate(zip(frames, seconds)):
        begin, end = 100 * begun / total, 100 * (begun + lasts) / total
        begun += lasts
        rules.append(
            f"@keyframes f{number}{{0%{{visibility:hidden}}{begin:.2f}%{{visibility:visible}}"
            + (f"{end:.2f}%{{visibility:hidden}}" if number + 1 < len(frames) else "")
            + f"}}.f{number}{{animation:f{number} {total:.1f}s step-end infinite}}"
        )
        inner = "\n".join(element for element in frame if element not in shared)
        groups.append(f'<g class="f f{number}">\n{inner}\n</g>')
    width, height = round(COLUMNS * WIDTH + 2 * MARGIN), ROWS * HEIGHT + 2 * MARGIN
    still = f"@media(prefers-reduced-motion){{.f{{animation:none}}.f{len(frames) - 1}{{visibility:visible}}}}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
            f"<title>A game in noughts play: {len(frames)} screens, X wins</title>",
            "<style>text{font:14px ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace}.b{font-weight:bold}.f{visibility:hidden}",
            *rules,
            still + "</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
            *shared,
            *groups,
            "</svg>\n",
        ]
    )


def main():
    terminal = Terminal(os.path.abspath(noughts_program.find()))
    screens = []
    try:
        for key, _ in KEYS:
            if key:
                terminal.tmux("send-keys", key)
            screens.append(terminal.screen())
    finally:
        terminal.tmux("kill-server")
    if "You win" not in screens[-1]:
        sys.exit("error: the game has not ended with a win of X; the picture is not written")
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "docs", "play.svg")
    with open(target, "w", encoding="utf-8") as file:
        file.write(picture(screens, [seconds for _, seconds in KEYS]))


if __name__ == "__main__":
    main()
