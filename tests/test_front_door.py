"""``import multideid`` is quick, and the names that a user starts with are there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import multideid

HEAVY = ("numpy", "scipy", "pandas", "sklearn", "spacy", "textblob", "pyarrow", "typer", "rich")


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, multideid; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", sorted(multideid._HOMES))
def test_name_is_there(name: str) -> None:
    assert name in dir(multideid)
    assert getattr(multideid, name).__module__.startswith("multideid.")


def test_eval_is_never_re_exported() -> None:
    assert not [home for home in multideid._HOMES.values() if home.startswith("multideid.eval")]


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = multideid.nonsense
