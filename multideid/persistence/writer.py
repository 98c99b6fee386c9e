"""Write model folders atomically."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from multideid.errors import UsageError, unwritable
from multideid.files import make_private, scratch_path
from multideid.locks import run_lock
from multideid.persistence.exchange import recover, replace_folder
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
    recover(target)
    _refuse_occupied(target, overwrite)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with scratch_path(target, folder=True):
            pass
    except OSError as error:
        raise unwritable(target, error) from None
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
    private : bool
        Whether only the owner can read the model, which holds words of its corpus;
        otherwise the process's umask decides.

    Raises
    ------
    UsageError
        As `check_output`, if another process is writing to the folder, and if
        writing fails.

    Examples
    --------
    >>> with ModelWriter(out, ModelInfo("single", ("DATE",))) as folder:  # doctest: +SKIP
    ...     tagger.save(folder)
    """

    def __init__(
        self,
        path: str | Path,
        info: ModelInfo,
        overwrite: bool = False,
        *,
        private: bool = True,
    ) -> None:
        self._path = path
        self._info = info
        self._overwrite = overwrite
        self._private = private

    def __enter__(self) -> Path:
        self._target = check_output(self._path, self._overwrite)
        with ExitStack() as opening:
            opening.enter_context(run_lock([self._target]))
            try:
                staging = scratch_path(self._target, folder=True, private=self._private)
                self._folder = opening.enter_context(staging)
            except OSError as error:
                raise unwritable(self._target, error) from None
            self._open = opening.pop_all()
        return self._folder

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._open:
            if isinstance(error, OSError):
                raise unwritable(self._target, error) from None
            if error is None:
                self._finish()

    def _finish(self) -> None:
        try:
            write_manifest(self._folder, self._info)
            if self._private:
                make_private(self._folder)
            _refuse_occupied(self._target, self._overwrite)
            replace_folder(self._folder, self._target)
        except OSError as failure:
            raise unwritable(self._target, failure) from None
