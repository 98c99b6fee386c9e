"""What pyproject.toml declares agrees with the tree and with the code."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from multideid import __version__
from multideid.corpora import registry as formats
from multideid.taggers import registry as systems

ROOT = Path(__file__).parents[2]
MAPPED = ("base_systems", "eval", "stacking")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _folders_with_code() -> set[str]:
    """Return the import name of every folder that holds Python files."""
    names = set()
    for path in ROOT.glob("multideid/**/*.py"):
        place = path.parent.relative_to(ROOT)
        if len(place.parts) == 1 or place.parts[1] not in MAPPED:
            names.add(".".join(place.parts))
    for top in MAPPED:
        for path in ROOT.glob(f"{top}/**/*.py"):
            names.add(".".join(["multideid", *path.parent.relative_to(ROOT).parts]))
    return names


def test_packages_are_those_of_the_tree(project: dict[str, Any]) -> None:
    assert sorted(project["tool"]["setuptools"]["packages"]) == sorted(_folders_with_code())


def test_every_package_has_an_init_file(project: dict[str, Any]) -> None:
    package_dir = project["tool"]["setuptools"]["package-dir"]
    lacking = []
    for package in project["tool"]["setuptools"]["packages"]:
        top = next((t for t in package_dir if (package + ".").startswith(t + ".")), None)
        place = package_dir[top] + package.removeprefix(top) if top else package
        if not (ROOT / place.replace(".", "/") / "__init__.py").is_file():
            lacking.append(package)
    assert lacking == []


def test_links_lead_to_the_mapped_folders(project: dict[str, Any]) -> None:
    for package, folder in project["tool"]["setuptools"]["package-dir"].items():
        link = ROOT / package.replace(".", "/")
        assert link.is_symlink()
        assert link.resolve() == ROOT / folder


def test_built_in_systems_are_declared_as_entry_points(project: dict[str, Any]) -> None:
    assert project["project"]["entry-points"][systems.GROUP] == systems.BUILT_IN


def test_built_in_formats_are_declared_as_entry_points(project: dict[str, Any]) -> None:
    declared = project["project"]["entry-points"][formats.GROUP]
    assert declared == {**formats.BUILT_IN, **formats.FILE_FORMATS}


def test_every_extra_that_is_advised_exists_and_is_quoted(
    project: dict[str, Any],
) -> None:
    extras = set(project["project"]["optional-dependencies"])
    folders = ("multideid", "base_systems", "stacking", "eval", "docs")
    paths = [path for f in folders for e in ("py", "md") for path in (ROOT / f).rglob(f"*.{e}")]
    for path in [*paths, ROOT / "README.md"]:
        text = path.read_text(encoding="utf-8")
        # Some shells expand brackets that are not quoted.
        assert not re.search(r"pip install multideid\[", text), path
        advised = re.findall(r"""pip install ['"](?:multideid|\.)\[([a-z,]+)\]""", text)
        advised += re.findall(r"""MissingPackageError\(.*?"([a-z0-9]+)", [^,()]*\)""", text)
        assert {extra for names in advised for extra in names.split(",")} <= extras, path


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_wheels_are_collected_of_the_extras_that_are_named() -> None:
    for given, extras in (([], "serve"), (["EXTRAS=report,parquet"], "report,parquet")):
        command = ["make", "--dry-run", "wheels", *given]
        printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert f".whl)[{extras}]" in printed.stdout
