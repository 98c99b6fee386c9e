"""Unusual corpora, texts and paths are processed or refused, without any loss."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_folder,
)
from multideid.taggers.registry import BUILT_IN

CHEAP = ("mimic", "stat-deid")
ONE = Document("one", "Dr. Smith came.", (Span(4, 9, "DOCTOR"),))
BLANK = [Document("empty", ""), Document("blank", " \n\t ")]


@pytest.fixture(scope="module")
def single() -> SingleDeidentifier:
    return SingleDeidentifier("stat-deid").fit(sample_corpus(6, seed=9))


# Trees need more examples in a leaf, Presidio's patterns find no names, and spaCy's network
# learns nothing from a few passes over one line.
NOT_ENOUGH = {"presidio", "spacy", "szarvas", "tree"}
# It needs a folder with a pretrained network.
SYSTEMS = BUILT_IN.keys() - {"transformer"}


@pytest.mark.parametrize("system", sorted(SYSTEMS - NOT_ENOUGH))
def test_one_document_is_enough_for_a_single_system(system: str) -> None:
    assert SingleDeidentifier(system).fit([ONE]).spans(ONE.text) == ONE.spans


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_fold_may_have_no_tokens(system: str) -> None:
    model = MultiDeidentifier([system], folds=3, n_jobs=1).fit([ONE, *BLANK])
    found = model.predict([ONE, *BLANK])
    assert [d.id for d in found] == ["one", "empty", "blank"]
    assert found[1].spans == found[2].spans == ()


@pytest.mark.parametrize(
    "model",
    [SingleDeidentifier("mist"), MegaDeidentifier(CHEAP), VoteDeidentifier(CHEAP, n_jobs=1)],
    ids=lambda model: model.kind,
)
def test_a_corpus_with_spans_of_white_space_only_is_refused(model: Deidentifier) -> None:
    spaces = Document("spaces", "a   b", (Span(1, 2, "ID"),))
    with pytest.raises(UsageError, match="no token to learn from"):
        model.fit([spaces, *BLANK])
    with pytest.raises(NotFittedError, match="call fit first"):
        model.spans("x")


def test_a_span_of_white_space_has_no_effect() -> None:
    spaces = Document("spaces", "a   b", (Span(2, 3, "GAP"),))
    model = SingleDeidentifier("stat-deid").fit([ONE, spaces])
    assert model.labels_ == ("DOCTOR", "GAP")
    assert model.spans(ONE.text) == ONE.spans


def test_a_refused_corpus_does_not_change_a_fitted_model() -> None:
    model = MultiDeidentifier(CHEAP, folds=2, n_jobs=1).fit(sample_corpus(4))
    text = sample_corpus(5)[4].text
    before = model.spans(text)
    with pytest.raises(UsageError, match="folds=2 needs at least 2 documents"):
        model.fit([ONE])
    assert model.spans(text) == before


@pytest.mark.parametrize("seed", [-1, 2**32, 0.5, "x"])
@pytest.mark.parametrize("kind", [MultiDeidentifier, MegaDeidentifier])
def test_an_invalid_seed_is_refused(
    kind: type[MultiDeidentifier | MegaDeidentifier], seed: object
) -> None:
    with pytest.raises(UsageError, match="seed must be a whole number"):
        kind(CHEAP, seed=seed).fit(sample_corpus(6))  # type: ignore[arg-type]


@pytest.mark.parametrize("recall", [0, -0.1, 1, 1.5, float("nan")])
def test_an_impossible_recall_is_refused(recall: float) -> None:
    with pytest.raises(UsageError, match="recall must lie above 0 and below 1"):
        MultiDeidentifier(CHEAP, recall=recall).fit(sample_corpus(6))


@pytest.mark.parametrize("wrong", [[None], ["mimic", 3]])
def test_systems_that_are_not_names_are_refused(wrong: list[str]) -> None:
    with pytest.raises(UsageError, match="must be a list of names"):
        VoteDeidentifier(wrong).fit([ONE])


def test_an_unknown_system_is_refused_with_the_available_ones() -> None:
    with pytest.raises(UsageError, match=r"no system 'mimik'; did you mean 'mimic'.*stat-deid"):
        SingleDeidentifier("mimik").fit([ONE])


def test_an_unknown_parameter_is_refused_with_the_available_ones() -> None:
    with pytest.raises(UsageError, match=r"no parameter 'size'; it has: epochs, learning_rate"):
        SingleDeidentifier("mist", {"size": 1}).fit([ONE])


def test_parameters_reach_the_system_and_are_saved(tmp_path: Path) -> None:
    model = SingleDeidentifier("stat-deid", {"c": 0.5}).fit([ONE])
    model.save(tmp_path / "model")
    loaded = load_folder(tmp_path / "model")
    assert loaded.taggers_["stat-deid"].get_params()["c"] == 0.5
    params = {"system": "stat-deid", "params": {"c": 0.5}, "pass_through": True}
    assert loaded.get_params(deep=False) == params


def test_saving_does_not_overwrite_other_files(single: SingleDeidentifier, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "model"):
        with pytest.raises(UsageError, match="file"):
            single.save(place)
    with pytest.raises(UsageError, match="is not a multideid model"):
        single.save(tmp_path / "file", overwrite=True)
    assert (tmp_path / "file").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a multideid model"):
        load_folder(tmp_path)
    with pytest.raises(ModelError, match="no such model folder"):
        load_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("file", ["svm.npz", "tagger.json"])
def test_a_missing_file_of_a_system_is_named(
    single: SingleDeidentifier, file: str, tmp_path: Path
) -> None:
    single.save(tmp_path / "model")
    (path,) = (p for p in (tmp_path / "model").rglob("*") if p.name == file)
    path.unlink()
    with pytest.raises(ModelError, match=rf"{file}.*missing"):
        load_folder(tmp_path / "model")


def test_saving_twice_gives_the_same_bytes(single: SingleDeidentifier, tmp_path: Path) -> None:
    contents = []
    for name in ("first", "second"):
        single.save(tmp_path / name)
        files = sorted(p for p in (tmp_path / name).rglob("*") if p.is_file())
        contents.append([(p.relative_to(tmp_path / name), p.read_bytes()) for p in files])
    assert contents[0] == contents[1]


@given(
    text=st.text(max_size=60) | st.text("Dr. SmithLe\r\n\t12/-\u0301\u2028\U0001f600", max_size=60)
)
def test_spans_of_any_text_are_inside_it_in_order_and_trimmed(
    single: SingleDeidentifier, text: str
) -> None:
    spans = single.spans(text)
    for before, after in pairwise(spans):
        assert before.end <= after.start
    for span in spans:
        covered = text[span.start : span.end]
        assert covered
        assert covered == covered.strip()
