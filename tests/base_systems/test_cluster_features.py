"""Systems learn from clusters of words, and store them with the model."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.features.cluster_templates import GROUP
from multideid.features.word_clusters import WordClusters, write_clusters
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking import MegaDeidentifier, SingleDeidentifier, load_folder
from multideid.stacking.resources import with_resource
from multideid.taggers.registry import make_system
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

TOWNS = ("brenta", "mavik", "sondel", "wixley")
FAST = {"stanford": {"epochs": 2}, "mist": {"epochs": 2, "min_count": 1}, "lbj": {"epochs": 2}}


def note(number: int, town: str) -> Document:
    text = f"Xqz {town} ykv.\n"
    return Document(f"n{number}", text, (Span(4, 4 + len(town), "LOCATION"),))


NOTES = [note(n, town) for n, town in enumerate(TOWNS[:3] * 2)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write clusters in which the four towns share a class."""
    classes = np.zeros(2, dtype=np.int32)
    fine = np.array([0] * 4 + [1], dtype=np.int32)
    write_clusters(WordClusters((*TOWNS, "ykv"), fine, classes, classes), tmp_path / "clusters")
    return tmp_path / "clusters"


@pytest.mark.parametrize("name", ["stat-deid", "stanford", "mist", "lbj"])
def test_a_system_is_saved_with_its_clusters(name: str, folder: Path, tmp_path: Path) -> None:
    tagger = make_system(name, clusters=str(folder), **FAST.get(name, {}))
    assert isinstance(tagger, FeatureTagger)
    tokens = TokenTable.from_documents(NOTES)
    tagger.fit(tokens, encode_bio(tokens, NOTES, ("LOCATION",)))
    assert GROUP in tagger.extractor_.groups()
    held = TokenTable.from_documents([note(0, TOWNS[3])])
    before = tagger.predict_scores(held)
    (saved := tmp_path / "saved").mkdir()
    tagger.save(saved)
    shutil.rmtree(folder)
    assert type(tagger).load(saved).predict_scores(held).tolist() == before.tolist()


def test_a_model_with_other_clusters_is_refused(folder: Path, tmp_path: Path) -> None:
    tagger = make_system("stat-deid", clusters=str(folder), min_count=1)
    tokens = TokenTable.from_documents(NOTES)
    tagger.fit(tokens, encode_bio(tokens, NOTES, ("LOCATION",)))
    (saved := tmp_path / "saved").mkdir()
    tagger.save(saved)
    classes = np.zeros(2, dtype=np.int32)
    WordClusters(("a", "b"), np.array([0, 1], dtype=np.int32), classes, classes).save(saved)
    with pytest.raises(ModelError, match="was trained with the feature template"):
        type(tagger).load(saved)


@pytest.mark.parametrize("fitted_with", [True, False])
def test_clusters_changed_after_the_fit_are_not_saved(
    fitted_with: bool, folder: Path, tmp_path: Path
) -> None:
    before, after = (str(folder), None) if fitted_with else (None, str(folder))
    tagger = make_system("stat-deid", clusters=before)
    tokens = TokenTable.from_documents(NOTES)
    tagger.fit(tokens, encode_bio(tokens, NOTES, ("LOCATION",)))
    (saved := tmp_path / "saved").mkdir()
    with pytest.raises(UsageError, match="stat-deid: clusters was changed after fit"):
        tagger.set_params(clusters=after).save(saved)
    assert not list(saved.iterdir())


def test_models_predict_without_the_folder(folder: Path, tmp_path: Path) -> None:
    systems = with_resource(["stat-deid", "mimic"], "clusters", folder)
    assert systems == {"stat-deid": {"clusters": str(folder)}, "mimic": {}}
    models = (
        SingleDeidentifier("stat-deid", systems["stat-deid"]),
        MegaDeidentifier({"stat-deid": systems["stat-deid"]}),
    )
    held = [note(0, TOWNS[3])]
    saved = [tmp_path / model.kind for model in models]
    expected = []
    for model, path in zip(models, saved, strict=True):
        model.fit(NOTES).save(path)
        expected.append([d.spans for d in model.predict(held)])
    shutil.rmtree(folder)
    assert [[d.spans for d in load_folder(p).predict(held)] for p in saved] == expected


def test_errors_name_the_rule(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="clusters change nothing: mimic does not take them"):
        with_resource(["mimic"], "clusters", tmp_path)
    with pytest.raises(UsageError, match="make them by multideid clusters"):
        with_resource(["mist"], "clusters", tmp_path)
    with pytest.raises(UsageError, match="clusters must be the path of a folder"):
        make_system("mist", clusters=3)
