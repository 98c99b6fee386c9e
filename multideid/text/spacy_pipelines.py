"""What we share of spaCy: blank pipelines, installed ones, and documents of our own tokens."""

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
    """Return spaCy's pipeline of no components for a language's code, ``"xx"`` for any.

    Raises
    ------
    UsageError
        If spaCy has no such language.
    """
    import spacy

    try:
        return spacy.blank(language)
    except ImportError:
        raise UsageError(f"spaCy has no language {language!r}; give a code such as 'en'") from None


def check_installed(name: str) -> None:
    """Refuse a spaCy pipeline that is not installed; spaCy itself must be.

    Raises
    ------
    UsageError
        With the names of those that are.
    """
    from spacy import util

    if name not in util.get_installed_models():
        raise not_installed(name)


def not_installed(name: str) -> UsageError:
    """Return the error that says so, and which pipelines are installed."""
    from spacy import util

    there = ", ".join(sorted(util.get_installed_models())) or "none"
    return UsageError(
        f"the spaCy pipeline {name!r} is not installed (installed: {there}); "
        f"python -m spacy download {name}"
    )


def token_docs(
    table: TokenTable, vocab: Vocab, bounds: IntegerArray | None = None
) -> Iterator[Doc]:
    """Yield spaCy's documents of the table's own tokens.

    Their token ``n`` is row ``bounds[d] + n``; their text is not that of the
    table, whose white space they do not hold.

    Parameters
    ----------
    table : TokenTable
    vocab : Vocab
    bounds : int array, optional
        Where each begins, and the end of the last. Default: those of the documents.
    """
    from spacy.tokens import Doc

    words = table.words()
    # spaCy asks for the space after a token, the table has that before it.
    spaces = [*table.space[1:].tolist(), False]
    for start, end in pairwise((table.first if bounds is None else bounds).tolist()):
        yield Doc(vocab, words=words[start:end], spaces=spaces[start:end])
