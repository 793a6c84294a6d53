"""The examples of the documents run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
# The check puts the pages beside the tests, where the source is not in sight.
PAGES = sorted((HERE.parent / "pages").glob("*.md")) or [
    HERE.parents[1] / "README.md",
    HERE.parents[1] / "docs" / "homework.md",
    HERE.parents[1] / "docs" / "language-models.md",
    HERE.parents[1] / "docs" / "python.md",
    HERE.parent / "README.md",
]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_example_runs(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for extra in ("gymnasium", "pettingzoo"):
        pytest.importorskip(extra)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)  # noqa: S102
    assert capsys.readouterr().out


def test_every_dialogue_prints_what_the_pages_show() -> None:
    parser, count = doctest.DocTestParser(), 0
    for page in PAGES:
        names: dict[str, object] = {}
        for block in re.findall(r"^```pycon\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            dialogue = parser.get_doctest(block, names, page.name, str(page), 0)
            result = doctest.DocTestRunner().run(dialogue, clear_globs=False)
            assert (result.failed, result.attempted > 0) == (0, True)
            names = dialogue.globs
            count += 1
    assert count > 0


def test_the_pages_are_there() -> None:
    assert len(PAGES) == 5
