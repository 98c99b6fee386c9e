"""Load a model by name or by path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from multideid.models.bundled import find_model

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier


def load(model: str | Path) -> Deidentifier:
    """Load a bundled model by its name, or a model folder that `Deidentifier.save` wrote.

    Parameters
    ----------
    model : str or Path
        A name, such as ``"en-default"``, or a path; see `find_model`.

    Returns
    -------
    Deidentifier
        Ready to predict.

    Raises
    ------
    ModelError
        If there is no such model, or it is damaged or of a newer format, or
        needs a base system that is not installed here.

    Examples
    --------
    >>> load("en-default").deidentify("Seen on 3/14/2007.")  # doctest: +SKIP
    'Seen on [DATE].'
    """
    from multideid import stacking

    return stacking.load_folder(find_model(model))
