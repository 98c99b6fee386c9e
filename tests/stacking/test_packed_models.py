"""Models as bytes and in pickles of other libraries, without pickled arrays."""

from __future__ import annotations

import io
import pickle
import pickletools
import subprocess
import sys
import zipfile
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import cloudpickle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import ModelError
from multideid.persistence import packing
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_bytes,
)
from multideid.taggers import registry
from multideid.taggers.registry import register

CHEAP = ["mimic", "stat-deid"]
UNFITTED = [
    MultiDeidentifier(CHEAP, folds=2, n_jobs=1),
    MegaDeidentifier(CHEAP),
    VoteDeidentifier(CHEAP, n_jobs=1),
    SingleDeidentifier("stanford", {"epochs": 2}),
]


@pytest.fixture(scope="module", params=UNFITTED, ids=lambda model: model.kind)
def fitted(request: pytest.FixtureRequest) -> Deidentifier:
    model: Deidentifier = deepcopy(request.param)
    return model.fit(sample_corpus(6))


@pytest.fixture(scope="module")
def packed() -> bytes:
    return SingleDeidentifier("stat-deid").fit(sample_corpus(4)).to_bytes()


def found(model: Deidentifier) -> list[Document]:
    return model.predict(sample_corpus(9)[6:])


def test_a_pickled_model_predicts_the_same(fitted: Deidentifier) -> None:
    for pickles in (pickle, cloudpickle):
        again = pickles.loads(pickles.dumps(fitted))
        assert found(again) == found(fitted)
        assert again.get_params() == fitted.get_params()
        assert again.corpus_ == fitted.corpus_


def test_bytes_of_a_model_are_those_of_its_folder(fitted: Deidentifier, tmp_path: Path) -> None:
    data = fitted.to_bytes()
    assert data == fitted.to_bytes()
    assert found(load_bytes(data)) == found(fitted)
    fitted.save(tmp_path / "m")
    files = {p.relative_to(tmp_path / "m").as_posix() for p in (tmp_path / "m").rglob("*.*")}
    assert set(zipfile.ZipFile(io.BytesIO(data)).namelist()) == files


def test_a_pickle_holds_bytes_and_names_only(fitted: Deidentifier) -> None:
    """No array is pickled: nothing but the class and the loading function is named."""
    operations = list(pickletools.genops(pickle.dumps(fitted, protocol=2)))
    named = {str(argument) for code, argument, _ in operations if code.name == "GLOBAL"}
    module = type(fitted).__module__
    assert named <= {
        f"{module} {type(fitted).__name__}",
        "multideid.stacking.stored_model _unpickled",
        "_codecs encode",
    }


def test_an_unfitted_model_keeps_its_parameters() -> None:
    for model in UNFITTED:
        again = pickle.loads(pickle.dumps(model))
        assert again.get_params() == model.get_params()
        assert not hasattr(again, "labels_")


def test_thresholds_and_number_of_processes_survive() -> None:
    model = MultiDeidentifier(CHEAP, folds=2, n_jobs=1).fit(sample_corpus(6)).with_recall("maximum")
    again = pickle.loads(pickle.dumps(model))
    assert again.n_jobs == 1
    assert again.offsets_.tolist() == model.offsets_.tolist()


def test_progress_is_not_pickled_with_a_fitted_model() -> None:
    model = VoteDeidentifier(["mimic"], n_jobs=1, progress=lambda *_: None)
    again = pickle.loads(pickle.dumps(model.fit(sample_corpus(2))))
    assert again.progress is None
    assert again.n_jobs == 1


def test_a_shallow_copy_shares_what_was_learned(fitted: Deidentifier) -> None:
    again = copy(fitted)
    assert again.taggers_ is fitted.taggers_
    assert found(again) == found(fitted)


def test_plug_ins_of_the_session_go_with_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_SESSION", {})

    class Gate:
        name, summary = "gate", "Gates."

        def tag(self, document: Document) -> list[Span]:
            return [Span(0, 4, "ID")] if document.text.startswith("Gate") else []

    register(Gate)
    note = Document("g", "Gate 7", (Span(0, 4, "ID"),))
    data = cloudpickle.dumps(SingleDeidentifier("gate").fit([note]))
    monkeypatch.setattr(registry, "_SESSION", {})
    assert pickle.loads(data).predict([note]) == [note]
    assert list(registry._SESSION) == ["gate"]


@pytest.mark.end_to_end
def test_another_interpreter_loads_the_pickle(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "model").write_bytes(pickle.dumps(load_bytes(packed)))
    code = "import pickle; print(pickle.load(open('model', 'rb')).deidentify('Seen on 3/14/2007'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Seen on [DATE]")


def test_nothing_is_left_in_temporary_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bytes
) -> None:
    monkeypatch.setattr(packing, "_MEMORY", tmp_path / "none")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    model = load_bytes(packed)
    pickle.loads(pickle.dumps(model))
    assert list(tmp_path.iterdir()) == []
    with packing.private_folder() as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o077 == 0


def _archive(members: dict[str, bytes], kind: int = zipfile.ZIP_STORED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", kind) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"not a model", _archive({"a": b"0" * 9_000_000}, zipfile.ZIP_DEFLATED)],
    ids=["empty", "foreign", "compressed bomb"],
)
def test_foreign_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ModelError, match="packed model: is damaged, or not a packed model"):
        load_bytes(data)


def test_names_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        load_bytes(_archive({"../../evil.txt": b"x", "/evil.txt": b"x"}))
    assert not Path("/evil.txt").exists()


@given(data=st.data())
def test_a_changed_byte_never_loads_as_another_model(packed: bytes, data: Any) -> None:
    place = data.draw(st.integers(0, len(packed) - 1))
    changed = bytearray(packed)
    changed[place] ^= data.draw(st.integers(1, 255))
    try:
        model = load_bytes(bytes(changed))
    except ModelError:
        return
    # Some bytes of an archive mean nothing, such as the version that wrote it.
    assert model.to_bytes() == packed
