"""What PHI is replaced by, and what is written about it: key, replacer, vault and report."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from multideid.deid.options import DeidOptions
from multideid.deid.report import open_report
from multideid.deid.report_records import Report
from multideid.errors import UsageError
from multideid.site.patients import PATIENT
from multideid.site.site import as_site

if TYPE_CHECKING:
    from multideid.redact import Key, Replacer, VaultWriter


class NoKeyWarning(UserWarning):
    """Replacements that agree within one run only, since there is no key."""


class Resources(NamedTuple):
    """The replacer, vault and report of a run."""

    replacer: Replacer
    vault: VaultWriter | None
    report: Report | None


@contextmanager
def open_resources(
    options: DeidOptions, may_replace: Callable[[Path], bool]
) -> Iterator[Resources]:
    """Open vault and report, which are complete when the context ends without an error.

    Parameters
    ----------
    options : DeidOptions
    may_replace : callable
        Returns whether an existing file may be replaced.

    Raises
    ------
    UsageError
        If a vault has no key, the key is unfit, or a file cannot be made.
    VaultError
        If the vault exists and must not be overwritten, or cannot be made.
    """
    from multideid.redact import VaultWriter

    keyed = options.keyed
    key = find_key(options.key) if keyed or options.vault else None
    if keyed and key is None and not options.vault:
        warning = "no key was given; replacements agree within this run only"
        warnings.warn(warning, NoKeyWarning, stacklevel=2)
    with ExitStack() as open_files:
        vault = report = None
        if options.vault is not None:
            path = Path(options.vault)
            writer = VaultWriter(path, require_key(key), may_replace(path))
            vault = open_files.enter_context(writer)
        if options.report is not None:
            path = Path(options.report)
            opened = open_report(path, options.show_phi, may_replace(path))
            report = open_files.enter_context(opened)
        yield Resources(_replacer(options, key), vault, report)


def find_key(key: Key | str | Path | None) -> Key | None:
    """Return the key, or read it from a file or else the environment, if there is one."""
    from multideid.redact import Key

    if key is None or isinstance(key, Key):
        return key or Key.from_environment()
    return Key.read(key)


def require_key(key: Key | None) -> Key:
    """Return the key, or raise UsageError if there is none."""
    from multideid.redact.keys import KEY_VARIABLE

    if key is None:
        raise UsageError(f"a vault needs a key: give a key file, or set {KEY_VARIABLE}")
    return key


def _replacer(options: DeidOptions, key: Key | None) -> Replacer:
    from multideid.redact import Actions, Surrogates, make_replacer

    surrogates: dict[str, Any] = {
        "patient": PATIENT,
        "keep_weekday": options.keep_weekday,
        "date_order": None if options.site is None else as_site(options.site).date_order,
    }
    if options.actions:
        return Actions(options.actions, options.mode, key=key, **surrogates)
    if options.mode == "surrogate":
        return Surrogates(key, **surrogates)
    return make_replacer(options.mode, key)
