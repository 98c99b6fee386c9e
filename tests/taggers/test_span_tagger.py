"""Plug-ins that only find spans, adapted to base taggers."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from multideid.document import Document, Span
from multideid.errors import DocumentError, ModelError
from multideid.taggers.span_adapter import SpanTaggerAdapter, adapt, tag_tokens
from multideid.text.bio import TokenLabels, decode_bio, encode_bio
from multideid.text.table import TokenTable


class Badge:
    """Badge numbers such as B-1234."""

    def __init__(self, prefix: str = "B") -> None:
        self.prefix = prefix

    def tag(self, document: Document) -> list[Span]:
        pattern = rf"{self.prefix}-[0-9]+"
        return [Span(*m.span(), "BADGE") for m in re.finditer(pattern, document.text)][::-1]


NOTES = [
    Document("n1", "Seen by B-12 and B-345.", (Span(8, 12, "ID"), Span(17, 22, "ID"))),
    Document("n2", "On 1/2 by nobody", (Span(3, 6, "DATE"),)),
]


def fitted(**params: object) -> tuple[SpanTaggerAdapter, TokenTable]:
    tokens = TokenTable.from_documents(NOTES)
    return adapt(Badge, "badge")(**params).fit(tokens, encode_bio(tokens, NOTES)), tokens


def test_spans_come_out_under_the_corpus_label() -> None:
    tagger, tokens = fitted()
    scores = tagger.predict_scores(tokens)
    best = TokenLabels(scores.argmax(axis=1).astype(np.int32), tagger.labels_)
    assert decode_bio(tokens, best) == [NOTES[0].spans, ()]
    assert (scores.dtype, scores.shape) == (np.float32, (len(tokens), len(tagger.labels_)))
    assert (scores.sum(axis=1) == 1).all()


def test_parameters_reach_the_plugin_and_are_kept() -> None:
    tagger, tokens = fitted(prefix="Z")
    assert tagger.get_params() == {"prefix": "Z"}
    assert (tagger.predict_scores(tokens).argmax(axis=1) == 0).all()


def test_saved_adapter_gives_the_same_scores(tmp_path: Path) -> None:
    tagger, tokens = fitted(prefix="B")
    tagger.save(tmp_path)
    again = type(tagger).load(tmp_path)
    assert again.get_params() == tagger.get_params()
    np.testing.assert_array_equal(again.predict_scores(tokens), tagger.predict_scores(tokens))


def test_defaults_are_stored_so_that_a_later_default_changes_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger, tokens = fitted()
    assert tagger.get_params() == {"prefix": "B"}
    before = tagger.predict_tags(tokens)
    tagger.save(tmp_path)
    monkeypatch.setattr(Badge.__init__, "__defaults__", ("Z",))
    later = adapt(Badge, "badge")
    assert later().get_params() == {"prefix": "Z"}
    np.testing.assert_array_equal(later.load(tmp_path).predict_tags(tokens), before)


class Open:
    """Has defaults that JSON does not keep, and takes any parameters."""

    def __init__(
        self, pair: tuple[str, ...] = ("a",), depth: int = 2, *more: str, **others: object
    ) -> None:
        self.given = (pair, depth, more, others)

    def tag(self, document: Document) -> list[Span]:
        assert isinstance(self.given[0], tuple)
        return []


def test_defaults_that_json_does_not_keep_are_not_stored(tmp_path: Path) -> None:
    tokens = TokenTable.from_documents(NOTES)
    tagger = adapt(Open, "open")(extra=1).fit(tokens, encode_bio(tokens, NOTES))
    assert tagger.get_params() == {"depth": 2, "extra": 1}
    tagger.save(tmp_path)
    again = type(tagger).load(tmp_path)
    assert again.get_params() == tagger.get_params()
    again.predict_tags(tokens)


def test_settings_of_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "span_tagger.json").write_text("{}")
    with pytest.raises(ModelError, match=r"span_tagger\.json"):
        adapt(Badge, "badge").load(tmp_path)


def test_an_object_serves_as_well_as_a_class() -> None:
    tagger = adapt(Badge("B"), "badge")()
    tokens = TokenTable.from_documents(NOTES)
    assert tagger.fit(tokens, encode_bio(tokens, NOTES)).mapping_.pairs == {"BADGE": "ID"}
    assert tagger.summary == "Badge numbers such as B-1234."


def test_scores_before_fit_are_refused() -> None:
    with pytest.raises(NotFittedError, match="'badge'"):
        adapt(Badge, "badge")().predict_scores(TokenTable.from_texts(["x"]))


def test_touching_spans_stay_apart() -> None:
    notes = [Document("n", "Lee1999", (Span(0, 3, "NAME"), Span(3, 7, "DATE")))]
    tokens = TokenTable.from_documents(notes)
    found = [(3, 7, "year"), (0, 3, "name")]
    tagger = adapt(Fixed, "fixed")(found=found).fit(tokens, encode_bio(tokens, notes))
    best = tagger.predict_tags(tokens)
    assert decode_bio(tokens, TokenLabels(best, tagger.labels_)) == [notes[0].spans]


SECRET = "Garcia 1999"


class Fixed:
    """Returns or raises the given object."""

    def __init__(self, found: object) -> None:
        self.found = found

    def tag(self, document: Document) -> Iterable[Span]:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found  # type: ignore[return-value]


def _failing_spans() -> Iterator[Span]:
    yield Span(0, 3, "ID")
    raise TypeError(SECRET)


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([(3, 99, "ID")], "span 3-99, empty or outside the text of 11 characters"),
        ([(-1, 2, "ID")], "span -1-2"),
        ([(3, 3, "ID")], "span 3-3"),
        ([(0, 4, "ID"), (2, 6, "ID")], "overlapping spans: 0-4 and 2-6"),
        ([(0, 4, None)], "without a label"),
        ([(0, 4, "")], "without a label"),
        ([(0.0, 4, "ID")], "other than (start, end, label)"),
        ([SECRET], "other than (start, end, label)"),
        (None, "returned None, not spans"),
        (Document("note-7", SECRET), "returned Document, not spans"),
        (12, "returned int, not spans"),
        (_failing_spans(), "failed with TypeError at test_span_tagger.py, line"),
        (KeyError(SECRET), "failed with KeyError at test_span_tagger.py, line"),
    ],
)
def test_bad_spans_name_the_plugin_and_the_document_and_never_the_text(
    found: object, problem: str
) -> None:
    tokens = TokenTable.from_texts([SECRET], ["note-7"])
    tagger = adapt(Fixed, "fixed")(found=found)
    with pytest.raises(DocumentError) as caught:
        tagger.fit(tokens, encode_bio(tokens, [Document("note-7", SECRET)]))
    message = str(caught.value)
    assert "'note-7'" in message
    assert "'fixed'" in message
    assert problem in message
    assert "Garcia" not in message
    assert "Garcia" not in "".join(traceback.format_exception(caught.value))


def test_a_plug_in_sees_the_meta_of_each_document() -> None:
    seen: list[tuple[str, object]] = []

    class Watching:
        def tag(self, document: Document) -> list[Span]:
            seen.append((document.id, document.meta.get("ward")))
            return []

    documents = [Document(str(n), "A b.", meta={"ward": n}) for n in range(3)]
    tokens = TokenTable.from_documents(documents)
    tag_tokens("watching", Watching(), tokens)
    tag_tokens("watching", Watching(), tokens.select([2, 0]))
    tag_tokens("watching", Watching(), TokenTable.from_texts(["A b."]))
    assert seen == [("0", 0), ("1", 1), ("2", 2), ("2", 2), ("0", 0), ("0", None)]
