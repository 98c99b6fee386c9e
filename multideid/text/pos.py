"""Part-of-speech tagging with a lexicon and rules or with a spaCy pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import BoolArray, ByteArray, IntArray, ShortArray
from multideid.errors import UsageError
from multideid.text.brill import CODE, TAGS, Brill, load_brill
from multideid.text.type_memo import TypeMemo

if TYPE_CHECKING:
    from multideid.text.table import TokenTable


_SPACY = "spacy:"
_EDGE = 3  # Line-end cells between sentences, beyond the reach of all rules.


def pos_column(table: TokenTable, tagger: str = "lexicon") -> tuple[IntArray, tuple[str, ...]]:
    """Tag every token with its part of speech.

    Parameters
    ----------
    table : TokenTable
    tagger : str
        ``"lexicon"``: Brill's rule-based tagger with its English lexicon,
        which comes with the package. ``"spacy:NAME"``: the tagger of an
        installed spaCy pipeline, or of the one in the folder ``NAME``.

    Returns
    -------
    codes : int32 array, shape (n_tokens,)
        Indices into `names`.
    names : tuple of str
        Penn Treebank tags and ``"NL"`` for line ends. With a spaCy pipeline, the
        tags that occur in this table.

    Raises
    ------
    UsageError
        If the tagger is unknown, or the pipeline is not installed.

    Examples
    --------
    >>> from multideid.text.table import TokenTable
    >>> codes, names = pos_column(TokenTable.from_texts(["Mr. Lee was seen."]))
    >>> [names[c] for c in codes]
    ['NNP', '.', 'NNP', 'VBD', 'VBN', '.']
    """
    if tagger == "lexicon":
        return _lexicon_column(table, load_brill()), TAGS
    if tagger.startswith(_SPACY):
        from multideid.text.spacy_pos import spacy_column

        return spacy_column(table, tagger.removeprefix(_SPACY))
    raise UsageError(
        f"unknown part-of-speech tagger {tagger!r}; available are 'lexicon' and "
        "'spacy:NAME', where NAME is an installed pipeline such as en_core_web_sm"
    )


_MARK, _S = 1, 2
_halves_of_possessive = TypeMemo(
    lambda w: _MARK * (w in ("'", "\u2019")) + _S * (w in ("s", "S")), np.int8
)


def _lexicon_column(table: TokenTable, brill: Brill) -> IntArray:
    initial, inner, rule_words = brill.type_codes(table.vocabulary)
    begins = np.ones(len(table), dtype=np.bool_)
    begins[1:] = table.sentence[1:] != table.sentence[:-1]
    tags = np.where(begins, initial[table.type], inner[table.type])
    words = rule_words[table.type]
    possessive = _possessives(table)
    tags[possessive] = CODE["POS"]
    tags = _in_context(brill, tags, words, begins)
    # The rules treat "'s" as one word, and mistag its two halves.
    tags[possessive] = CODE["POS"]
    return tags.astype(np.int32)


def _in_context(brill: Brill, tags: ByteArray, words: ShortArray, begins: BoolArray) -> ByteArray:
    """Run the contextual rules over sentences separated by line-end cells."""
    cell = np.arange(len(tags)) + _EDGE * np.cumsum(begins)
    size = len(tags) + _EDGE * (int(begins.sum()) + 1)
    spaced_tags = np.full(size, CODE["NL"], dtype=np.int8)
    spaced_words = np.zeros(size, dtype=np.int16)
    spaced_tags[cell], spaced_words[cell] = tags, words
    brill.apply_context(spaced_tags, spaced_words)
    return spaced_tags[cell]


def _possessives(table: TokenTable) -> BoolArray:
    """Mark the ``'`` and ``s`` that the tokenizer split from a word before them."""
    halves = _halves_of_possessive(table.vocabulary)[table.type]
    mark, s = halves == _MARK, halves == _S
    found = np.zeros(len(table), dtype=np.bool_)
    joined = table.document[1:] == table.document[:-1]
    joined &= ~table.space[1:]
    found[:-1] = mark[:-1] & s[1:] & joined
    found[1:] |= found[:-1].copy()
    return found
