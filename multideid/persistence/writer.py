"""Write model folders atomically."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path
from types import TracebackType

from multideid.errors import UsageError, unwritable
from multideid.persistence.manifest import ModelInfo, is_model, write_manifest


def check_output(path: str | Path, overwrite: bool = False) -> Path:
    """Check that a model can be written to `path`; to be called before training.

    Parameters
    ----------
    path : str or Path
        The model folder; missing parents are created.
    overwrite : bool
        Whether an existing model may be replaced.

    Returns
    -------
    Path
        The absolute path of the folder, with links resolved.

    Raises
    ------
    UsageError
        If the path exists and may not be replaced, or cannot be written.
    """
    target = Path(path).resolve()
    _refuse_occupied(target, overwrite)
    _make_sibling(target).rmdir()
    return target


def _refuse_occupied(target: Path, overwrite: bool) -> None:
    if not os.path.lexists(target) or _is_empty_folder(target):
        return
    if not overwrite:
        raise UsageError(f"{target} exists; choose another output, or ask to overwrite it")
    if not is_model(target):
        raise UsageError(f"{target} exists and is not a multideid model; it is not overwritten")


def _is_empty_folder(path: Path) -> bool:
    try:
        return path.is_dir() and not any(path.iterdir())
    except OSError as error:
        raise unwritable(path, error) from None


def _make_sibling(target: Path) -> Path:
    folder = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except OSError as error:
        raise unwritable(target, error) from None
    return folder


class ModelWriter:
    """Write a model into a temporary folder, then rename it.

    If an error is raised, nothing is written, and an existing model is kept.

    Parameters
    ----------
    path : str or Path
        The model folder.
    info : ModelInfo
        The content of the manifest.
    overwrite : bool
        Whether an existing model may be replaced; anything else never is.

    Raises
    ------
    UsageError
        As `check_output`, and if writing fails.

    Examples
    --------
    >>> with ModelWriter(out, ModelInfo("single", ("DATE",))) as folder:  # doctest: +SKIP
    ...     tagger.save(folder)
    """

    def __init__(self, path: str | Path, info: ModelInfo, overwrite: bool = False) -> None:
        self._path = path
        self._info = info
        self._overwrite = overwrite

    def __enter__(self) -> Path:
        self._target = check_output(self._path, self._overwrite)
        self._folder = _make_sibling(self._target)
        return self._folder

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if isinstance(error, OSError):
                raise unwritable(self._target, error) from None
            if error is None:
                self._finish()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _finish(self) -> None:
        try:
            write_manifest(self._folder, self._info)
            _refuse_occupied(self._target, self._overwrite)
            _replace(self._folder, self._target)
        except OSError as failure:
            raise unwritable(self._target, failure) from None


def _replace(folder: Path, target: Path) -> None:
    if not target.exists() or _is_empty_folder(target):
        folder.replace(target)
        return
    # A folder cannot be renamed to a non-empty one: move the old one away, and
    # back if the new one cannot be renamed.
    backup = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
    target.replace(backup)
    try:
        folder.replace(target)
    except BaseException:
        backup.replace(target)
        raise
    shutil.rmtree(backup, ignore_errors=True)
