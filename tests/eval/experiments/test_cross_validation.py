"""Cross-validation: each document is predicted by systems that did not learn from it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval import evaluate
from multideid.eval.experiments import Corpus, cross, cross_validation
from multideid.eval.experiments.corpora import Data
from multideid.eval.experiments.crossing import Crossing
from multideid.stacking import MegaDeidentifier, MultiDeidentifier, SingleDeidentifier
from multideid.stacking.folds import document_folds

NAMES = ("small", "vote", "mega", "multi")


@pytest.fixture(scope="module")
def documents(corpus, other) -> tuple[Document, ...]:
    """Return ten documents of three wards."""
    pooled = (*corpus.train, *corpus.test, *other.train)
    return tuple(
        replace(d, id=f"d{n}", meta={"ward": min(n // 3, 2)}) for n, d in enumerate(pooled)
    )


def own_setup(setup, **more):
    return replace(setup, systems=("dates", "small"), **more)


def test_every_prediction_is_that_of_a_model_of_the_other_folds(setup, documents) -> None:
    setup = own_setup(setup)
    ((crossing, found),) = cross([Corpus("c", documents, ())], setup, NAMES)
    models = {
        "small": lambda: SingleDeidentifier("small"),
        "mega": lambda: MegaDeidentifier(setup.systems, folds=2, n_jobs=1),
        "multi": lambda: MultiDeidentifier(setup.systems, folds=2, n_jobs=1),
    }
    assert set(crossing.fold) == {0, 1}
    for k in range(2):
        train = [d for d, fold in zip(documents, crossing.fold, strict=True) if fold != k]
        held = np.flatnonzero(crossing.fold == k).tolist()
        for name, make in models.items():
            expected = make().fit(train).predict([documents[n] for n in held])
            assert [found[name][n].spans for n in held] == [d.spans for d in expected], name


def test_test_documents_are_divided_too(setup, documents) -> None:
    parts = Corpus("c", documents[:4], documents[4:])
    ((_, found),) = cross([parts], setup, ["dates"])
    assert [d.id for d in found["dates"]] == [d.id for d in documents]


@pytest.mark.parametrize("nested", [True, False])
def test_no_fit_sees_its_held_out_documents_or_their_group(setup, documents, nested) -> None:
    setup = own_setup(setup, groups="ward", folds=3)
    crossing = Crossing("c", Data.of(documents), setup, nested)
    wards = [d.meta["ward"] for d in documents]
    assert len({(fold, ward) for fold, ward in zip(crossing.fold, wards, strict=True)}) == 3
    fits = [*crossing.fits(NAMES)]
    for fit in fits:
        seen, held = (
            {fit.data.documents[d].meta["ward"] for d in part} for part in (fit.train, fit.held)
        )
        assert not seen & held
    # Nested, each of two systems has a fit and one without each of the two wards left.
    tagger_fits = len({fit.key for fit in fits if fit.spec.name != "mega"})
    assert tagger_fits == (3 * 2 * (1 + 2) if nested else 3 * 2)


def test_shared_fits_give_the_same_decisions_of_base_systems(setup, documents, fitted) -> None:
    corpus, setup = Corpus("c", documents, ()), own_setup(setup)
    ((_, nested),) = cross([corpus], setup, NAMES)
    n_nested = len(fitted)
    ((_, shared),) = cross([corpus], own_setup(setup), NAMES, nested=False)
    assert shared["small"] == nested["small"]
    assert shared["vote"] == nested["vote"]
    assert len(fitted) - n_nested < n_nested
    assert any(d.spans for d in shared["multi"])


def test_scores_are_of_all_documents_together_and_of_each_fold(setup, documents) -> None:
    corpus = Corpus("c", documents, ())
    result = cross_validation([corpus], setup, systems=["titles", "multi"], n_resamples=20)
    titles, multi = result["rows"]
    predicted = SingleDeidentifier("titles").fit(documents).predict(documents)
    found = evaluate(documents, predicted)
    assert titles.tokens == found.tokens.two_way()
    assert titles.spans == found.spans.strict.micro()
    folds = [row for row in result["folds"] if row.system == "titles"]
    assert sum(row.documents for row in folds) == len(documents)
    assert sum(row.spans.correct for row in folds) == titles.spans.correct
    assert titles.spans_mean == pytest.approx(np.mean([row.spans.f1 for row in folds]))
    assert titles.multi_minus.span_f == multi.spans.f1 - titles.spans.f1
    assert multi.multi_minus is None
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()


def test_folds_are_those_of_the_seed(setup, documents) -> None:
    crossing = Crossing("c", Data.of(documents), replace(setup, seed=7, folds=5))
    assert crossing.fold.tolist() == document_folds(len(documents), 5, 7).tolist()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"folds": 11}, "folds=11 needs at least 11 documents"),
        ({"groups": "ward", "folds": 4}, "folds=4 needs at least 4 groups"),
        ({"groups": "site"}, "document 'd0' has no 'site' in meta; it has: ward"),
    ],
)
def test_impossible_folds_are_refused(setup, documents, more, message) -> None:
    with pytest.raises(UsageError, match=message):
        cross_validation([Corpus("c", documents, ())], replace(setup, **more))


def test_a_fold_whose_training_documents_have_no_phi_is_predicted_without_phi(
    setup, documents
) -> None:
    bare = [replace(document, spans=()) for document in documents]
    bare[0] = documents[0]
    ((_, found),) = cross([Corpus("c", tuple(bare), ())], own_setup(setup), NAMES)
    for name in NAMES:
        assert found[name][0].spans == (), name
