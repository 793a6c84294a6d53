"""The examples of the documents run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
# The check puts the pages beside the tests, where the source is not in sight.
PAGES = sorted((HERE.parent / "pages").glob("*.md")) or [
    HERE.parents[1] / "README.md",
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


def test_the_pages_are_there() -> None:
    assert len(PAGES) == 3
