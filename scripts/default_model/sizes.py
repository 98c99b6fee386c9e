"""The size of a model in the wheel."""

from __future__ import annotations

import zlib
from pathlib import Path


def size_in_wheel(folder: Path) -> dict[str, int]:
    """Return the bytes that a model takes in the wheel, by system; the rest is "stacker"."""
    sizes: dict[str, int] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        first, *inner = path.relative_to(folder).parts
        name = inner[0] if first == "systems" else "stacker"
        sizes[name] = sizes.get(name, 0) + len(zlib.compress(path.read_bytes()))
    return sizes
