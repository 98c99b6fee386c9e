from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.arrays import ByteArray, ShortArray
from multideid.errors import UsageError
from multideid.text.brill import TAGS, load_brill
from multideid.text.pos import pos_column
from multideid.text.spacy_pos import load_pipeline
from multideid.text.table import TokenTable


def tags(text: str) -> list[str]:
    codes, names = pos_column(TokenTable.from_texts([text]))
    return [names[code] for code in codes]


def test_a_plain_sentence_gets_its_penn_tags() -> None:
    assert tags("The patient was admitted in March.") == [
        "DT",
        "NN",
        "VBD",
        "VBN",
        "IN",
        "NNP",
        ".",
    ]


def test_numbers_marks_and_line_ends_get_tags_of_their_own() -> None:
    assert tags("(81): $5, 40%\n") == ["(", "CD", ")", ":", "$", "CD", ",", "CD", "NN", "NL"]


def test_an_unknown_capitalised_word_is_a_proper_noun() -> None:
    assert tags("seen by Zorvelquist")[-1] == "NNP"


def test_a_known_word_at_the_start_of_a_sentence_keeps_its_lower_case_tag() -> None:
    inner, initial = tags("near Wheezing"), tags("Wheezing was heard")
    assert (inner[-1], initial[0]) == ("NNP", "VBG")


def test_an_unknown_word_is_tagged_by_its_ending() -> None:
    assert tags("he zorvelquisted")[-1] in {"VBN", "VBD"}
    assert tags("he felt zorvelquistly")[-1] == "RB"


def test_both_halves_of_a_possessive_are_marked() -> None:
    assert tags("Zorvel's exam")[1:3] == ["POS", "POS"]


def test_a_rule_changes_a_noun_after_to_into_a_verb() -> None:
    assert tags("He wants to repeat it")[3] == "VB"


def test_no_rule_looks_across_a_sentence() -> None:
    alone, after_to = tags("Repeat it"), tags("wants to\nRepeat it")
    assert after_to[3:] == alone


def test_no_rule_looks_across_a_document() -> None:
    texts = ["He had to", "study the film", "and was"]
    together, _ = pos_column(TokenTable.from_texts(texts))
    apart = [pos_column(TokenTable.from_texts([text]))[0] for text in texts]
    assert together.tolist() == np.concatenate(apart).tolist()


@given(st.lists(st.text(max_size=60), max_size=4))
def test_every_token_gets_a_known_tag(texts: list[str]) -> None:
    table = TokenTable.from_texts(texts)
    codes, names = pos_column(table)
    assert codes.dtype == np.int32
    assert codes.shape == (len(table),)
    assert names == TAGS
    assert all(0 <= code < len(names) for code in codes)


@given(st.text(max_size=80))
def test_tags_depend_on_the_text_alone(text: str) -> None:
    batch = TokenTable.from_texts(["Otra nota con más palabras", text])
    rows = slice(batch.first[1], batch.first[2])
    codes, _ = pos_column(TokenTable.from_texts([text]))
    assert pos_column(batch)[0][rows].tolist() == codes.tolist()


def test_the_error_for_an_unknown_tagger_lists_the_available_ones() -> None:
    with pytest.raises(UsageError, match=r"'brown'.*'lexicon'.*'spacy:NAME'"):
        pos_column(TokenTable.from_texts(["a"]), tagger="brown")


@pytest.fixture
def pipeline_folder(tmp_path: Path) -> Path:
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("attribute_ruler")
    ruler.add(patterns=[[{}]], attrs={"TAG": "XX"})
    ruler.add(patterns=[[{"IS_DIGIT": True}]], attrs={"TAG": "CD"})
    pipeline.to_disk(tmp_path / "pipeline")
    return tmp_path / "pipeline"


def test_a_spacy_pipeline_tags_the_tables_own_tokens(pipeline_folder: Path) -> None:
    table = TokenTable.from_texts(["90yo", "", "McLee 12"])
    codes, names = pos_column(table, tagger=f"spacy:{pipeline_folder}")
    assert [names[code] for code in codes] == ["CD", "XX", "XX", "XX", "CD"]


def test_a_missing_spacy_pipeline_is_named() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(UsageError, match=r"'xx_none_such'.*installed: "):
        pos_column(TokenTable.from_texts(["a"]), tagger="spacy:xx_none_such")


def test_the_error_without_spacy_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    load_pipeline.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"pip install 'multideid\[spacy\]'"):
        pos_column(TokenTable.from_texts(["a"]), tagger="spacy:en_core_web_sm")


def applied_in_turn(tags: ByteArray, words: ShortArray) -> None:
    """Apply every rule to every row inside the edges, one row after the other."""
    columns = {"tag": tags, "word": words}
    for rule in load_brill().context_rules:
        rows = [
            row
            for row in range(3, len(tags) - 3)
            if (words[row] > 0 if rule.old is None else tags[row] == rule.old)
            and all(
                any(columns[column][row + offset] == value for offset in offsets)
                for column, offsets, value in rule.conditions
            )
        ]
        tags[rows] = rule.new


@pytest.mark.parametrize("seed", range(5))
def test_rules_change_the_same_tags_whether_or_not_their_words_are_there(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tags = rng.integers(0, len(TAGS), 60).astype(np.int8)
    some = rng.choice(len(load_brill().rule_words) + 1, 8)
    words = rng.choice(some, 60).astype(np.int16)
    tags[:3] = tags[-3:] = words[:3] = words[-3:] = 0
    wanted = tags.copy()
    applied_in_turn(wanted, words)
    load_brill().apply_context(tags, words)
    assert tags.tolist() == wanted.tolist()
