"""Write a model folder as a whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path
from types import TracebackType

from multideid.errors import UsageError, unwritable
from multideid.persistence.manifest import ModelInfo, is_model, write_manifest


def check_output(path: str | Path, overwrite: bool = False) -> Path:
    """Make sure that a model can be written at `path`; call it before training.

    Parameters
    ----------
    path : str or Path
        The model folder to be; its parents are made where they are missing.
    overwrite : bool
        Whether a model that stands there may be replaced.

    Returns
    -------
    Path
        The folder, absolute, with links followed.

    Raises
    ------
    UsageError
        If something that must not be replaced stands there, or the place
        cannot be written to.
    """
    target = Path(path).resolve()
    _refuse_occupied(target, overwrite)
    _make_beside(target).rmdir()
    return target


def _refuse_occupied(target: Path, overwrite: bool) -> None:
    if not os.path.lexists(target) or _is_empty_folder(target):
        return
    if not overwrite:
        raise UsageError(f"{target} exists; choose another output, or ask to overwrite it")
    if not is_model(target):
        raise UsageError(f"{target} exists and is no multideid model; it is not overwritten")


def _is_empty_folder(path: Path) -> bool:
    try:
        return path.is_dir() and not any(path.iterdir())
    except OSError as error:
        raise unwritable(path, error) from None


def _make_beside(target: Path) -> Path:
    folder = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except OSError as error:
        raise unwritable(target, error) from None
    return folder


class ModelWriter:
    """Write a model into a temporary sibling folder, then move it into place.

    If anything fails on the way, nothing is left behind and a model that stood
    there before stays as it was.

    Parameters
    ----------
    path : str or Path
        The model folder to be.
    info : ModelInfo
        What the manifest is to say.
    overwrite : bool
        Whether a model that stands there may be replaced; anything else that
        stands there never is.

    Raises
    ------
    UsageError
        As `check_output`, and when the disk refuses a write.

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
        self._folder = _make_beside(self._target)
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
    # A folder cannot be renamed over a full one: set the old aside, and put it
    # back if the new one cannot take its place.
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
    target.replace(aside)
    try:
        folder.replace(target)
    except BaseException:
        aside.replace(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)
