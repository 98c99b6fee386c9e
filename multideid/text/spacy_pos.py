"""Parts of speech from an installed spaCy pipeline."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray
from multideid.errors import MissingPackageError
from multideid.text.spacy_pipelines import not_installed, token_docs

if TYPE_CHECKING:
    from spacy.language import Language

    from multideid.text.table import TokenTable


# Components that take time and are not needed for parts of speech.
_NOT_NEEDED = ("parser", "ner", "lemmatizer")


def spacy_column(table: TokenTable, name: str) -> tuple[IntArray, tuple[str, ...]]:
    """Tag every token with a spaCy pipeline, which is given the table's tokens.

    Parameters
    ----------
    table : TokenTable
    name : str
        An installed pipeline, or the folder of one.

    Returns
    -------
    codes : int32 array, shape (n_tokens,)
        Indices into `names`.
    names : tuple of str
        The fine-grained tags that occur, sorted; coarse tags if the pipeline has
        no fine-grained ones.

    Raises
    ------
    UsageError
        If spaCy or the pipeline is not installed.
    """
    pipeline = load_pipeline(name)
    docs = pipeline.pipe(token_docs(table, pipeline.vocab))
    tags = [token.tag_ or token.pos_ for doc in docs for token in doc]
    names = tuple(sorted(set(tags)))
    code = {tag: n for n, tag in enumerate(names)}
    return np.array([code[tag] for tag in tags], dtype=np.int32), names


@lru_cache(maxsize=4)
def load_pipeline(name: str) -> Language:
    """Load a spaCy pipeline by name or folder; cached.

    Raises
    ------
    UsageError
        If spaCy or the pipeline is not installed.
    """
    try:
        import spacy
    except ImportError:
        user = f"the part-of-speech tagger 'spacy:{name}'"
        raise MissingPackageError("spaCy", "spacy", user) from None
    try:
        return spacy.load(name, exclude=_NOT_NEEDED)
    except OSError:
        raise not_installed(name) from None
