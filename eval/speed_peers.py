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
    from multideid.base_systems.presidio import EngineSettings, make_engine

    engine = make_engine(EngineSettings())
    return lambda text: engine.analyze(text, language="en")


_PEERS: dict[str, Callable[[], Finder]] = {"presidio_analyzer": _presidio}
