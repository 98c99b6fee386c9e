"""Brill's rule-based part-of-speech tagger, applied to columns.

The lexicon and the rules are those that TextBlob ships (Brill's tagger 1.14, trained
on the Brown corpus and the Penn Treebank). Lexicon and lexical rules are applied once
per distinct word, contextual rules one after another to the whole batch. The
lexicon has one tag per word, so contextual rules cannot be restricted to the
tags a word occurred with in training; lexical rules that depend on neighbours
are left out.

References
----------
Brill, E. (1992). A simple rule-based part of speech tagger. ANLP.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, ByteArray, IntegerArray, LongArray, ShortArray
from multideid.text.brill_lexicon import DATA, TagLexicon
from multideid.text.type_memo import TypeMemo

LINE_END_TAG = "NL"
_PENN_TAGS = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP "
    "SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB # $ . , : ( ) `` ''"
)
TAGS = (LINE_END_TAG, *_PENN_TAGS.split())
"""The Penn Treebank's tags, and one for line ends, in the order of their codes."""

CODE: Mapping[str, int] = {tag: code for code, tag in enumerate(TAGS)}

FormTest = Callable[[str, str, TagLexicon], bool]

_TAG, _WORD = "tag", "word"
_BITS = 8  # Bits of a tag's code in a packed number.
_LOWEST_BITS = (1 << _BITS) - 1
_REACH = 3  # Largest absolute offset of a contextual rule.
_NEVER = -1  # Code of tags that occur in rules, but not in the lexicon.
_RENAMED = {"STAART": LINE_END_TAG, "-LRB-": "(", "-RRB-": ")"}

_MARKS = {",": ",", ".": ".", "!": ".", "?": ".", "#": "#", "%": "NN", "&": "CC", "@": "IN"}
_MARKS |= dict.fromkeys("'\"\u2019\u201d\xbb", "''")
_MARKS |= dict.fromkeys("`\u2018\u201c\xab", "``")
_MARKS |= dict.fromkeys("*\\_", "SYM")
_CATEGORIES = {"Ps": "(", "Pe": ")", "Sc": "$", "P": ":", "S": "SYM", "N": "CD", "Z": LINE_END_TAG}


class SuffixRule(NamedTuple):
    """Brill's lexical rule: an unknown word that passes the test gets the tag `new`."""

    old: str | None
    test: FormTest
    affix: str
    new: str


class ContextRule(NamedTuple):
    """Brill's contextual rule: `old` becomes `new` where every condition holds.

    A condition is a column ("tag" or "word"), offsets and the code of a value, which
    must occur at one of the offsets.
    """

    old: int | None
    new: int
    conditions: tuple[tuple[str, tuple[int, ...], int], ...]

    def words(self) -> frozenset[int]:
        """Return the codes of the words without which the rule changes nothing."""
        return frozenset(value for column, _, value in self.conditions if column == _WORD)


@dataclass(frozen=True, slots=True)
class Brill:
    """The lexicon and rules of the tagger.

    Parameters
    ----------
    lexicon : TagLexicon
        The most frequent tag of each known word.
    suffix_rules : tuple of SuffixRule
    context_rules : tuple of ContextRule
    rule_words : mapping of str to int
        Codes, from 1, of the words in contextual rules.
    """

    lexicon: TagLexicon
    suffix_rules: tuple[SuffixRule, ...]
    context_rules: tuple[ContextRule, ...]
    rule_words: Mapping[str, int]

    _packed: TypeMemo = field(init=False, repr=False, compare=False)
    _rules: list[tuple[ContextRule, frozenset[int]]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_packed", TypeMemo(self._codes, np.int32))
        rules = [(rule, rule.words()) for rule in self.context_rules]
        object.__setattr__(self, "_rules", rules)

    def type_codes(self, vocabulary: Collection[str]) -> tuple[ByteArray, ByteArray, ShortArray]:
        """Return the codes of each word that do not depend on context.

        Returns
        -------
        initial, inner : int8 arrays, shape (n_types,)
            The word's tag at the beginning of a sentence and inside, as indices into `TAGS`.
        rule_words : int16 array, shape (n_types,)
            The word's code in `rule_words`, 0 for other words.
        """
        packed = self._packed(vocabulary)
        initial, inner = (packed >> shift & _LOWEST_BITS for shift in (0, _BITS))
        words = (packed >> 2 * _BITS).astype(np.int16)
        return initial.astype(np.int8), inner.astype(np.int8), words

    def _codes(self, word: str) -> int:
        initial, inner = self._tags(word)
        rule_word = self.rule_words.get(word, 0)
        return rule_word << 2 * _BITS | CODE[inner] << _BITS | CODE[initial]

    def apply_context(self, tags: ByteArray, words: ShortArray) -> None:
        """Apply the contextual rules to `tags`, in place.

        Parameters
        ----------
        tags : int8 array, shape (n,)
            Sentences with at least three line-end tags before, between and
            after them.
        words : int16 array, shape (n,)
            Codes of the words, from `type_codes`.
        """
        columns: dict[str, IntegerArray] = {_TAG: tags, _WORD: words}
        candidates = _Candidates(tags, words)
        present = {*np.flatnonzero(np.bincount(words)).tolist()}
        for rule, needed in self._rules:
            # Most rules are about words that a note does not have.
            if needed <= present:
                rows = candidates.of(rule.old)
                for column, offsets, value in rule.conditions:
                    if not len(rows):
                        break
                    rows = rows[_any_equal(columns[column], rows, offsets, value)]
                if len(rows):
                    candidates.change(rows, rule.new)

    def _tags(self, word: str) -> tuple[str, str]:
        if not word[0].isalpha():
            tag = _mark_tag(word)
            return tag, tag
        known = self.lexicon.get(word) or self.lexicon.get(word + ".")
        if known:
            return known, known
        lower = self.lexicon.get(word.lower())
        if len(word) > 1 and word.isupper():
            return lower or "NNP", lower or "NNP"
        if word[0].isupper():
            return lower or "NNP", "NNP"
        unknown = self._unknown_tag(word)
        return unknown, unknown

    def _unknown_tag(self, word: str) -> str:
        tag = "NN"
        lexicon = self.lexicon
        for old, test, affix, new in self.suffix_rules:
            if (old == tag or old is None) and test(word, affix, lexicon):
                tag = new
        return tag


def _mark_tag(word: str) -> str:
    category = unicodedata.category(word[0])
    found = _MARKS.get(word) or _CATEGORIES.get(category) or _CATEGORIES.get(category[0])
    if found:
        return found
    return LINE_END_TAG if word.isspace() else "SYM"


class _Candidates:
    """The rows that rules may change, by tag, excluding the edges."""

    def __init__(self, tags: ByteArray, words: ShortArray) -> None:
        self._tags = tags
        self._inside = slice(_REACH, -_REACH)
        self._named = np.flatnonzero(words[self._inside] > 0) + _REACH
        self._rows: dict[int, LongArray] = {}
        self._left: set[int] = set()  # Tags with outdated rows.

    def of(self, tag: int | None) -> LongArray:
        """Return the rows with a tag, or for None, the rows of words in rules."""
        if tag is None:
            return self._named
        if tag not in self._rows:
            self._rows[tag] = np.flatnonzero(self._tags[self._inside] == tag) + _REACH
        elif tag in self._left:
            rows = self._rows[tag]
            self._rows[tag] = rows[self._tags[rows] == tag]
        self._left.discard(tag)
        return self._rows[tag]

    def change(self, rows: LongArray, tag: int) -> None:
        """Change the tag of rows."""
        self._left.update(self._tags[rows].tolist())
        self._tags[rows] = tag
        if tag in self._rows:
            self._rows[tag] = np.append(self._rows[tag], rows)


def _any_equal(
    column: IntegerArray, rows: LongArray, offsets: tuple[int, ...], value: int
) -> BoolArray:
    found = column[rows + offsets[0]] == value
    for offset in offsets[1:]:
        found |= column[rows + offset] == value
    return np.asarray(found)


_FORM_TESTS: dict[str, FormTest] = {
    "char": lambda word, affix, _: affix in word,
    "haspref": lambda word, affix, _: word.startswith(affix),
    "hassuf": lambda word, affix, _: word.endswith(affix),
    "addpref": lambda word, affix, lexicon: affix + word in lexicon,
    "addsuf": lambda word, affix, lexicon: word + affix in lexicon,
    "deletepref": lambda word, affix, lexicon: (
        word.startswith(affix) and word.removeprefix(affix) in lexicon
    ),
    "deletesuf": lambda word, affix, lexicon: (
        word.endswith(affix) and word.removesuffix(affix) in lexicon
    ),
}

_CONDITIONS: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "PREVTAG": ((_TAG, (-1,)),),
    "NEXTTAG": ((_TAG, (1,)),),
    "PREV2TAG": ((_TAG, (-2,)),),
    "NEXT2TAG": ((_TAG, (2,)),),
    "PREV1OR2TAG": ((_TAG, (-1, -2)),),
    "NEXT1OR2TAG": ((_TAG, (1, 2)),),
    "PREV1OR2OR3TAG": ((_TAG, (-1, -2, -3)),),
    "NEXT1OR2OR3TAG": ((_TAG, (1, 2, 3)),),
    "SURROUNDTAG": ((_TAG, (-1,)), (_TAG, (1,))),
    "PREVBIGRAM": ((_TAG, (-2,)), (_TAG, (-1,))),
    "NEXTBIGRAM": ((_TAG, (1,)), (_TAG, (2,))),
    "CURWD": ((_WORD, (0,)),),
    "PREVWD": ((_WORD, (-1,)),),
    "NEXTWD": ((_WORD, (1,)),),
    "PREV1OR2WD": ((_WORD, (-1, -2)),),
    "NEXT1OR2WD": ((_WORD, (1, 2)),),
    "LBIGRAM": ((_WORD, (-1,)), (_WORD, (0,))),
    "RBIGRAM": ((_WORD, (0,)), (_WORD, (1,))),
    "WDAND2AFT": ((_WORD, (0,)), (_WORD, (2,))),
    "WDPREVTAG": ((_TAG, (-1,)), (_WORD, (0,))),
    "WDNEXTTAG": ((_WORD, (0,)), (_TAG, (1,))),
    "WDAND2TAGBFR": ((_TAG, (-2,)), (_WORD, (0,))),
    "WDAND2TAGAFT": ((_WORD, (0,)), (_TAG, (2,))),
}


@lru_cache(maxsize=1)
def load_brill() -> Brill:
    """Read the lexicon and rules; cached."""
    lexicon = TagLexicon.load(TAGS)
    suffix_rules = tuple(filter(None, map(_suffix_rule, _data_lines("en-morphology.txt"))))
    rule_words: dict[str, int] = {}
    lines = _data_lines("en-context.txt")
    context_rules = tuple(filter(None, (_context_rule(line, rule_words) for line in lines)))
    return Brill(lexicon, suffix_rules, context_rules, rule_words)


def _data_lines(name: str) -> Iterator[str]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return (line for line in lines if line.strip() and not line.startswith(";;;"))


def _suffix_rule(line: str) -> SuffixRule | None:
    """Read a rule; return None for rules that depend on neighbours."""
    fields = line.split()
    old = None if fields[1] in _FORM_TESTS else fields[0]
    affix, test = fields[:2] if old is None else (fields[1], fields[2].removeprefix("f"))
    return SuffixRule(old, _FORM_TESTS[test], affix, fields[-2]) if test in _FORM_TESTS else None


def _context_rule(line: str, rule_words: dict[str, int]) -> ContextRule | None:
    old, new, command, *values = line.split()
    if command not in _CONDITIONS or new not in CODE:
        return None
    conditions = [
        (column, offsets, _value_code(column, value, rule_words))
        for (column, offsets), value in zip(_CONDITIONS[command], values, strict=False)
    ]
    return ContextRule(None if old == "*" else _tag_code(old), CODE[new], tuple(conditions))


def _value_code(column: str, value: str, rule_words: dict[str, int]) -> int:
    if column == _WORD:
        return rule_words.setdefault(value, len(rule_words) + 1)
    return _tag_code(value)


def _tag_code(name: str) -> int:
    return CODE.get(_RENAMED.get(name, name), _NEVER)
