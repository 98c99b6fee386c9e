"""A component of spaCy's pipelines that finds PHI.

spaCy finds it by its entry point: ``nlp.add_pipe("multideid", config={"model": "en-default"})``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from multideid.document import Document, FailedDocument, Span
from multideid.errors import DocumentError, MissingPackageError, UsageError

try:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Span as SpacySpan
    from spacy.util import filter_spans
except ImportError:
    raise MissingPackageError("spaCy", "spacy", __name__) from None

if TYPE_CHECKING:
    from multideid.stacking import Deidentifier

# spaCy imports this module wherever a pipeline is made, so that it imports models on use only.

NAME = "multideid"

ErrorHandler = Callable[[str, Any, Sequence[Doc], Exception], None]

_BATCH = 256
_FILE = "model"
_PHI: Any = ("._.", "phi", None, None)  # spaCy's types say that keys are strings.
"""Where spaCy keeps the attribute ``doc._.phi``."""


def _raise(name: str, component: object, docs: Sequence[Doc], error: Exception) -> NoReturn:
    raise error


@Language.factory(
    NAME,
    assigns=["doc._.phi", "doc.spans", "doc.ents"],
    default_config={
        "model": "en-default",
        "recall": None,
        "spans_key": "phi",
        "set_ents": False,
    },
)
def make_component(  # noqa: PLR0913, PLR0917 (the configuration)
    nlp: Language,
    name: str,
    model: str,
    recall: str | None,
    spans_key: str,
    set_ents: bool,
) -> MultideidComponent:
    """Make the component from its configuration."""
    return MultideidComponent(model, recall, name=name, spans_key=spans_key, set_ents=set_ents)


class MultideidComponent:
    """Finds PHI in documents of spaCy.

    - ``doc._.phi``: the spans, with the model's exact character offsets.
    - ``doc.spans[spans_key]``: the same as spaCy's spans, extended to whole tokens.
    - ``doc.ents``, if asked: PHI, and the entities of earlier components that do not overlap
      with it.
    - ``doc._.deidentified``: the text with labels instead of PHI.

    Parameters
    ----------
    model : str, Path or Deidentifier
        The name of a bundled model, a model folder, or a fitted de-identifier. It is loaded
        when it is first used.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`.
    name : str
        The component's name in the pipeline.
    spans_key : str
    set_ents : bool

    Raises
    ------
    DocumentError
        If the model fails on a document, or it holds letters as codes or encoded data. A
        pipeline's error handler may go on without it: its ``doc._.phi`` is None, and
        ``doc._.deidentified`` is refused.
    """

    def __init__(
        self,
        model: str | Path | Deidentifier = "en-default",
        recall: str | None = None,
        *,
        name: str = NAME,
        spans_key: str = "phi",
        set_ents: bool = False,
    ) -> None:
        self.name = name
        self.spans_key = spans_key
        self.set_ents = set_ents
        self._source, self._recall = model, recall
        self._model: Deidentifier | None = None
        self._handler: ErrorHandler = _raise
        _add_extensions()

    # Not named "model": spaCy takes what has such an attribute for a component to train, and
    # asking whether it is there would load the model whenever a pipeline is put together.
    @property
    def deidentifier(self) -> Deidentifier:
        """The de-identifier, loaded when it is first asked for."""
        if self._model is None:
            from multideid.models import open_model

            self._model = open_model(self._source, self._recall)
        return self._model

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that the model predicts; none before it is loaded."""
        return self._model.predicted_labels_ if self._model is not None else ()

    def __call__(self, doc: Doc) -> Doc:
        """Find the PHI of a document."""
        (result,) = self._results([doc])
        self._annotate(doc, _spans_of(result))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = _BATCH) -> Iterator[Doc]:
        """Find the PHI of documents, batch by batch, which is many times faster than one by one."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            yield from self._annotated(batch)

    def _annotated(self, batch: Sequence[Doc]) -> Iterator[Doc]:
        for doc, result in zip(batch, self._results(batch), strict=True):
            try:
                spans = _spans_of(result)
            except DocumentError as error:
                self._handler(self.name, self, [doc], error)
            else:
                self._annotate(doc, spans)
                yield doc

    def _results(self, batch: Sequence[Doc]) -> Iterator[Document | FailedDocument]:
        from multideid.integrations.coded_notes import found_in_readable

        documents = [Document(str(n), doc.text) for n, doc in enumerate(batch)]
        return found_in_readable(documents, self.deidentifier.predict_each)

    def _annotate(self, doc: Doc, found: Sequence[Span]) -> None:
        doc._.phi = [tuple(span) for span in found]
        spans = [_in_tokens(doc, span) for span in found]
        doc.spans[self.spans_key] = spans
        if self.set_ents:
            phi = filter_spans(filter(None, map(_trimmed, spans)))
            taken = {token.i for span in phi for token in span}
            others = [e for e in doc.ents if taken.isdisjoint(range(e.start, e.end))]
            doc.ents = [*phi, *others]

    def set_error_handler(self, handler: ErrorHandler) -> None:
        """Set the function that is called with documents on which the model fails."""
        self._handler = handler

    def get_error_handler(self) -> ErrorHandler:
        """Return the function that `set_error_handler` set."""
        return self._handler

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the model as bytes, without pickle."""
        return b"" if _FILE in exclude else self.deidentifier.to_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> MultideidComponent:
        """Load the model from bytes of `to_bytes`."""
        from multideid.stacking import load_bytes

        if data and _FILE not in exclude:
            self._model = load_bytes(data)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model into the folder of the pipeline."""
        if _FILE not in exclude:
            self.deidentifier.save(Path(path) / _FILE, overwrite=True)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> MultideidComponent:
        """Load the model from the folder of the pipeline."""
        from multideid.models import load

        if _FILE not in exclude:
            self._model = load(Path(path) / _FILE)
        return self


def _spans_of(result: Document | FailedDocument) -> Sequence[Span]:
    if isinstance(result, FailedDocument):
        raise DocumentError(result.id, result.problem)
    return result.spans


def _in_tokens(doc: Doc, span: Span) -> SpacySpan:
    found = doc.char_span(span.start, span.end, label=span.label, alignment_mode="expand")
    if found is None:
        raise UsageError(f"span {span.start}-{span.end} has no token of the document")
    return found


def _trimmed(span: SpacySpan) -> SpacySpan | None:
    """Return a span without white space around it, which entities must not have."""
    inner = [token.i for token in span if not token.is_space]
    return SpacySpan(span.doc, inner[0], inner[-1] + 1, label=span.label) if inner else None


def _add_extensions() -> None:
    if not Doc.has_extension("phi"):
        Doc.set_extension("phi", getter=_phi, setter=_set_phi)
    if not Doc.has_extension("deidentified"):
        Doc.set_extension("deidentified", getter=_deidentified)


def _phi(doc: Doc) -> list[tuple[int, int, str]] | None:
    found = doc.user_data.get(_PHI)
    # A document from another process, or from a file, has lists.
    return None if found is None else [(start, end, label) for start, end, label in found]


def _set_phi(doc: Doc, spans: Iterable[tuple[int, int, str]]) -> None:
    doc.user_data[_PHI] = list(spans)


def _deidentified(doc: Doc) -> str:
    if doc._.phi is None:
        raise UsageError("the PHI of this document was not searched for, or the search failed")
    from multideid.redact import redact

    spans = tuple(Span(*span) for span in doc._.phi)
    return redact(Document(NAME, doc.text, spans))
