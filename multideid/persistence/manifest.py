"""The manifest of a model folder: a description of the model, and checksums of its files."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from multideid import __version__
from multideid.errors import ModelError, reason
from multideid.persistence.exchange import recover
from multideid.persistence.files import load_json, save_json
from multideid.persistence.json_rules import check_json

FORMAT_VERSION = 2

MANIFEST = "manifest.json"
_FORMAT = "multideid model"
_LIBRARIES = ("numpy", "scikit-learn", "sklearn-crfsuite")
_PATTERN = {
    "kind": str,
    "labels": [str],
    "systems": [{"name": str, "params": dict}],
    "params": dict,
    "corpus": str,
    "versions": {str: str},
    "files": {str: str},
}
_RESTORE = "restore it from a backup or train the model again"


class SystemRecord(NamedTuple):
    """A base system of a model, and its parameters."""

    name: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Description of a model.

    Parameters
    ----------
    kind : str
        ``"multi"``, ``"mega"``, ``"vote"`` or ``"single"``.
    labels : tuple of str
        The PHI labels, or BIO tags, that the model predicts.
    systems : tuple of SystemRecord
        The base systems, in the order of the columns of the stacker.
    params : mapping
        The parameters of the model (folds, seed ...), as JSON values.
    corpus : str
        Fingerprint of the training corpus, without any of its text.
    """

    kind: str
    labels: tuple[str, ...]
    systems: tuple[SystemRecord, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    corpus: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The `ModelInfo` of a model folder, with versions and checksums.

    Parameters
    ----------
    info : ModelInfo
    versions : dict of str to str
        Versions of python, multideid and the libraries that trained the model.
    files : dict of str to str
        SHA-256 of every other file in the folder, by POSIX path.
    """

    info: ModelInfo
    versions: dict[str, str]
    files: dict[str, str]


def write_manifest(folder: Path, info: ModelInfo) -> Manifest:
    """Write ``manifest.json`` with the checksums of all files in `folder`.

    Call it last: a model with files that are written later is refused.
    """
    files = {name: _sha256(folder / name) for name in sorted(_files_in(folder) - {MANIFEST})}
    _check_names(folder, files)
    manifest = Manifest(info, _versions(), files)
    content = _to_json(manifest)
    save_json(folder, "manifest", {**content, "checksum": _checksum(content)})
    return manifest


def check_manifest(folder: str | Path) -> Manifest:
    """Read ``manifest.json``, and verify every file of `folder`.

    Raises
    ------
    ModelError
        If the folder is not a model or has another format, or if a file is
        missing, damaged, a link or not listed; the message names the file.
    """
    root = Path(folder)
    recover(root)
    content = _read(root)
    manifest = _from_json(root / MANIFEST, content)
    _check_names(root, manifest.files)
    _check_files(root, manifest.files)
    return manifest


def is_model(folder: Path) -> bool:
    """Return whether `folder` has a manifest of multideid, even if damaged."""
    try:
        content = load_json(folder / MANIFEST)
    except ModelError:
        return False
    return isinstance(content, dict) and content.get("format") == _FORMAT


def _read(root: Path) -> dict[str, Any]:
    if not root.exists():
        raise ModelError(root, "there is no such model folder")
    if not (root / MANIFEST).is_file():
        raise ModelError(root, f"is not a multideid model (a model is a folder with a {MANIFEST})")
    content = load_json(root / MANIFEST)
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise ModelError(root, f"is not a multideid model (its {MANIFEST} is of another program)")
    _check_version(root, content.get("format_version"))
    if content.pop("checksum", None) != _checksum(content):
        raise ModelError(root / MANIFEST, f"is damaged (its checksum differs); {_RESTORE}")
    return content


def _check_version(root: Path, version: object) -> None:
    if not isinstance(version, int) or version < 1:
        raise ModelError(root / MANIFEST, f"is damaged (no format version); {_RESTORE}")
    if version > FORMAT_VERSION:
        raise ModelError(
            root,
            f"was written by a newer multideid (model format {version}; this is multideid "
            f"{__version__}, which reads {FORMAT_VERSION}); "
            "install the newer version",
        )
    if version < FORMAT_VERSION:
        raise ModelError(
            root,
            f"was written by an older multideid (model format {version}; this is multideid "
            f"{__version__}, which reads {FORMAT_VERSION}); train the model again",
        )


def _check_names(root: Path, files: Mapping[str, str]) -> None:
    for name in files:
        path = PurePosixPath(name)
        leaves = path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name
        if leaves or path.as_posix() != name:
            raise ModelError(root / MANIFEST, f"lists {name!r}, which is outside the model")


def _check_files(root: Path, files: Mapping[str, str]) -> None:
    found = _files_in(root) - {MANIFEST}
    for name in sorted(files.keys() - found):
        raise ModelError(root / name, f"is missing from the model; {_RESTORE}")
    for name in sorted(found - files.keys()):
        raise ModelError(root / name, "does not belong to the model; move it elsewhere")
    for name, checksum in files.items():
        if _sha256(root / name) != checksum:
            raise ModelError(root / name, f"is damaged (its checksum differs); {_RESTORE}")


def _files_in(root: Path) -> set[str]:
    names = set()
    for path in root.rglob("*"):
        if path.is_symlink():
            raise ModelError(path, "is a link; a model contains regular files only")
        if path.is_dir():
            continue
        if not path.is_file():
            # Reading a pipe would never end.
            raise ModelError(path, "is a pipe or a device; a model contains regular files only")
        names.add(path.relative_to(root).as_posix())
    return names


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(path, f"cannot be read ({reason(error)})") from None


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version(), "multideid": __version__}
    for library in _LIBRARIES:
        try:
            versions[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            continue
    return versions


def _to_json(manifest: Manifest) -> dict[str, Any]:
    info = asdict(manifest.info)
    info["systems"] = [record._asdict() for record in manifest.info.systems]
    content = {
        "format": _FORMAT,
        "format_version": FORMAT_VERSION,
        **info,
        "versions": manifest.versions,
        "files": manifest.files,
    }
    # Tuples become lists before the checksum is taken, as they will be when read.
    plain: dict[str, Any] = json.loads(json.dumps(content, allow_nan=False))
    return plain


def _from_json(path: Path, content: dict[str, Any]) -> Manifest:
    check_json(path, content, _PATTERN)
    labels = tuple(content["labels"])
    systems = tuple(SystemRecord(s["name"], s["params"]) for s in content["systems"])
    for names in (labels, [system.name for system in systems]):
        if not all(names) or len(set(names)) != len(names):
            raise ModelError(path, f"is damaged (empty or equal names); {_RESTORE}")
    info = ModelInfo(content["kind"], labels, systems, content["params"], content["corpus"])
    return Manifest(info, content["versions"], content["files"])


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
