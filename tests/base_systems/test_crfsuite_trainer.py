"""Systems trained by crfsuite label as crfsuite's own tagger does."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn_crfsuite import CRF
from template_notes import sample_corpus

from multideid.base_systems.mist import MistTagger
from multideid.base_systems.stanford import StanfordTagger
from multideid.document import Document
from multideid.errors import UsageError
from multideid.features.extractor import FeatureExtractor
from multideid.learners.feature_tagger import ChainTagger
from multideid.scoring import scorer
from multideid.text.bio import corpus_labels, encode_bio
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

SYSTEMS = (MistTagger, StanfordTagger)
SETTINGS = {"trainer": "crfsuite", "c1": 0.05, "c2": 0.05, "max_iterations": 15}


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return sample_corpus(6, seed=4)


@pytest.fixture(scope="module", params=SYSTEMS, ids=lambda kind: kind.name)
def tagger(request: pytest.FixtureRequest, documents: list[Document]) -> ChainTagger:
    made = request.param(features="paper", **SETTINGS)
    tokens = TokenTable.from_documents(documents[:4])
    return made.fit(tokens, encode_bio(tokens, documents[:4], corpus_labels(documents)))


def named_features(tagger: ChainTagger, learned: TokenTable, tokens: TokenTable):
    """Return the lines of a table as lists of features, named by their columns."""
    extractor = FeatureExtractor(tagger.templates(), tagger.min_count).fit(learned)
    rows = [list(map(str, row.indices)) for row in extractor.transform(tokens)]
    bounds = [*line_starts(tokens).tolist(), len(tokens)]
    return [rows[first:end] for first, end in pairwise(bounds)]


@pytest.mark.parametrize("compile_after", [0, 10**9], ids=["compiled", "not compiled"])
def test_labels_are_those_of_crfsuites_own_tagger(
    tagger: ChainTagger,
    documents: list[Document],
    compile_after: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scorer, "COMPILE_AFTER", compile_after)
    vars(tagger).pop("_compiled_scorer", None)
    learned, new = map(TokenTable.from_documents, (documents[:4], documents[4:]))
    gold = encode_bio(learned, documents[:4], corpus_labels(documents)).ids.tolist()
    bounds = [*line_starts(learned).tolist(), len(learned)]
    tags = [[str(tag) for tag in gold[first:end]] for first, end in pairwise(bounds)]
    crf = CRF(algorithm="lbfgs", c1=0.05, c2=0.05, max_iterations=15)
    crf.fit(named_features(tagger, learned, learned), tags)
    expected = [int(t) for line in crf.predict(named_features(tagger, learned, new)) for t in line]
    assert tagger.predict_scores(new).argmax(axis=1).tolist() == expected
    assert len(set(expected)) > 3


def test_a_saved_system_gives_the_same_scores(
    tagger: ChainTagger, documents: list[Document], tmp_path: Path
) -> None:
    tokens = TokenTable.from_documents(documents[4:])
    tagger.save(tmp_path)
    assert not list(tmp_path.rglob("*.pkl"))
    again = type(tagger).load(tmp_path)
    assert np.array_equal(again.predict_scores(tokens), tagger.predict_scores(tokens))
    assert again.get_params() == tagger.get_params()


def test_consistency_is_possible_with_either_trainer(
    documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "COMPILE_AFTER", 0)
    tokens = TokenTable.from_documents(documents[:4])
    labels = encode_bio(tokens, documents[:4], corpus_labels(documents))
    made = StanfordTagger(features="paper", consistency=True, **{**SETTINGS, "max_iterations": 4})
    made.fit(tokens, labels)
    compiled, reference = made.predict_scores(tokens), made.score_by_features(tokens)
    assert compiled.argmax(axis=1).tolist() == reference.argmax(axis=1).tolist()


@pytest.mark.parametrize("kind", SYSTEMS)
@pytest.mark.parametrize(
    ("params", "problem"),
    [({"trainer": "sgd"}, "trainer must be one of adagrad, crfsuite"), ({"c1": -1.0}, "c1 must")],
)
def test_wrong_settings_are_refused(kind, params, problem, documents) -> None:
    tokens = TokenTable.from_documents(documents[:1])
    labels = encode_bio(tokens, documents[:1], corpus_labels(documents))
    with pytest.raises(UsageError, match=problem):
        kind(**params).fit(tokens, labels)
