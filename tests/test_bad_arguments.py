"""A wrong argument is named, with what it must be and what it was, and nothing is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import multideid
from multideid import DeidOptions, Document, Span
from multideid.arguments import described
from multideid.errors import DocumentError, UsageError
from multideid.models import open_model
from multideid.redact import make_replacer, redact
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    ParallelPredictor,
    SingleDeidentifier,
    VoteDeidentifier,
    load_bytes,
    load_folder,
)

NAN = float("nan")
NOTE = Document("n", "Dr. Ann Lee", (Span(4, 11, "NAME"),))
CORPUS = [Document(str(n), f"Dr. Ann Lee{n}", (Span(4, 11, "NAME"),)) for n in range(4)]
FRAME = pd.DataFrame({"text": ["Dr. Lee"]})
SECRET = "Xqvrtalder was seen at the clinic, and this is far too long for the name of anything"


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    return SingleDeidentifier("majority").fit(CORPUS)


CALLS: dict[str, tuple[Callable[[Any], object], str]] = {
    "predict_batch of a text": (lambda m: m.predict_batch(SECRET), "must be a list of Documents"),
    "predict_batch of texts": (lambda m: m.predict_batch([SECRET]), "element 0 is of type str"),
    "read_batch of texts": (lambda m: m.read_batch([SECRET]), "element 0 is of type str"),
    "scores of a document": (lambda m: m.span_scores(NOTE), "must be a list of Documents"),
    "votes of nothing": (lambda m: m.votes(None), "must be a list of Documents; got None"),
    "spans of texts": (lambda m: m.system_spans([SECRET]), "element 0 is of type str"),
    "mode in a list": (lambda m: m.deidentify("x", ["mask"]), "redaction mode must be a name"),
    "site in a dictionary": (
        lambda m: m.with_site({"deny": 3}),
        "site must be a Site, or the path",
    ),
    "site in a class": (lambda m: m.with_site(Span), "got the class Span"),
    "path of a number": (lambda m: m.save(3), "model folder must be a path"),
    "overwrite in words": (
        lambda m: m.save("x", overwrite="no"),
        "overwrite must be True or False",
    ),
    "predictor": (lambda m: ParallelPredictor(3), "must be a fitted model"),  # type: ignore[arg-type]
    "timeout in words": (lambda m: ParallelPredictor(m, timeout="3"), "must be a positive number"),  # type: ignore[arg-type]
    "groups in a text": (lambda m: _fit_in_groups("abcd"), "groups must be a list with one value"),
    "groups in a number": (lambda m: _fit_in_groups(3), "groups must be a list with one value"),
    "groups in lists": (lambda m: _fit_in_groups([[1]] * 4), "value 0 of groups is a list"),
    "groups in arrays": (
        lambda m: _fit_in_groups([np.array([1])] * 4),
        "value 0 of groups is a ndarray",
    ),
    "groups in tuples of lists": (
        lambda m: _fit_in_groups([(1, [2])] * 4),
        "value 0 of groups is a tuple",
    ),
    "groups that miss": (lambda m: _fit_in_groups(["a", NAN, "a", "b"]), "value 1 of groups is"),
    "groups of None": (lambda m: _fit_in_groups(["a", "a", None, "b"]), "value 2 of groups is"),
}


def _fit_in_groups(groups: Any) -> None:
    MultiDeidentifier(["majority"], folds=2, n_jobs=1).fit(CORPUS, groups=groups)


@pytest.mark.parametrize("case", CALLS)
def test_methods_of_models_say_what_they_take(model: Deidentifier, case: str) -> None:
    call, problem = CALLS[case]
    with pytest.raises(UsageError, match=problem) as raised:
        call(model)
    assert "Xqvrtalder" not in str(raised.value)


FUNCTIONS: dict[str, tuple[Callable[[], object], str]] = {
    "load nothing": (lambda: multideid.load(None), "the model must be the name .*; got None"),  # type: ignore[arg-type]
    "load no name": (lambda: multideid.load(""), "the model must be a path"),
    "load a list": (lambda: multideid.load(["a"]), "the model must be the name"),  # type: ignore[arg-type]
    "load pass_through": (
        lambda: multideid.load("en-default", pass_through="no"),  # type: ignore[arg-type]
        "pass_through must be True or False, or None; got 'no'",
    ),
    "open a class": (lambda: open_model(SingleDeidentifier), "got the class SingleDeidentifier"),  # type: ignore[arg-type]
    "open before fit": (lambda: open_model(SingleDeidentifier("mist")), "is not fitted yet"),
    "load_folder": (lambda: load_folder(3), "model folder must be a path"),  # type: ignore[arg-type]
    "load_bytes": (lambda: load_bytes("abc"), "must be bytes, as to_bytes"),  # type: ignore[arg-type]
    "redact a text": (lambda: redact(SECRET), "must be a Document with spans"),  # type: ignore[arg-type]
    "redact a list": (lambda: redact([NOTE]), "must be a Document with spans"),  # type: ignore[arg-type]
    "key in words": (lambda: make_replacer("surrogate", "key"), "key must be a Key"),  # type: ignore[arg-type]
    "read nothing": (lambda: multideid.read_corpus(None), "the corpus must be a path"),  # type: ignore[arg-type]
    "write texts": (
        lambda: multideid.write_corpus([SECRET], "none.jsonl", "jsonl"),  # type: ignore[list-item]
        "each element of the corpus must be a Document",
    ),
    "write a number": (
        lambda: multideid.write_corpus(3, "none.jsonl", "jsonl"),  # type: ignore[arg-type]
        "the corpus must be a list of Documents",
    ),
    "write to a number": (
        lambda: multideid.write_corpus(CORPUS, 3, "jsonl"),  # type: ignore[arg-type]
        "the corpus to write must be a path",
    ),
    "folder of a number": (
        lambda: multideid.deidentify_folder(3, "x"),
        "the source must be a path",
    ),  # type: ignore[arg-type]
    "folder without a name": (lambda: multideid.deidentify_folder("", "x"), "the source must be a"),
    "folder to nothing": (lambda: multideid.deidentify_folder("x", ""), "out must be a path"),
    "folder by a list": (
        lambda: multideid.deidentify_folder("x", "y", column=["text", 3]),  # type: ignore[list-item]
        "column must be a text",
    ),
    "csv of a frame": (lambda: multideid.deidentify_csv(FRAME, "x"), "the source must be a path"),  # type: ignore[arg-type]
    "parquet of nothing": (lambda: multideid.deidentify_parquet(None, "x"), "the source must be"),  # type: ignore[arg-type]
    "frame without a column": (
        lambda: multideid.deidentify_frame(FRAME, None),  # type: ignore[arg-type]
        "the name of a column is missing",
    ),
}


@pytest.mark.parametrize("case", FUNCTIONS)
def test_functions_say_what_they_take(case: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    call, problem = FUNCTIONS[case]
    with pytest.raises(UsageError, match=problem) as raised:
        call()
    assert "Xqvrtalder" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


OPTIONS = [
    ("model", 3, "the name of a bundled model"),
    ("model", SingleDeidentifier, "got the class"),
    ("recall", 0.9, "recall must be a text, or None"),
    ("site", {"deny": 1}, "site must be a Site"),
    ("mode", None, "mode must be a name"),
    ("mode", ["mask"], "mode must be a name"),
    ("key", b"abc", "key must be a Key"),
    ("patient_field", ["a"], "patient_field must be a text"),
    ("encoding", 3, "encoding must be a text"),
    ("json_paths", "note.text", "json_paths must be a list of texts; got 'note.text'"),
    ("json_paths", [3], "json_paths must be a list of texts; it has 3"),
    ("json_id", 3, "json_id must be a text"),
    *((name, "no", f"{name} must be True or False") for name in (
        "as_text", "language_check", "keep_weekday", "show_phi", "overwrite", "resume",
        "skip_existing", "shared", "isolated", "pass_through",
    )),
    ("vault", 3, "vault must be a path"),
    ("report", ["a"], "report must be a path"),
    ("n_jobs", "2", "n_jobs must be a whole number"),
    ("n_jobs", 0, "n_jobs must be a whole number"),
    ("n_jobs", True, "n_jobs must be a whole number"),
    ("timeout", NAN, "timeout must be a number above 0; got nan"),
    ("timeout", "3", "timeout must be a number above 0; got '3'"),
    ("progress", 3, "progress must be a function"),
    ("on_failure", "x", "on_failure must be a function"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "problem"), OPTIONS)
def test_options_have_types(name: str, value: Any, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        DeidOptions(**{name: value})


MULTI = [
    ("systems", None, "systems must be a list of names, or a mapping"),
    ("systems", NAN, "systems must be a list of names, or a mapping"),
    ("systems", {"majority", "mist"}, "systems must be a list of names, or a mapping"),
    ("folds", "2", "folds must be a whole number, at least 2"),
    ("folds", True, "folds must be a whole number, at least 2"),
    ("folds", NAN, "folds must be a whole number, at least 2"),
    ("recall", "high", "with_recall takes points by name"),
    ("recall", NAN, "recall must lie above 0 and below 1; got nan"),
    ("recall", True, "recall must lie above 0 and below 1; got True"),
    *((name, "no", f"{name} must be True or False; got 'no'") for name in (
        "augmentation", "document_context", "span_choice", "decisions_only", "pass_through",
    )),
    *(("c", value, "c must be a number above 0") for value in (0, -1, NAN, "1", None, True)),
    ("c", float("inf"), "c must be a number above 0"),
    ("seed", True, "seed must be a whole number"),
    ("seed", NAN, "seed must be a whole number"),
    ("n_jobs", True, "n_jobs must be a whole number"),
    ("progress", "x", "progress must be a function"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "problem"), MULTI)
def test_parameters_are_checked_before_anything_is_fitted(
    name: str, value: Any, problem: str
) -> None:
    multi = MultiDeidentifier(["majority"], folds=2, n_jobs=1).set_params(**{name: value})
    with pytest.raises(UsageError, match=problem):
        multi.fit(CORPUS)


@pytest.mark.parametrize(
    ("unfitted", "problem"),
    [
        (MegaDeidentifier(["majority"], c=-1), "c must be a number above 0; got -1"),
        (MegaDeidentifier(["majority"], folds=NAN), "folds must be a whole"),  # type: ignore[arg-type]
        (MegaDeidentifier(["majority"], feature_classes=3), "feature_classes must be"),  # type: ignore[arg-type]
        (MegaDeidentifier(feature_classes={"word"}), "feature_classes must be a list"),  # type: ignore[arg-type]
        (MegaDeidentifier(feature_classes=iter(["word"])), "feature_classes must be"),  # type: ignore[arg-type]
        (VoteDeidentifier(["majority"], rule=["any"]), "rule must be a text"),  # type: ignore[arg-type]
        (SingleDeidentifier(["majority"]), "system must be a text"),  # type: ignore[arg-type]
        (SingleDeidentifier("majority", params="x"), "params must be a mapping"),  # type: ignore[arg-type]
        (SingleDeidentifier("majority", pass_through="no"), "pass_through must be"),  # type: ignore[arg-type]
    ],
)
def test_other_models_check_theirs(unfitted: Deidentifier, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        unfitted.fit(CORPUS)


def test_numbers_and_flags_of_numpy_are_taken() -> None:
    vote = VoteDeidentifier(["majority"], n_jobs=np.int64(1), pass_through=np.bool_(True))  # type: ignore[arg-type]
    assert vote.fit(CORPUS).predict("Dr. Ann Lee1").spans


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Document("n", "ab", [(0, 1, "")]), "span 0-1 has no label"),
        (lambda: Document("n", "ab", meta=3), "its meta is of type int"),
        (lambda: NOTE.with_spans(3), "its spans are of type int"),
        (lambda: NOTE.with_spans([3, (0, 1, "A")]), "its span 0 is of type int"),
    ],
)
def test_documents_say_what_is_wrong(make: Callable[[], object], problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        make()


def test_long_texts_are_not_quoted() -> None:
    assert described(SECRET) == f"a text of {len(SECRET)} characters"
    assert described("Dr.\nLee") == "a text of 7 characters"
    assert described("msk") == "'msk'"


@pytest.mark.parametrize(
    "call",
    [
        lambda: redact("Dr. Lee", "mask"),  # type: ignore[arg-type]
        lambda: make_replacer("surrogate", "Dr. Lee"),  # type: ignore[arg-type]
        lambda: multideid.write_corpus("Dr. Lee", "never-written", "brat"),  # type: ignore[arg-type]
        lambda: multideid.write_corpus(["Dr. Lee"], "never-written", "brat"),  # type: ignore[list-item]
        lambda: SingleDeidentifier("mist").fit([NOTE], groups="Dr. Lee"),
    ],
)
def test_notes_and_keys_in_the_wrong_place_are_not_quoted(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert "Lee" not in str(caught.value)
