"""Load model folders of any kind of de-identifier."""

from __future__ import annotations

from pathlib import Path

from multideid.errors import ModelError, UsageError
from multideid.persistence import Manifest, check_manifest
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.mega import MegaDeidentifier
from multideid.stacking.multi import MultiDeidentifier
from multideid.stacking.single import SingleDeidentifier
from multideid.stacking.vote import VoteDeidentifier
from multideid.taggers.registry import load_system

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
        base system that is not installed.
    """
    folder = Path(path)
    manifest = check_manifest(folder)
    try:
        return _read(folder, manifest)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, UsageError):
            raise ModelError(folder, str(error)) from None
        raise ModelError(folder, "is not complete; train the model again") from None


def _read(folder: Path, manifest: Manifest) -> Deidentifier:
    info = manifest.info
    if info.kind not in _KINDS:
        raise ModelError(folder, f"holds a model of unknown kind {info.kind!r}")
    model = _KINDS[info.kind](**info.params)
    model.labels_ = info.labels
    model.corpus_ = info.corpus
    model.taggers_ = {
        record.name: load_system(record.name).load(folder / "systems" / record.name)
        for record in info.systems
    }
    model._load(folder)
    return model
