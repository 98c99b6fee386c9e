"""Presidio's engine is a base system that asks no network and names no text."""

from __future__ import annotations

import socket
import sys
import traceback
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.base_systems.presidio import EngineSettings, PresidioTagger, make_engine
from multideid.document import Document, Span
from multideid.errors import DocumentError, UsageError
from multideid.taggers import registry
from multideid.taggers.registry import describe_systems, load_system, make_system, register
from multideid.text.bio import TokenLabels, decode_bio, encode_bio
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

NOTE = "Call 617-555-1234 on 3/14/2007, or write to a.lee@mail.example.org.\n"


@pytest.fixture(autouse=True)
def _no_session_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_SESSION", {})


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("asked the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def found(text: str, **params: Any) -> dict[str, str]:
    spans = PresidioTagger(**params).tag(Document("n", text))
    return {text[span.start : span.end]: span.label for span in spans}


class Stub(PresidioTagger):
    """An engine of somebody's own."""

    name = "stub"

    @classmethod
    def make_engine(cls, settings: EngineSettings) -> AnalyzerEngine:
        from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerRegistry

        badge = PatternRecognizer("BADGE", patterns=[Pattern("badge", r"\bB-\d+\b", 0.8)])
        engine = make_engine(EngineSettings(recognizers=("PhoneRecognizer",)))
        return AnalyzerEngine(RecognizerRegistry([badge]), engine.nlp_engine)


class Failing(PresidioTagger):
    @classmethod
    def make_engine(cls, settings: EngineSettings) -> AnalyzerEngine:
        class Engine:
            def analyze(self, text: str, **_: object) -> None:
                raise ValueError(f"cannot read {text}")

        return Engine()  # type: ignore[return-value]


def test_patterns_are_found_without_the_network(offline: None) -> None:
    assert found(NOTE.replace("example.org", "org")) == {
        "617-555-1234": "PHONE_NUMBER 0.4",
        "3/14/2007": "DATE_TIME 0.6",
        "a.lee@mail.org": "EMAIL_ADDRESS 1.0",
    }


def test_others_in_the_process_may_still_fetch_the_list_of_domains() -> None:
    import tldextract

    make_engine(EngineSettings())
    assert tldextract.tldextract.TLD_EXTRACTOR.suffix_list_urls


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from([NOTE, "é\U0001f600\r\n", "4111 1111 1111 1111 ", "12-1-99 "])))
def test_spans_lie_apart_and_inside_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = PresidioTagger().tag(Document("n", text))
    ends = [0, *(place for span in sorted(spans) for place in span[:2]), len(text)]
    assert ends == sorted(ends)


def test_of_finds_that_overlap_that_of_greatest_score_stays() -> None:
    engine = make_engine(EngineSettings())
    kinds = {result.entity_type for result in engine.analyze("SSN 078-05-1126", language="en")}
    assert len(kinds) > 1
    assert len(found("SSN 078-05-1126")) == 1


def test_entity_types_that_are_rarely_phi_in_the_corpus_are_dropped() -> None:
    notes = [Document("a", f"{NOTE}see www.drugs.com", (Span(5, 17, "PAGER"),))]
    tokens = TokenTable.from_documents(notes)
    tagger = make_system("presidio").fit(tokens, encode_bio(tokens, notes))
    ids = tagger.predict_scores(tokens).argmax(axis=1).astype(np.int32)
    assert decode_bio(tokens, TokenLabels(ids, tagger.labels_)) == [notes[0].spans]


def test_recognizers_and_scores_can_be_chosen() -> None:
    assert list(found(NOTE, recognizers=["PhoneRecognizer"])) == ["617-555-1234"]
    assert list(found(NOTE, score_threshold=0.5)) == ["3/14/2007", "a.lee@mail.example.org"]


def test_an_engine_of_ones_own_is_a_system_by_itself() -> None:
    register(Stub)
    notes = [Document("a", "Seen by B-12, 617-555-1234", (Span(8, 12, "STAFF"),))]
    tokens = TokenTable.from_documents(notes)
    tagger = make_system("stub").fit(tokens, encode_bio(tokens, notes))
    assert (tagger.predict_scores(tokens).argmax(axis=1) > 0).sum() == 3


def test_a_failure_names_the_document_and_none_of_its_text() -> None:
    register(Failing, "failing")
    notes = [Document("note 7", "Mrs. Xqvrt")]
    tokens = TokenTable.from_documents(notes)
    with pytest.raises(DocumentError, match=r"'note 7'.*ValueError") as caught:
        make_system("failing").fit(tokens, encode_bio(tokens, notes))
    assert "Xqvrt" not in "".join(traceback.format_exception(caught.value))


def test_long_notes_are_not_split_into_tokens() -> None:
    artifacts = make_engine(EngineSettings()).nlp_engine.process_text("one two", "en")
    assert len(artifacts.tokens) == 0


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"language": "qq"}, "no language 'qq'"),
        ({"nlp_model": "en_absent_lg"}, r"'en_absent_lg' is not installed \(installed: "),
        ({"recognizers": ["PhoneRecogniser"]}, r"unknown: PhoneRecogniser"),
        ({"recognizers": []}, r"of CreditCardRecognizer, .*; none given"),
        ({"score_threshold": 1.5}, r"from 0 to 1; got 1\.5"),
    ],
)
def test_missing_resources_are_refused_by_name(params: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        PresidioTagger(**params)


def test_without_presidio_the_error_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(UsageError, match=r"pip install 'multideid\[presidio\]'"):
        load_system("presidio")
    info = next(info for info in describe_systems() if info.name == "presidio")
    assert not info.usable
