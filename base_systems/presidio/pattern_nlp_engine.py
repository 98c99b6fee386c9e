"""The part of Presidio's engine that reads language, for recognizers of patterns alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from presidio_analyzer.nlp_engine import SpacyNlpEngine

from multideid.text.spacy_pipelines import blank_pipeline

if TYPE_CHECKING:
    from spacy.language import Language


class PatternNlpEngine(SpacyNlpEngine):
    """Reads texts without tokens, and loads nothing.

    Parameters
    ----------
    language : str

    Raises
    ------
    UsageError
        If spaCy does not know the language.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        # The engine would load a trained pipeline; the attribute is typed too narrowly.
        vars(self)["nlp"] = {language: _without_tokens(language)}

    def process_batch(  # type: ignore[override]
        self, texts: Iterable[Any], language: str, *_: Any, as_tuples: bool = False, **__: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Yield each text with what was read of it, and its context if it has one.

        spaCy's streams give the text of the tokens back, of which there are none: whoever
        analyzes batches would look for PHI in empty texts.
        """
        for item in texts:
            text, *context = item if as_tuples else (item,)
            yield str(text), self.process_text(str(text), language), *context


def _without_tokens(language: str) -> Language:
    """Return a pipeline without tokens.

    Patterns are matched in the text. Tokens serve only to find context words by their
    lemmas, which a blank pipeline lacks, and take quadratic time in the length of a
    note.
    """
    from spacy.tokens import Doc

    pipeline = blank_pipeline(language)
    pipeline.max_length = 10**9
    vars(pipeline)["tokenizer"] = lambda _: Doc(pipeline.vocab)
    return pipeline
