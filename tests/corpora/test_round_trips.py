"""Text, offsets, labels and ids survive every format to the character."""

from __future__ import annotations

import itertools
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from multideid.corpora import convert, detect_format, format_names, read_corpus, write_corpus
from multideid.corpora.registry import load_format
from multideid.document import Document, Span
from multideid.evidence import evidence_of, with_scores

WITH_SPANS = [name for name in format_names() if name != "plain"]
XML = ("i2b2-2006", "i2b2-2014")
OF_TOKENS = ("conll", "webanno-tsv")
"""Formats that cannot hold spans of white space."""
HARD = 'A\r\nB\rC\n\t<&>"\' ]]> \u00e9e\u0301 \U0001f600 \u0085\u2028 &amp; NA,"";|\\ \ufeff\n'

_UNICODE = st.characters(exclude_categories=["Cs"])
_PIECES = st.one_of(
    _UNICODE, st.sampled_from(["\r\n", "\r", "\n", "]]>", "<PHI>", "&amp;", '"', "\ufeff", "||||"])
)
_TEXTS = st.lists(_PIECES, max_size=30).map("".join)
_LABELS = st.sampled_from(["DATE", "NOMBRE_SUJETO_ASISTENCIA", "LOCATION-OTHER", "Ñ"])
_IDS = st.from_regex(r"[a-zñ0-9. %&_-]{1,8}(/[a-z0-9.-]{1,4})?", fullmatch=True)


@st.composite
def _documents(draw: st.DrawFn, document_id: str) -> Document:
    text = draw(_TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = [p for p in itertools.pairwise(cuts) if draw(st.booleans())]
    return Document(document_id, text, tuple(Span(*p, draw(_LABELS)) for p in pairs))


@st.composite
def _corpora(draw: st.DrawFn) -> list[Document]:
    ids = draw(st.sets(_IDS, min_size=1, max_size=3))
    # "a" and "a.txt/b" cannot both be files: no folder format holds the two.
    assume(not any("." in i and "/" in i for i in ids))
    return [draw(_documents(i)) for i in sorted(ids)]


def _can_hold(name: str, documents: list[Document]) -> bool:
    texts = "".join(d.text for d in documents)
    if name in XML:
        return not any((c < " " and c not in "\t\n\r") or c in "\ufffe\uffff" for c in texts)
    if name in OF_TOKENS:
        sides = [
            d.text[place] for d in documents for s in d.spans for place in (s.start, s.end - 1)
        ]
        has_tokens = name == "conll" or all(re.search(r"\S", d.text) for d in documents)
        return has_tokens and not any(side.isspace() for side in sides)
    return name != "physionet" or "||||END_OF_RECORD" not in texts


def _essence(documents: list[Document]) -> list[tuple[str, str, tuple[Span, ...]]]:
    return sorted((d.id, d.text, d.spans) for d in documents)


@pytest.mark.parametrize("name", WITH_SPANS)
@given(documents=_corpora())
@example(documents=[Document("x-1", HARD, (Span(0, 5, "DATE"), Span(9, len(HARD), "ID")))])
@example(documents=[Document("a", ""), Document("b-0", "\ufeff"), Document("c/d-7", "\r")])
@example(documents=[Document("a", "\n||||\n", (Span(0, 1, "DATE"), Span(1, 2, "DATE")))])
@settings(max_examples=25)
def test_a_corpus_comes_back_as_it_was_written(name: str, documents: list[Document]) -> None:
    assume(_can_hold(name, documents))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus")
        assert write_corpus(documents, path, name) == len(documents)
        assert _essence(read_corpus(path, name)) == _essence(documents)


@given(documents=_corpora())
@settings(max_examples=25)
def test_plain_text_comes_back_as_it_was_written(documents: list[Document]) -> None:
    bare = [Document(d.id, d.text) for d in documents]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus")
        write_corpus(bare, path, "plain")
        assert _essence(read_corpus(path, "plain")) == _essence(bare)


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(WITH_SPANS, 2)))
def test_any_two_formats_convert_into_each_other(tmp_path: Path, first: str, second: str) -> None:
    gold = [
        Document("ward/n-1", HARD, (Span(0, 4, "DATE"), Span(4, 5, "PATIENT"))),
        Document("n 2", f"\n{HARD}x", (Span(1, 3, "ID"),)),
    ]
    if {first, second} & {*OF_TOKENS}:
        gold = [
            Document("ward/n-1", HARD, (Span(0, 4, "DATE"), Span(5, 6, "PATIENT"))),
            Document("n 2", f"\n{HARD}x", (Span(1, 2, "ID"),)),
        ]
    write_corpus(gold, tmp_path / "a", first)
    assert convert(tmp_path / "a", tmp_path / "b", second) == 2
    assert convert(tmp_path / "b", tmp_path / "c", first) == 2
    for place in "abc":
        assert _essence(read_corpus(tmp_path / place)) == _essence(gold)


@pytest.mark.parametrize("name", format_names())
def test_a_written_corpus_is_recognised(tmp_path: Path, name: str) -> None:
    write_corpus([Document("n1", "Seen today.")], tmp_path / "corpus", name)
    assert detect_format(tmp_path / "corpus") == name


@pytest.mark.parametrize("text", ["", "\n", " \r\n\t"])
def test_a_corpus_without_tokens_is_recognised(tmp_path: Path, text: str) -> None:
    notes = [Document("n1", text), Document("n2", "")]
    write_corpus(notes, tmp_path / "corpus", "conll")
    assert detect_format(tmp_path / "corpus") == "conll"
    assert _essence(read_corpus(tmp_path / "corpus")) == _essence(notes)


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet"])
def test_meta_survives_formats_that_hold_it(tmp_path: Path, name: str) -> None:
    meta = {"i2b2-2014": {"root": "MEDDOCAN"}, "n": [1, None, "é"]}
    write_corpus([Document("n1", "x", (), meta), Document("n2", "y")], tmp_path / "c", name)
    assert [d.meta for d in read_corpus(tmp_path / "c")] == [meta, {}]


@pytest.mark.parametrize("name", WITH_SPANS)
def test_scores_survive_the_formats_that_keep_them(name: str, tmp_path: Path) -> None:
    span = Span(5, 11, "ID")
    document = with_scores(Document("a", "Ann, B-1234", (span,)), [0.75])
    write_corpus([document], tmp_path / "corpus", name)
    (read,) = read_corpus(tmp_path / "corpus", name)
    found = evidence_of(read, read.spans[0]).score
    assert found == (0.75 if load_format(name).scores else None)
