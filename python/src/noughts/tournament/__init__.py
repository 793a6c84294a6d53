"""Tournaments: every player in a folder plays every other one and takes the exam.

::

    python -m noughts.tournament FOLDER --games 20 --seed 1 --html table.html

``docs/homework.md`` of Noughts says which files are players, and what becomes of those that fail.
"""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

from noughts._noughts import Engine, Rules
from noughts.binary import find

__all__ = ["Player", "Tournament", "tournament"]

OPTIONS = ("size", "connect", "games", "openings", "sample", "seed", "seconds", "memory", "concurrency")
_LARGEST_EXAM = 16
_SHOWN = 3
_FAULTS = {"time": "time", "stall": "time", "crash": "a crash", "illegal": "an illegal move"}
_RESULTS = {1: "a win", 0: "a draw", -1: "a loss"}
_ENDS = {"p1win": "X wins", "p2win": "O wins", "draw": "a draw"}


@dataclass
class Player:
    """A file of the folder, and what has become of it."""

    name: str
    file: Path
    words: str
    """It in the words of ``noughts match --engine``."""
    reason: str = ""
    """Why it plays no games; empty if it does."""
    notes: list[str] = field(default_factory=list)
    """What is odd about it, although it plays."""
    exam: dict[str, Any] | None = None
    """Its exam as in ``docs/formats.md`` of Noughts; ``None`` on boards of more than 16 squares, or if it failed."""
    games: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(("games", "wins", "draws", "losses"), 0))
    """Its games, as an engine of the match results there, with ``elo`` against all others as if they were one."""

    @property
    def points(self) -> float:
        """A point for each game won, half a point for each drawn."""
        return float(self.games["wins"] + self.games["draws"] / 2)

    @property
    def blunder_rate(self) -> float | None:
        """The share of answers that gave value away, of those where a move could; ``None`` without an exam."""
        return float(self.exam["all"]["rate_where_possible"] or 0) if self.exam else None

    @property
    def score(self) -> float:
        """The grade from 0 to 100: 100 (1 - blunder rate), or the percentage of points where there is no exam."""
        share = self.points / (self.games["games"] or 1) if self.blunder_rate is None else 1 - self.blunder_rate
        return 0.0 if self.reason else round(100 * share, 2)

    @property
    def mistakes(self) -> list[dict[str, Any]]:
        """What gave value away in the exam: wins that became losses first, then those with the fewest stones."""
        faults = [fault for fault in (self.exam or {"list": []})["list"] if fault["kind"] != "win_slower"]
        return sorted(faults, key=lambda fault: (fault["value_after"] - fault["value"], fault["stones"]))


@dataclass
class Tournament:
    """A tournament of the players in a folder: an exam of each, then games of each pair. ``str`` of it is the table.

    The same seed gives the same result, as long as players draw their random numbers from ``random`` or NumPy and no
    time matters.
    """

    folder: Path
    size: int | str = "3"
    """Rows and columns, such as 4 or "4x9"."""
    connect: int = 0
    reverse: bool = False
    games: int = 20
    """Games of each pair."""
    openings: str = "startpos"
    """As of :func:`noughts.match`."""
    sample: int | str = "1000"
    """Positions of each exam, or "all"."""
    seed: int = 1
    seconds: int = 2
    """For each move."""
    memory: int = 1024
    """MiB for each process."""
    concurrency: int = 1
    """Exams and games at the same time."""
    players: list[Player] = field(default_factory=list, init=False)
    """By points, then by blunder rate; those that failed last."""
    pairings: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict, init=False)
    """For the names of two players, the points of the first against the second, and their games."""

    @property
    def rules(self) -> Rules:
        """The game."""
        rows, _, columns = str(self.size).partition("x")
        return Rules(None, self.connect, self.reverse, rows=int(rows), columns=int(columns or rows))

    @property
    def title(self) -> str:
        """The game and what was asked, in words."""
        rules, ends = self.rules, "loses" if self.reverse else "wins"
        game = f"{rules.rows}x{rules.columns}, {rules.start.line_length} in a row {ends}"
        return f"{game}, {self.games} games a pair, seed {self.seed}"

    def hold(self) -> None:
        """Examine the players, and play the games.

        :raises ValueError: when the folder is empty, or an argument is wrong.
        """
        files = sorted(file for file in self.folder.resolve().iterdir() if file.is_file() and file.name[0] != ".")
        # A name is text, whatever the bytes of the file's name are.
        names = [(file.stem if file.suffix == ".py" else file.name).encode(errors="replace").decode() for file in files]
        for name, file in zip(names, files, strict=True):
            self.players.append(Player(name, file, _engine(file, self.memory, name)))
        if not files:
            raise ValueError(f"there are no players in {self.folder}")
        # The program and the players start in an empty folder, where no file of a player hides a module of Python.
        with tempfile.TemporaryDirectory() as empty, ThreadPoolExecutor(self.concurrency) as threads:
            start = Path(empty)
            list(threads.map(lambda player: self._examine(player, start), self.players))
            self._play(start)
            for player in self.players:
                if (notes := start / f"{player.file.name}.notes").is_file():
                    player.notes += sorted(set(notes.read_text(encoding="utf-8").splitlines()))
        self.players.sort(key=lambda each: (bool(each.reason), -each.points, each.blunder_rate or 0, each.name))

    def _examine(self, player: Player, start: Path) -> None:
        """Hold the exam of a player, or two games on boards that are too large for exams. Who fails plays no games."""
        if self.rules.rows * self.rules.columns <= _LARGEST_EXAM:
            exam = ["--list", "--sample", str(self.sample), "--rules", "reverse" if self.reverse else "normal"]
            said, problem = self._ask(start, "exam", [player], *exam)
            player.exam = None if problem else json.loads(said)["exams"][0]
        else:
            opponent = ["--engine", "cmd=noughts option.player=random"]
            _, problem = self._ask(start, "match", [player], *opponent, "--games", "2", *["--reverse"] * self.reverse)
        player.reason = _reason(player, problem)
        if player.exam and (count := player.exam["all"]["illegal"]):
            player.notes.append(f"{count:g} of {player.exam['all']['answers']} answers in the exam are no legal moves")

    def _play(self, start: Path) -> None:
        """Play a round robin of those that have not failed, and leave out those that then cannot be started."""
        while len(by_name := {player.name: player for player in self.players if not player.reason}) > 1:
            record = start / f"{len(by_name)}.jsonl"
            games = ["--games", str(self.games), "--openings", self.openings, *["--reverse"] * self.reverse]
            games += ["--concurrency", str(self.concurrency), "--recover", "--record", str(record)]
            said, problem = self._ask(start, "match", list(by_name.values()), *games)
            if not problem:
                return self._take_games(by_name, json.loads(said), record.read_text(encoding="utf-8").splitlines())
            failed = next((player for name, player in by_name.items() if problem.startswith(f"engine {name} (")), None)
            if not failed:
                raise ValueError(problem)
            failed.reason = _reason(failed, problem)
        return None

    def _take_games(self, players: dict[str, Player], said: dict[str, Any], record: list[str]) -> None:
        """Give each player its games, with notes on those that it lost by a fault."""
        for engine in said["engines"]:
            players[engine["name"]].games = engine
        games = [game for game in map(json.loads, record) if game.get("reason") in _FAULTS]
        losers = Counter((game["o" if game["result"] == "x" else "x"]["name"], game["reason"]) for game in games)
        for (name, reason), count in sorted(losers.items()):
            players[name].notes.append(f"games lost by {_FAULTS[reason]}: {count}")
        for pairing in said["pairings"]:
            first, second = pairing["engines"]
            points, count = pairing["wins"] + pairing["draws"] / 2, pairing["games"]
            self.pairings |= {(first, second): (points, count), (second, first): (count - points, count)}

    def _ask(self, start: Path, verb: str, players: list[Player], *more: str) -> tuple[str, str]:
        """Return what the program prints, and why it failed: nothing if it did not."""
        engines = [word for player in players for word in ("--engine", player.words)]
        command = [str(Path(find()).resolve()), verb, *engines, *more]
        command += ["--size", str(self.size), "--connect", str(self.connect), "--seed", str(self.seed)]
        command += ["--patience", str(self.seconds), "--format", "json"]
        path = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
        # The order of sets of text is the same in every process; threads of NumPy take much memory.
        environment = os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "1", "OPENBLAS_NUM_THREADS": "1"}
        options: dict[str, Any] = {"cwd": start, "env": environment, "encoding": "utf-8", "errors": "replace"}
        done = subprocess.run(command, capture_output=True, check=False, **options)  # noqa: S603
        found = re.search("^error: (.*)", done.stderr, re.MULTILINE)
        problem = "" if not done.returncode else found[1] if found else done.stderr
        if done.returncode > 1 and re.search("'--(?!engine)", problem):
            raise ValueError(problem)
        return done.stdout, problem

    def __str__(self) -> str:
        """Return the table in plain text."""
        width = max(len(_printable(player.name)) for player in self.players)
        lines = [f"{self.title}\n", f"      {'player':{width}}  points  games  blunders     Elo"]
        for rank, player in enumerate(self.players, 1):
            figures = f"{player.points:6g}  {player.games['games']:5}  {_rate(player):>8}  {_elo(player)[0]:>6}"
            shown = f"{rank:4}  {_printable(player.name):{width}}  "
            lines.append(f"   -{shown[4:]}{_printable(player.reason)}" if player.reason else shown + figures)
            lines += [" " * len(shown) + _printable(note) for note in player.notes]
        return "\n".join(lines)

    def html(self) -> str:
        """Return a page without scripts that needs no other file."""
        ranked = [(rank, player) for rank, player in enumerate(self.players, 1) if not player.reason]
        rows, sections = [], []
        for rank, player in enumerate(self.players, 1):
            elo, between = _elo(player)
            texts = player.games | {"rank": rank, "name": player.name, "reason": player.reason}
            texts |= {"points": player.points, "rate": _rate(player), "share": 100 * (player.blunder_rate or 0)}
            texts |= {"elo": elo, "between": between}
            link = _fill("link", **texts) if player.exam else player.name
            notes = _join(_fill("note", text=note) for note in player.notes)
            rows.append(_fill("failed" if player.reason else "row", **texts, notes=notes, link=link))
            if player.exam:
                boards = _join(self._blunder(fault) for fault in player.mistakes[:_SHOWN])
                sections.append(_fill("player", **texts, count=player.exam["all"]["given_away"], blunders=boards))
        cross = []
        for rank, player in ranked:
            results = [self.pairings.get((player.name, other.name), (0.0, 0)) for _, other in ranked]
            cells = (_fill("cell", points=won if of else "·", share=100 * won / (of or 1)) for won, of in results)
            cross.append(_fill("crossrow", rank=rank, name=player.name, cells=_join(cells)))
        heads = _join(_fill("head", rank=rank, name=player.name) for rank, player in ranked)
        table = _fill("crosstable", heads=heads, rows=_join(cross)) if self.pairings else ""
        blunders = _fill("blunders", sections=_join(sections)) if sections else ""
        return _fill("page", title=self.title, rows=_join(rows), crosstable=table, blunders=blunders)

    def results(self, grade: str | None = None) -> dict[str, Any]:
        """Return the ``results.json`` of Gradescope for the player of that name, or with a test for each player.

        :raises ValueError: when there is no such player.
        """
        players = [player for player in self.players if grade in (None, player.name)]
        if not players:
            raise ValueError(f"there is no player {grade!r}, only {', '.join(player.name for player in self.players)}")
        score = round(sum(player.score for player in players) / len(players), 2)
        tests = [{"name": each.name, "score": each.score, "max_score": 100, "output": _words(each)} for each in players]
        for (name, other), (points, games) in self.pairings.items():
            tests += [{"name": f"games with {other}", "score": points, "max_score": games}] if name == grade else []
        leaders = [{"name": "points" if grade else each.name, "value": each.points} for each in players]
        return {"score": score, "tests": tests, "leaderboard": leaders}

    def _blunder(self, fault: dict[str, Any]) -> _Html:
        """Draw the position with the values of the other moves, and the end of the game that refutes the answer."""
        asked, line = ((fault[key] or "").partition(" moves ")[2].split() for key in ("position", "refutation"))
        position, end = self.rules.start.play(*asked), self.rules.start.play(*(line or asked))
        with Engine(player="perfect") as engine:
            values = engine.analyse(position, multipv=len(position.moves)).moves
        answer = next((move for move in position.moves if str(move) == fault["move"]), None)
        others = {move: value for move, value in values.items() if move != answer}
        boards = {"board": _Html(position.svg(others, answer)), "end": _Html(end.svg())}
        texts = {"side": fault["side"], "move": fault["move"], "best": " or ".join(fault["best"])}
        texts |= {"before": _RESULTS[fault["value"]], "after": _RESULTS[fault["value_after"]]}
        texts |= {"line": " ".join(line[len(asked) :]), "result": _ENDS.get(fault["result"], "no legal move")}
        return _fill("blunder", **texts, **boards)


def _engine(file: Path, memory: int, name: str) -> str:
    """Return a player in the words of ``noughts match --engine``, as a child of :mod:`noughts.play_file`."""
    more, folder, program = [], file.parent, [str(file)]
    # What cannot be read is run, and fails with its reason.
    with suppress(OSError, ValueError):
        words = shlex.split(file.read_text("utf-8") if file.suffix == ".engine" else "", comments=True)
        keys = dict(word.split("=", 1) for word in words if "=" in word)
        if "cmd" in keys:
            words = [keys["cmd"]] if (folder / keys["cmd"]).exists() else shlex.split(keys["cmd"])
            words += shlex.split(keys.get("args", ""))
            folder /= keys.get("dir", "")
            more = [f"{key}={keys[key]}" for key in keys if key not in ("name", "cmd", "args", "dir")]
        if words[:1] == ["noughts"]:
            words[0] = str(Path(find()).resolve())
        program = words or program
    start = ["run", str(memory), str(folder), *program] if file.suffix != ".py" else ["play", str(memory), str(file)]
    arguments = shlex.join(["-m", "noughts.play_file", *start])
    return shlex.join([f"name={name}", f"cmd={sys.executable}", f"args={arguments}", *more])


class _Html(str):
    """Text that is HTML already. All other text is escaped."""

    __slots__ = ()


_PARTS = re.split(r"<!-- part: (\w+) -->\n", Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
_TEMPLATES = {name: Template(text) for name, text in zip(_PARTS[1::2], _PARTS[2::2], strict=True)}


def _fill(template: str, /, **values: object) -> _Html:
    """Fill a part of the template in."""
    texts = {name: text if isinstance(text, _Html) else html.escape(_printable(text)) for name, text in values.items()}
    return _Html(_TEMPLATES[template].substitute(texts))


def _join(parts: Any) -> _Html:
    return _Html("".join(parts))


def _printable(value: object) -> str:
    """Escape what moves the cursor or changes the direction of text. Numbers have at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _reason(player: Player, problem: str) -> str:
    """Say in a few words why a player failed: its own last words where it has any."""
    said, _, asked = problem.rpartition("'--engine <ENGINE>': ")[2].partition("; it was asked for a move of ")
    if found := re.search('its last words: "(.*)"', said):
        said = found[1]
    elif said.startswith(f"engine {player.name} ("):
        said = said.removeprefix(f"engine {player.name} ").partition(") ")[2].partition("; --recover")[0]
    if player.file.suffix == ".py" and said.startswith("did not introduce itself"):
        said = "its import took more than 10 seconds"
    return said + (f", after the moves {asked.partition(' moves ')[2] or '(none)'}" if asked else "")


def _rate(player: Player) -> str:
    return "-" if player.blunder_rate is None else f"{100 * player.blunder_rate:.1f}%"


def _elo(player: Player) -> tuple[str, str]:
    """Return the Elo difference to all others, or its bound, and its 95% interval."""
    elo = {end: f"{round(value):+}" for end, value in player.games.get("elo", {}).items() if value is not None}
    if "value" in elo:
        return elo["value"], f"{elo.get('low', '?')} to {elo.get('high', '?')}"
    return f"> {elo['low']}" if "low" in elo else f"< {elo['high']}" if "high" in elo else "", ""


def _words(player: Player) -> str:
    """Say in plain text what the player has got wrong."""
    lines = [text for text in (player.reason, *player.notes) if text]
    for fault in player.mistakes[:_SHOWN]:
        said = f"{fault['move']} gives {_RESULTS[fault['value']]} away, right is {' or '.join(fault['best'])}"
        lines.append(f"{fault['position']}: {said}")
    return "\n".join(lines)


def tournament(folder: str | os.PathLike[str], **options: Any) -> Tournament:
    """Hold a tournament of the players in a folder, with the options of :class:`Tournament`."""
    held = Tournament(Path(folder), **options)
    held.hold()
    return held
