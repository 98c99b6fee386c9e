"""The checks: each raises `FaultError` with the fault and how to correct it."""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np

from multideid.arrays import FloatArray
from multideid.taggers.conformance.subject import Subject
from multideid.taggers.span_adapter import SpanTaggerAdapter
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_TOLERANCE = 1e-4
_ABSENT_LABEL = "ZZ-ABSENT"
_PICKLE_SUFFIXES = (".pkl", ".pickle", ".joblib", ".dill")
_PICKLE_PROTOCOLS = tuple(bytes((0x80, protocol)) for protocol in range(2, 6))
_UNSEEN = [
    "Xqzzy wuvvle 777 ¿Señor Ñandú?\r\n\tGlorb: 3%",
    "\U0001f600 \u0301 \u05d0\u05d1 \u2028 \x85 \u4e2d\u6587",
    "",
    "   \n  ",
]


class FaultError(Exception):
    """A fault found by a check."""


def _expect(holds: bool, message: str) -> None:
    if not holds:
        raise FaultError(message)


def _can_be_made(subject: Subject) -> None:
    try:
        tagger = subject.make()
    except TypeError as error:
        raise FaultError(
            f"the class cannot be made without parameters ({error}); implement what is "
            "missing, give every parameter a default, or pass an object to check_tagger"
        ) from error
    if isinstance(tagger, SpanTaggerAdapter):
        missing = _required_parameters(type(tagger))
        _expect(
            not missing,
            f"the parameters {missing} have no default; give every parameter a default, or pass "
            "an object to check_tagger",
        )


def _required_parameters(kind: type) -> list[str]:
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(kind).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind not in optional]


def _has_a_name_and_a_summary(subject: Subject) -> None:
    for attribute in ("name", "summary"):
        value = getattr(subject.make(), attribute, None)
        filled = isinstance(value, str) and bool(value.strip())
        _expect(filled, f"set the class attribute {attribute!r} to a string; it is {value!r}")


def _constructor_only_stores(subject: Subject) -> None:
    tagger = subject.make()
    _expect(not hasattr(tagger, "labels_"), "__init__ sets labels_, which only fit may do")
    if isinstance(tagger, SpanTaggerAdapter):
        return
    expected = set(inspect.signature(type(tagger)).parameters)
    stored = set(vars(tagger))
    lacking, more = sorted(expected - stored), sorted(stored - expected)
    _expect(not lacking, f"__init__ must store its parameters under their names; lacks {lacking}")
    _expect(not more, f"__init__ must store nothing but its parameters; it also sets {more}")


def _parameters_are_plain_and_complete(subject: Subject) -> None:
    tagger = subject.make()
    params = tagger.get_params()
    try:
        plain = json.loads(json.dumps(params))
    except (TypeError, ValueError) as error:
        raise FaultError(f"get_params must return JSON values: {error}") from error
    again = json.loads(json.dumps(type(tagger)(**plain).get_params()))
    _expect(plain == again, f"a tagger made from get_params {plain} has other parameters: {again}")


def _use_before_fit_is_refused(subject: Subject) -> None:
    from sklearn.exceptions import NotFittedError

    advice = "raise sklearn.exceptions.NotFittedError from predict_scores before fit"
    try:
        subject.make().predict_scores(subject.tokens)
    except NotFittedError:
        return
    except Exception as error:
        raise FaultError(f"{advice}; it raised {type(error).__name__}") from error
    raise FaultError(f"{advice}; it returned")


def _fit_returns_self(subject: Subject) -> None:
    tagger, returned, _, _ = subject.first
    _expect(returned is tagger, f"fit must return self; it returned a {type(returned).__name__}")


def _labels_are_those_of_fit(subject: Subject) -> None:
    found, expected = getattr(subject.fitted, "labels_", None), subject.labels.names
    _expect(found == expected, f"labels_ must be labels.names, {expected}; it is {found}")


def _parameters_survive_fit(subject: Subject) -> None:
    before, after = subject.make().get_params(), subject.fitted.get_params()
    _expect(before == after, f"fit changed get_params from {before} to {after}")


def _scores_have_the_right_form(subject: Subject) -> None:
    _check_form(subject.scores, len(subject.tokens), subject.labels)


def _finds_phi(subject: Subject) -> None:
    rows = subject.tokens.rows(range(subject.n_with_phi))
    found = subject.scores[rows].argmax(axis=1) > 0
    _expect(
        bool(found.any()),
        "the tagger found no PHI in the documents, so the other checks did not see it at work; "
        "pass documents= with gold spans in which it finds PHI",
    )


def _check_form(scores: FloatArray, rows: int, labels: TokenLabels) -> None:
    _expect(isinstance(scores, np.ndarray), f"scores are a {type(scores).__name__}, not an array")
    shape = (rows, len(labels.names))
    _expect(scores.shape == shape, f"scores have shape {scores.shape} instead of {shape}")
    _expect(scores.dtype == np.float32, f"scores are {scores.dtype} instead of float32")
    bad = int((~np.isfinite(scores)).sum())
    _expect(bad == 0, f"{bad} scores are not finite")


def _predicting_again_gives_the_same_scores(subject: Subject) -> None:
    again = subject.fitted.predict_scores(subject.tokens)
    _expect_same(subject.scores, again, "predict_scores called twice differs")


def _fitting_again_gives_the_same_scores(subject: Subject) -> None:
    again = subject.second.tagger.predict_scores(subject.tokens)
    _expect_same(subject.scores, again, "two taggers fitted on the same tokens differ; fix a seed")


def _fit_forgets_an_earlier_fit(subject: Subject) -> None:
    tagger = subject.make()
    half = range(len(subject.documents) // 2)
    tagger.fit(subject.tokens.select(half), subject.labels.rows(subject.tokens.rows(half)))
    tagger.fit(subject.tokens, subject.labels)
    again = tagger.predict_scores(subject.tokens)
    _expect_same(subject.scores, again, "a tagger that is fitted again differs from a new one")


def _expect_same(first: FloatArray, second: FloatArray, problem: str) -> None:
    same = first.shape == second.shape and bool(np.array_equal(first, second))
    _expect(same, problem)


def _input_is_left_as_it_was(subject: Subject) -> None:
    tagger, _, tokens, labels = subject.second
    _expect(np.array_equal(labels.ids, subject.labels.ids), "fit changed labels.ids")
    _expect_unchanged(subject.tokens, tokens, "fit")
    tagger.predict_scores(tokens)
    _expect_unchanged(subject.tokens, tokens, "predict_scores")


def _expect_unchanged(before: TokenTable, after: TokenTable, method: str) -> None:
    for column in (c for c in fields(TokenTable) if c.name != "memo"):
        old, new = getattr(before, column.name), getattr(after, column.name)
        _expect(bool(np.array_equal(old, new)), f"{method} changed tokens.{column.name}")


def _empty_tables_are_scored(subject: Subject) -> None:
    for texts in ([], [""], ["", ""]):
        scores = subject.fitted.predict_scores(TokenTable.from_texts(texts))
        _check_form(scores, 0, subject.labels)


def _a_document_of_one_token_is_scored(subject: Subject) -> None:
    _check_form(subject.fitted.predict_scores(TokenTable.from_texts(["x"])), 1, subject.labels)


def _unseen_words_and_scripts_are_scored(subject: Subject) -> None:
    tokens = TokenTable.from_texts(_UNSEEN)
    _check_form(subject.fitted.predict_scores(tokens), len(tokens), subject.labels)


def _scores_do_not_depend_on_the_batch(subject: Subject) -> None:
    for d in (0, len(subject.documents) - 1):
        alone = subject.fitted.predict_scores(TokenTable.from_documents([subject.documents[d]]))
        batch = subject.scores[subject.tokens.rows([d])]
        same = alone.shape == batch.shape and np.allclose(alone, batch, atol=_TOLERANCE)
        _expect(same, f"document {d} has other scores alone than in a batch")


def _a_label_without_example_keeps_its_columns(subject: Subject) -> None:
    names = (*subject.labels.names, f"B-{_ABSENT_LABEL}", f"I-{_ABSENT_LABEL}")
    labels = TokenLabels(subject.labels.ids, names)
    tagger = subject.make()
    tagger.fit(subject.tokens, labels)
    _check_form(tagger.predict_scores(subject.tokens), len(subject.tokens), labels)
    _expect(tagger.labels_ == names, "labels_ lacks a label that has no example in this part")


def _a_corpus_without_phi_can_be_fitted(subject: Subject) -> None:
    labels = TokenLabels(np.zeros_like(subject.labels.ids), subject.labels.names)
    tagger = subject.make()
    tagger.fit(subject.tokens, labels)
    _check_form(tagger.predict_scores(subject.tokens), len(subject.tokens), labels)


def _a_loaded_tagger_gives_the_same_scores(subject: Subject) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subject.fitted.save(folder)
        _expect_no_pickle(folder)
        loaded = type(subject.fitted).load(folder)
    _expect(loaded.labels_ == subject.labels.names, "labels_ differs after save and load")
    before, after = subject.fitted.get_params(), loaded.get_params()
    _expect(before == after, f"save and load changed get_params from {before} to {after}")
    scores = loaded.predict_scores(subject.tokens)
    _expect_same(subject.scores, scores, "scores differ after save and load")


def _expect_no_pickle(folder: Path) -> None:
    for path in (p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            pickled = file.read(2) in _PICKLE_PROTOCOLS
        if pickled or path.suffix in _PICKLE_SUFFIXES:
            raise FaultError(f"save wrote {path.name} with pickle; use multideid.persistence")


FIRST_STEPS = (_can_be_made, _fit_returns_self, _scores_have_the_right_form)
CHECKS: tuple[Callable[[Subject], None], ...] = (
    _can_be_made,
    _has_a_name_and_a_summary,
    _constructor_only_stores,
    _parameters_are_plain_and_complete,
    _use_before_fit_is_refused,
    _fit_returns_self,
    _labels_are_those_of_fit,
    _parameters_survive_fit,
    _scores_have_the_right_form,
    _finds_phi,
    _predicting_again_gives_the_same_scores,
    _fitting_again_gives_the_same_scores,
    _fit_forgets_an_earlier_fit,
    _input_is_left_as_it_was,
    _empty_tables_are_scored,
    _a_document_of_one_token_is_scored,
    _unseen_words_and_scripts_are_scored,
    _scores_do_not_depend_on_the_batch,
    _a_label_without_example_keeps_its_columns,
    _a_corpus_without_phi_can_be_fitted,
    _a_loaded_tagger_gives_the_same_scores,
)
