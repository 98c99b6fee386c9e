"""Throughput of other installed de-identifiers, measured in the same run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from multideid.document import Document
from multideid.errors import UsageError, failed_with
from multideid.eval.speed import measure_finder
from multideid.text.tokenizer import split_pieces

Finder = Callable[[str], object]
"""A function that finds PHI in one text."""


@dataclass(frozen=True, slots=True)
class PeerSpeeds:
    """The throughput of others.

    Parameters
    ----------
    tokens_per_second : dict of str to float
        Whitespace tokens per second by name.
    problems : dict of str to str
        Reasons why others could not be measured.
    """

    tokens_per_second: dict[str, float] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def measure_peers(
    documents: Sequence[Document],
    others: Mapping[str, Finder] | None = None,
    *,
    installed: bool = True,
) -> PeerSpeeds:
    """Measure the tokenizer alone, an upper bound for any reader of text, and others.

    Parameters
    ----------
    documents : sequence of Document
    others : mapping of str to callable, optional
        Further functions of one text, by name.
    installed : bool
        Whether to measure installed packages.
    """
    makers: dict[str, Callable[[], Finder]] = {"tokenizer alone": lambda: split_pieces}
    if installed:
        makers |= {name: make for name, make in _PEERS.items() if find_spec(name) is not None}
    makers |= {name: partial(_given, find) for name, find in (others or {}).items()}
    speeds = PeerSpeeds()
    for name, make in makers.items():
        try:
            speeds.tokens_per_second[name] = measure_finder(make(), documents)
        except UsageError as error:
            speeds.problems[name] = str(error)
        except Exception as error:
            speeds.problems[name] = f"it {failed_with(error)}"
    return speeds


def named_finder(name: str) -> Finder:
    """Return the function that ``module:function`` names, in the current folder or installed.

    Raises
    ------
    UsageError
        If the function does not exist.
    """
    module, colon, function = name.partition(":")
    if not (module and colon and function):
        raise UsageError(f"a function to measure is named module:function; got {name!r}")
    # The path of a console script does not include the current folder.
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found = getattr(import_module(module), function, None)
    except Exception as error:
        # Messages of other errors are the module's own, and may hold text that it read.
        problem = str(error) if isinstance(error, ImportError) else type(error).__name__
        raise UsageError(f"cannot import {module} to measure {name!r}: {problem}") from None
    finally:
        sys.path.remove(here)
    if not callable(found):
        raise UsageError(f"{module} has no function {function!r} to measure")
    finder: Finder = found
    return finder


def _given(find: Finder) -> Finder:
    return find


def _presidio() -> Finder:
    """Presidio with pattern recognizers and no language model."""
    from multideid.base_systems.presidio import EngineSettings, make_engine

    engine = make_engine(EngineSettings())
    return lambda text: engine.analyze(text, language="en")


def _philter() -> Finder:
    """Philter (Norgeot et al. 2020) with its own filters."""
    nltk, philter = import_module("nltk"), import_module("philter_lite")
    try:
        nltk.data.find(f"taggers/{_TAGGER}")
    except LookupError:
        problem = f"it needs a part-of-speech tagger: python -m nltk.downloader {_TAGGER}"
        raise UsageError(problem) from None
    with as_file(files("philter_lite") / "configs" / "philter_delta.toml") as path:
        filters = philter.load_filters(str(path))
    return lambda text: philter.detect_phi(text, filters)


_TAGGER = "averaged_perceptron_tagger_eng"
_PEERS: dict[str, Callable[[], Finder]] = {"philter_lite": _philter, "presidio_analyzer": _presidio}
