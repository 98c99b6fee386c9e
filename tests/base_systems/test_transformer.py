"""Networks of the transformers library are fine-tuned, or used as they are, from local folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs multideid[transformers]")
pytest.importorskip("transformers", reason="needs multideid[transformers]")

torch.set_num_threads(1)  # More threads wait for one another where the cores are shared.

from tiny_network import make_network  # noqa: E402

from multideid.base_systems.transformer import TransformerTagger  # noqa: E402
from multideid.base_systems.transformer.network import Network  # noqa: E402
from multideid.document import Document, Span  # noqa: E402
from multideid.errors import ModelError, UsageError  # noqa: E402
from multideid.stacking import MultiDeidentifier, SingleDeidentifier, load_folder  # noqa: E402
from multideid.testing import check_tagger  # noqa: E402
from multideid.text.bio import TokenLabels, decode_bio, encode_bio  # noqa: E402
from multideid.text.table import TokenTable  # noqa: E402

TEXT = "Seen by Dr. Lee\r\non 3/4 for  B12"
NOTES = [Document(str(n), TEXT, (Span(12, 15, "WHO"), Span(20, 23, "WHEN"))) for n in range(8)]
QUICK: dict[str, Any] = {"epochs": 12, "learning_rate": 0.01, "batch_size": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_network(tmp_path_factory.mktemp("network"))


@pytest.fixture(scope="module")
def fitted(folder: Path) -> TransformerTagger:
    tokens = TokenTable.from_documents(NOTES)
    return TransformerTagger(str(folder), **QUICK).fit(tokens, encode_bio(tokens, NOTES))


@pytest.fixture(scope="module")
def trained(fitted: TransformerTagger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a network with labels of its own that finds something, unlike random weights."""
    folder = tmp_path_factory.mktemp("trained") / "network"
    fitted.network_.save(folder)
    names = [tag.replace("WHO", "PER").replace("WHEN", "TIME") for tag in fitted.labels_]
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config["id2label"] = {str(n): name for n, name in enumerate(names)}
    config["label2id"] = {name: n for n, name in enumerate(names)}
    path.write_text(json.dumps(config))
    return folder


def spans(tagger: TransformerTagger, documents: list[Document]) -> list[tuple[Span, ...]]:
    tokens = TokenTable.from_documents(documents)
    ids = tagger.predict_scores(tokens).argmax(axis=1).astype(np.int32)
    return decode_bio(tokens, TokenLabels(ids, tagger.labels_))


def test_a_network_is_fine_tuned_to_find_exact_spans(fitted: TransformerTagger) -> None:
    assert spans(fitted, NOTES[:1]) == [NOTES[0].spans]


def test_training_is_the_same_for_the_same_seed(folder: Path, fitted: TransformerTagger) -> None:
    tokens = TokenTable.from_documents(NOTES)
    state = torch.random.get_rng_state()
    again = TransformerTagger(str(folder), **QUICK).fit(tokens, encode_bio(tokens, NOTES))
    assert (again.predict_scores(tokens) == fitted.predict_scores(tokens)).all()
    assert (torch.random.get_rng_state() == state).all()


def test_it_keeps_the_contract(folder: Path) -> None:
    check_tagger(TransformerTagger(str(folder), **QUICK), NOTES)


def test_it_keeps_the_contract_as_it_is(trained: Path) -> None:
    check_tagger(TransformerTagger(trained, fine_tune=False), NOTES)


def test_long_notes_are_read_in_windows_and_every_subtoken_once(folder: Path) -> None:
    network = Network.pretrained(folder)
    text = "Seen by Dr. Lee on 3/4. " * 40
    _, bounds = network.scores(text, 512, 128)
    windows = network.windows(text, 512, 128)
    network.tokenizer.no_truncation()
    whole = network.tokenizer.encode(text, add_special_tokens=False).offsets
    assert bounds.tolist() == [list(pair) for pair in whole]
    assert len(windows) > 10
    assert max(len(window.ids) for window in windows) == 63


def test_spans_far_into_a_long_note_are_exact(fitted: TransformerTagger) -> None:
    tokens = TokenTable.from_documents([Document("long", (TEXT + "\n") * 30)])
    near = TokenTable.from_documents(NOTES[:1])
    long, short = fitted.predict_scores(tokens), fitted.predict_scores(near)
    assert len(long) == 30 * (len(short) + 1)
    assert np.isfinite(long).all()
    assert (long.argmax(axis=1) > 0).sum() > 60


def test_as_it_is_its_labels_are_mapped_to_those_of_the_corpus(trained: Path) -> None:
    tagger = TransformerTagger(trained, fine_tune=False)
    tokens = TokenTable.from_documents(NOTES)
    tagger.fit(tokens, encode_bio(tokens, NOTES))
    assert tagger.mapping_.pairs == {"PER": "WHO", "TIME": "WHEN"}
    assert spans(tagger, NOTES) == [note.spans for note in NOTES]


def test_a_saved_model_needs_neither_the_folder_nor_pickle(tmp_path: Path) -> None:
    make_network(tmp_path / "n")
    made = SingleDeidentifier("transformer", {"model": tmp_path / "n", **QUICK}).fit(NOTES)
    made.save(tmp_path / "model")
    (tmp_path / "n").rename(tmp_path / "away")
    files = sorted(p.name for p in (tmp_path / "model").rglob("network/*"))
    assert files == ["config.json", "model.safetensors", "tokenizer.json"]
    assert load_folder(tmp_path / "model").predict(NOTES) == made.predict(NOTES)
    weights = next((tmp_path / "model").rglob("model.safetensors"))
    content = bytearray(weights.read_bytes())
    content[-3] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.safetensors"):
        load_folder(tmp_path / "model").predict(NOTES)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_damaged_file_is_refused(fitted: TransformerTagger, tmp_path: Path, name: str) -> None:
    fitted.save(tmp_path)
    (tmp_path / "network" / name).write_bytes(b"{}")
    with pytest.raises(ModelError):
        TransformerTagger.load(tmp_path)


def test_it_is_a_member_of_multi_by_name(folder: Path) -> None:
    systems = {"mimic": {}, "transformer": {"model": str(folder), **QUICK}}
    model = MultiDeidentifier(systems, folds=2, n_jobs=1, augmentation=False)
    assert model.fit(NOTES).predict(NOTES[:1])[0].spans == NOTES[0].spans


def test_what_cannot_be_read_safely_is_refused(folder: Path, tmp_path: Path) -> None:
    def refused(place: str | None, problem: str, **params: Any) -> None:
        tokens = TokenTable.from_documents(NOTES)
        with pytest.raises(UsageError, match=problem):
            TransformerTagger(place, **params).fit(tokens, encode_bio(tokens, NOTES))

    refused(None, "needs the parameter model")
    refused("bert-base-cased", "no folder bert-base-cased.*never downloaded")
    refused(str(folder), "stride must be at most a quarter", max_length=64, stride=17)
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    (pickled / "config.json").write_bytes((folder / "config.json").read_bytes())
    (pickled / "pytorch_model.bin").write_bytes(b"")
    refused(str(pickled), "no model.safetensors; pickled weights are not read")
    (pickled / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    refused(str(pickled), "has no tokenizer.json")
    (pickled / "tokenizer.json").write_bytes(b"{}")
    refused(str(pickled), "the network cannot be read")
