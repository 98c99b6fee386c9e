"""The contract of a base tagger, and the protocol of simple plug-ins."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.taggers.parameters import ParamRule

if TYPE_CHECKING:
    from multideid.text.bio import TokenLabels
    from multideid.text.table import TokenTable


class BaseTagger(ABC):
    """A base system, which scores every BIO tag of every token.

    ``__init__`` only stores its parameters, under their own names. `fit`
    learns and sets `labels_`. The tag with the highest score is the system's
    decision for a token; the stacker uses the decisions and the scores.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags, one per column of the scores; the first is ``"O"``. Set
        by `fit`.
    """

    name: ClassVar[str]
    """The name under which the system is registered."""

    summary: ClassVar[str]
    """One line for users that describes the system."""

    needs: ClassVar[Mapping[str, str]] = {}
    """Optional dependencies: the modules that must be installed, and the extra of each."""

    param_rules: ClassVar[Mapping[str, ParamRule]] = {}
    """Rules for the values of the constructor's parameters, by name.

    `multideid.taggers.registry.make_system` checks them before anything is fitted; see
    `multideid.taggers.parameters`.
    """

    labels_: tuple[str, ...]

    @abstractmethod
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn from tokens and their gold BIO tags.

        Parameters
        ----------
        tokens : TokenTable
        labels : TokenLabels
            One tag per token. ``labels.names`` holds all tags of the whole
            corpus, some of which may not occur in this part.
        """

    @abstractmethod
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score every tag of every token.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))
            Finite. The maximum of a row is the decision.
        """

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the fitted model into an empty folder, without pickle."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""

    def check_fitted(self) -> None:
        """Raise an error unless `fit` was called.

        Raises
        ------
        sklearn.exceptions.NotFittedError
        """
        if not hasattr(self, "labels_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"system {self.name!r} is not fitted yet; call fit first")

    def get_params(self) -> dict[str, Any]:
        """Return the constructor's parameters, as plain JSON values."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}


@runtime_checkable
class SpanTagger(Protocol):
    """The smallest plug-in: a method that finds spans in a document.

    It may also have a ``name``, a ``summary``, `BaseTagger.needs`,
    `BaseTagger.param_rules`, and ``min_precision``: a label is ignored if less
    than this share of its tokens is PHI in the training corpus (default 0).

    Examples
    --------
    >>> import re
    >>> class Badge:
    ...     name, summary = "badge", "Badge numbers such as B-1234."
    ...     def tag(self, document):
    ...         return [Span(*m.span(), "ID") for m in re.finditer(r"B-[0-9]{4}", document.text)]
    """

    def tag(self, document: Document) -> Sequence[Span] | Iterable[Span]:
        """Return the PHI spans of `document`, in any order."""
