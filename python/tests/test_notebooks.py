"""The notebooks run from top to bottom, and print what is stored in them.

``python tests/test_notebooks.py`` runs them and stores what they print and draw; with a name after it, only that one.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
NOTEBOOKS = ("minimax", "montecarlo", "qlearning")
# scripts/check-notebook runs it: it needs JAX and some minutes, and its figures differ between processors.
TRAINED = "learning"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MOST_BYTES = 300_000
SECONDS_FOR_A_CELL = 600


def run(name: str, folder: str) -> Any:
    """Run a notebook in a new kernel. Return it with its outputs, in the form in which it is stored."""
    for needed in ("matplotlib", "ipykernel"):
        pytest.importorskip(needed)
    nbclient = pytest.importorskip("nbclient")
    notebook = pytest.importorskip("nbformat").read(EXAMPLES / f"{name}.ipynb", as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=SECONDS_FOR_A_CELL, record_timing=False, resources={"metadata": {"path": folder}}
    )
    client.execute()
    notebook.metadata = METADATA
    for number, cell in enumerate(code(notebook), 1):
        cell["metadata"] = {}
        cell["execution_count"] = number
        cell["outputs"] = merged(cell["outputs"])
    return notebook


def merged(outputs: list[Any]) -> list[Any]:
    """Put what is printed in one go together. A kernel may send it in parts."""
    whole: list[Any] = []
    for output in outputs:
        if whole and output["output_type"] == "stream" and output["name"] == whole[-1].get("name"):
            whole[-1]["text"] += output["text"]
        else:
            whole.append(output)
    return whole


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(notebook: Any) -> list[list[str]]:
    """For each cell with code, what it prints and which kinds of pictures it shows."""
    return [
        ["".join(output["text"]) if "text" in output else str(sorted(output["data"])) for output in cell["outputs"]]
        for cell in code(notebook)
    ]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_prints_what_is_stored_in_it(name: str, tmp_path: Path) -> None:
    stored = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert shown(run(name, str(tmp_path))) == shown(stored), "python tests/test_notebooks.py stores the outputs anew"


@pytest.mark.parametrize("name", [*NOTEBOOKS, TRAINED])
def test_a_notebook_is_stored_small_and_clean(name: str) -> None:
    text = (EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(text)
    outputs = [output for cell in code(notebook) for output in cell["outputs"]]
    assert len(text) <= MOST_BYTES
    assert notebook["metadata"] == METADATA
    assert all(cell["metadata"] == {} for cell in notebook["cells"])
    assert [cell["execution_count"] for cell in code(notebook)] == [*range(1, len(code(notebook)) + 1)]
    assert {output["output_type"] for output in outputs} == {"stream", "display_data"}
    assert {output.get("name", "stdout") for output in outputs} == {"stdout"}
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 3
    assert not re.search(r"/(home|root|tmp|usr|work|Users)/", str(shown(notebook))), "a path of one machine"


def test_all_notebooks_are_tested() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.ipynb")) == sorted([*NOTEBOOKS, TRAINED])


def store(names: Sequence[str]) -> None:
    """Run the notebooks and store them with their outputs."""
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            notebook = run(name, folder)
        pytest.importorskip("nbformat").write(notebook, EXAMPLES / f"{name}.ipynb")


if __name__ == "__main__":
    store(sys.argv[1:] or NOTEBOOKS)
