"""The contract of a base tagger, and the door through which simple ones come."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.taggers.parameters import Rule

if TYPE_CHECKING:
    from multideid.text.bio import TokenLabels
    from multideid.text.table import TokenTable


class BaseTagger(ABC):
    """A base system: gives every token a score for every BIO tag.

    ``__init__`` only stores its parameters, under their own names. `fit`
    learns and sets `labels_`. The highest score of a token is the system's
    decision for it; the scores themselves are its margins, and the stacker
    sees both.

    Attributes
    ----------
    labels_ : tuple of str
        The BIO tags, one a column of the scores, the first ``"O"``. Set by `fit`.
    """

    name: ClassVar[str]
    """The name under which the system is registered."""

    summary: ClassVar[str]
    """One line that tells a user what the system is."""

    needs: ClassVar[Mapping[str, str]] = {}
    """Modules that must be installed beside multideid, each with the extra that brings it."""

    param_rules: ClassVar[Mapping[str, Rule]] = {}
    """Rules for the constructor's parameters, by name; see `multideid.taggers.parameters`.

    `multideid.taggers.registry.make_system` refuses a value that breaks its rule, before
    anything is fitted.
    """

    labels_: tuple[str, ...]

    @abstractmethod
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn from tokens and their gold BIO tags.

        Parameters
        ----------
        tokens : TokenTable
        labels : TokenLabels
            One tag a token. ``labels.names`` holds every tag of the whole
            corpus, of which this part may lack some.
        """

    @abstractmethod
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score every tag of every token.

        Returns
        -------
        float32 array, shape (n_tokens, len(labels_))
            Finite. The greatest of a row is the decision.
        """

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write what was learned into an empty folder, without pickle."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""

    def check_fitted(self) -> None:
        """Raise unless `fit` was called.

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
    """The smallest plug-in: one method that finds spans in a document.

    It may also have a ``name``, a ``summary``, `BaseTagger.needs`,
    `BaseTagger.param_rules`, and ``least``: the share of what it calls by one
    label, as tokens, that must be PHI in the training corpus; a label with less
    is left out. Default 0.

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
