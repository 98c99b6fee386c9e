"""Packages that look installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, group: str, distribution: str, points: Mapping[str, str]) -> None:
    """Write the metadata that an installed package with these entry points would have."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
