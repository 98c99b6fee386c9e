"""Storage of de-identifiers: in folders, as bytes, in pickles of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, Self

from multideid.arguments import as_path, as_python, check_flag
from multideid.errors import ModelError, UsageError, is_ours, raised_by_us, without_message
from multideid.estimator import Estimator
from multideid.lazy import without_lazy
from multideid.persistence.manifest import Manifest, ModelInfo, SystemRecord, check_manifest
from multideid.persistence.packing import pack_folder, private_folder, unpacked
from multideid.persistence.writer import ModelWriter
from multideid.stacking.fitting import failures_of
from multideid.taggers.checked import check_labels
from multideid.taggers.contract import BaseTagger
from multideid.taggers.registry import (
    add_session_plugins,
    load_system,
    session_plugins,
    system_names,
)
from multideid.text.bio import bio_names

_NOT_SAVED = {"n_jobs", "progress"}


class StoredModel(Estimator):
    """A de-identifier that is saved, loaded and sent to other processes without pickle.

    Attributes
    ----------
    labels_ : tuple of str
        The PHI labels of the training corpus. Set by `fit`.
    taggers_ : dict of str to BaseTagger
        The fitted base systems. Set by `fit`.
    corpus_ : str
        Fingerprint of the training corpus. Set by `fit`.
    """

    kind: ClassVar[str]
    """Name of the class in the manifest of a saved model."""

    labels_: tuple[str, ...]
    taggers_: dict[str, BaseTagger]
    corpus_: str

    def save(self, path: str | Path, overwrite: bool = False, *, private: bool = True) -> None:
        """Write the model folder, atomically; see `load_folder`.

        ``n_jobs`` and ``progress`` are not saved: they suit a machine and a program, and a
        loaded model has the defaults.

        Parameters
        ----------
        path : str or Path
        overwrite : bool
            Whether an existing model may be replaced.
        private : bool
            Whether only the owner can read the model, which holds words of its corpus.
        """
        self._check_fitted()
        as_path("the model folder", path)
        check_flag("overwrite", overwrite)
        check_flag("private", private)
        with ModelWriter(path, self._info(), overwrite, private=private) as folder:
            for name, tagger in self.taggers_.items():
                place = folder / "systems" / name
                place.mkdir(parents=True)
                with failures_of(name):
                    tagger.save(place)
            self._save(folder)

    def to_bytes(self) -> bytes:
        """Return the fitted model as bytes, which `load_bytes` reads; never pickle.

        Raises
        ------
        UsageError
            If the model has a site's knowledge, which the bytes would lack.
        """
        self._refuse_site("packed as bytes")
        with private_folder() as place:
            self.save(place / "model")
            return pack_folder(place / "model")

    @classmethod
    def from_folder(cls, folder: Path, manifest: Manifest) -> Self:
        """Read a model of this kind from a folder whose manifest was checked.

        Raises
        ------
        ModelError
            As `load_folder`.
        """
        info = manifest.info
        with _faults_of(folder):
            _check_systems(record.name for record in info.systems)
            model = cls(**info.params)
            model._rename_params()
            model.labels_ = info.labels
            model.corpus_ = info.corpus
            model.taggers_ = {record.name: _loaded(record.name, folder) for record in info.systems}
            for name, tagger in model.taggers_.items():
                check_labels(name, tagger, bio_names(info.labels))
            model._load(folder)
        return model

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a fitted model as the bytes of its folder.

        Systems that are registered in this session are registered where it is loaded.

        Raises
        ------
        UsageError
            If the model has a site's knowledge.
        """
        self._refuse_site("pickled")
        given = self.get_params(deep=False)
        if not hasattr(self, "labels_"):
            return _unfitted, (type(self), given)
        kept = {name: given[name] for name in _NOT_SAVED - {"progress"} if name in given}
        return _unpickled, (type(self), self.to_bytes(), session_plugins(self.taggers_), kept)

    def _refuse_site(self, done: str) -> None:
        if getattr(self, "_site", None) is not None:
            problem = f"a model with a site's knowledge is not {done}, since that may be PHI"
            remedy = "take it away by with_site(None), and call with_site where the model is loaded"
            raise UsageError(f"{problem}; {remedy}")

    def __copy__(self) -> Self:
        """Return a shallow copy, without compiled scorers."""
        model = type(self).__new__(type(self))
        model.__dict__.update(without_lazy(self))
        return model

    def _save(self, folder: Path) -> None:
        """Write the learned parameters, except those of the base systems."""

    def _rename_params(self) -> None:
        """Give the parameters of base systems the names that they have today."""

    def _load(self, folder: Path) -> None:
        """Read the parameters that `_save` wrote."""

    def _info(self) -> ModelInfo:
        records = tuple(SystemRecord(n, t.get_params()) for n, t in self.taggers_.items())
        given = self.get_params(deep=False).items()
        params = {name: _plain(value) for name, value in given if name not in _NOT_SAVED}
        return ModelInfo(self.kind, self.labels_, records, params, self.corpus_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "labels_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"{type(self).__name__} is not fitted yet; call fit first")


def _unfitted(kind: type[StoredModel], params: dict[str, Any]) -> StoredModel:
    return kind(**params)


def _unpickled(
    kind: type[StoredModel], data: bytes, plugins: Mapping[str, object], params: dict[str, Any]
) -> StoredModel:
    add_session_plugins(plugins)
    with unpacked(data) as folder:
        model = kind.from_folder(folder, check_manifest(folder))
    return model.set_params(**params)


@contextmanager
def _faults_of(folder: Path) -> Iterator[None]:
    """Name the folder where something in it is missing or does not fit."""
    try:
        yield
    except UsageError as error:
        raise ModelError(folder, str(error)) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise ModelError(folder, "is not complete; train the model again") from None


def _loaded(name: str, folder: Path) -> BaseTagger:
    system = load_system(name)
    try:
        return system.load(folder / "systems" / name)
    except (Exception, SystemExit) as error:
        if is_ours(error) or (isinstance(error, ModelError) and raised_by_us(error)):
            raise
        # The message may quote documents of the training.
        problem = f"plug-in {name!r} failed with {without_message(error)}, when it was loaded"
        remedy = "mend or update the plug-in, or train the model again"
        raise ModelError(folder, f"{problem}; {remedy}") from None


def _check_systems(names: Iterable[str]) -> None:
    known = system_names()
    for name in names:
        if name not in known:
            raise UsageError(
                f"there is no system {name!r} here, a plug-in that the model needs: install the "
                "package that offers it, or, in Python, register it before the model is loaded"
            )


def _plain(value: Any) -> Any:
    """Return a value for JSON: mappings as dicts, paths as texts, numpy's numbers as Python's."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    return fspath(value) if isinstance(value, PathLike) else as_python(value)
