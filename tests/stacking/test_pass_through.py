"""Certain finds of rules in classes that nobody annotated pass through."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import multideid
from multideid import (
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
)
from multideid.document import Document, Span
from multideid.stacking import Deidentifier
from multideid.stacking.pass_through import with_certain_spans
from multideid.taggers import registry

TEXT = "Seen on 3/4/2005. Write to ann.lee@ward.org or see https://ward.org/a?b=1 today."
MAIL, URL = Span(27, 43, "EMAIL"), Span(51, 73, "URL")


def dated(mail: str | None = None) -> list[Document]:
    """Return notes with dates; `mail` is the label of their e-mail addresses."""
    notes = []
    for n in range(4):
        text = f"Seen on {n + 1}/4/2005 at noon.\nMail to a{n}@ward.org, or call."
        spans = [Span(8, 16, "DATE")]
        if mail:
            spans.append(Span(text.index(f"a{n}@"), text.index(", or call"), mail))
        notes.append(Document(f"n{n}", text, tuple(spans)))
    return notes


MODELS: dict[str, Callable[..., Deidentifier]] = {
    "multi": lambda **options: MultiDeidentifier(["mimic"], folds=2, n_jobs=1, **options),
    "mega": lambda **options: MegaDeidentifier(["mimic", "stat-deid"], n_jobs=1, **options),
    "vote": lambda **options: VoteDeidentifier(["mimic"], n_jobs=1, **options),
    "single": lambda **options: SingleDeidentifier("mimic", **options),
}
every_kind = pytest.mark.parametrize("kind", MODELS)


@every_kind
def test_addresses_that_nobody_annotated_are_found(kind: str) -> None:
    model = MODELS[kind]().fit(dated())
    assert model.spans(TEXT)[1:] == (MAIL, URL)
    assert model.labels_ == ("DATE",)
    assert model.passing_labels_ == {"EMAIL": ("mimic",), "URL": ("mimic",)}
    assert model.predicted_labels_ == ("DATE", "EMAIL", "URL")


@every_kind
def test_they_are_left_out_if_switched_off(kind: str) -> None:
    model = MODELS[kind](pass_through=False).fit(dated())
    assert {span.label for span in model.spans(TEXT)} == {"DATE"}
    assert model.passing_labels_ == {}
    assert model.predicted_labels_ == ("DATE",)


def test_the_switch_is_saved_and_can_be_set_when_a_model_is_loaded(tmp_path: Path) -> None:
    MODELS["single"](pass_through=False).fit(dated()).save(tmp_path / "m")
    assert multideid.load(tmp_path / "m").pass_through is False
    again = multideid.load(tmp_path / "m", pass_through=True)
    assert again.spans(TEXT)[1:] == (MAIL, URL)


@pytest.mark.parametrize("label", ["PHONE", "EMAIL", "CORREO_ELECTRONICO"])
def test_a_class_that_is_annotated_keeps_the_label_of_the_corpus(label: str) -> None:
    model = MODELS["single"]().fit(dated(label))
    assert model.passing_labels_ == {"URL": ("mimic",)}
    assert model.spans(TEXT)[1:] == (Span(27, 43, label), URL)


def test_no_find_passes_if_annotators_left_the_class_alone_where_they_use_it() -> None:
    # The label is in use, so the addresses without it are not PHI in this corpus.
    other = Document("o", "Home: http-less", (Span(6, 15, "EMAIL"),))
    model = MODELS["single"]().fit([*dated(), other])
    assert "EMAIL" not in model.passing_labels_
    assert MAIL not in model.spans(TEXT)


def test_a_class_that_training_text_lacks_takes_the_label_of_the_same_class() -> None:
    notes = [Document("a", "Seen 3/4/2005, x", (Span(5, 13, "DATE"), Span(15, 16, "URL_WEB")))]
    assert MODELS["single"]().fit(notes).spans(TEXT)[-1] == URL._replace(label="URL_WEB")


def test_rules_vote_for_their_certain_finds() -> None:
    model = MODELS["vote"]().fit(dated())
    (document,) = model.predict([Document("t", TEXT)])
    assert model.votes([document]) == [(("mimic",),) * 3]


def test_certain_finds_are_certain() -> None:
    model = MODELS["multi"]().fit(dated())
    (document,) = model.predict([Document("t", TEXT)])
    assert model.span_scores([document])[0][1:] == (1.0, 1.0)


class Locker:
    """Locker numbers, certain ones with an X."""

    name, summary = "locker", "Locker numbers."
    certain_labels = {"SURE": "LOCKER"}  # noqa: RUF012 (as a plug-in may have it)

    def tag(self, document: Document) -> list[Span]:
        found = re.finditer(r"\b(X?)L[0-9]+", document.text)
        return [Span(*m.span(), "SURE" if m[1] else "UNSURE") for m in found]


@pytest.fixture
def locker() -> Iterator[str]:
    registry.register(Locker)
    yield "locker"
    registry._SESSION.pop("locker")


def test_only_the_certain_labels_of_a_plug_in_pass_through(locker: str) -> None:
    model = SingleDeidentifier(locker).fit(dated())
    assert model.spans("L12 and XL34") == (Span(8, 12, "LOCKER"),)


SPANS = st.lists(st.integers(0, 30), max_size=8, unique=True).map(
    lambda cuts: [Span(a, b, "P") for a, b in zip(sorted(cuts)[::2], sorted(cuts)[1::2])]  # noqa: B905
)


@given(SPANS, SPANS.map(lambda spans: [s._replace(label="C") for s in spans]))
def test_everything_is_covered_once(predicted: list[Span], certain: list[Span]) -> None:
    found = with_certain_spans(predicted, certain)
    places = [place for span in found for place in range(span.start, span.end)]
    expected = {place for s in (*predicted, *certain) for place in range(s.start, s.end)}
    assert places == sorted(expected)
    assert [s for s in predicted if not any(_meet(s, c) for c in certain)] == [
        s for s in found if s.label == "P" and not any(_meet(s, c) for c in certain)
    ]


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@pytest.mark.parametrize(
    ("predicted", "found"),
    [
        ([], [(0, 9, "C")]),
        ([(0, 9, "P")], [(0, 9, "P")]),
        ([(0, 4, "P"), (4, 9, "P")], [(0, 4, "P"), (4, 9, "P")]),
        ([(2, 4, "P"), (5, 6, "P")], [(0, 9, "C")]),
        ([(2, 4, "P"), (8, 12, "P")], [(0, 2, "C"), (2, 4, "P"), (4, 8, "C"), (8, 12, "P")]),
        ([(9, 12, "P")], [(0, 9, "C"), (9, 12, "P")]),
    ],
)
def test_a_certain_find_takes_the_place_of_parts_of_it(
    predicted: list[tuple[int, int, str]], found: list[tuple[int, int, str]]
) -> None:
    spans = with_certain_spans([Span(*p) for p in predicted], [Span(0, 9, "C")])
    assert spans == tuple(Span(*f) for f in found)


def test_many_finds_are_added_in_linear_time() -> None:
    predicted = [Span(10 * n, 10 * n + 3, "P") for n in range(20_000)]
    certain = [Span(10 * n + 5, 10 * n + 8, "C") for n in range(20_000)]
    start = time.thread_time()
    assert len(with_certain_spans(predicted, certain)) == 40_000
    assert time.thread_time() - start < 2
