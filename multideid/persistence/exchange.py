"""Replace a folder by another at once, so that no kill leaves neither of them in place."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

from multideid.errors import UsageError
from multideid.locks import run_lock

_OLD = ".multideid-old"
_AT_WORKING_FOLDER = -100
_EXCHANGE = 2
_POSIX = os.name == "posix"
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def replace_folder(folder: Path, target: Path) -> None:
    """Rename `folder` to `target`, and give up a folder that is there.

    Where the system can exchange two folders, there is no moment without a folder
    at `target`. Elsewhere the old one is first moved to a hidden name, from which
    `recover` brings it back.

    Raises
    ------
    OSError
        If it cannot be renamed; the old folder stays.
    """
    if not target.exists() or not any(target.iterdir()):
        folder.replace(target)
    elif exchange(folder, target):
        shutil.rmtree(folder, ignore_errors=True)
    else:
        _replace_in_two_steps(folder, target)


def recover(target: Path) -> None:
    """Bring back a folder that a killed `replace_folder` left under a hidden name."""
    old = _old(target.resolve())
    if not os.path.lexists(old) or os.path.lexists(target):
        return
    # A process that is replacing the folder at this moment holds the lock.
    with suppress(OSError, UsageError), run_lock([target]):
        old.replace(target)


def exchange(one: Path, other: Path) -> bool:
    """Exchange the names of two folders at once; return False if the system cannot.

    Raises
    ------
    OSError
        If they cannot be renamed.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if _POSIX else None
    if rename is None:
        return False
    first, second = os.fsencode(one), os.fsencode(other)
    if rename(_AT_WORKING_FOLDER, first, _AT_WORKING_FOLDER, second, _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(other))


def _replace_in_two_steps(folder: Path, target: Path) -> None:
    backup = _old(target)
    shutil.rmtree(backup, ignore_errors=True)
    target.replace(backup)
    try:
        folder.replace(target)
    except BaseException:
        backup.replace(target)
        raise
    shutil.rmtree(backup, ignore_errors=True)


def _old(target: Path) -> Path:
    return target.with_name(f".{target.name}{_OLD}")
