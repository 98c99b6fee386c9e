"""A kept fit is used again only by the code and the libraries that made it."""

from __future__ import annotations

from pathlib import Path

import pytest

import multideid
from multideid.eval.experiments import store
from multideid.eval.experiments.store import code_digest, digest_of, library_versions


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small package, one folder of which is a symlink, as in a checkout."""
    root = tmp_path / "multideid"
    for name in ("__init__.py", "labels.py", "cli/app.py", "site/step.py", "text/data/words.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("a = 1\n")
    (tmp_path / "eval" / "experiments").mkdir(parents=True)
    (tmp_path / "eval" / "experiments" / "stack.py").write_text("a = 1\n")
    (root / "eval").symlink_to("../eval")
    monkeypatch.setattr(multideid, "__file__", str(root / "__init__.py"))
    return root


@pytest.mark.parametrize(
    "changed", ["labels.py", "site/step.py", "text/data/words.txt", "eval/experiments/stack.py"]
)
def test_a_fit_of_other_code_or_word_lists_is_another_one(package: Path, changed: str) -> None:
    before = code_digest.__wrapped__()
    assert code_digest.__wrapped__() == before
    (package / changed).write_text("a = 2\n")
    assert code_digest.__wrapped__() != before


@pytest.mark.parametrize("changed", ["cli/app.py", "labels.pyc", "site/__pycache__/step.pyc"])
def test_what_no_fit_uses_repeats_none(package: Path, changed: str) -> None:
    before = code_digest.__wrapped__()
    (package / changed).parent.mkdir(exist_ok=True)
    (package / changed).write_text("a = 2\n")
    assert code_digest.__wrapped__() == before


def test_a_fit_of_another_library_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"python", "numpy", "scikit-learn", "python-crfsuite"} <= library_versions().keys()
    before = digest_of(fit=1)
    other = {**library_versions(), "numpy": "0.0"}
    monkeypatch.setattr(store, "library_versions", lambda: other)
    assert digest_of(fit=1) != before
