"""spaCy pipelines, and spaCy documents made from a table's tokens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from multideid.arrays import IntegerArray
from multideid.errors import UsageError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    from multideid.text.table import TokenTable


def blank_pipeline(language: str) -> Language:
    """Return an empty pipeline for a language's code, ``"xx"`` for any language.

    Raises
    ------
    UsageError
        If spaCy does not have the language.
    """
    import spacy

    try:
        return spacy.blank(language)
    except ImportError:
        raise UsageError(f"spaCy has no language {language!r}; give a code such as 'en'") from None


def check_installed(name: str) -> None:
    """Check that a spaCy pipeline is installed; spaCy itself must be.

    Raises
    ------
    UsageError
        If it is not, with the names of installed ones.
    """
    from spacy import util

    if name not in util.get_installed_models():
        raise not_installed(name)


def not_installed(name: str) -> UsageError:
    """Return the error for a missing pipeline, with the names of installed ones."""
    from spacy import util

    there = ", ".join(sorted(util.get_installed_models())) or "none"
    return UsageError(
        f"the spaCy pipeline {name!r} is not installed (installed: {there}); "
        f"python -m spacy download {name}"
    )


def token_docs(
    table: TokenTable, vocab: Vocab, bounds: IntegerArray | None = None
) -> Iterator[Doc]:
    """Yield spaCy documents with the table's tokens.

    Token ``n`` of document ``d`` is row ``bounds[d] + n``. White space differs
    from the table's texts.

    Parameters
    ----------
    table : TokenTable
    vocab : Vocab
    bounds : int array, optional
        First row of each, and the end of the last. Default: those of the table's
        documents.
    """
    from spacy.tokens import Doc

    words = table.words()
    # spaCy needs the space after a token, the table has the space before it.
    spaces = [*table.space[1:].tolist(), False]
    for start, end in pairwise((table.first if bounds is None else bounds).tolist()):
        yield Doc(vocab, words=words[start:end], spaces=spaces[start:end])
