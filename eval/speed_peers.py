"""Other de-identifiers, if they are installed, to be measured in the same run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

from multideid.text.tokenizer import split_pieces

Finder = Callable[[str], object]


def peers() -> Iterator[tuple[str, Finder]]:
    """Yield what there is: a name, and a function that looks for PHI in one text.

    The tokenizer alone is the floor: nothing that reads text is faster.
    """
    yield "tokenizer alone", split_pieces
    for module, make in _PEERS.items():
        if find_spec(module) is not None:
            yield module, make()


def _presidio() -> Finder:
    """Presidio with its recognizers of patterns, and no language model."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):  # type: ignore[misc]
        """An engine that knows how to split text, and no more."""

        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}
            # Notes longer than a million characters are refused otherwise.
            self.nlp["en"].max_length = 10**9

    engine = AnalyzerEngine(nlp_engine=Blank(), supported_languages=["en"])
    return lambda text: engine.analyze(text, language="en")


_PEERS: dict[str, Callable[[], Finder]] = {"presidio_analyzer": _presidio}
