"""The model of a service in a process of its own, which is replaced if it hangs or dies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from multideid.document import Document, FailedDocument
from multideid.errors import failed_with
from multideid.isolation import IsolatedFunction, LostProcessError
from multideid.models import load
from multideid.stacking.failing_notes import results_of
from multideid.taggers.registry import add_session_plugins, session_plugins, system_names

if TYPE_CHECKING:
    from multideid.stacking.deidentifier import Deidentifier
    from multideid.stacking.one_pass import Findings

Result = Document | FailedDocument
_Asked = tuple[str, Sequence[Document]]

_FIND, _READ, _DESCRIBE = "find", "read", "describe"
_GRACE = 1.0
"""Seconds in which a request is told that its time is over, before the process is ended."""


class ModelProcess:
    """A model that answers as a `Deidentifier` does, from a process of its own.

    Parameters
    ----------
    model : str or Path
        The name of a bundled model, or a model folder.
    recall : {"balanced", "high", "maximum"}, optional
    seconds : float
        Time for a batch, after which its documents have failed, and the process is ended.

    Attributes
    ----------
    kind, labels_, predicted_labels_, taggers_, corpus_
        As those of the model; of the taggers, the names.

    Raises
    ------
    MultideidError
        If the model cannot be loaded.
    """

    kind: str
    labels_: tuple[str, ...]
    predicted_labels_: tuple[str, ...]
    taggers_: tuple[str, ...]
    corpus_: str

    def __init__(self, model: str | Path, recall: str | None, seconds: float) -> None:
        plugins = session_plugins(system_names())
        self._seconds = seconds + _GRACE
        self._calls = IsolatedFunction(partial(_make, partial(load, model, recall), plugins), 1)
        vars(self).update(self._calls((_DESCRIBE, ())))

    def predict_each(self, documents: Sequence[Document]) -> list[Result]:
        """Return the documents in order; one on which the process is lost alone has failed."""
        found = partial(self._found, _FIND, monotonic() + self._seconds)
        return results_of(documents, found, _problem, LostProcessError)

    def read_each(self, documents: Sequence[Document]) -> list[Findings | FailedDocument]:
        """Return what is found in each document, with scores, as `predict_each`."""
        found = partial(self._found, _READ, monotonic() + self._seconds)
        return results_of(documents, found, _problem, LostProcessError)

    def close(self) -> None:
        """End the process at once."""
        self._calls.stop()

    def _found(self, what: str, until: float, documents: Sequence[Document]) -> list[Any]:
        # After a document that hangs there is no time for another try.
        if (left := until - monotonic()) <= 0:
            raise LostProcessError(f"took longer than {self._seconds:g} s")
        return cast("list[Any]", self._calls((what, documents), left))


def _problem(lost: BaseException) -> str:
    return cast("LostProcessError", lost).problem


# The functions below run in the process.


def _make(
    load_model: Callable[[], Deidentifier], plugins: Mapping[str, object]
) -> Callable[[_Asked], Any]:
    add_session_plugins(plugins)
    model = load_model()
    use_first(model)
    return partial(_answer, model)


def use_first(model: Deidentifier) -> None:
    """Load what a model loads on first use, before the first request."""
    model.predict([Document("first use", "Seen by Dr. A on 1/2/2003.")])


def _answer(model: Deidentifier, asked: _Asked) -> Any:
    what, documents = asked
    if what in (_FIND, _READ):
        find = model.predict_each if what == _FIND else model.read_each
        # SystemExit and the like, raised by a base system.
        return results_of(documents, lambda own: [*find(own)], failed_with, BaseException)
    names = ("kind", "labels_", "predicted_labels_", "corpus_")
    return {**{name: getattr(model, name) for name in names}, "taggers_": tuple(model.taggers_)}
