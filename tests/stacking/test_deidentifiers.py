"""All de-identifiers fit, predict, save and load, and refuse invalid input."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from copy import copy
from functools import cache
from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.errors import DocumentError, ModelError, UsageError
from multideid.stacking import (
    Deidentifier,
    FailedDocument,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_folder,
)

CHEAP = ("mimic", "stat-deid")


def make(kind: str) -> Deidentifier:
    if kind == "multi":
        return MultiDeidentifier(CHEAP, folds=2, n_jobs=1)
    if kind == "mega":
        return MegaDeidentifier(CHEAP)
    if kind == "vote":
        return VoteDeidentifier(CHEAP, rule="any", n_jobs=1)
    return SingleDeidentifier("stat-deid")


@pytest.fixture(scope="module")
def fitted(corpus: list[Document]) -> Callable[[str], Deidentifier]:
    """Return a function that gives the fitted de-identifier of a kind."""
    return cache(lambda kind: make(kind).fit(corpus[:6]))


@pytest.fixture(params=["multi", "mega", "vote", "single"])
def model(request: pytest.FixtureRequest, fitted: Callable[[str], Deidentifier]) -> Deidentifier:
    return fitted(request.param)


@pytest.fixture
def multi(fitted: Callable[[str], MultiDeidentifier]) -> MultiDeidentifier:
    return fitted("multi")


def test_most_phi_of_new_documents_is_found(model: Deidentifier, corpus: list[Document]) -> None:
    gold = {(d.id, *s) for d in corpus[10:] for s in d.spans}
    found = {(d.id, *s) for d in model.predict(corpus[10:]) for s in d.spans}
    assert len(gold & found) > 0.5 * len(gold)


def test_a_loaded_model_predicts_the_same(
    model: Deidentifier, corpus: list[Document], tmp_path: Path
) -> None:
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert type(loaded) is type(model)
    assert loaded.labels_ == model.labels_
    assert loaded.predict(corpus[10:]) == model.predict(corpus[10:])


def test_fitting_is_deterministic(model: Deidentifier, corpus: list[Document]) -> None:
    again = make(model.kind).fit(corpus[:6])
    assert again.predict(corpus[10:]) == model.predict(corpus[10:])


@pytest.mark.parametrize("text", ["", " ", "\n", "x", "\U0001f600"])
def test_short_texts_are_processed(model: Deidentifier, text: str) -> None:
    assert model.deidentify(text, "tag").count("<") % 2 == 0
    assert model.predict([Document("a", text), Document("b", "")])[1].spans == ()


def test_removal_shortens_the_text_by_its_spans(
    model: Deidentifier, corpus: list[Document]
) -> None:
    text = corpus[11].text
    spans = model.spans(text)
    removed = model.deidentify(text, "remove")
    assert len(text) - sum(s.end - s.start for s in spans) == len(removed)


def test_gold_spans_do_not_affect_predictions(model: Deidentifier, corpus: list[Document]) -> None:
    bare = [Document(d.id, d.text) for d in corpus[10:]]
    assert [d.spans for d in model.predict(bare)] == [d.spans for d in model.predict(corpus[10:])]


def test_trust_of_each_class_sums_to_one(multi: MultiDeidentifier) -> None:
    trust = multi.trust_
    assert list(trust.index) == list(multi.labels_)
    assert list(trust.columns) == list(CHEAP)
    assert all(total == pytest.approx(1) or total == 0 for total in trust.sum(axis=1))


@pytest.mark.filterwarnings("ignore::multideid.stacking.thresholds.RecallWarning")
def test_a_requested_recall_finds_more(corpus: list[Document], multi: MultiDeidentifier) -> None:
    at_recall = MultiDeidentifier(CHEAP, folds=2, recall=0.99, n_jobs=1).fit(corpus[:6])
    assert (at_recall.offsets_ >= 0).all()
    assert at_recall.offsets_.max() > 0
    covered = [
        sum(s.end - s.start for d in m.predict(corpus[10:]) for s in d.spans)
        for m in (multi, at_recall)
    ]
    assert covered[1] > covered[0]


def test_unknown_labels_of_new_documents_are_no_error(model: Deidentifier) -> None:
    document = Document("new", "Plate AB-123.", (Span(6, 12, "VEHICLE"),))
    assert all(s.label in model.labels_ for s in model.predict([document])[0].spans)


def test_a_label_with_one_example_can_be_learned(corpus: list[Document]) -> None:
    rare = Document("rare", "Plate AB-123.", (Span(6, 12, "VEHICLE"),))
    model = make("multi").fit([*corpus[:5], rare])
    assert "VEHICLE" in model.labels_
    model.predict(corpus[10:])


@pytest.mark.parametrize(
    ("documents", "problem"),
    [
        ([], "the corpus is empty"),
        ([Document("a", "No PHI here."), Document("b", "Nor here.")], "has a span"),
    ],
)
def test_a_corpus_without_training_data_is_refused(documents: list[Document], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        make("multi").fit(documents)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"systems": ()}, "at least one"),
        ({"systems": "mimic"}, "must be a list"),
        ({"systems": ("mimic", "mimic")}, "twice: mimic"),
        ({"systems": ("mimik",)}, "mimic"),
        ({"recall": 1.0}, "recall must lie above 0 and below 1"),
        ({"folds": 1}, "folds must be a whole number, at least 2"),
        ({"folds": 99}, "needs at least 99 documents"),
    ],
)
def test_invalid_parameters_are_named(
    corpus: list[Document], wrong: dict[str, object], problem: str
) -> None:
    params = {"systems": CHEAP, "folds": 2, "n_jobs": 1} | wrong
    with pytest.raises(UsageError, match=problem):
        MultiDeidentifier(**params).fit(corpus)  # type: ignore[arg-type]


def test_an_unknown_rule_is_refused_with_the_available_ones(corpus: list[Document]) -> None:
    with pytest.raises(UsageError, match="majority, two-of-three, any"):
        VoteDeidentifier(CHEAP, rule="loudest").fit(corpus)


def test_a_truncated_file_is_refused_by_name(multi: MultiDeidentifier, tmp_path: Path) -> None:
    multi.save(tmp_path / "model")
    path = tmp_path / "model" / "stacker.npz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ModelError, match=r"stacker\.npz.*damaged"):
        load_folder(tmp_path / "model")


def test_a_newer_format_is_refused_with_advice(multi: MultiDeidentifier, tmp_path: Path) -> None:
    multi.save(tmp_path / "model")
    path = tmp_path / "model" / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"format_version": 99}))
    with pytest.raises(ModelError, match=r"newer multideid.*install the newer version"):
        load_folder(tmp_path / "model")


def test_one_bad_document_fails_alone_and_without_its_text(
    multi: MultiDeidentifier, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger = multi.taggers_["mimic"]
    healthy = tagger.predict_scores

    def fails_on_secret(tokens: object) -> object:
        if any("SECRET" in text for text in tokens.texts):  # type: ignore[attr-defined]
            raise RuntimeError("cannot parse SECRET")
        return healthy(tokens)  # type: ignore[arg-type]

    monkeypatch.setattr(tagger, "predict_scores", fails_on_secret)
    good, bad = corpus[10], Document("bad", "My name is SECRET.")
    results = list(multi.predict_each([good, bad, corpus[11]]))
    assert [r.id for r in results] == [good.id, "bad", corpus[11].id]
    assert isinstance(results[1], FailedDocument)
    assert "SECRET" not in results[1].problem
    with pytest.raises(DocumentError, match="'bad'") as caught:
        multi.predict([bad])
    assert "SECRET" not in str(caught.value)


def test_operating_points_can_be_chosen_after_training(
    corpus: list[Document], multi: MultiDeidentifier, tmp_path: Path
) -> None:
    multi.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert isinstance(loaded, MultiDeidentifier)
    before = multi.predict(corpus[10:])
    found = [
        sum(len(d.spans) for d in loaded.with_recall(point).predict(corpus[10:]))
        for point in ("balanced", "high", "maximum")
    ]
    assert found == sorted(found)
    assert found[0] < found[-1]
    assert loaded.predict(corpus[10:]) == before
    assert multi.predict(corpus[10:]) == before


def test_a_chosen_operating_point_is_saved(
    corpus: list[Document], multi: MultiDeidentifier
) -> None:
    for point in ("balanced", "high", "maximum"):
        chosen = multi.with_recall(point)
        again = pickle.loads(pickle.dumps(chosen))
        assert again.predict(corpus) == chosen.predict(corpus)
        # Ordinary words need evidence at "maximum" only, which a small corpus may not show.
        assert again._words_need_evidence == (point == "maximum")


def test_a_fit_that_fails_leaves_the_model_as_it_was(
    corpus: list[Document], multi: MultiDeidentifier, monkeypatch
) -> None:
    model = copy(multi)
    found = model.predict(corpus[10:])
    before = {name: id(value) for name, value in vars(model).items()}
    other = [Document(str(n), "Zed 12", (Span(0, 3, "OTHER"),)) for n in range(6)]

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(MultiDeidentifier, "_set_thresholds", fail)
    with pytest.raises(RuntimeError):
        model.fit(other)
    assert {name: id(value) for name, value in vars(model).items()} == before
    assert model.predict(corpus[10:]) == found


def test_an_unknown_operating_point_is_refused(multi: MultiDeidentifier) -> None:
    with pytest.raises(UsageError, match="balanced, high, maximum; got 'highest'"):
        multi.with_recall("highest")
