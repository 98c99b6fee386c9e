"""A fingerprint changes with ids, texts and spans, and with nothing else."""

from __future__ import annotations

import json
from platform import python_version
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import multideid
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval import Scoring, compare
from multideid.eval.signature import Signature, corpus_fingerprint

CORPUS = [
    Document("a", "Seen by Lee.", (Span(8, 11, "NAME"),)),
    Document("b", "On 3/4."),
]
ASKED: dict[str, Any] = {
    "tokenization": "multideid",
    "beta": 1,
    "folds": None,
    "seed": None,
    "n_resamples": None,
}


def test_order_and_meta_do_not_change_the_fingerprint() -> None:
    reordered = [Document(d.id, d.text, d.spans, {"year": 2006}) for d in reversed(CORPUS)]
    assert corpus_fingerprint(reordered) == corpus_fingerprint(CORPUS)


@pytest.mark.parametrize(
    "changed",
    [
        Document("c", "On 3/4."),
        Document("b", "On 3/5."),
        Document("b", "On 3/4.", (Span(3, 6, "DATE"),)),
        Document("b", "On 3/4.", (Span(3, 6, "AGE"),)),
        Document("bO", "n 3/4."),
    ],
)
def test_ids_texts_and_spans_change_the_fingerprint(changed: Document) -> None:
    assert corpus_fingerprint([CORPUS[0], changed]) != corpus_fingerprint(CORPUS)


def test_any_unicode_has_a_fingerprint() -> None:
    assert len(corpus_fingerprint([Document("\U0001f600", "\ud800 \x00 e\u0301")])) == 16


def test_the_printed_line_has_everything_needed_to_compare_figures() -> None:
    asked = Scoring(tokenization="whitespace", beta=2, folds=5, seed=None, n_resamples=None)
    signature = Signature.of(CORPUS, ["mist", "lbj"], asked)
    assert signature.version == multideid.__version__
    python, numpy, *_ = signature.libraries
    assert (python, numpy) == (f"python {python_version()}", f"numpy {np.__version__}")
    line = str(signature)
    for part in (
        f"multideid {signature.version} ({', '.join(signature.libraries)})",
        "systems mist+lbj",
        f"corpus {corpus_fingerprint(CORPUS)}, 2 documents",
        "tokens whitespace",
        "spans strict, relaxed, type-blind",
        "beta 2",
        "folds 5",
        "resamples none",
        "seed none",
    ):
        assert part in line.split("; ")
    assert signature.to_dict()["line"] == line


def test_knowledge_is_named_if_any_was_used() -> None:
    bare = Signature.of(CORPUS, ["vote"], Scoring(**ASKED))
    asked = Scoring(knowledge={"mesh": "1a2b", "x": "5.1"}, **ASKED)
    signature = Signature.of(CORPUS, ["vote"], asked)
    assert "knowledge mesh 1a2b, x 5.1" in str(signature).split("; ")
    assert signature.to_dict()["knowledge"] == {"mesh": "1a2b", "x": "5.1"}
    assert (bare.to_dict()["knowledge"], "knowledge" in str(bare)) == ({}, False)
    assert signature != bare


def test_signature_with_parameters_can_be_hashed() -> None:
    params = {"mist": {"learning_rate": 0.1}}
    one, same = (Signature.of(CORPUS, ["mist"], Scoring(params=params, **ASKED)) for _ in "12")
    assert {one, same} == {one}


def test_parameters_of_other_kinds_become_plain_values() -> None:
    given = MappingProxyType({"mist": MappingProxyType({"epochs": np.int64(3), "of": (1, 2)})})
    signature = Signature.of(CORPUS, ["mist"], Scoring(params=given, **ASKED))
    assert "parameters mist.epochs=3, mist.of=[1, 2]" in str(signature).split("; ")
    plain = json.loads(json.dumps(signature.to_dict()))
    assert (plain["params"], plain) == ({"mist": {"epochs": 3, "of": [1, 2]}}, signature.to_dict())
    assert type(signature.params["mist"]["epochs"]) is int


@pytest.mark.parametrize(
    "wrong",
    [
        {"mist": 3},
        ["mist"],
        {"mist": {"learning_rate": float("nan")}},
        {"mist": {"learning_rate": {1}}},
        {("mist", "lbj"): {}},
    ],
)
def test_invalid_parameters_are_refused_before_anything_is_scored(wrong) -> None:
    with pytest.raises(UsageError, match="params must be parameters by system"):
        compare(CORPUS, {"mist": CORPUS}, Scoring(params=wrong))


def test_parameters_are_listed_if_any_were_given() -> None:
    params = {"stat-deid": {"mesh": True, "pos_tagger": "lexicon"}, "mist": {"learning_rate": 0.1}}
    bare = Signature.of(CORPUS, ["vote"], Scoring(**ASKED))
    signature = Signature.of(CORPUS, ["vote"], Scoring(params=params, **ASKED))
    message = (
        'parameters stat-deid.mesh=true, stat-deid.pos_tagger="lexicon", mist.learning_rate=0.1'
    )
    assert message in str(signature).split("; ")
    assert signature.to_dict()["params"] == params
    assert (bare.to_dict()["params"], "parameters" in str(bare)) == ({}, False)
    assert signature != bare
