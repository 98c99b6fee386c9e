"""The contract of a base tagger, and the protocol of simple plug-ins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, Self, runtime_checkable

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.estimator import Estimator
from multideid.taggers.parameters import ParamRule

if TYPE_CHECKING:
    from multideid.text.bio import TokenLabels
    from multideid.text.table import TokenTable


class BaseTagger(Estimator, ABC):
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

    earlier_names: ClassVar[Mapping[str, str]] = {}
    """Names that parameters of the constructor had in earlier versions, with today's.

    Models that were stored with an earlier name load; who gives one is told today's.
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

    def score(self, tokens: TokenTable, labels: TokenLabels) -> float:
        """Return the F1 of PHI tokens, which count as right with the gold's PHI label.

        Parameters
        ----------
        tokens : TokenTable
        labels : TokenLabels
            The gold tags.

        Returns
        -------
        float
            From 0 to 1; 1 if there are neither gold nor predicted PHI tokens.
        """
        found = self.predict_scores(tokens).argmax(axis=1).tolist() if len(tokens) else []
        gold = [labels.names[tag].partition("-")[2] for tag in labels.ids]
        predicted = [self.labels_[tag].partition("-")[2] for tag in found]
        right = sum(g == p != "" for g, p in zip(gold, predicted, strict=True))
        total = len(list(filter(None, gold))) + len(list(filter(None, predicted)))
        return 2 * right / total if total else 1.0

    def check_fitted(self) -> None:
        """Raise an error unless `fit` was called.

        Raises
        ------
        sklearn.exceptions.NotFittedError
        """
        if not hasattr(self, "labels_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"system {self.name!r} is not fitted yet; call fit first")


@runtime_checkable
class SpanTagger(Protocol):
    """The smallest plug-in: a method that finds spans in a document.

    It may also have a ``name``, a ``summary``, `BaseTagger.needs`,
    `BaseTagger.param_rules`, `BaseTagger.earlier_names`, and ``min_precision``: a label is
    ignored if less than this share of its tokens is PHI in the training corpus (default 0). With
    ``certain_labels`` finds are kept even if nobody annotated their class: a mapping
    from labels of the plug-in to labels that such finds get.

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
