"""The other identifiers of HIPAA in the sample corpus."""

from __future__ import annotations

import re
from random import Random

import pytest

from multideid.document import Document
from multideid.samples import sample_corpus
from multideid.samples.generator import _HIPAA, _Writer
from multideid.samples.hipaa import HIPAA_LAYOUTS, HIPAA_SENTENCES
from multideid.samples.phi import Stay
from multideid.samples.pieces import assemble
from multideid.samples.templates import SENTENCES
from multideid.text.bio import misaligned_spans
from multideid.text.table import TokenTable

EMAIL = re.compile(r"[\w.]+@[a-z]+\.[a-z]+", re.IGNORECASE)
IP = re.compile(r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+")
HOST = re.compile(r"(https?://)?([a-z]+\.)+[a-z]+(/\S*)?")


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return sample_corpus(40, hipaa=True)


def phi(corpus: list[Document], label: str) -> list[str]:
    return [d.span_text(s) for d in corpus for s in d.spans if s.label == label]


def test_mail_and_web_addresses_are_labelled(corpus: list[Document]) -> None:
    emails, urls = phi(corpus, "EMAIL"), phi(corpus, "URL")
    assert len(emails) > 10
    assert [text for text in emails if not EMAIL.fullmatch(text)] == []
    assert [text for text in urls if not (IP.fullmatch(text) or HOST.fullmatch(text))] == []
    assert any(map(IP.fullmatch, urls))


def test_no_mail_address_stands_outside_a_span(corpus: list[Document]) -> None:
    found = [match[0] for d in corpus for match in EMAIL.finditer(d.text)]
    assert sorted(found) == sorted(phi(corpus, "EMAIL"))


def test_spans_cover_whole_tokens(corpus: list[Document]) -> None:
    assert misaligned_spans(TokenTable.from_documents(corpus), corpus) == []


def test_without_the_wish_there_are_none() -> None:
    assert {"EMAIL", "URL"}.isdisjoint(s.label for d in sample_corpus(20) for s in d.spans)


def test_every_brace_can_be_filled() -> None:
    writer = _Writer(Stay(Random(3)), _HIPAA)
    for template in [*HIPAA_LAYOUTS, *(s for texts in HIPAA_SENTENCES.values() for s in texts)]:
        text, _ = assemble(writer.expand(template))
        assert not re.search(r"[{}]", text)


def test_sentences_are_of_sections_that_there_are() -> None:
    assert HIPAA_SENTENCES.keys() <= SENTENCES.keys()
