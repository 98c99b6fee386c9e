"""The page about de-identified text shows what its code prints."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "deidentified-text.md"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_snippets_print_what_stands_below_them() -> None:
    names: dict[str, Any] = {"__name__": "page"}
    printed, compared = "", 0
    for kind, content in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "python":
            output = StringIO()
            with redirect_stdout(output):
                exec(compile(content, PAGE.name, "exec"), names)
            printed = output.getvalue()
        else:
            compared += 1
            assert printed.strip() == content.strip()
    assert compared == 7
