"""Syntactic bigrams of the thesis, and their tokens."""

from __future__ import annotations

import pytest

from multideid.features import syntax
from multideid.features.syntax import LEFT_BIGRAMS, RIGHT_BIGRAMS, syntactic_bigrams
from multideid.features.views import SetView
from multideid.knowledge.link_grammar import Link, Linkage, Word
from multideid.text.table import TokenTable

FIGURE = "John, who had hernia, was admitted yesterday."
# "Dr. O'Neil went home": two words of the parser are several tokens each.
LINKAGE = Linkage(
    (
        Word(0, 0, "LEFT-WALL"),
        Word(0, 3, "Dr..x"),
        Word(4, 10, "O'Neil[!<CAPITALIZED-WORDS>]"),
        Word(11, 15, "went.v-d"),
        Word(16, 20, "home"),
        Word(20, 20, "RIGHT-WALL"),
    ),
    (Link(0, 2, "Wd"), Link(1, 2, "G"), Link(2, 3, "Ss*s"), Link(3, 4, "MVpn")),
)
SENTENCE = "Dr. O'Neil went home"


def values(view: SetView, *texts: str) -> list[list[str]]:
    column = view.column(TokenTable.from_texts(texts))
    bounds = zip(column.indptr[column.rows], column.indptr[column.rows + 1], strict=True)
    return [sorted(column.names[i] for i in column.indices[a:b]) for a, b in bounds]


@pytest.fixture
def one_linkage(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the parser know one sentence; return those that it is asked for."""
    asked: list[str] = []

    def parse(sentence: str) -> Linkage | None:
        asked.append(sentence)
        return LINKAGE if sentence == SENTENCE else None

    monkeypatch.setattr(syntax, "parse", parse)
    return asked


def test_a_bigram_goes_over_two_links_to_one_side() -> None:
    bigrams = syntactic_bigrams(LINKAGE)
    assert bigrams[2] == (["Wd LEFT-WALL", "G Dr..x"], ["Ss went.v MVpn home"])
    assert bigrams[3] == (["Ss O'Neil Wd LEFT-WALL", "Ss O'Neil G Dr..x"], ["MVpn home"])
    assert bigrams[4] == (["MVpn went.v Ss O'Neil"], [])


def test_tokens_of_one_word_have_its_bigrams(one_linkage: list[str]) -> None:
    right = values(RIGHT_BIGRAMS, SENTENCE)
    assert right[0] == right[1] == ["G O'Neil Ss went.v"]
    assert right[2] == right[3] == right[4] == ["Ss went.v MVpn home"]
    assert right[5:] == [["MVpn home"], []]


def test_a_sentence_that_recurs_is_asked_for_once_a_table(one_linkage: list[str]) -> None:
    table = TokenTable.from_texts([f"{SENTENCE}\n{SENTENCE}", SENTENCE])
    LEFT_BIGRAMS.column(table)
    RIGHT_BIGRAMS.column(table)
    assert one_linkage == [SENTENCE]


def test_sentences_without_a_linkage_have_no_bigrams(one_linkage: list[str]) -> None:
    assert values(LEFT_BIGRAMS, "INR 2-3\n", "") == [[]] * 5


@pytest.mark.usefixtures("link_grammar")
@pytest.mark.parametrize("sentence", [FIGURE, FIGURE.replace("hernia", "a hernia")])
def test_the_figure_of_the_thesis_gives_its_bigram(sentence: str) -> None:
    assert "Ss was.v Pvf admitted.v" in values(RIGHT_BIGRAMS, sentence)[0]


@pytest.mark.usefixtures("link_grammar")
def test_bigrams_belong_to_the_right_tokens_of_the_text() -> None:
    text = "\U0001f600 Vitals stable.\n\n  Müller was seen.  He was admitted.\n"
    left = values(LEFT_BIGRAMS, "", text)
    words = TokenTable.from_texts(["", text]).words()
    linked = [{value.split()[1] for value in found} for found in left]
    assert linked[words.index("seen")] == {"was.v", "LEFT-WALL"}
    assert "was.v" in linked[words.index("admitted")]
    assert "he" in linked[words.index("He") + 1]
    assert linked[-1] == set()
