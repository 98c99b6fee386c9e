"""Load model folders of any kind of de-identifier."""

from __future__ import annotations

from pathlib import Path

from multideid.arguments import as_path, invalid
from multideid.errors import ModelError
from multideid.persistence.manifest import Manifest, check_manifest
from multideid.persistence.packing import unpacked
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.mega import MegaDeidentifier
from multideid.stacking.multi import MultiDeidentifier
from multideid.stacking.single import SingleDeidentifier
from multideid.stacking.vote import VoteDeidentifier

_KINDS: dict[str, type[Deidentifier]] = {
    kind.kind: kind
    for kind in (
        MultiDeidentifier,
        MegaDeidentifier,
        VoteDeidentifier,
        SingleDeidentifier,
    )
}


def load_folder(path: str | Path) -> Deidentifier:
    """Load a model folder that `Deidentifier.save` wrote.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Deidentifier
        The fitted model.

    Raises
    ------
    ModelError
        If the folder is not a model, is damaged or of a newer format, or needs a
        base system that is not installed, or a plug-in that fails.
    """
    folder = as_path("the model folder", path)
    manifest = check_manifest(folder)
    return _kind(folder, manifest).from_folder(folder, manifest)


def load_bytes(data: bytes) -> Deidentifier:
    """Load a model from the bytes that `Deidentifier.to_bytes` returned.

    The content is checked as a folder's; nothing in it is executed.

    Raises
    ------
    ModelError
        As `load_folder`.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise invalid("a stored model", "bytes, as to_bytes returns them", data)
    with unpacked(data) as folder:
        return load_folder(folder)


def _kind(folder: Path, manifest: Manifest) -> type[Deidentifier]:
    kind = manifest.info.kind
    if kind not in _KINDS:
        raise ModelError(folder, f"holds a model of unknown kind {kind!r}")
    return _KINDS[kind]
