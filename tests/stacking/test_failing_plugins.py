"""A plug-in that fails is named with the type and the place, and never with its message."""

from __future__ import annotations

import pickle
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from multideid.arrays import FloatArray
from multideid.document import Document
from multideid.errors import CorpusError, ModelError, UsageError
from multideid.persistence.files import load_arrays
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_bytes,
    load_folder,
)
from multideid.taggers import registry
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

SECRET = "Martha Alder"
KINDS = ["single", "vote", "mega", "multi"]


class Frail(BaseTagger):
    """Finds nothing; fails where a test wants it."""

    name = "frail"
    summary = "For tests."
    at_save: Callable[[], None] = staticmethod(lambda: None)
    at_load: Callable[[Path], None] = staticmethod(lambda folder: None)

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = np.zeros((len(tokens), len(self.labels_)), dtype=np.float32)
        scores[:, 0] = 1
        return scores

    def save(self, folder: Path) -> None:
        self.at_save()
        (folder / "tags").write_text("\n".join(self.labels_))

    @classmethod
    def load(cls, folder: Path) -> Self:
        cls.at_load(folder)
        tagger = cls()
        tagger.labels_ = tuple((folder / "tags").read_text().split("\n"))
        return tagger


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    registry.register(Frail)
    yield
    registry._SESSION.pop("frail")


@pytest.fixture(scope="module", params=KINDS)
def model(request: pytest.FixtureRequest, corpus: list[Document]) -> Deidentifier:
    kinds = {
        "single": SingleDeidentifier("frail"),
        "vote": VoteDeidentifier(["frail", "mimic"], n_jobs=1),
        "mega": MegaDeidentifier(["frail", "mist"], n_jobs=1),
        "multi": MultiDeidentifier(["frail", "mimic"], folds=2, augmentation=False, n_jobs=1),
    }
    made: Deidentifier = kinds[request.param]
    return made.fit(corpus)


def raising(error: BaseException) -> Callable[..., None]:
    def fail(*given: object) -> None:
        raise error

    return fail


WAYS: dict[str, Callable[[Deidentifier, Path], Any]] = {
    "folder": lambda model, folder: load_folder(folder),
    "bytes": lambda model, folder: load_bytes(model.to_bytes()),
    "pickle": lambda model, folder: pickle.loads(pickle.dumps(model)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "error",
    [
        ZeroDivisionError(SECRET),
        KeyError(SECRET),
        UsageError(SECRET),
        ModelError(SECRET, SECRET),
        CorpusError(SECRET, SECRET),
        OSError(SECRET),
        SystemExit(SECRET),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_plug_in_that_fails_to_load_is_named_without_its_message(
    model: Deidentifier,
    way: str,
    error: BaseException,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model.save(tmp_path / "model")
    monkeypatch.setattr(Frail, "at_load", staticmethod(raising(error)))
    with pytest.raises(ModelError) as caught:
        WAYS[way](model, tmp_path / "model")
    message = str(caught.value)
    place = f"{type(error).__name__} at {Path(__file__).name}, line [0-9]+"
    assert re.search(rf"model: plug-in 'frail' failed with {place}, when it was loaded; ", message)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_file_of_a_plug_in_that_is_missing_is_named(
    model: Deidentifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.save(tmp_path / "model")
    wants = staticmethod(lambda folder: load_arrays(folder, "weights", {}))
    monkeypatch.setattr(Frail, "at_load", wants)
    with pytest.raises(ModelError) as caught:
        load_folder(tmp_path / "model")
    assert "weights" in str(caught.value)


def test_a_plug_in_that_fails_to_save_is_named_and_nothing_is_left(
    model: Deidentifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Frail, "at_save", staticmethod(raising(KeyError(SECRET))))
    with pytest.raises(
        UsageError, match=r"system 'frail': failed with KeyError at .*line"
    ) as caught:
        model.save(tmp_path / "model")
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert list(tmp_path.iterdir()) == []
