"""Where the models lie that come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from multideid.errors import ModelError

DEFAULT_MODEL = "en-default"
"""The model that is used where none is named."""

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
        """Bytes of all its files."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def bundled_models() -> tuple[BundledModel, ...]:
    """Return the models that come with the package, sorted by name."""
    folders = sorted(path.parent for path in _PLACE.glob(f"*/{_MANIFEST}"))
    return tuple(BundledModel(folder.name, folder) for folder in folders)


def find_model(wanted: str | Path) -> Path:
    """Return the folder of a model.

    Parameters
    ----------
    wanted : str or Path
        The name of a bundled model, or the path of a model folder. What is a
        name is never a path: a folder of that name is ``./en-default``.

    Raises
    ------
    ModelError
        If nothing is there.

    Examples
    --------
    >>> find_model("./my-model")  # doctest: +SKIP
    PosixPath('my-model')
    """
    models = {model.name: model.folder for model in bundled_models()}
    if isinstance(wanted, str) and wanted in models:
        return models[wanted]
    if not Path(wanted).exists():
        names = ", ".join(models) or "none"
        raise ModelError(
            Path(wanted), f"there is no such model folder, nor a bundled model (there are: {names})"
        )
    return Path(wanted)
