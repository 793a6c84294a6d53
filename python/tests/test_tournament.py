"""Tournaments of the files in a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from noughts import Position, Tournament, tournament

if TYPE_CHECKING:
    from pathlib import Path

RANDOM = "import random\ndef move(position):\n    return random.choice(position.moves)\n"
LAST = "import noughts; noughts.run_engine(lambda position: position.moves[-1])"
FIRST = "def move(position):\n    return position.moves[0]\n"
WINS = """
import noughts

def agent(position):
    for move in position.moves:
        if position.play(move).outcome == position.side:
            return move
    return position.moves[len(position.moves) // 2]

noughts.run_engine(agent)
"""
MC_MOVE = """
from noughts.homework import DRAW, switch_player
import random

NTRIALS = 5

def mc_move(board, player, trials):
    assert trials == 5
    scores = dict.fromkeys(board.get_empty_squares(), 0)
    for square in scores:
        for _ in range(trials):
            trial, side = board.clone(), player
            trial.move(*square, side)
            while trial.check_win() is None:
                side = switch_player(side)
                trial.move(*random.choice(trial.get_empty_squares()), side)
            winner = trial.check_win()
            scores[square] += 0 if winner == DRAW else 1 if winner == player else -1
    return max(scores, key=scores.get)
"""
GOOD = {
    "perfect.engine": "cmd=noughts option.player=perfect  # the reference",
    "monte.py": MC_MOVE,
    "other.engine": f"cmd='{sys.executable}' args='-c \"{LAST}\"'\nproto=noughts # as usual\n",
    "wins.py": WINS,
    "random.py": RANDOM,
    "<b>a&amp;'b'</b> (1).py".replace("/", "\N{DIVISION SLASH}"): FIRST,
}
BAD = {
    "import.py": ("import nowhere\n", "its import raised ModuleNotFoundError: No module named 'nowhere' in line 1"),
    "hangs.py": ("def move(position):\n    while True:\n        pass\n", "did not answer, not even to stop"),
    "eats.py": (
        "def move(position):\n    return bytearray(1 << 29)\n",
        "it raised MemoryError in line 2",
    ),
    "exits.py": ("import os\ndef move(position):\n    os._exit(3)\n", "ended (exit status: 3)"),
    "writes.py": (
        "def move(position):\n    position.side = 'x'\n",
        "it raised AttributeError: attribute 'side' of 'noughts.Position' objects is not writable in line 2",
    ),
    "nothing.py": ("x = 1\n", "its import raised AttributeError: nothing.py has no function move, mc_move or agent"),
    "readme.txt": ("Hello\n", "no player: PermissionError"),
    "quote.engine": ("cmd='./mine", "no player: PermissionError"),
    "arguments.engine": ('cmd=./mine args="\'"', "no player: PermissionError"),
    "missing.engine": ("./mine -q", "no player: FileNotFoundError"),
    "empty.engine": ("", "no player: PermissionError"),
}
PRINTS = """
import os
def move(position):
    print("bestmove 2,2")
    os.write(1, b"bestmove 2,2\\n")
    return position.moves[0]
"""
MUTATES = """
def mc_move(board, player, trials):
    square = board.get_empty_squares()[0]
    board.move(*square, player)
    return square
"""
ODD = {
    "prints.py": (PRINTS, "prints text, which is passed over"),
    "mutates.py": (MUTATES, "changes the board that it is given, not a clone of it"),
    "illegal.py": ("def move(position):\n    return 0, 0\n", "answers in the exam are no legal moves"),
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


class Reader(HTMLParser):
    """The elements of a page that are open, and those that there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not any(name.startswith("on") or name == "src" for name, _ in attrs)
        self.links |= {value or "" for name, value in attrs if name == "href"}
        self.targets |= {f"#{value}" for name, value in attrs if name == "id"}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open = [other for other in self.open if other != tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    write(folder, GOOD)
    write(folder, {name: text for name, (text, _) in (BAD | ODD).items()})
    program = folder / "program"
    program.write_text(f"#!{sys.executable}\n{LAST}\n")
    program.chmod(0o755)
    return folder


OPTIONS: dict[str, Any] = {"games": 2, "sample": 100, "seconds": 2, "memory": 256}


@pytest.fixture(scope="module")
def held(folder: Path) -> Tournament:
    return tournament(folder, concurrency=2, **OPTIONS)


pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs and limits of memory are those of Unix")


def test_good_players_are_ranked(held: Tournament) -> None:
    ranked = [player for player in held.players if not player.reason]
    assert ranked == held.players[: len(ranked)]
    assert {player.file.name for player in ranked} == {*GOOD, *ODD, "program"}
    assert held.players[0].name == "perfect.engine"
    assert held.players[0].blunder_rate == 0
    assert held.players[0].score == 100
    assert not held.players[0].mistakes
    points = [player.points for player in ranked]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 2 * len(ranked) * (len(ranked) - 1) / 2
    for player in ranked:
        others = [held.pairings[player.name, other.name] for other in ranked if other is not player]
        assert player.points == sum(won for won, _ in others)
        assert {games for _, games in others} == {2}
    by_name = {player.name: player for player in ranked}
    assert by_name["monte"].points > by_name["random"].points
    assert by_name["wins"].score > by_name["random"].score


def test_players_that_fail_are_rows_with_their_reason(held: Tournament) -> None:
    reasons = {player.file.name: player.reason for player in held.players if player.reason}
    assert set(reasons) == set(BAD)
    for name, (_, reason) in BAD.items():
        assert reasons[name].startswith(reason), name
        assert str(held.players[0].file.parent) not in reasons[name]
        assert reasons[name] in str(held)


def test_odd_players_play_with_a_note(held: Tournament) -> None:
    notes = {player.file.name: player.notes for player in held.players if player.notes}
    assert set(notes) == set(ODD)
    for name, (_, note) in ODD.items():
        assert note in notes[name][0]
    first, prints = (next(each for each in held.players if name in each.name) for name in ("(1)", "prints"))
    assert first.exam == prints.exam
    assert notes["illegal.py"][1].startswith("games lost by an illegal move: ")


def test_the_page_is_whole_and_escaped(held: Tournament) -> None:
    page, reader = held.html(), Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.links == reader.targets
    assert len(reader.links) == sum(1 for player in held.players if player.exam)
    assert not {"script", "img", "link", "iframe", "b\N{DIVISION SLASH}"} & reader.seen
    assert "&lt;b&gt;a&amp;amp;&#x27;b&#x27;" in page
    assert "<b>a" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert page.count("<figure") == sum(min(3, len(player.mistakes)) for player in held.players)
    for player in held.players:
        for fault in player.mistakes:
            asked = fault["position"].partition(" moves ")[2].split()
            moves = [str(move) for move in Position().play(*asked).moves]
            assert (fault["move"] in moves) == (fault["kind"] != "illegal")


def test_the_same_seed_gives_the_same_page(folder: Path, tmp_path: Path, held: Tournament) -> None:
    for name in ("monte.py", "random.py", "prints.py", "import.py", "eats.py"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    first, second = tournament(tmp_path, **OPTIONS), tournament(tmp_path, concurrency=2, **OPTIONS)
    assert first.html() == second.html()
    assert first.results() == second.results()
    assert str(first) == str(second)
    exams = {player.name: player.exam for player in held.players}
    assert all(player.exam == exams[player.name] for player in first.players)
    other = tournament(tmp_path, **OPTIONS | {"seed": 2})
    assert other.html() != first.html()


def test_results_have_the_form_of_gradescope(held: Tournament) -> None:
    everybody = json.loads(json.dumps(held.results()))
    assert [test["name"] for test in everybody["tests"]] == [player.name for player in held.players]
    for said in (everybody, held.results("monte"), held.results("import")):
        assert set(said) == {"score", "tests", "leaderboard"}
        assert 0 <= said["score"] <= 100
        assert all(0 <= test["score"] <= test["max_score"] for test in said["tests"])
        assert all(set(entry) == {"name", "value"} for entry in said["leaderboard"])
    assert everybody["score"] == pytest.approx(
        sum(test["score"] for test in everybody["tests"]) / len(held.players), 1e-3
    )
    monte = next(player for player in held.players if player.name == "monte")
    grade = held.results("monte")
    assert grade["score"] == grade["tests"][0]["score"] == round(100 * (1 - (monte.blunder_rate or 0)), 2)
    assert sum(test["score"] for test in grade["tests"][1:]) == monte.points
    failed = held.results("import")
    assert failed["score"] == 0
    assert "nowhere" in failed["tests"][0]["output"]
    with pytest.raises(ValueError, match="there is no player 'nobody', only"):
        held.results("nobody")


def test_large_boards_have_no_exam(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": RANDOM, "b.py": RANDOM, "fails.py": "def move(position):\n    1 / 0\n"})
    held = tournament(tmp_path, size="3x6", connect=4, reverse=True, games=2)
    assert [player.exam for player in held.players] == [None] * 3
    assert held.players[2].reason == "it raised ZeroDivisionError: division by zero in line 2"
    assert held.title == "3x6, 4 in a row loses, 2 games a pair, seed 1"
    assert held.players[0].score == 50 * held.players[0].points
    assert "The worst blunders" not in held.html()


def test_the_command_writes_the_files(tmp_path: Path) -> None:
    players = tmp_path / "players"
    players.mkdir()
    command = [sys.executable, "-m", "noughts.tournament", str(players), "--size", "2", "--games", "2"]
    files = ["--html", str(tmp_path / "page.html"), "--results", str(tmp_path / "results.json")]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *more], capture_output=True, text=True, check=False)

    done = run()
    assert (done.returncode, done.stderr) == (1, f"error: there are no players in {players}\n")
    name = "\N{RIGHT-TO-LEFT OVERRIDE}a.py"
    write(players, {"first.py": FIRST, "second.py": FIRST, name: FIRST, ".hidden.py": FIRST})
    done = run(*files, "--grade", "first")
    assert done.returncode == 0, done.stderr
    assert "2x2, 2 in a row wins, 2 games a pair, seed 1" in done.stdout
    assert 'a name is a word or more on one line, not "\\u{202e}a"\n' in done.stdout
    assert "hidden" not in done.stdout
    assert json.loads((tmp_path / "results.json").read_text())["score"] == 100
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    for wrong in (["--games", "0"], ["--size", "30"], ["--sample", "0"]):
        done = run(*files, *wrong)
        assert done.returncode == 1
        assert done.stderr.startswith("error: ")


@pytest.mark.skipif(sys.platform != "linux", reason="the system may refuse such names")
def test_file_names_need_not_be_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.py")).write_text(FIRST)
    (tmp_path / "line\nend.py").write_text(FIRST)
    (tmp_path / "$rank.py").write_text(FIRST)
    held = tournament(tmp_path, size=2)
    assert [player.name for player in held.players] == ["$rank", "?", "line\nend"]
    assert [bool(player.reason) for player in held.players] == [False, True, True]
    assert "line\\nend" in str(held)
    assert "line\\nend" in held.html()
    assert "$rank" in held.html()


def test_a_player_that_crashes_in_a_game_plays_on(tmp_path: Path) -> None:
    crashes = FIRST + "\nimport os\nfirst = move\ndef move(position):\n"
    crashes += "    return os._exit(1) if len(position.moves) == 7 else first(position)\n"
    write(tmp_path, {"a.py": FIRST, "crashes.py": crashes, "b.py": FIRST})
    held = tournament(tmp_path, games=2, sample=1)
    assert {player.name: (player.reason, player.notes) for player in held.players} == {
        "a": ("", []),
        "b": ("", []),
        "crashes": ("", ["games lost by a crash: 2"]),
    }
