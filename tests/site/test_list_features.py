"""Lists and patterns of a site are features of systems, and are stored with their models."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.learners.feature_tagger import FeatureTagger
from multideid.site import Pattern, Site
from multideid.site.list_features import GROUP, SiteLists, list_templates, read_lists
from multideid.stacking import MegaDeidentifier, SingleDeidentifier, load_folder
from multideid.stacking.resources import with_resource
from multideid.taggers.registry import make_system
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

TOML = """
[deny.LOCATION]
entries = ["brenta", "mavik*", "nova sondel", "wixley"]
[deny.DOCTOR]
entries = ["/Dr [A-Z][.]/"]
[allow]
entries = ["ward brenta"]
[[patterns]]
name = "badge"
label = "ID"
regex = "X[0-9]+"
context = ["badge"]
"""
TOWNS = ("brenta", "mavikton", "nova sondel", "wixley")
FAST = {"stanford": {"epochs": 2}, "mist": {"epochs": 2, "min_count": 1}, "lbj": {"epochs": 2}}


def note(number: int, town: str) -> Document:
    text = f"Xqz {town} ykv.\n"
    return Document(f"n{number}", text, (Span(4, 4 + len(town), "LOCATION"),))


NOTES = [note(n, town) for n, town in enumerate(TOWNS[:3] * 2)]


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    path = tmp_path / "site.toml"
    path.write_text(TOML)
    return path


def said(lists: SiteLists, *texts: str) -> list[tuple[str, str]]:
    """Return the tokens of which something is said, with what it is."""
    tokens = TokenTable.from_texts(list(texts))
    column = lists.column(tokens)
    words = [tokens.vocabulary[t] for t in tokens.type]
    values = [column.names[code] for code in column.codes]
    return [(word, value) for word, value in zip(words, values, strict=True) if value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no entry", []),
        ("", []),
        ("to BRENTA", [("BRENTA", "B-LOCATION")]),
        ("Nova\nSondel", [("Nova", "B-LOCATION"), ("\n", "I-LOCATION"), ("Sondel", "I-LOCATION")]),
        ("in maviksund", [("maviksund", "B-LOCATION")]),
        ("by Dr P. now", [("Dr", "B-DOCTOR"), ("P", "I-DOCTOR"), (".", "I-DOCTOR")]),
        ("ward Brenta", [("ward", "B-allowed"), ("Brenta", "B-LOCATION+I-allowed")]),
        ("badge: X12", [("X", "B-ID"), ("12", "I-ID")]),
        ("room X12", []),
    ],
)
def test_what_lists_say_of_tokens(text: str, expected, toml: Path) -> None:
    found = said(read_lists(toml), text)
    joined = [(word, value) for word, value in found if word.strip()]
    assert joined == [(word, value) for word, value in expected if word.strip()]


def test_the_same_is_said_in_a_batch(toml: Path) -> None:
    lists = read_lists(toml)
    texts = ["to brenta", "", "nova", "sondel and wixley"]
    assert said(lists, *texts) == [each for text in texts for each in said(lists, text)]


@pytest.mark.parametrize("name", ["stat-deid", "stanford", "mist", "lbj"])
def test_a_system_learns_from_lists_and_is_saved_with_them(
    name: str, toml: Path, tmp_path: Path
) -> None:
    tagger = make_system(name, lists=str(toml), **FAST.get(name, {}))
    assert isinstance(tagger, FeatureTagger)
    tokens = TokenTable.from_documents(NOTES)
    tagger.fit(tokens, encode_bio(tokens, NOTES, ("LOCATION",)))
    assert GROUP in tagger.extractor_.groups()
    # It was never seen: only the list says what it is.
    held = TokenTable.from_documents([note(0, TOWNS[3])])
    before = tagger.predict_scores(held)
    assert before.argmax(axis=1)[1] == 1
    (saved := tmp_path / "saved").mkdir()
    tagger.save(saved)
    toml.unlink()
    assert type(tagger).load(saved).predict_scores(held).tolist() == before.tolist()


def test_models_predict_without_the_file(toml: Path, tmp_path: Path) -> None:
    systems = with_resource(["stat-deid", "mimic"], "lists", toml)
    assert systems == {"stat-deid": {"lists": str(toml)}, "mimic": {}}
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
    assert expected == [[held[0].spans]] * 2
    toml.unlink()
    assert [[d.spans for d in load_folder(p).predict(held)] for p in saved] == expected


def test_lists_come_back_as_they_were(toml: Path, tmp_path: Path) -> None:
    lists = read_lists(toml)
    lists.save(tmp_path)
    loaded = SiteLists.load(tmp_path)
    assert loaded == lists
    assert pickle.loads(pickle.dumps(lists)) == lists
    assert list_templates(loaded) == list_templates(lists)
    assert said(loaded, "to brenta, badge X1") == said(lists, "to brenta, badge X1")
    assert loaded != SiteLists(Site(allow=["ward brenta"]))


def test_neither_entries_nor_patterns_are_shown() -> None:
    lists = SiteLists(Site(deny={"DOCTOR": ["Zwick"]}, patterns=[Pattern("w", "ID", "Zwick")]))
    assert repr(lists) == "SiteLists(1 entries, 1 patterns)"


@pytest.mark.parametrize(
    "change",
    [
        {"deny": {"DOCTOR": ["/(Zwick/"]}},
        {"deny": {"DOCTOR": ["Zwick", 3]}},
        {"deny": ["Zwick"]},
        {"allow": ["!"]},
        {"patterns": [{"name": "a", "label": "ID", "regex": "(Zwick"}]},
        {"patterns": [{"name": "a", "label": "ID", "regex": "Zwick", "Zwick": 1}]},
    ],
)
def test_a_damaged_file_of_lists_is_refused_without_its_words(
    change, toml: Path, tmp_path: Path
) -> None:
    read_lists(toml).save(tmp_path)
    path = tmp_path / "site-lists.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ModelError) as caught:
        SiteLists.load(tmp_path)
    assert "Zwick" not in str(caught.value)


def test_a_file_that_cannot_be_learned_from_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    with pytest.raises(UsageError, match=r"lists: .*site\.toml"):
        read_lists(path)
    path.write_text('recall = "high"\n')
    with pytest.raises(UsageError, match="has no list and no pattern to learn with"):
        read_lists(path)
    path.write_text('[deny.DOCTOR]\nentries = ["Zwick", "!"]\n')
    with pytest.raises(UsageError, match="line 2") as caught:
        read_lists(path)
    assert "Zwick" not in str(caught.value)
    with pytest.raises(UsageError, match="lists change nothing: mimic does not take them"):
        with_resource(["mimic"], "lists", path)
