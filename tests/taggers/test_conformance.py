"""The conformance suite accepts valid taggers and names the faults of invalid ones."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from multideid.arrays import FloatArray
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.persistence import load_json, save_json
from multideid.taggers.contract import BaseTagger
from multideid.testing import ConformanceError, check_tagger, tagger_checks
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class Majority(BaseTagger):
    """Assigns each word its most frequent tag."""

    name = "majority"
    summary = "The most frequent tag of each word."

    def __init__(self, smoothing: float = 0.5) -> None:
        self.smoothing = smoothing

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        self.labels_ = labels.names
        self.counts_: dict[str, list[int]] = {}
        for word, tag in zip(tokens.words(), labels.ids.tolist(), strict=True):
            self.counts_.setdefault(word, [0] * len(self.labels_))[tag] += 1
        return self

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        if not hasattr(self, "counts_"):
            raise NotFittedError("not fitted")
        unknown = [1] + [0] * (len(self.labels_) - 1)
        rows = [self.counts_.get(word, unknown) for word in tokens.words()]
        counts = np.array(rows, dtype=np.float32).reshape(len(tokens), len(self.labels_))
        return counts + np.float32(self.smoothing)

    def save(self, folder: Path) -> None:
        values = {"labels": self.labels_, "counts": self.counts_, "smoothing": self.smoothing}
        save_json(folder, "majority", values)

    @classmethod
    def load(cls, folder: Path) -> Self:
        values = load_json(folder, "majority")
        tagger = cls(values["smoothing"])
        tagger.labels_, tagger.counts_ = tuple(values["labels"]), values["counts"]
        return tagger


class Badge:
    """Pager numbers."""

    name = "badge"

    def tag(self, document: Document) -> list[Span]:
        return [Span(*m.span(), "PAGER") for m in re.finditer(r"555-\d+", document.text)]


class Remembers(Majority):
    """Caches scores in the table, where another tagger could find them."""

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        if "scores" not in tokens.memo:
            tokens.memo["scores"] = super().predict_scores(tokens)
        scores: FloatArray = tokens.memo["scores"]
        return scores


@pytest.mark.parametrize("tagger", [Majority, Majority(0.25), Badge, Badge(), Remembers])
def test_good_taggers_pass(tagger: object) -> None:
    check_tagger(tagger)
    assert len(tagger_checks(tagger)) == 21


class StoresMore(Majority):
    def __init__(self, smoothing: float = 0.5) -> None:
        super().__init__(smoothing)
        self.cache: dict[str, int] = {}


class ForgetsParameter(Majority):
    def __init__(self, smoothing: float = 0.5) -> None:
        self.alpha = smoothing


class NoSummary(Majority):
    summary = ""


class UsedUnfitted(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        if not hasattr(self, "counts_"):
            return np.zeros((len(tokens), 1), dtype=np.float32)
        return super().predict_scores(tokens)


class ReturnsNothing(Majority):
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Any:
        super().fit(tokens, labels)


class OwnLabels(Majority):
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        super().fit(tokens, labels)
        self.labels_ = tuple(reversed(labels.names))
        return self


class Transposed(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        return super().predict_scores(tokens).T


class Doubles(Majority):
    def predict_scores(self, tokens: TokenTable) -> Any:
        return super().predict_scores(tokens).astype(np.float64)


class Infinite(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.log(super().predict_scores(tokens) - np.float32(self.smoothing))


class Random(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = super().predict_scores(tokens)
        return scores + np.random.default_rng().random(scores.shape, dtype=np.float32)


class KeepsCounting(Majority):
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        before = getattr(self, "counts_", {})
        super().fit(tokens, labels)
        for word, counts in before.items():
            self.counts_[word] = [a + b for a, b in zip(counts, self.counts_[word], strict=True)]
        return self


class ChangesLabels(Majority):
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        super().fit(tokens, labels)
        labels.ids[:] = 0
        return self


class ChangesTokens(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = super().predict_scores(tokens)
        tokens.line[:1] = 7
        return scores


class NeedsTokens(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = super().predict_scores(tokens)
        return scores - scores.min()


class NeedsNeighbours(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = super().predict_scores(tokens)
        if len(tokens) == 1:
            raise IndexError("no neighbour")
        return scores


class KnownWordsOnly(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        scores = super().predict_scores(tokens)
        if not set(tokens.words()) <= {*self.counts_, "x"}:
            raise KeyError("unknown word")
        return scores


class SeesTheBatch(Majority):
    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        return super().predict_scores(tokens) * np.float32(len(tokens.ids))


class DropsAbsentLabels(Majority):
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        super().fit(tokens, labels)
        width = int(labels.ids.max(initial=0)) + 1
        self.labels_ = labels.names[:width]
        self.counts_ = {word: counts[:width] for word, counts in self.counts_.items()}
        return self


class NeedsPhi(Majority):
    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        if not labels.ids.any():
            raise ValueError("needs at least two classes")
        return super().fit(tokens, labels)


class Pickles(Majority):
    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / "model.bin").write_bytes(pickle.dumps(self.counts_))


class LosesParameter(Majority):
    @classmethod
    def load(cls, folder: Path) -> Self:
        tagger = super().load(folder)
        tagger.smoothing = 0.125
        return tagger


@pytest.mark.parametrize(
    ("tagger", "check", "message"),
    [
        (StoresMore, "constructor only stores", r"also sets \['cache'\]"),
        (ForgetsParameter, "constructor only stores", r"lacks \['smoothing'\]"),
        (NoSummary, "has a name and a summary", "'summary'"),
        (UsedUnfitted, "use before fit is refused", "NotFittedError"),
        (ReturnsNothing, "fit returns self", "returned a NoneType"),
        (OwnLabels, "labels are those of fit", r"labels_ must be labels\.names"),
        (Transposed, "scores have the right form", "shape"),
        (Doubles, "scores have the right form", "float64 instead of float32"),
        (Infinite, "scores have the right form", "not finite"),
        (Random, "predicting again gives the same scores", "called twice differs"),
        (KeepsCounting, "fit forgets an earlier fit", "differs from a new one"),
        (ChangesLabels, "input is left as it was", r"fit changed labels\.ids"),
        (ChangesTokens, "input is left as it was", r"predict_scores changed tokens\.line"),
        (NeedsTokens, "empty tables are scored", "ValueError"),
        (NeedsNeighbours, "a document of one token is scored", "IndexError: no neighbour"),
        (KnownWordsOnly, "unseen words and scripts are scored", "KeyError"),
        (SeesTheBatch, "scores do not depend on the batch", "document 0 has other scores alone"),
        (DropsAbsentLabels, "a label without example keeps its columns", "shape"),
        (NeedsPhi, "a corpus without phi can be fitted", "needs at least two classes"),
        (Pickles, "a loaded tagger gives the same scores", r"model\.bin with pickle"),
        (LosesParameter, "a loaded tagger gives the same scores", "changed get_params"),
    ],
)
def test_fault_is_named_and_explained(tagger: object, check: str, message: str) -> None:
    failed = {result.name: result.message for result in tagger_checks(tagger) if not result.passed}
    assert re.search(message, failed[check])
    with pytest.raises(ConformanceError, match=re.escape(f"- {check}: ")):
        check_tagger(tagger)


def test_only_the_broken_rule_is_reported() -> None:
    failed = [result.name for result in tagger_checks(SeesTheBatch) if not result.passed]
    assert failed == ["scores do not depend on the batch"]


class BadgeNumber:
    """Badge numbers, which the synthetic notes do not have."""

    name = "badge number"

    def tag(self, document: Document) -> list[Span]:
        return [Span(*m.span(), "NUMBER") for m in re.finditer(r"B-\d{4}", document.text)]


BADGE = Document("badge", "Badge B-1234 lost.", (Span(6, 12, "ID"),))


def test_a_tagger_that_finds_nothing_is_a_fault() -> None:
    (failed,) = [result for result in tagger_checks(BadgeNumber) if not result.passed]
    assert failed.name == "finds phi"
    assert "found no PHI in the documents" in failed.message
    other = Document("other", "Badge 1234 lost.", (Span(6, 10, "ID"),))
    with pytest.raises(ConformanceError, match="found no PHI in the documents"):
        check_tagger(BadgeNumber, [other])


def test_a_tagger_is_checked_on_the_documents_it_is_for() -> None:
    check_tagger(BadgeNumber, documents=[BADGE])


def test_documents_without_gold_spans_are_refused() -> None:
    with pytest.raises(UsageError, match="none of the documents has gold spans"):
        check_tagger(Badge, [Document("bare", "Badge B-1234.")])


class Nameless:
    """Pager numbers."""

    def tag(self, document: Document) -> list[Span]:
        return Badge().tag(document)


def test_a_plugin_without_a_name_is_a_fault() -> None:
    failed = {
        result.name: result.message for result in tagger_checks(Nameless) if not result.passed
    }
    assert failed == {
        "has a name and a summary": "set the class attribute 'name' to a string; it is ''"
    }


class NoDefault(Badge):
    """Pager numbers with a prefix."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix


def test_a_plugin_parameter_without_a_default_is_a_fault() -> None:
    with pytest.raises(ConformanceError, match=r"\['prefix'\] have no default"):
        check_tagger(NoDefault)
    check_tagger(NoDefault("555"))


def test_an_abstract_class_fails_with_its_missing_methods() -> None:
    unfinished = type("Unfinished", (BaseTagger,), {"name": "u", "summary": "u"})
    with pytest.raises(ConformanceError, match="predict_scores"):
        check_tagger(unfinished)


def test_other_objects_are_refused() -> None:
    with pytest.raises(UsageError, match="is not a tagger"):
        check_tagger(3)
