#!/usr/bin/env python3
"""Checks a certificate of a tic-tac-toe value.

The format and the rules are those of docs/certificates.md, and so are the names here. The checker prints one line,
the verdict. It ends with 0 for "checked", 1 for "not checked", and 2 for a file that cannot be read, a verdict that
cannot be written or wrong arguments.

A set of cells or of lines is an integer: bit i stands for cell i in reading order, or for line i of the game.
"""

import argparse
import math
import os
import re
import sys
from collections import namedtuple

LONGEST_LINE = 65_536
PLAYERS = "xo"  # Player 0 is x and player 1 is o. The other player of p is 1 - p.
NUMBER = re.compile("0|[1-9][0-9]{0,17}")
THEOREMS = "strategy-stealing", "zetters", "hsu"
GAME, POSITION = '"game SIZE CONNECT normal|reverse"', '"position BOARD x|o"'
# The first bytes of compressed files, and the programs that print what is in them.
COMPRESSED = {b"\x1f\x8b": "zcat", b"\x28\xb5\x2f\xfd": "zstdcat", b"\xfd7zXZ": "xzcat", b"BZh": "bzcat"}


class Wrong(Exception):
    """A record is wrong. The number is that of the record; None stands for the one that was read last."""

    def __init__(self, expected, found, number=None):
        self.expected, self.found, self.number = expected, found, number


def need(condition, expected, found):
    if not condition:
        raise Wrong(expected, found)


def quoted(text):
    """Text of the file as it may stand in a verdict: short, and without control characters."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(c if " " <= c <= "~" else "?" for c in text)
    return f'"{text[:60]}..."' if len(text) > 60 else f'"{text}"'


def bits(members):
    """The numbers of the members of a set, in ascending order."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def count(number, singular, plural):
    return f"{number} {singular if number == 1 else plural}"


def number(word, low, high, what):
    if not (NUMBER.fullmatch(word) and low <= int(word) <= high):
        raise Wrong(f"{what} from {low} to {high}", quoted(word))
    return int(word)


class Game:
    def __init__(self, rows, columns, connect, normal):
        self.rows, self.columns, self.connect, self.normal = rows, columns, connect, normal
        self.cells = rows * columns
        self.all_cells = (1 << self.cells) - 1
        self.numbers = {"{},{}".format(*divmod(cell, columns)): cell for cell in range(self.cells)}
        lines = set()  # With connect 1, the lines of all directions are the same sets of cells.
        for cell in range(self.cells):
            row, column = divmod(cell, columns)
            for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                if row + (connect - 1) * down < rows and 0 <= column + (connect - 1) * right < columns:
                    lines.add(sum(1 << cell + i * (down * columns + right) for i in range(connect)))
        self.lines = sorted(lines)
        self.all_lines = (1 << len(self.lines)) - 1
        self.through = [0] * self.cells  # The lines that contain a cell.
        for i, line in enumerate(self.lines):
            for cell in bits(line):
                self.through[cell] |= 1 << i
        # For each cell its set and the lines that contain it; and the same for the cells of each line.
        self.cells_and_lines = [(1 << cell, lines) for cell, lines in enumerate(self.through)]
        self.in_line = [[self.cells_and_lines[cell] for cell in bits(line)] for line in self.lines]
        self.image = {}  # By symmetry, for each cell the set of its image.

    def cell(self, word):
        cell = self.numbers.get(word)
        if cell is None:
            raise Wrong("a cell of the board", quoted(word))
        return cell

    def different(self, words, allowed, what):
        """Cells that are different from each other and in a set, as a list and as a set."""
        cells, taken = [self.numbers.get(word) for word in words], 0
        if None in cells:
            raise Wrong("a cell of the board", quoted(words[cells.index(None)]))
        for cell in cells:
            taken |= 1 << cell
        if taken & ~allowed or taken.bit_count() < len(cells):
            for place, cell in enumerate(cells):
                need(allowed >> cell & 1, what, self.name(cell))
                need(cell not in cells[:place], "a cell that was not named before", self.name(cell))
        return cells, taken

    def name(self, cell):
        return '"{},{}"'.format(*divmod(cell, self.columns))

    def avoiding(self, lines, cells):
        """Those of the lines that contain none of the cells."""
        for cell in bits(cells):
            lines &= ~self.through[cell]
        return lines

    def images(self, cells, symmetry):
        """The image of a set of cells. Only a square has symmetries from 4 on, which exchange rows and columns."""
        if symmetry not in self.image:
            self.image[symmetry] = [self.image_of(*divmod(cell, self.columns), symmetry) for cell in range(self.cells)]
        image = self.image[symmetry]
        return sum([image[cell] for cell in bits(cells)])

    def image_of(self, row, column, symmetry):
        """The image of a cell, as a set."""
        row = self.rows - 1 - row if symmetry // 2 % 2 else row
        column = self.columns - 1 - column if symmetry % 2 else column
        return 1 << (column * self.columns + row if symmetry >= 4 else row * self.columns + column)

    def live_lines(self, stones, player):
        """The live lines of a player, as the sets of their empty cells."""
        empty, other = self.all_cells & ~(stones[0] | stones[1]), stones[1 - player]
        return [line & empty for line in self.lines if not line & other]

    def weight(self, lines):
        """The sum S over some live lines."""
        return sum(1 << self.connect - line.bit_count() for line in lines)


class Position:
    """Stones and the player to move. holds[p][n] are the lines with at least n stones of player p."""

    def __init__(self, game, stones, holds, mover):
        self.game, self.stones, self.holds, self.mover = game, stones, holds, mover
        self.empty = game.all_cells & ~(stones[0] | stones[1])

    def after(self, cell):
        """The position after the player to move has taken an empty cell."""
        return self.with_stone(self.mover, cell)

    def with_stone(self, player, cell):
        through, stones, holds = self.game.through[cell], list(self.stones), list(self.holds)
        stones[player] |= 1 << cell
        old = holds[player]
        holds[player] = [old[0]] + [more | fewer & through for fewer, more in zip(old, old[1:])]
        return Position(self.game, stones, holds, 1 - player)

    def live(self, player):
        return self.game.all_lines & ~self.holds[1 - player][1]

    def completing(self, player):
        """The empty cells on which a player completes a line."""
        cells = 0
        for line in bits(self.live(player) & self.holds[player][-2]):
            cells |= self.game.lines[line] & self.empty
        return cells


def without(lines, cells, pairs):
    """The lines that contain none of the cells and none of the pairs."""
    lines = [line for line in lines if not line & cells]
    for a, b in pairs:
        both = 1 << a | 1 << b
        lines = [line for line in lines if line & both != both]
    return lines


class Node:
    """A position and a claim `wins` or `cannot`. A limit of None is no limit."""

    def __init__(self, position, kind, attacker, limit):
        if kind == "cannot" and limit is not None and limit >= position.empty.bit_count():
            limit = None  # The game ends with the last cell.
        self.game, self.position, self.kind, self.attacker, self.limit = position.game, position, kind, attacker, limit
        self.prover = attacker if kind == "wins" else 1 - attacker
        self.attacker_moves = position.mover == attacker
        self.completer = attacker if self.game.normal else 1 - attacker  # The attacker wins by a line of this player.

    def child(self, cell):
        limit = None if self.limit is None else self.limit - 1
        return Node(self.position.after(cell), self.kind, self.attacker, limit)

    def need_to_move(self, player):
        need(self.position.mover == player, f"{PLAYERS[player]} to move for this rule", "the other player to move")
        need(self.limit != 0, "no move, for the limit is 0", "a move")

    def live_lines(self, player):
        return self.game.live_lines(self.position.stones, player)

    def lines_in_time(self):
        """The live lines of the completer that it can still complete within the limit."""
        lines, first = self.live_lines(self.completer), self.position.mover == self.completer
        return [line for line in lines if self.limit is None or line.bit_count() <= (self.limit + first) // 2]


class WeakNode:
    """A position of the weak game. The attacker is Maker, and `made` are its cells. `lines` are lines of the game without
    a stone of Breaker. What counts of a line are the cells that Maker lacks: in no line do they contain those of another."""

    kind = "weak"

    def __init__(self, game, lines, made, attacker, attacker_moves):
        self.game, self.lines, self.made, self.attacker, self.attacker_moves = game, lines, made, attacker, attacker_moves
        self.in_lines = sum([cell for cell, through in game.cells_and_lines if through & lines]) & ~made

    @staticmethod
    def of_position(position, attacker):
        made, lines = position.stones[attacker], position.live(attacker)
        lines = shortest(position.game, lines, made, lines)
        return WeakNode(position.game, lines, made, attacker, position.mover == attacker)

    def lines_in_time(self):
        """The lines, as sets of the cells that Maker lacks."""
        return [self.game.lines[line] & ~self.made for line in bits(self.lines)]

    def lines_shorter_than_with(self, stones):
        """The lines, as sets of the cells that Maker lacks, that do not contain what Maker lacks of them with these stones."""
        game, more = self.game, self.made & ~stones[self.attacker]
        live = game.avoiding(game.all_lines, stones[1 - self.attacker])
        lines = [game.lines[line] for line in bits(self.lines) if not live >> line & 1 or game.lines[line] & more]
        return [line & ~self.made for line in lines]

    def lines_through(self, cells):
        """The lines that contain each of these cells, which Maker lacks."""
        lines = self.lines
        for cell in bits(cells):
            lines &= self.game.through[cell]
        return lines

    def has_line(self, cells):
        """Returns true if Maker lacks just these cells of a line."""
        lines = self.lines_through(cells)  # Two lines that contain the cells have others too.
        return lines.bit_count() == 1 and self.game.lines[lines.bit_length() - 1] & ~self.made == cells

    def maker_takes(self, cell):
        made = self.made | 1 << cell
        lines = shortest(self.game, self.lines, made, self.lines & self.game.through[cell])
        return WeakNode(self.game, lines, made, self.attacker, False)

    def without_lines_through(self, cells, maker_moves):
        lines = self.game.avoiding(self.lines, cells & ~self.made)
        return WeakNode(self.game, lines, self.made, self.attacker, maker_moves)

    def need_maker_to_move(self, maker):
        need(self.attacker_moves == maker, f"{'Maker' if maker else 'Breaker'} to move for this rule", "the other")


def shortest(game, lines, made, shorter):
    """The lines without those that contain one of `shorter`, if the cells that Maker has made count for nothing. Of equal
    lines one is left."""
    for line in bits(shorter):
        if lines >> line & 1:
            containing = lines
            for cell, through in game.in_line[line]:
                if not cell & made:
                    containing &= through
            lines &= ~containing | 1 << line
    return lines


# The rules. A rule gets the checker, the node and the words of the record. It raises Wrong, or returns the zone of a
# weak node. A rule with children is a generator that yields their nodes and gets their zones.

RULES = {}
Rule = namedtuple("Rule", "function games least most")


def rule(names, kinds, games, least=1, most=1):
    """Files a rule by its names and the kinds of claims, with the games it is for and the number of words it needs."""
    def file(function):
        for name in names.split():
            for kind in kinds.split():
                RULES[name, kind] = Rule(function, games.split(), least, most)
        return function
    return file


@rule("move", "wins cannot", "normal reverse", 2, 2)
def move(_checker, node, words):
    """Sound: it is enough that one move of the prover does what the claim says."""
    cell = node.game.cell(words[1])
    node.need_to_move(node.prover)
    need(node.position.empty >> cell & 1, "an empty cell", quoted(words[1]))
    if node.position.completing(node.prover) >> cell & 1:
        need(node.game.normal, "a move that does not complete a line", quoted(words[1]))
    elif node.position.empty == 1 << cell:
        need(node.kind == "cannot", "a move that does not make a draw", quoted(words[1]))
    else:
        yield node.child(cell)


@rule("all", "wins cannot", "normal reverse", 1, LONGEST_LINE)
def all_moves(_checker, node, words):
    """Sound: a move of the opponent has a child, or ends the game well for the prover, or loses by fours, or is no
    better than another that was asked about: than the first cell that is not dead, or than the first of equal cells."""
    need(len(words) != 2 and words[1:2] in ([], ["fours"]), '"all" or "all fours CELLS"', quoted(" ".join(words)))
    need(len(words) == 1 or node.game.normal, '"all" under the reverse rule', quoted(" ".join(words)))
    fours = [node.game.cell(word) for word in words[2:]]
    node.need_to_move(1 - node.prover)
    position, through = node.position, node.game.through
    completing, live_x, live_o = position.completing(position.mover), position.live(0), position.live(1)
    lines = {cell: (through[cell] & live_x, through[cell] & live_o) for cell in bits(position.empty)}
    dead_cells_pass = node.game.normal and any(those != (0, 0) for those in lines.values())
    before, children = set(), []
    for cell, those in lines.items():
        equal = those in before
        before.add(those)
        if completing >> cell & 1:
            need(not node.game.normal, "no move of the opponent that completes a line", node.game.name(cell))
        elif position.empty == 1 << cell:
            need(node.kind == "cannot", "no move of the opponent that makes a draw", node.game.name(cell))
        elif not (equal or dead_cells_pass and those == (0, 0) or fours and fours_prove(node.child(cell), fours)):
            children.append(cell)
    for cell in children:
        yield node.child(cell)


@rule("fours", "wins", "normal", 2, LONGEST_LINE)
def fours_leaf(_checker, node, words):
    """Sound: the opponent cannot win at once, so it takes the gap or loses with the next ply of the prover. It cannot
    take two gaps with one ply."""
    cells = [node.game.cell(word) for word in words[1:]]
    node.need_to_move(node.prover)
    need(fours_prove(node, cells), "cells by which the prover wins in time", quoted(" ".join(words[1:])))


def fours_prove(node, cells):
    """Returns true if the prover, who is to move, wins by these cells and within the limit of `wins`."""
    position, prover = node.position, node.position.mover
    for i, cell in enumerate(cells):
        ply, last = 2 * i + 1, i == len(cells) - 1
        if not position.empty >> cell & 1:
            return False
        if position.completing(prover) >> cell & 1:
            return last and (node.kind == "cannot" or ply <= node.limit)
        position = position.after(cell)
        gaps = position.completing(prover)
        if not gaps or position.completing(1 - prover):
            return False
        if gaps & (gaps - 1):
            return last and (node.kind == "cannot" or ply + 2 <= node.limit)
        position = position.after(gaps.bit_length() - 1)
    return False


@rule("weak", "cannot", "normal")
def weak(_checker, node, _words):
    """Sound: if Breaker gets a stone into every line before P completes it, P completes none."""
    need(node.limit is None, "a claim without a limit", f"the limit {node.limit}")
    yield WeakNode.of_position(node.position, node.attacker)


@rule("none", "cannot weak", "normal reverse")
def none(_checker, node, _words):
    """Sound: the attacker wins only by a completed line, and no line can be completed in time."""
    need(not node.lines_in_time(), "no line in time", "one")
    return 0


@rule("potential", "cannot weak", "normal reverse")
def potential(_checker, node, _words):
    """Sound: the defender takes the cell that lowers the sum most (under the reverse rule the lightest cell). So the
    sum stays below U, the weight of a completed line."""
    double, lines = node.attacker_moves, node.lines_in_time()
    if not node.game.normal:  # The sum can double if the defender makes the last move of the board.
        double = node.attacker_moves == (node.position.empty.bit_count() % 2 == 0)
        lines = node.live_lines(node.prover)
    weight = node.game.weight(lines)
    need(weight << double < 1 << node.game.connect, "a smaller sum", f"{weight}")
    return node.in_lines if node.kind == "weak" else None


def pairs_of(cells):
    need(len(cells) % 2 == 0, "pairs of cells", "a single cell at the end")
    return list(zip(cells[::2], cells[1::2]))


def first_and_pairs(node, words, empty):
    """1 if there is a first cell, and 0 if there is none; the cells, and their set."""
    first = int(words[1] != "-")
    need(not first or not node.attacker_moves, '"-", for the attacker is to move', quoted(words[1]))
    return first, *node.game.different(words[1:] if first else words[2:], empty, "an empty cell")


@rule("pairs", "cannot", "normal", 2, LONGEST_LINE)
def pairs_leaf(_checker, node, words):
    """Sound: the defender takes FIRST, and then the partner of every cell that the attacker takes."""
    first, cells, _all = first_and_pairs(node, words, node.position.empty)
    lines = without(node.lines_in_time(), 1 << cells[0] if first else 0, pairs_of(cells[first:]))
    need(not lines, "the first cell or a pair in every line", "a line without")


def kept_and_pairs(node, words):
    """The kept cells, the poison of the opponent, the number of cells in the rest, and the live lines of the prover with
    neither a kept cell nor a pair in them. The opponent never takes poison, which would complete its line. So the prover
    never takes the first cell of a pair whose second cell is poison."""
    kept = [] if words[1] == "-" else words[1].split(";")
    cells, _all = node.game.different(kept + words[2:], node.position.empty, "an empty cell")
    rest = node.position.empty.bit_count() - len(kept)
    pairs = pairs_of(cells[len(kept):])
    kept = sum(1 << cell for cell in cells[:len(kept)])
    poison = node.position.completing(1 - node.prover)
    never = kept | sum(1 << first for first, second in pairs if poison >> second & 1)
    return kept, poison, rest, without(node.live_lines(node.prover), never, pairs)


@rule("survive", "cannot", "reverse", 2, LONGEST_LINE)
def survive(_checker, node, words):
    """Sound: the defender takes no kept cell and not both cells of a pair, so it completes no line while the rest
    lasts. By parity the attacker has to take a kept cell when the rest is full, and loses if all of them are poison."""
    kept, poison, rest, lines = kept_and_pairs(node, words)
    need(rest % 2 != node.attacker_moves, "a rest of the other parity", count(rest, "cell", "cells"))
    need(not lines, "a kept cell or a pair in every line", "a line without")
    if kept and not kept & ~poison:
        return
    limit = node.position.empty.bit_count() if node.limit is None else node.limit
    need(limit <= rest + 1, "a rest that lasts for the limit", count(rest, "cell", "cells"))


@rule("parity", "wins", "reverse", 2, LONGEST_LINE)
def parity(_checker, node, words):
    """Sound: in the rest the attacker completes no line, by the pairs or by the sum. By parity the defender has to
    take a kept cell when the rest is full, and completes a line with it."""
    kept, poison, rest, lines = kept_and_pairs(node, words)
    need(kept, "kept cells", '"-"')
    need(not kept & ~poison, "kept cells that are poison", "another")
    need(rest % 2 == node.attacker_moves, "a rest of the other parity", count(rest, "cell", "cells"))
    small = not words[2:] and 2 * node.game.weight(lines) < 1 << node.game.connect
    need(not lines or small, "a kept cell or a pair in every line, or a small sum", "a line without")
    need(node.limit > rest, f"a limit of at least {rest + 1}", f"{node.limit}")


@rule("mirror", "wins cannot", "reverse")
def mirror(_checker, node, _words):
    """Sound: the prover takes the image of every cell that the opponent takes. It never fills a line that contains a
    cell and its image, and the image of another line was completed by the opponent before."""
    game, (x, o), empty = node.game, node.position.stones, node.position.empty
    centre = 1 << game.cells // 2 if game.cells % 2 else 0
    need(game.images(x & ~centre, 3) == o & ~centre, "stones that mirror each other", "others")
    if node.kind == "wins":
        blocks = (game.rows + 1) // 2 * ((game.columns + 1) // 2)  # Two cells of a block of 2x2 are a line.
        stones = blocks + 1 - node.position.stones[1 - node.attacker].bit_count()
        suits = game.connect == 2 and not centre and min(game.rows, game.columns) >= 2
        fits = suits and not node.attacker_moves and node.limit >= 2 * stones - 1
    elif not centre:
        fits = node.attacker_moves
    else:
        centre_is_right = centre & (node.position.stones[node.prover] if node.attacker_moves else empty)
        fits = 2 * game.connect >= max(game.rows, game.columns) + 3 and centre_is_right
    need(fits, "a node that fits the rule", '"mirror"')


@rule("theorem", "cannot", "normal", 2, 2)
def theorem(checker, node, words):
    """Sound if the theorem is. Strategy-stealing: if O could win, X could place a stone and then play so itself."""
    name, game = words[1], node.game
    need(name in THEOREMS, "the name of a theorem", quoted(name))
    need(checker.theorems_allowed or name == "strategy-stealing", "no theorem but strategy-stealing", quoted(name))
    need(node.position.empty == game.all_cells and node.position.mover == 0, "the empty board, x to move", "another")
    fits = {"strategy-stealing": node.attacker == 1,
            "zetters": node.attacker == 0 and game.connect >= 8,
            "hsu": node.attacker == 0 and game.connect == 5 and game.rows == game.columns in (7, 8)}
    need(fits[name], "a claim that fits the theorem", quoted(name))
    checker.theorems.add(name)


@rule("use last", "wins cannot weak", "normal reverse", 3, 3)
def use(checker, node, words):
    """Sound, normal rule: the prover plays as in the lemma. The opponent has no more lines here, the prover no fewer,
    and a stone more never hurts. Reverse rule: the games are the same but for the names of cells."""
    there = checker.lemmas.get(words[1])
    need(there, "a lemma that stands before and was not used for the last time", quoted(words[1]))
    symmetry = number(words[2], 0, 7 if node.game.rows == node.game.columns else 3, "a symmetry")
    if words[0] == "last":
        del checker.lemmas[words[1]]
    game, attacker = node.game, node.attacker
    same = (there.kind, there.attacker, there.attacker_moves) == (node.kind, attacker, node.attacker_moves)
    need(same, "a lemma with the claim and the player to move of the node", quoted(words[1]))
    stones = [game.images(cells, symmetry) for cells in there.stones]
    if node.kind == "weak":
        others = node.lines_shorter_than_with(stones)
        fits = not others or all_contain(others, set(game.live_lines(stones, attacker)))
        need(fits, "a lemma with lines in all lines", quoted(words[1]))
        return game.images(there.zone, symmetry)
    lines = [set(game.live_lines(stones, player)) for player in (0, 1)]
    if node.kind == "wins":
        fits = there.limit <= node.limit
    else:
        fits = there.limit is None or node.limit is not None and there.limit >= node.limit
    need(fits, "a lemma with a limit that fits", quoted(words[1]))
    here, prover = [set(node.live_lines(player)) for player in (0, 1)], node.prover
    if game.normal:
        fits = all_contain(here[1 - prover], lines[1 - prover]) and all_contain(lines[prover], here[prover])
    else:
        taken = (stones[0] | stones[1]).bit_count()
        fits = here == lines and taken + node.position.empty.bit_count() == game.cells
    need(fits, "a lemma with lines that fit", quoted(words[1]))
    return None


def all_contain(lines, others):
    """Returns true if each of the lines contains one of the others, a set. They are filed by their lowest cells."""
    filed = {}
    for other in others:
        filed.setdefault(other & -other, []).append(other)

    def contains_one(line):
        return any(other & line == other for cell in bits(line) for other in filed.get(1 << cell, ()))
    return all(line in others or contains_one(line) for line in lines)


@rule("pairs", "weak", "normal", 2, LONGEST_LINE)
def weak_pairs(_checker, node, words):
    """Sound as in other games. A cell that is in no line does no harm here, empty or not: a pair with it is in no line."""
    first, cells, zone = first_and_pairs(node, words, node.game.all_cells)
    lines, through = node.lines, node.game.through
    if zone & node.made:  # These cells are in lines of the game, but they do not count there.
        through = [0 if node.made >> cell & 1 else those for cell, those in enumerate(through)]
    if first:
        lines &= ~through[cells[0]]
    for a, b in pairs_of(cells[first:]):
        lines &= ~(through[a] & through[b])
    need(not lines, "the first cell or a pair in every line", "a line without")
    return zone


@rule("move", "weak", "normal", 2, 2)
def weak_move(_checker, node, words):
    """Sound: it is enough that one move of Breaker wins. Breaker needs the cell, and the zone after it."""
    cell = node.game.cell(words[1])
    node.need_maker_to_move(False)
    zone = yield node.without_lines_through(1 << cell, True)
    return zone | 1 << cell


@rule("equal", "weak", "normal", 3, 3)
def weak_equal(_checker, node, words):
    """Sound: Breaker answers one of the cells with the other, so it gets a stone into all lines of both."""
    (a, b), both = node.game.different(words[1:], node.in_lines, "a cell in a line")
    if node.lines_through(1 << a) != node.lines_through(1 << b):
        raise Wrong("two cells in the same lines", quoted(" ".join(words[1:])))
    zone = yield node.without_lines_through(both, node.attacker_moves)
    return zone | both


@rule("free", "weak", "normal", 3, 3)
def weak_free(_checker, node, words):
    """Sound: Breaker answers one of the cells with the other. So Maker has A at most, as in the child."""
    (a, b), both = node.game.different(words[1:], node.in_lines, "a cell in a line")
    node.need_maker_to_move(True)
    free = node.has_line(both) and node.lines_through(both) == node.lines_through(1 << b)
    need(free, "a line of two cells, the second in no other", quoted(" ".join(words[1:])))
    zone = yield node.maker_takes(a).without_lines_through(1 << b, True)
    return zone | both


@rule("zone", "weak", "normal", 2, LONGEST_LINE)
def weak_zone(_checker, node, words):
    """Sound: every cell of a line is listed, or outside of the zone of a child, where Breaker wins even if Maker has
    it in addition, or dominated: all its lines contain another cell that is worth as much and settled."""
    node.need_maker_to_move(True)
    cells, listed = node.game.different(words[1:], node.in_lines, "a cell in a line")
    for cell in cells:
        if node.has_line(1 << cell):
            raise Wrong("a cell that does not complete a line of Maker", node.game.name(cell))
    union, common = 0, node.game.all_cells
    for cell in cells:
        zone = yield node.maker_takes(cell)
        union |= zone
        common &= zone
    settled = node.in_lines & (listed | ~common)
    for cell in bits(node.in_lines & ~settled):
        dominating = settled
        for line in bits(node.lines_through(1 << cell)):
            dominating &= node.game.lines[line]
        if not dominating:
            raise Wrong("every other cell to be excluded or dominated", node.game.name(cell))
        union |= dominating & -dominating
    return union


Lemma = namedtuple("Lemma", "kind attacker attacker_moves limit stones zone")


class Checker:
    def __init__(self, theorems_allowed):
        self.theorems_allowed, self.expected = theorems_allowed, {}
        self.number, self.theorems, self.lemmas = 0, set(), {}

    def check(self, stream):
        """The verdict and the exit code."""
        self.stream = stream
        try:
            subject, statement = self.file()
        except Wrong as wrong:
            at = wrong.number or self.number
            return f"not checked: record {at}: expected {wrong.expected}, found {wrong.found}", 1
        names = ", ".join(sorted(self.theorems))
        return f"{subject}: checked{f', resting on {names}' if names else ''}: {statement}", 0

    def record(self, expected):
        """The words of the next line. It never reads more than one line."""
        self.number += 1
        line = self.stream.readline(LONGEST_LINE + 1)
        need(line, expected, "the end of the file")
        need(len(line) <= LONGEST_LINE, "a line of at most 65,536 bytes", "a longer one")
        need(line.isascii(), "ASCII text", "a byte above 127")
        need(line.endswith(b"\n"), "a line feed", "the end of the file")
        words = line[:-1].decode("ascii").split(" ")
        if "" in words:  # "need" would make its text for each line, and that takes longer than the check.
            raise Wrong("words with one space between them", quoted(" ".join(words)))
        return words

    def file(self):
        form = '"noughts certificate 1"'
        words = self.record(form)
        need(words == ["noughts", "certificate", "1"], form, quoted(" ".join(words)))
        self.game_record(self.record(GAME), self.expected.get("game"))
        words = self.record(POSITION)
        position, board = self.position_record(words, self.expected.get("position")), words[1]
        claims, words = [], self.record("a claim")
        while words[0] == "claim" or not claims:
            claim = self.claim_record(words, position)
            need(not is_claimed(claim, claims), "another claim", quoted(" ".join(words[1:])))
            claims.append(claim)
            words = self.record("a block")
        for named in self.expected.get("claims", ()):
            found = is_claimed(self.claim_record(named.split(" "), position), claims)
            need(found, f"{named} as in --claim", quoted(" ".join(words)))
        game, mover = self.game, PLAYERS[position.mover]
        self.blocks(words, claims)
        rule = "normal" if game.normal else "reverse"
        board = f"board {board}" if any(position.stones) else "empty board"
        subject = f"{game.rows}x{game.columns}, {game.connect} in a row, {rule} rule, {board}, {mover} to move"
        return subject, statement_of(claims)

    def game_record(self, words, expected=None):
        text = quoted(" ".join(words))
        need(words[0] == "game" and len(words) == 4, GAME, text)
        sides = words[1].split("x")
        need(len(sides) <= 2 and len(set(sides)) == len(sides), "a size, or two different numbers with x", quoted(words[1]))
        rows, columns = (number(side, 1, 20, "a size") for side in (sides[0], sides[-1]))
        connect = number(words[2], 1, max(rows, columns), "a number of stones")
        need(words[3] in ("normal", "reverse"), '"normal" or "reverse"', quoted(words[3]))
        need(expected in (None, " ".join(words)), f"{expected} as in --game", text)
        self.game = Game(rows, columns, connect, words[3] == "normal")

    def position_record(self, words, expected=None):
        text = quoted(" ".join(words))
        need(words[0] == "position" and len(words) == 3, POSITION, text)
        position, _zone = self.position(*words[1:])
        x, o = (stones.bit_count() for stones in position.stones)
        need(x == o or x - o == (1, -1)[position.mover == 0], f"stones that fit {words[2]} to move", f"{x} of x and {o} of o")
        need(expected in (None, " ".join(words)), f"{expected} as in --position", text)
        return position

    def claim_record(self, words, position):
        need(words[0] == "claim", "a claim", quoted(words[0]))
        return Node(position, *self.claim(words[1:], ("wins", "cannot")))

    def expect(self, game, position, claims):
        """Demands what the options say from the header. Raises Wrong if no header can say that."""
        if game is None:
            need(position is None and not claims, "--game beside --position and --claim", "none")
            return
        self.game_record(f"game {game}".split(" "))
        empty = "/".join([str(self.game.columns)] * self.game.rows) + " x"
        board = empty if position in (None, "startpos") else position
        start = self.position_record(f"position {board}".split(" "))
        self.expected = {"game": f"game {game}", "claims": [f"claim {claim}" for claim in claims]}
        if position is not None:
            self.expected["position"] = f"position {board}"
        for claim in self.expected["claims"]:
            self.claim_record(claim.split(" "), start)

    def position(self, board, mover, weak_lemma=False, players=(0, 1)):
        """The position that a BOARD shows, and its zone. None of the players has completed a line."""
        rows, columns, sets = board.split("/"), self.game.columns, {"x": 0, "o": 0, "+": 0}
        need(len(rows) == self.game.rows, f"a board of {count(self.game.rows, 'row', 'rows')}", quoted(board))
        for start, row in zip(range(0, self.game.cells, columns), rows):
            column = 0
            for part in re.findall("[0-9]+|.", row):
                if part in "xo" or part == "+" and weak_lemma:
                    sets[part] |= 1 << start + column
                    column += 1
                else:
                    column += number(part, 1, columns, "x, o or a number")
                if column > columns:
                    break
            if column != columns:
                raise Wrong(f"rows of {count(columns, 'cell', 'cells')}", quoted(row))
        need(mover in ("x", "o"), "x or o to move", quoted(mover))
        position = Position(self.game, [0, 0], [[self.game.all_lines] + [0] * self.game.connect] * 2, 0)
        for player, name in enumerate(PLAYERS):
            for cell in bits(sets[name]):
                position = position.with_stone(player, cell)
        position.mover = PLAYERS.index(mover)
        completed = [position.holds[player][-1] for player in players]
        need(not any(completed), "no completed line", quoted(board))
        need(position.empty, "an empty cell", quoted(board))
        return position, sets["+"]

    def claim(self, words, kinds):
        """The kind, the attacker and the limit of a claim."""
        text = " ".join(words)
        parts = re.fullmatch("(wins|cannot|weak) ([xo])( within (.*))?", text)
        fits = parts and parts[1] in kinds and (parts[1] == "cannot" or (parts[1] == "wins") == bool(parts[3]))
        need(fits, "a claim", quoted(text))
        return parts[1], PLAYERS.index(parts[2]), number(parts[4], 1, 400, "a limit") if parts[3] else None

    def blocks(self, words, claims):
        lemmas, proved, expected = 0, set(), "a lemma, a proof of a claim or the end"
        while words[0] != "end":
            if words[0] == "lemma":
                need(len(words) > 4, '"lemma NUMBER BOARD x|o CLAIM"', quoted(" ".join(words)))
                lemmas += 1
                need(words[1] == f"{lemmas}", f"lemma {lemmas}", quoted(words[1]))
                self.lemmas[words[1]] = self.lemma(words)
            else:
                need(words[0] == "prove" and len(words) == 2, expected, quoted(" ".join(words)))
                claim = number(words[1], 1, len(claims), "the number of a claim")
                need(claim not in proved, "a claim that is not proved yet", quoted(words[1]))
                self.prove(claims[claim - 1])
                proved.add(claim)
            words = self.record(expected)
        need(len(proved) == len(claims), "a proof of every claim", '"end"')
        need(words == ["end", f"{self.number}"], f'"end {self.number}"', quoted(" ".join(words)))
        self.number += 1
        need(not self.stream.read(1), "the end of the file", "more")

    def lemma(self, words):
        at, (kind, attacker, limit) = self.number, self.claim(words[4:], ("wins", "cannot", "weak"))
        need(kind != "weak" or self.game.normal, "no weak game under the reverse rule", '"weak"')
        weak = kind == "weak"
        # Lines of Breaker count for nothing in the weak game.
        position, zone = self.position(words[2], words[3], weak, (attacker,) if weak else (0, 1))
        if kind == "weak":
            node = WeakNode.of_position(position, attacker)
            for cell in bits(self.prove(node) & ~zone):
                raise Wrong("a zone that contains that of the proof", f"one without {self.game.name(cell)}", at)
        else:
            node = Node(position, kind, attacker, limit)
            limit = node.limit
            self.prove(node)
        return Lemma(kind, attacker, node.attacker_moves, limit, position.stones, zone)

    def prove(self, node):
        """Reads the proof of a node and returns its zone, in which cells in no line are left out. The stack holds the rules
        that wait for children, with their records and nodes."""
        stack = []
        while True:
            result = self.apply(node, self.record("a record of a proof"))
            steps = result if hasattr(result, "send") else no_children(result)
            stack.append((steps, self.number, node))
            node = zone = None
            while node is None:
                steps, number, parent = stack[-1]
                try:
                    node = steps.send(zone)
                except StopIteration as end:
                    zone = end.value & parent.in_lines if parent.kind == "weak" else None
                    stack.pop()
                    if not stack:
                        return zone
                except Wrong as wrong:
                    raise Wrong(wrong.expected, wrong.found, number) from None

    def apply(self, node, words):
        """What the rule of a record returns for a node."""
        found = RULES.get((words[0], node.kind))
        name = "normal" if self.game.normal else "reverse"
        if not (found and name in found.games and found.least <= len(words) <= found.most):
            word = quoted(words[0])
            need(found, f'a rule for "{node.kind}"', word)
            need(name in found.games, f"a rule for {name} games", word)
            raise Wrong(f"the right number of words after {word}", f"{len(words) - 1}")
        return found.function(self, node, words)


def no_children(zone):
    """The steps of a rule that yields no node."""
    return zone
    yield


def is_claimed(claim, claims):
    return any((c.kind, c.attacker, c.limit) == (claim.kind, claim.attacker, claim.limit) for c in claims)


def statement_of(claims):
    """The statement of the claims. A player can win with plies of one parity only: under the normal rule the player to
    move wins with an odd ply, under the reverse rule with an even one. The other player wins with the other parity."""
    parts = []
    for player, name in enumerate(PLAYERS):
        own = [claim for claim in claims if claim.attacker == player]
        wins = min((claim.limit for claim in own if claim.kind == "wins"), default=None)
        cannot = [math.inf if claim.limit is None else claim.limit for claim in own if claim.kind == "cannot"]
        cannot = max(cannot, default=None)
        if wins:
            odd = own[0].attacker_moves == own[0].game.normal
            exact = wins if wins % 2 == odd else wins - 1
            if cannot and exact - 2 <= cannot < exact:
                parts.append(f"{name} wins in exactly {plies(exact)}")
                continue
            parts.append(f"{name} wins within {plies(wins)}")
        if cannot:
            parts.append(f"{name} cannot force a win" + (f" within {plies(cannot)}" if cannot < math.inf else ""))
    both = parts == ["x cannot force a win", "o cannot force a win"]
    return "neither player can force a win: a draw" if both else "; ".join(parts)


def plies(number):
    return count(number, "ply", "plies")


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\nA set")[0], allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--no-theorems", action="store_true", help="refuse all published theorems but strategy-stealing")
    parser.add_argument("--game", help="refuse files about another game: SIZE CONNECT normal|reverse")
    parser.add_argument("--position", help="refuse files about another position: BOARD x|o, or startpos")
    claims = "refuse files without this claim, such as 'wins x within 11' or 'cannot o'; may be repeated"
    parser.add_argument("--claim", action="append", default=[], help=claims)
    parser.add_argument("file", metavar="FILE|-")
    arguments = parser.parse_args(words)
    checker = Checker(not arguments.no_theorems)
    try:
        checker.expect(arguments.game, arguments.position, arguments.claim)
    except Wrong as wrong:
        parser.error(f"expected {wrong.expected}, found {wrong.found}")
    return checker, arguments.file


def main(words):
    checker, name = arguments_of(words)
    try:
        with open(0 if name == "-" else name, "rb") as stream:
            head = stream.peek(5)
            unpack = next((program for magic, program in COMPRESSED.items() if head.startswith(magic)), None)
            if unpack:
                raise OSError(None, f"the file is compressed; read it with: {unpack} {name} | check_certificate.py -")
            verdict, code = checker.check(stream)
    except (OSError, MemoryError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not enough memory"
        print(f"cannot read {ascii(name)}: {reason}", file=sys.stderr)
        return 2
    try:
        print(verdict, flush=True)
    except OSError as error:  # The interpreter must not try to write the verdict again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print(f"cannot write the verdict: {error.strerror}", file=sys.stderr)
        return 2
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(2)
