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

    _stay_offline()
    language = spacy.blank("en")
    # Notes longer than a million characters are refused otherwise.
    language.max_length = 10**9
    nlp = SpacyNlpEngine()
    # It would load a trained pipeline; the attribute's declared type does not foresee others.
    vars(nlp)["nlp"] = {"en": language}
    engine = AnalyzerEngine(nlp_engine=nlp, supported_languages=["en"])
    return lambda text: engine.analyze(text, language="en")


def _stay_offline() -> None:
    """Have e-mail addresses checked against the list of domains that is installed.

    Presidio's recognizer would fetch the newest list from the network.
    """
    from tldextract import TLDExtract, tldextract

    tldextract.TLD_EXTRACTOR = TLDExtract(suffix_list_urls=())


_PEERS: dict[str, Callable[[], Finder]] = {"presidio_analyzer": _presidio}
