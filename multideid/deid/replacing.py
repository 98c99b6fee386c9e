"""What the user wants in the place of PHI, and what is written besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from multideid.cli.error_handler import tell
from multideid.deid.jobs import Job
from multideid.deid.report import Report, open_report
from multideid.deid.run import PATIENT
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.redact import Key, Replacer, VaultWriter


class As(StrEnum):
    """What may stand in the place of PHI."""

    mask = "mask"
    tag = "tag"
    remove = "remove"
    surrogate = "surrogate"
    hash = "hash"


_KEYED = (As.surrogate, As.hash)

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The secret that surrogates, hashes and vaults go by, 16 bytes or more. "
        "Default: the environment variable MULTIDEID_KEY; without either, a random one that is "
        "forgotten after the run.",
        show_default=False,
    ),
]
PatientField = Annotated[
    str | None,
    typer.Option(
        "--patient-field",
        metavar="NAME",
        help="Column of tables that tells whose note it is: with the same key, one patient's "
        "surrogates agree in all rows and runs. Default: each note is of another patient.",
        show_default=False,
    ),
]
KeepWeekday = Annotated[
    bool, typer.Option("--keep-weekday", help="Shift dates of surrogates by whole weeks.")
]
VaultFile = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FILE",
        help="Write an encrypted file with which, and with the key, [b]multideid restore[/b] "
        "turns the text back.",
        show_default=False,
    ),
]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write what was replaced where, and which systems voted for it: .json or .csv.",
        show_default=False,
    ),
]
ShowPhi = Annotated[
    bool, typer.Option("--show-phi", help="Let the report quote the PHI, for review.")
]


class Wishes(NamedTuple):
    """The options that say what takes the place of PHI.

    Parameters
    ----------
    mode : As
    key_file : Path, optional
    patient_field : str, optional
    keep_weekday : bool
    vault : Path, optional
    report : Path, optional
    show_phi : bool
    overwrite : bool
    """

    mode: As
    key_file: Path | None = None
    patient_field: str | None = None
    keep_weekday: bool = False
    vault: Path | None = None
    report: Path | None = None
    show_phi: bool = False
    overwrite: bool = False

    def check(self) -> None:
        """Raise UsageError if options do not go together."""
        if self.mode is not As.surrogate and (self.patient_field or self.keep_weekday):
            raise UsageError("--patient-field and --keep-weekday are for --as surrogate")
        if self.key_file and self.mode not in _KEYED and not self.vault:
            raise UsageError("--key-file is for --as surrogate, --as hash and --vault")
        if self.show_phi and not self.report:
            raise UsageError("--show-phi is for --report")

    def check_files(self, jobs: Iterable[Job] = ()) -> None:
        """Raise UsageError if vault or report would take the place of another file."""
        files = [path for path in (self.vault, self.report) if path is not None]
        taken = {path.resolve() for job in jobs for path in (job.source, job.target)}
        if len({path.resolve() for path in files} - taken) < len(files):
            raise UsageError("vault and report must be files of their own; choose other names")


class Tools(NamedTuple):
    """What is at hand to meet the wishes."""

    replacer: Replacer
    vault: VaultWriter | None
    report: Report | None


@contextmanager
def open_tools(wishes: Wishes) -> Iterator[Tools]:
    """Give what replaces PHI, and vault and report to be written when all is done.

    Raises
    ------
    UsageError
        If a vault is wanted and there is no key, or the key is unfit, or a
        file cannot be made.
    VaultError
        If the vault exists and must not be written over, or cannot be made.
    """
    from multideid.redact import VaultWriter

    key = find_key(wishes.key_file) if wishes.mode in _KEYED or wishes.vault else None
    if wishes.mode in _KEYED and key is None and not wishes.vault:
        tell("note: no key was given; what replaces PHI agrees within this run alone")
    with ExitStack() as open_files:
        vault = report = None
        if wishes.vault is not None:
            writer = VaultWriter(wishes.vault, require_key(key), wishes.overwrite)
            vault = open_files.enter_context(writer)
        if wishes.report is not None:
            opened = open_report(wishes.report, wishes.show_phi, wishes.overwrite)
            report = open_files.enter_context(opened)
        yield Tools(_replacer(wishes, key), vault, report)


def find_key(file: Path | None) -> Key | None:
    """Return the key of the file or else of the environment, if there is one."""
    from multideid.redact import Key

    return Key.read(file) if file is not None else Key.from_environment()


def require_key(key: Key | None) -> Key:
    """Return the key, or raise UsageError if there is none."""
    from multideid.redact.keys import KEY_VARIABLE

    if key is None:
        raise UsageError(f"a vault needs a key: give --key-file, or set {KEY_VARIABLE}")
    return key


def _replacer(wishes: Wishes, key: Key | None) -> Replacer:
    from multideid.redact import Surrogates, make_replacer

    if wishes.mode is As.surrogate:
        return Surrogates(key, patient=PATIENT, keep_weekday=wishes.keep_weekday)
    return make_replacer(wishes.mode.value, key)
