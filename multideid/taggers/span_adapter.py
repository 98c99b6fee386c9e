"""Adapter from a plug-in that only finds spans to a base tagger."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, ClassVar, Self, SupportsIndex, cast

from multideid.document import Document, Span
from multideid.errors import DocumentError, without_message
from multideid.taggers.contract import SpanTagger
from multideid.taggers.mapped import MappedTagger
from multideid.taggers.parameters import check_params, stored_defaults
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


class SpanTaggerAdapter(MappedTagger):
    """A base tagger that calls a plug-in's ``tag(document)``.

    `fit` maps the plug-in's labels to the corpus's; scores are 1 for the tags
    of the plug-in's spans and 0 for all others. Both raise `DocumentError` if
    the plug-in fails on a document or returns invalid spans. Subclasses are
    made by `adapt`.

    Parameters
    ----------
    **params
        The parameters of the plug-in's constructor.
    """

    factory: ClassVar[Callable[..., SpanTagger]]
    """Makes the plug-in from the parameters."""

    _file: ClassVar[str] = "span_tagger"

    def __init__(self, **params: Any) -> None:
        self._params = params

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the plug-in's parameters, with defaults.

        Models store them, so that a later default does not change one. A default that JSON
        does not keep as it is, such as a tuple, is left out.
        """
        return {**stored_defaults(type(self)), **self._params}

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the plug-in's constructor."""
        check_params(self.name, type(self), params)
        self._params = {**self._params, **params}
        return self

    def _native(self, tokens: TokenTable) -> TokenLabels:
        return tag_tokens(self.name, type(self).factory(**self._params), tokens)


def tag_tokens(name: str, plugin: SpanTagger, tokens: TokenTable) -> TokenLabels:
    """Tag tokens with the spans that a plug-in finds in their texts.

    Parameters
    ----------
    name : str
        Name of the plug-in in errors.
    plugin : SpanTagger
    tokens : TokenTable

    Returns
    -------
    TokenLabels
        With the plug-in's own labels.

    Raises
    ------
    DocumentError
        If the plug-in fails on a document or returns invalid spans.
    """
    metas = tokens.metas or ({},) * len(tokens.ids)
    documents = zip(tokens.ids, tokens.texts, metas, strict=True)
    tagged = [_run(name, plugin, Document(i, text, meta=meta)) for i, text, meta in documents]
    return encode_bio(tokens, tagged)


def adapt(plugin: type[SpanTagger] | SpanTagger, name: str) -> type[SpanTaggerAdapter]:
    """Make a tagger class from a span plug-in, which may be a class or an object.

    Parameters
    ----------
    plugin : class or object
        Has a method ``tag(document)``. An object takes no parameters.
    name : str
        The registered name.

    Returns
    -------
    type
        A subclass of `SpanTaggerAdapter` with the plug-in's parameters.
    """
    kind = plugin if isinstance(plugin, type) else type(plugin)
    factory = kind if isinstance(plugin, type) else (lambda: plugin)
    members = {
        "factory": staticmethod(factory),
        "name": name,
        "summary": getattr(plugin, "summary", None) or inspect.getdoc(plugin) or "A span plug-in.",
        "needs": getattr(plugin, "needs", {}),
        "param_rules": getattr(plugin, "param_rules", {}),
        "earlier_names": getattr(plugin, "earlier_names", {}),
        "min_precision": getattr(plugin, "min_precision", 0.0),
        "certain_labels": getattr(plugin, "certain_labels", {}),
        "__module__": kind.__module__,
        "__signature__": inspect.signature(factory),
    }
    return type(kind.__name__, (SpanTaggerAdapter,), members)


def _run(name: str, plugin: SpanTagger, document: Document) -> Document:
    try:
        returned: object = plugin.tag(document)
        # A generator of the plug-in runs here.
        found = list(returned) if isinstance(returned, Iterable) else None
    except Exception as error:
        # The message may quote the text, so only the type and the place are reported.
        raise _fault(document, name, f"failed with {without_message(error)}") from None
    if found is None:
        kind = "None" if returned is None else type(returned).__name__
        raise _fault(document, name, f"returned {kind}, not spans")
    spans = sorted(_span(name, document, item) for item in found)
    for before, after in pairwise(spans):
        if after.start < before.end:
            places = f"{before.start}-{before.end} and {after.start}-{after.end}"
            raise _fault(document, name, f"returned overlapping spans: {places}")
    return document.with_spans(spans)


def _span(name: str, document: Document, item: object) -> Span:
    try:
        start, end, label = cast("tuple[SupportsIndex, SupportsIndex, object]", item)
        first, last = operator.index(start), operator.index(end)
    except (TypeError, ValueError):
        raise _fault(document, name, "returned something other than (start, end, label)") from None
    if not isinstance(label, str) or not label:
        raise _fault(document, name, f"returned span {first}-{last} without a label")
    if not 0 <= first < last <= len(document.text):
        length = len(document.text)
        problem = f"returned span {first}-{last}, empty or outside the text of {length} characters"
        raise _fault(document, name, problem)
    return Span(first, last, label)


def _fault(document: Document, name: str, problem: str) -> DocumentError:
    return DocumentError(document.id, f"plug-in {name!r} {problem}")
