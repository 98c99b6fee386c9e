"""The reference covers all commands, formats, base systems and public names."""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import re
from pathlib import Path

import multideid
from multideid.corpora import describe_formats
from multideid.stacking.thresholds import OPERATING_POINTS
from multideid.taggers.registry import BUILT_IN

DOCS = Path(__file__).parents[1] / "docs"


def _read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def _command_line() -> str:
    path = DOCS / "_hooks" / "command_line.py"
    spec = importlib.util.spec_from_file_location("command_line", path)
    assert spec is not None
    assert spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    return str(hook.on_page_markdown(_read("reference/command-line.md")))


def test_the_command_line_is_described_from_its_commands() -> None:
    page = _command_line()
    for heading in ("## multideid deid\n", "### multideid experiment kernels\n"):
        assert heading in page
    assert "`--recall <balanced\\|high\\|maximum>`" in page
    assert "multideid deid notes/ --out clean/" in page
    assert "<!-- commands -->" not in page
    assert "[b]" not in page


def test_every_format_is_described() -> None:
    page = _read("reference/formats.md")
    assert [name for name in describe_formats() if f"| `{name}` |" not in page] == []


def test_every_base_system_has_a_page() -> None:
    folder = DOCS / "explanation" / "systems"
    assert {path.stem for path in folder.glob("*.md")} == {*BUILT_IN, "index"}
    assert [name for name in BUILT_IN if f"({name}.md)" not in _read(f"{folder}/index.md")] == []


def test_every_parameter_of_a_base_system_is_described() -> None:
    shared = _read("explanation/systems/index.md").partition("## Shared parameters")[2]
    missing = []
    for name, target in BUILT_IN.items():
        described = _read(f"explanation/systems/{name}.md") + shared
        names = inspect.signature(pkgutil.resolve_name(target)).parameters
        missing += [f"{name}.{p}" for p in names if f"`{p}`" not in described]
    assert missing == []


def test_pages_give_the_cost_ratios_of_the_operating_points() -> None:
    thresholds, choice = _read("explanation/thresholds.md"), _read("how-to/recall.md")
    for name, ratio in OPERATING_POINTS.items():
        assert f"| `{name}` | {ratio:g} |" in thresholds
        assert re.search(rf"--recall {name}` \|[^|]* {ratio:g}\b", choice), name


def test_names_in_the_api_reference_exist() -> None:
    pages = sorted((DOCS / "reference" / "api").glob("*.md"))
    names = [n for page in pages for n in re.findall(r"^::: (\S+)", page.read_text(), re.MULTILINE)]
    assert names
    for name in names:
        pkgutil.resolve_name(name)


def test_every_name_that_the_package_exports_is_in_the_api_reference() -> None:
    pages = "\n".join(p.read_text() for p in (DOCS / "reference" / "api").glob("*.md"))
    exported = [name for name in multideid._HOMES if not re.search(rf"\b{name}\b", pages)]
    assert exported == []


def _mentioned(pattern: str) -> list[str]:
    """Return what matches in code spans of all pages that describe the current version."""
    pages = [p for p in DOCS.rglob("*.md") if p.parent.name != "notebook"]
    texts = [p.read_text(encoding="utf-8") for p in (*pages, DOCS.parent / "CONTRIBUTING.md")]
    return sorted({name for text in texts for name in re.findall(rf"`({pattern})`", text)})


def test_modules_and_names_that_pages_mention_exist() -> None:
    for name in _mentioned(r"multideid(?:\.\w+)+"):
        if name not in ("multideid.formats", "multideid.base_systems"):
            pkgutil.resolve_name(name)


def test_files_that_pages_mention_exist() -> None:
    places = "base_systems|docs|eval|multideid|scripts|stacking|tests"
    found = _mentioned(rf"(?:{places})/[\w/.-]+")
    assert found
    assert [name for name in found if not (DOCS.parent / name).exists()] == []
