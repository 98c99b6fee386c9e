"""Options of de-identification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.corpora.structure import ReadingOptions
from multideid.corpora.structured.reading import reading_options
from multideid.deid.file_names import looks_like_phi
from multideid.deid.files import FileJob, refuse_taken
from multideid.deid.option_types import check_options
from multideid.deid.results import OnFailure
from multideid.errors import UsageError
from multideid.files import refuse_same
from multideid.models import DEFAULT_MODEL, find_model
from multideid.parallel import TIMEOUT
from multideid.redact.actions import ANY, DATE_SHIFTING, KEYED, SHOWING
from multideid.site.site import as_site

if TYPE_CHECKING:
    from multideid.redact import Key, Replacer
    from multideid.site import Site
    from multideid.stacking import Deidentifier
    from multideid.stacking.fitting import Progress


DEFAULT_MODE = "mask"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeidOptions:
    """How to find and replace PHI, and what to write besides the text.

    Parameters
    ----------
    model : str, Path or Deidentifier
        The name of a bundled model, a model folder, or a fitted de-identifier.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`.
    site : Site, str or Path, optional
        What the site knows about its notes, or a file ``site.toml``; see
        `multideid.site.Site`. Its recall point is used unless `recall` is given, and
        `mode` is for the labels without an action.
    pass_through : bool, optional
        As for `multideid.load`.
    mode : {"mask", "tag", "remove", "surrogate", "hash"} or Replacer
        As for `multideid.redact.redact`.
    key : Key, str or Path, optional
        The secret key of surrogates, hashes and vaults, or a file with it. Default:
        the environment variable MULTIDEID_KEY; without it, surrogates and hashes use a
        random key that is lost after the run, and no vault can be written.
    patient_field : str, optional
        Column of tables, or key in JSON, that identifies the patient: with the same key, the
        surrogates of a patient agree in all rows and runs. Known patients, agreement, and
        plug-ins (``document.meta["patient"]``) use it too. Default: each note belongs to
        another patient.
    as_text : bool
        Whether files are read as plain text, whatever they look like.
    encoding : str, optional
        Encoding of files. Default: UTF-8, or as a file declares.
    json_paths : sequence of str
        Keys of the text in JSON, such as ``"note.text"``; see
        `multideid.corpora.structured.json_paths`. Default: ``"text"``.
    language_check : bool
        Whether notes are refused that are plainly not in the language of the model,
        if that is known.
    json_id : str, optional
        Key of the id of a record in JSON, which names it in failures, report and
        vault. Default: the number of its line or item.
    keep_weekday : bool
        Whether surrogates of dates are shifted by whole weeks.
    vault : str or Path, optional
        Encrypted file to write, from which `multideid restore` restores the
        text, given the key.
    report : str or Path, optional
        File to write, .json, .csv or .html: the replaced spans, their scores, and the
        systems that voted for each.
    show_phi : bool
        Whether the report quotes the PHI.
    overwrite : bool
        Whether files of an earlier run may be replaced. One whose document fails
        is removed.
    resume : bool
        Whether to continue an interrupted run: with the same options, what was found
        is not computed again. Without such a run, everything is processed. The model
        must be a stored one, and the mode no function.
    skip_existing : bool
        Whether to process only files that are new or changed since an earlier run with
        this option; includes `resume`.
    shared : bool, optional
        Whether others can read the files, as the process's umask says; otherwise
        only their owner can. Vault and report are never shared. Default: unless
        the mode is ``"tag"`` or a function, or an action keeps or tags, so that PHI may stay.
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor.
    isolated : bool, optional
        Whether the model works in processes of its own even if one would do, so that
        a base system that crashes, exits or hangs fails on its document only, and
        prints nothing. Default: for files, but not for streams and data frames.
    timeout : float, optional
        Seconds after which a document has failed, in processes of their own.
        Default: 300.
    progress : callable, optional
        Called with ``(done, total, description)``.
    on_failure : callable, optional
        Called with each `Failure` when it happens.

    Raises
    ------
    UsageError
        If an option is of another type, or options do not go together.
    """

    model: str | Path | Deidentifier = DEFAULT_MODEL
    recall: str | None = None
    site: Site | str | Path | None = None
    pass_through: bool | None = None
    mode: str | Replacer = DEFAULT_MODE
    key: Key | str | Path | None = None
    patient_field: str | None = None
    as_text: bool = False
    encoding: str | None = None
    json_paths: Sequence[str] = ()
    json_id: str | None = None
    language_check: bool = True
    keep_weekday: bool = False
    vault: str | Path | None = None
    report: str | Path | None = None
    show_phi: bool = False
    overwrite: bool = False
    resume: bool = False
    skip_existing: bool = False
    shared: bool | None = None
    n_jobs: int | None = None
    isolated: bool | None = None
    timeout: float | None = TIMEOUT
    progress: Progress | None = None
    on_failure: OnFailure | None = None

    def __post_init__(self) -> None:
        check_options({each.name: getattr(self, each.name) for each in fields(self)})
        if isinstance(self.site, str | Path):
            object.__setattr__(self, "site", as_site(self.site))
        if ANY in self.actions and self.mode != DEFAULT_MODE:
            problem = "the action of * or the preset, and the mode (--as) exclude each other"
            raise UsageError(f"{problem}; give one of them")
        if not self._does(*DATE_SHIFTING) and self.keep_weekday:
            raise UsageError("keep weekday is for surrogates only")
        if self.key is not None and not self._does(*KEYED) and not self.vault:
            raise UsageError("a key is for surrogates, hashes and vaults only")
        if self.show_phi and not self.report:
            raise UsageError("show PHI is for reports only")
        _ = self.reading

    @property
    def reading(self) -> ReadingOptions:
        """How files are read."""
        options = reading_options(
            as_text=self.as_text,
            encoding=self.encoding,
            json_paths=tuple(self.json_paths),
            json_id=self.json_id,
            patient_field=self.patient_field,
        )
        return replace(options, hides=looks_like_phi)

    @property
    def private(self) -> bool:
        """Whether only the owner can read the de-identified files."""
        if self.shared is None:
            return callable(self.mode) or self._does(*SHOWING)
        return not self.shared

    @property
    def actions(self) -> Mapping[str, str]:
        """The action of each label that has one."""
        return {} if self.site is None else as_site(self.site).all_actions()

    def _does(self, *actions: str) -> bool:
        """Return whether one of some actions may be done."""
        own = self.actions
        default = () if ANY in own else (self.mode,)
        return any(action in actions for action in (*own.values(), *default))

    @property
    def keyed(self) -> bool:
        """Whether replacements follow from a key."""
        return self._does(*KEYED)

    @property
    def goes_on(self) -> bool:
        """Whether the run goes on where one before it ended."""
        return self.resume or self.skip_existing

    @property
    def may_overwrite(self) -> bool:
        """Whether existing files may be replaced, at least those of the run to go on with."""
        return self.overwrite or self.goes_on

    def check_files(self, jobs: Iterable[FileJob] = ()) -> None:
        """Check that vault and report are no other file of the run.

        Raises
        ------
        UsageError
            If one of them is the other, the key, the model, or an input or output
            of a job, by whatever name.
        """
        key = self.key if isinstance(self.key, str | Path) else None
        model = find_model(self.model) if isinstance(self.model, str | Path) else None
        outputs = _paths({"the vault": self.vault, "the report": self.report})
        refuse_same(_paths({"the key file": key, "the model": model}), outputs)
        refuse_taken(outputs, jobs, _paths({"the key file": key}))


def _paths(named: Mapping[str, str | Path | None]) -> dict[str, Path]:
    return {name: Path(path) for name, path in named.items() if path is not None}
