"""The Python snippets of the documentation run, and print the outputs shown below them."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from multideid.eval.experiments import EXPERIMENTS
from multideid.taggers import registry

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
OUTPUTS = {
    "tutorial/index.md": 0,
    "how-to/choose-systems.md": 0,
    "how-to/train.md": 0,
    "how-to/unlabelled-notes.md": 0,
    "how-to/scikit-learn.md": 5,
    "how-to/spacy.md": 3,
    "how-to/presidio.md": 3,
    "how-to/pandas.md": 2,
    "how-to/duckdb.md": 2,
    "how-to/dask.md": 2,
    "how-to/rest.md": 1,
    "how-to/replace-phi.md": 8,
    "how-to/site.md": 3,
    "how-to/presets.md": 1,
    "how-to/resynthesize.md": 3,
    "how-to/run-experiments.md": 0,
    "how-to/add-a-tagger.md": 0,
    "how-to/add-a-format.md": 0,
    "how-to/add-an-experiment.md": 1,
    "how-to/add-a-phi-class.md": 0,
}
"""Pages, and how many outputs of Python snippets they show."""

NEEDS = {"how-to/duckdb.md": "duckdb", "how-to/dask.md": "dask.dataframe"}
"""Packages of pages that are not tested where they are missing."""


@pytest.mark.end_to_end
@pytest.mark.parametrize(("page", "outputs"), OUTPUTS.items())
def test_snippets_print_the_output_shown_below_them(
    page: str, outputs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_SESSION", {})
    monkeypatch.setattr("multideid.eval.experiments.registry.EXPERIMENTS", dict(EXPERIMENTS))
    names: dict[str, Any] = {"__name__": "page"}
    printed, compared = "", 0
    for kind, content in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if kind == "python":
            output = StringIO()
            with redirect_stdout(output):
                exec(compile(content, page, "exec"), names)
            printed = output.getvalue()
        elif printed:
            compared += 1
            assert printed.strip() == content.strip()
            printed = ""
    assert compared == outputs
