"""The pages about de-identified and invented text show what their code prints."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[1] / "docs" / "how-to"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "outputs"), [("replace-phi.md", 8), ("resynthesize.md", 2)])
def test_snippets_print_the_output_shown_below_them(page: str, outputs: int) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    printed, compared = "", 0
    for kind, content in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
        if kind == "python":
            output = StringIO()
            with redirect_stdout(output):
                exec(compile(content, page, "exec"), names)
            printed = output.getvalue()
        else:
            compared += 1
            assert printed.strip() == content.strip()
    assert compared == outputs
