"""The wheel, built from the source distribution, works in a fresh environment."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from multideid.taggers.registry import BUILT_IN

ROOT = Path(__file__).parents[2]

OF_EXTRAS = {
    "heuristic-dictionary": ("rapidfuzz", "fuzzy"),
    "presidio": ("presidio_analyzer", "presidio"),
    "spacy": ("spacy", "spacy"),
}
"""Systems that need more than multideid declares, and what."""

pytestmark = pytest.mark.packaging


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from the sdist alone."""
    out = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--outdir", out, ROOT, cwd=out)
    assert list(out.glob("multideid-*.tar.gz"))
    return next(out.glob("multideid-*.whl"))


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Make an environment that holds the wheel and what it declares, nothing else."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    _run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    return folder


def test_only_multideid_reaches_site_packages(fresh: Path) -> None:
    site = next(fresh.glob("lib/python*/site-packages"))
    assert (site / "multideid" / "eval").is_dir()
    for name in ("base_systems", "eval", "stacking", "tests"):
        assert not (site / name).exists()
        assert not (site / f"{name}.py").exists()


def test_every_package_imports_from_another_directory(fresh: Path, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    names = project["tool"]["setuptools"]["packages"]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    _run(fresh / "bin" / "python", "-I", "-c", code, *names, cwd=tmp_path)


def test_built_in_systems_are_usable_but_those_of_extras(fresh: Path, tmp_path: Path) -> None:
    code = (
        "from multideid.taggers.registry import describe_systems\n"
        "for s in describe_systems(): print(s.name, s.usable, s.origin, s.problem)"
    )
    printed = _run(fresh / "bin" / "python", "-I", "-c", code, cwd=tmp_path).splitlines()
    assert printed == [_told(name) for name in sorted(BUILT_IN)]


def _told(name: str) -> str:
    if name not in OF_EXTRAS:
        return f"{name} True multideid None"
    module, extra = OF_EXTRAS[name]
    problem = f"system {name!r} needs {module}, which is not installed"
    return f"{name} False multideid {problem}; pip install multideid[{extra}]"


def test_package_is_typed(fresh: Path) -> None:
    assert list(fresh.glob("lib/python*/site-packages/multideid/py.typed"))


def test_command_gives_help(fresh: Path, tmp_path: Path) -> None:
    assert "train" in _run(fresh / "bin" / "multideid", "--help", cwd=tmp_path)


@pytest.mark.parametrize(("model", "most"), [("en-default", 15e6), ("es-default", 8e6)])
def test_bundled_models_are_small(wheel: Path, model: str, most: float) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = [f for f in archive.infolist() if f"/models/{model}/" in f.filename]
    assert 1e6 < sum(f.compress_size for f in files) < most


def test_notes_are_deidentified_with_what_the_wheel_brings(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Seen by Dr. Martha Alder on 3/14/2007.\n")
    _run(fresh / "bin" / "multideid", "deid", "note.txt", "--out", "clean", cwd=tmp_path)
    assert (tmp_path / "clean" / "note.txt").read_text() == "Seen by Dr. [DOCTOR] on [DATE].\n"


def test_sample_notes_come_with_the_wheel(fresh: Path, tmp_path: Path) -> None:
    command = ("sample-corpus", "notes", "--split", "test", "--documents", "2", "--to", "brat")
    _run(fresh / "bin" / "multideid", *command, cwd=tmp_path)
    assert len(list((tmp_path / "notes").glob("*.txt"))) == 2


def test_the_page_of_reports_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if "/reports/html/page/" in name]
    assert any(name.endswith(".html") for name in names)
    assert any(name.endswith(".css") for name in names)
