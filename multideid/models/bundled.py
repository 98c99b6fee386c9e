"""Bundled models, and the loading of models by name or by path."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.arguments import as_path, check_flag, invalid
from multideid.errors import ModelError, UsageError

if TYPE_CHECKING:
    from multideid.site import Site
    from multideid.stacking import Deidentifier

DEFAULT_MODEL = "en-default"
"""The model that is used by default."""

_PLACE = Path(__file__).parent
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A model that comes with the package.

    Parameters
    ----------
    name : str
    folder : Path
        The model folder.
    """

    name: str
    folder: Path

    @property
    def card(self) -> Path:
        """The model card: data, figures and limits, in Markdown."""
        return self.folder.with_name(f"{self.name}.md")

    @property
    def size(self) -> int:
        """Size of all its files, in bytes."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def bundled_models() -> tuple[BundledModel, ...]:
    """Return the models that come with the package, sorted by name."""
    folders = sorted(path.parent for path in _PLACE.glob(f"*/{_MANIFEST}"))
    return tuple(BundledModel(folder.name, folder) for folder in folders)


def check_model(model: Any, *, opened: bool = True) -> None:
    """Check that something is the name or path of a model, or a fitted model.

    Parameters
    ----------
    model : object
    opened : bool
        Whether it may be a model.

    Raises
    ------
    UsageError
        If it is something else.
    """
    if isinstance(model, str | PathLike):
        as_path("the model", model)
        return
    # Known by its method: asking for its class would import all that models need.
    is_model = hasattr(model, "predict_each") and not isinstance(model, type)
    if not is_model or not opened:
        kinds = "the name of a bundled model, or the path of a model folder"
        raise invalid("the model", f"{kinds}, or a fitted model" if opened else kinds, model)
    is_fitted = getattr(model, "__sklearn_is_fitted__", None)
    if is_fitted is not None and not is_fitted():
        raise UsageError("the model is not fitted yet; call its fit first, or load one")


def manifest_of(model: str | Path, recall: str | None) -> bytes:
    """Return what differs for another model, recall, or training of the model at a path.

    It has the checksums of all files; parameters as for `open_model`.
    """
    return (find_model(model) / _MANIFEST).read_bytes() + repr(recall).encode()


def find_model(model: str | Path) -> Path:
    """Return the folder of a model.

    Parameters
    ----------
    model : str or Path
        The name of a bundled model, or the path of a model folder. A folder
        with the name of a bundled model must be given as ``./en-default``.

    Raises
    ------
    ModelError
        If there is no such model.

    Examples
    --------
    >>> find_model("./my-model")  # doctest: +SKIP
    PosixPath('my-model')
    """
    from multideid.persistence import recover

    check_model(model, opened=False)
    models = {bundled.name: bundled.folder for bundled in bundled_models()}
    if isinstance(model, str) and model in models:
        return models[model]
    recover(Path(model))
    if not Path(model).exists():
        names = ", ".join(models) or "none"
        problem = f"there is no such model folder, nor a bundled model (there are: {names})"
        raise ModelError(Path(model), problem)
    return Path(model)


def load(
    model: str | Path,
    recall: str | None = None,
    site: Site | str | Path | None = None,
    *,
    pass_through: bool | None = None,
) -> Deidentifier:
    """Load a bundled model by name, or a model folder that `Deidentifier.save` wrote.

    Parameters
    ----------
    model : str or Path
        A name, such as ``"en-default"``, or a path; see `find_model`.
    recall : {"balanced", "high", "maximum"}, optional
        For Multi models; see `MultiDeidentifier.with_recall`. Default: that of the
        site, or else as the model was trained.
    site : Site, str or Path, optional
        What a site knows, or a file ``site.toml``; see `Deidentifier.with_site`.
    pass_through : bool, optional
        Whether certain finds of rules in classes that nobody annotated are kept; see
        `Deidentifier.passing_labels_`. Default: as the model was trained.

    Returns
    -------
    Deidentifier
        Ready to predict.

    Raises
    ------
    ModelError
        If there is no such model, or it is damaged or of a newer format, or
        needs a base system that is not installed.
    UsageError
        If an argument is of another type, `recall` is invalid, or given for another kind of
        model, or the site has a label that the model does not have.
    ResourceError
        If the file of the site has mistakes; names the line of each.

    Examples
    --------
    >>> load("en-default").deidentify("Seen on 3/14/2007.")  # doctest: +SKIP
    'Seen on [DATE].'
    """
    from multideid.stacking import load_folder

    check_flag("pass_through", pass_through, optional=True)
    return open_model(load_folder(find_model(model)), recall, site, pass_through=pass_through)


def open_model(
    model: str | Path | Deidentifier,
    recall: str | None = None,
    site: Site | str | Path | None = None,
    *,
    pass_through: bool | None = None,
) -> Deidentifier:
    """Return a model that is given by name, by path, or as it is; as `load`."""
    check_model(model)
    if isinstance(model, str | Path):
        return load(model, recall, site, pass_through=pass_through)
    model = at_recall(model, recall, site)
    if pass_through is not None:
        model = copy(model)
        model.pass_through = pass_through
    return model


def at_recall(
    model: Deidentifier, recall: str | None, site: Site | str | Path | None = None
) -> Deidentifier:
    """Return a model at another recall, with a site; parameters and errors as for `load`."""
    model = model if site is None else model.with_site(site)
    return model if recall is None else model.with_recall(recall)
