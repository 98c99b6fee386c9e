"""Scores on ambiguous words only, and on words in no word list only."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from multideid.document import Document, Span
from multideid.eval.experiments import Corpus, ambiguity, out_of_dictionary

LINES = (
    ("Dr. White saw white cells.", "White"),
    ("Dr. Qzxvwk came at noon.", "Qzxvwk"),
    ("The white count of Dr. White rose.", "White"),
    ("Old Ptkwzq has a white coat.", "Ptkwzq"),
)


def _note(n: int, line: tuple[str, str]) -> Document:
    text, name = line
    start = text.index(name)
    return Document(f"n{n}", text, (Span(start, start + len(name), "NAME"),))


@pytest.fixture(scope="module")
def notes() -> Corpus:
    documents = tuple(_note(n, line) for n, line in enumerate(LINES))
    return Corpus("notes", documents[:2], documents)


def test_only_words_that_are_both_count(notes, setup) -> None:
    found = ambiguity([notes], replace(setup, systems=("titles",)), systems=["titles"])
    assert [(c.label, c.tokens, c.ambiguous) for c in found["classes"]] == [
        ("non-PHI", 26, 3),
        ("NAME", 4, 2),
    ]
    (score,) = found["scores"]
    assert (score.phi.correct, score.phi.predicted, score.phi.gold) == (2, 2, 2)
    assert (score.non_phi.correct, score.non_phi.predicted, score.non_phi.gold) == (3, 3, 3)


def test_words_ambiguous_in_the_training_documents_count_too(notes, setup) -> None:
    names_only = Corpus("names", notes.train, (Document("t", "Dr. White.", (Span(4, 9, "NAME"),)),))
    found = ambiguity([names_only], setup, systems=["titles"])
    assert found["scores"][0].phi.gold == 1


def test_corpus_without_ambiguous_words_is_noted(notes, setup) -> None:
    clear = Corpus("clear", notes.train[1:], notes.test[1:2])
    found = ambiguity([clear], setup, systems=["titles"])
    assert found["scores"][0].phi.gold == 0
    assert any("no word is ambiguous" in note for note in found.notes)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_whitespace_tokens_are_words_with_their_marks(notes, setup) -> None:
    found = ambiguity([notes], replace(setup, tokenization="whitespace"), systems=["titles"])
    assert found["classes"][0].tokens + found["classes"][1].tokens == sum(
        len(t.split()) for t, _ in LINES
    )


def test_only_words_in_no_word_list_count(notes, setup) -> None:
    found = out_of_dictionary([notes], setup, systems=["titles"])
    assert [(c.words, c.unlisted) for c in found["classes"]] == [(4, 2)]
    (recall,) = found["recalls"]
    assert (recall.words, recall.found, recall.right) == (2, 1, 1)
    assert (recall.spans, recall.right_spans) == (2, 1)
    assert recall.per_class == {"NAME": 0.5}
    assert (recall.recall, recall.class_recall, recall.span_recall) == (0.5, 0.5, 0.5)


def test_figures_and_listed_words_leave_nothing_to_find(notes, setup) -> None:
    dated = Document("d", "On 3/14/2007.", (Span(3, 12, "DATE"),))
    found = out_of_dictionary([Corpus("dated", notes.train, (dated,))], setup, systems=["dates"])
    assert found["recalls"][0].words == 0
    assert any("some word list" in note for note in found.notes)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_wrong_class_is_found_but_not_right(notes, setup) -> None:
    doctors = tuple(
        d.with_spans([s._replace(label="DOCTOR") for s in d.spans]) for d in notes.train
    )
    found = out_of_dictionary([replace(notes, train=doctors)], setup, systems=["titles"])
    assert (found["recalls"][0].found, found["recalls"][0].right) == (1, 0)
    assert any("in the training documents" in note for note in found.notes)


def test_signature_names_the_members_of_ensembles(notes, setup) -> None:
    alone, vote = (
        ambiguity([notes], setup, systems=[name]).sources[0] for name in ("dates", "vote")
    )
    assert (alone.base_systems, vote.base_systems) == ((), ("dates", "titles"))
    assert "base systems dates+titles; " in str(vote)


def test_all_systems_and_ensembles_are_measured_by_default(notes, setup) -> None:
    found = ambiguity([notes], setup)
    assert [s.system for s in found["scores"]] == ["dates", "titles", "vote", "mega", "multi"]
    text = found.to_text()
    assert all(name in text for name in ("non-PHI P", "ambiguous", str(found.sources[0])))


def test_names_alone_leave_out_other_phi_and_predictions_of_it(setup) -> None:
    def note(id: str, text: str, *found: tuple[str, str]) -> Document:
        spans = [Span(text.index(w), text.index(w) + len(w), label) for w, label in found]
        return Document(id, text, tuple(spans))

    trained = note(
        "a", "Dr. May came. It may be 5/6/2007.", ("May", "DOCTOR"), ("5/6/2007", "DATE")
    )
    held = note("b", "In May 2007 Dr. May saw 5 dots, which may pass.", ("May 2007", "DATE"))
    name = held.text.index("May saw")
    held = held.with_spans([*held.spans, Span(name, name + 3, "DOCTOR")])
    corpus = Corpus("may", (trained,), (held,))
    everything = ambiguity([corpus], setup, systems=["dates"])
    names = ambiguity([corpus], setup, systems=["dates"], names=True)
    assert {c.label: c.ambiguous for c in everything["classes"]} == {
        "non-PHI": 2, "DATE": 1, "DOCTOR": 1
    }  # fmt: skip
    assert {c.label: c.ambiguous for c in names["classes"]} == {"non-PHI": 1, "DOCTOR": 1}
    assert names["scores"][0].phi.gold == 1
