"""Every relative link of the documentation leads to a file, and every anchor to a heading."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted(DOCS.rglob("*.md")),
]
_FENCE = re.compile(r"^(```+).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.MULTILINE)


def _links(page: Path) -> Iterator[str]:
    text = _CODE.sub("", _FENCE.sub("", page.read_text(encoding="utf-8")))
    for target in _LINK.findall(text):
        if not re.match(r"[a-z][a-z+.-]*:", target):
            yield target


def _anchors(page: Path) -> set[str]:
    """Return the headings' anchors that the site and GitHub agree on."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = [re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", h) for h in _HEADING.findall(text)]
    return set(map(_site_slug, headings)) & {_github_slug(h) for h in headings}


def _site_slug(heading: str) -> str:
    folded = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", folded).strip().lower())


def _github_slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _problem(page: Path, link: str) -> str | None:
    path, _, anchor = link.partition("#")
    # Not resolved, since the model card is a symlink whose page is in the site.
    target = Path(os.path.normpath(page.parent / path)) if path else page
    if not target.exists():
        return f"{link}: no such file"
    if page.is_relative_to(DOCS) and not target.is_relative_to(DOCS):
        return f"{link}: leads out of docs, and so out of the site"
    if anchor and anchor not in _anchors(target):
        return f"{link}: no such heading"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_to_files_and_headings(page: Path) -> None:
    assert [problem for link in _links(page) if (problem := _problem(page, link))] == []


def test_every_page_is_in_the_navigation() -> None:
    configured = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    assert {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} == configured
