"""spaCy's recognizer is trained over our tokens, and an installed pipeline is taken as it is."""

from __future__ import annotations

import random
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
import srsly
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from multideid.base_systems.spacy_ner import SpacyTagger
from multideid.base_systems.spacy_ner.entities import entity_tags, piece_bounds, set_entities
from multideid.base_systems.spacy_ner.tagger import _default_epochs, _load
from multideid.document import Document, Span
from multideid.errors import DocumentError, ModelError, UsageError
from multideid.persistence import save_json
from multideid.taggers.registry import load_system
from multideid.text.bio import TokenLabels, decode_bio, encode_bio
from multideid.text.table import TokenTable

NAMES = ("O", "B-X", "I-X", "B-Y", "I-Y")
VOCAB = spacy.blank("xx").vocab
NOTES = [Document("a", "Seen by Dr. Lee\non 3/4", (Span(12, 15, "WHO"), Span(19, 22, "WHEN")))] * 3


def fitted(**params: Any) -> tuple[SpacyTagger, TokenTable]:
    tokens = TokenTable.from_documents(NOTES)
    tagger = SpacyTagger(**{"epochs": 60, "width": 16, "depth": 1} | params)
    return tagger.fit(tokens, encode_bio(tokens, NOTES)), tokens


def spans(tagger: SpacyTagger, tokens: TokenTable) -> list[tuple[Span, ...]]:
    ids = tagger.predict_scores(tokens).argmax(axis=1).astype(np.int32)
    return decode_bio(tokens, TokenLabels(ids, tagger.labels_))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> str:
    """A pipeline that calls names PER, which spaCy lists as installed."""
    pipeline = spacy.blank("en")
    ruler: Any = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PER", "pattern": "Lee"}, {"label": "ORG", "pattern": "by"}])
    monkeypatch.setattr(spacy.util, "get_installed_models", lambda: ["en_made_up"])
    monkeypatch.setattr(spacy, "load", lambda _: pipeline)
    _load.cache_clear()
    return "en_made_up"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 4), max_size=12))
def test_entities_spell_out_the_spans_of_the_tags(ids: list[int]) -> None:
    doc = Doc(VOCAB, words=["w"] * len(ids))
    tokens = TokenTable.from_texts([" ".join(["w"] * len(ids))])
    tags = np.array(ids, dtype=np.int32)
    set_entities(doc, tags, NAMES)
    back = TokenLabels(entity_tags(doc, NAMES), NAMES)
    assert decode_bio(tokens, back) == decode_bio(tokens, TokenLabels(tags, NAMES))


def test_entities_neither_begin_nor_end_with_white_space() -> None:
    doc = Doc(VOCAB, words=["a", "\n", "b", "\n", "c", "\n"])
    set_entities(doc, np.array([1, 2, 2, 2, 0, 3], dtype=np.int32), NAMES)
    assert [(e.start, e.end, e.label_) for e in doc.ents] == [(0, 3, "X")]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text("ab \n", max_size=20), max_size=4), st.integers(1, 6))
def test_pieces_are_short_and_hold_every_token_once(texts: list[str], most: int) -> None:
    tokens = TokenTable.from_texts(texts)
    bounds = piece_bounds(tokens, most)
    sizes = np.diff(bounds)
    assert bounds[0] == 0
    assert bounds[-1] == len(tokens)
    assert ((sizes > 0) & (sizes <= most)).all()
    assert set(tokens.first.tolist()) <= set(bounds.tolist())


def test_a_long_note_is_cut_where_a_line_begins() -> None:
    tokens = TokenTable.from_texts(["a b c\nd e\nf g h i j k"])
    assert piece_bounds(tokens, 5).tolist() == [0, 4, 7, 12, 13]


def test_learned_entities_are_found_at_their_offsets() -> None:
    tagger, tokens = fitted()
    assert spans(tagger, tokens) == [note.spans for note in NOTES]


@pytest.mark.parametrize(("n_tokens", "epochs"), [(0, 10), (90_000, 10), (180_000, 5), (10**7, 3)])
def test_a_small_corpus_is_read_oftener(n_tokens: int, epochs: int) -> None:
    assert _default_epochs(n_tokens) == epochs


def test_chance_is_left_to_others_as_it_was() -> None:
    random.seed(5)
    np.random.seed(5)
    expected = random.Random(5).random(), np.random.RandomState(5).rand()
    fitted(epochs=1)
    assert (random.random(), np.random.rand()) == expected


def test_it_is_kept_as_json_and_message_pack(tmp_path: Path) -> None:
    fitted(epochs=1)[0].save(tmp_path)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*"))
    assert files == ["spacy.json"]
    assert sorted(p.name for p in (tmp_path / "recognizer").iterdir()) == ["cfg", "model", "moves"]


def test_it_is_saved_with_the_same_bytes_whatever_it_was_used_for(tmp_path: Path) -> None:
    tagger, tokens = fitted(epochs=1)

    def saved(tagger: SpacyTagger, name: str) -> dict[Path, bytes]:
        folder = tmp_path / name
        folder.mkdir()
        tagger.save(folder)
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder): path.read_bytes() for path in files}

    first = saved(tagger, "fitted")
    loaded = SpacyTagger.load(tmp_path / "fitted")
    assert saved(loaded, "loaded") == first
    for used in (tagger, loaded):
        used.predict_scores(tokens)
    assert saved(tagger, "after predicting") == first
    assert saved(loaded, "loaded, after predicting") == first


@pytest.mark.parametrize("name", ["cfg", "model", "moves"])
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    fitted(epochs=1)[0].save(tmp_path)
    (tmp_path / "recognizer" / name).write_bytes(b"\x80\x04damaged")
    with pytest.raises(ModelError, match="recognizer: is missing or damaged"):
        SpacyTagger.load(tmp_path)


@pytest.mark.parametrize(
    ("pipeline", "other"),
    [("en_made_up", {"labels": NAMES}), (None, {"mapping": {"pairs": {}, "labels": NAMES}})],
)
def test_a_file_without_the_pipelines_requirements_is_refused(
    tmp_path: Path, pipeline: str | None, other: dict[str, Any]
) -> None:
    save_json(tmp_path, "spacy", {"params": SpacyTagger(pipeline).get_params(), **other})
    with pytest.raises(ModelError, match="does not hold a model of system 'spacy'"):
        SpacyTagger.load(tmp_path)


def test_a_fitted_one_comes_back_from_another_process() -> None:
    import cloudpickle

    tagger, tokens = fitted(epochs=2)
    again = cloudpickle.loads(cloudpickle.dumps(tagger))
    np.testing.assert_array_equal(again.predict_scores(tokens), tagger.predict_scores(tokens))


def test_an_installed_pipeline_reads_the_text_and_learns_only_names(
    installed: str, tmp_path: Path
) -> None:
    tagger, tokens = fitted(pipeline=installed)
    assert tagger.mapping_.pairs == {"PER": "WHO"}
    assert spans(tagger, tokens) == [note.spans[:1] for note in NOTES]
    tagger.save(tmp_path)
    assert spans(SpacyTagger.load(tmp_path), tokens) == spans(tagger, tokens)


def test_a_failure_names_the_document_and_none_of_its_text(
    installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str) -> None:
        raise ValueError(f"cannot read {text}")

    monkeypatch.setattr(spacy, "load", lambda _: fail)
    with pytest.raises(DocumentError, match=r"'a'.*ValueError") as caught:
        fitted(pipeline=installed)
    assert "Lee" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", ["en_absent_lg", "numpy", "."])
def test_a_pipeline_that_is_not_installed_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"is not installed \(installed: .*spacy download"):
        fitted(pipeline=name)


def test_a_language_that_spacy_lacks_is_refused() -> None:
    with pytest.raises(UsageError, match="no language 'qq'"):
        fitted(language="qq")


def test_without_spacy_the_error_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"pip install 'multideid\[spacy\]'"):
        load_system("spacy")


def _saved(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    fitted(epochs=1)[0].save(tmp_path)
    path = tmp_path / "recognizer" / "model"
    return path, srsly.msgpack_loads(path.read_bytes())


def _change_shape(saved: dict[str, Any]) -> None:
    part = next(p for p in saved["params"] if "W" in p)
    part["W"] = np.ascontiguousarray(part["W"][:1])


def _change_value(saved: dict[str, Any]) -> None:
    part = next(p for p in saved["params"] if "W" in p)
    part["W"] = np.full_like(part["W"], np.nan)


def _change_attribute(saved: dict[str, Any]) -> None:
    part = next(p for p in saved["attrs"] if "column" in p)
    part["column"] = srsly.msgpack_dumps(10**6)


def _change_reference(saved: dict[str, Any]) -> None:
    refs = next(n["refs"] for n in saved["nodes"] if n["refs"])
    refs[next(iter(refs))] = 0


def _change_size(saved: dict[str, Any]) -> None:
    dims = next(n["dims"] for n in saved["nodes"] if n["dims"])
    dims[next(iter(dims))] = 10**6


@pytest.mark.parametrize(
    "change", [_change_shape, _change_value, _change_attribute, _change_reference, _change_size]
)
def test_a_network_of_another_form_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    path, saved = _saved(tmp_path)
    SpacyTagger.load(tmp_path)
    change(saved)
    path.write_bytes(srsly.msgpack_dumps(saved))
    with pytest.raises(ModelError, match="recognizer: is missing or damaged"):
        SpacyTagger.load(tmp_path)
