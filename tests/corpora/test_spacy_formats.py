"""spaCy's DocBin and JSON, as spaCy itself reads and writes them."""

from __future__ import annotations

import json
import sys
import zlib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training.converters import json_to_docs
from spacy.training.gold_io import docs_to_json

from multideid.corpora import CorpusWarning, docbin, read_corpus, write_corpus
from multideid.corpora.output import Output
from multideid.document import Document, Span
from multideid.errors import CorpusError, UsageError

TEXT = "Dr. Lee-Ann  saw\nher on 3/14/07."
SPANS = (Span(4, 7, "DOCTOR"), Span(8, 11, "PATIENT"), Span(24, 31, "DATE"))
NOTE = Document("ward/7", TEXT, SPANS, {"ward": "B"})


def found(doc: Doc) -> list[tuple[int, int, str]]:
    return [(span.start_char, span.end_char, span.label_) for span in doc.ents]


def spacy_doc(*spans: Span, key: str | None = None) -> Doc:
    doc = spacy.blank("en")("Dr. Lee saw Ann on 3/14/07.")
    made = [doc.char_span(*span[:2], label=span.label) for span in spans]
    if key is None:
        doc.set_ents(made)
    else:
        doc.spans[key] = made
    return doc


LEE, ANN = Span(4, 7, "DOCTOR"), Span(12, 15, "PATIENT")


def test_spacy_reads_our_docbin_with_exact_entities(tmp_path: Path) -> None:
    write_corpus([NOTE, Document("n2", "")], tmp_path / "notes.spacy", "docbin")
    first, second = DocBin().from_disk(tmp_path / "notes.spacy").get_docs(spacy.blank("en").vocab)
    assert (first.text, second.text) == (TEXT, "")
    assert found(first) == list(SPANS)
    assert first.has_annotation("ENT_IOB")
    assert [t.text for t in first][:6] == ["Dr.", "Lee", "-", "Ann", " ", "saw"]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("a  b", (2, 3)),
        (" x", (0, 1)),
        ("x ", (0, 2)),
        ("a \n b", (2, 3)),
        ("a \n b", (1, 4)),
        ("a\x1f b", (1, 2)),
        ("a\u00a0 b", (0, 2)),
    ],
)
@pytest.mark.parametrize("name", ["docbin", "spacy-json"])
def test_spans_of_white_space_are_written(
    tmp_path: Path, name: str, text: str, span: tuple[int, int]
) -> None:
    document = Document("1", text, (Span(*span, "DATE"),))
    write_corpus([document], tmp_path / "a", name)
    assert read_corpus(tmp_path / "a", name) == [document]


@given(
    text=st.text("a. \t\n\x1f\u00a0\u2003", max_size=12),
    cuts=st.sets(st.integers(0, 12), min_size=2, max_size=8),
)
def test_every_span_is_of_whole_tokens_of_spacy(text: str, cuts: set[int]) -> None:
    places = sorted(cut for cut in cuts if cut <= len(text))
    spans = [Span(start, end, "DATE") for start, end in pairwise(places)]
    for chosen in (spans, spans[::2]):
        document = Document("1", text, tuple(chosen))
        doc = docbin._doc(_pipeline(), document, Output(Path("a"), Path("b")))
        assert (doc.text, found(doc)) == (text, chosen)


@cache
def _pipeline() -> Language:
    return spacy.blank("en")


def test_spacy_trains_on_our_docbin(tmp_path: Path) -> None:
    from spacy.training import Corpus

    write_corpus([NOTE] * 1, tmp_path / "notes.spacy", "docbin")
    nlp = spacy.blank("en")
    nlp.add_pipe("ner")
    examples = list(Corpus(tmp_path / "notes.spacy")(nlp))
    nlp.initialize(lambda: examples)
    assert set(nlp.get_pipe("ner").labels) == {"DOCTOR", "PATIENT", "DATE"}
    assert nlp.update(examples)["ner"] > 0


def test_we_read_docbins_of_spacy(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    docs = [spacy_doc(LEE, ANN), nlp("No PHI. "), nlp("")]
    DocBin(docs=docs).to_disk(tmp_path / "a.spacy")
    documents = read_corpus(tmp_path / "a.spacy")
    assert [d.spans for d in documents] == [(LEE, ANN), (), ()]
    assert [d.id for d in documents] == ["1", "2", "3"]
    assert [d.text for d in documents] == [doc.text for doc in docs]


def test_spacy_reads_our_json_with_exact_entities(tmp_path: Path) -> None:
    write_corpus([NOTE], tmp_path / "notes.json", "spacy-json")
    (record,) = json.loads((tmp_path / "notes.json").read_text())
    doc = Doc(spacy.blank("en").vocab).from_json(record, validate=True)
    assert doc.text == TEXT
    assert found(doc) == list(SPANS)


@pytest.mark.parametrize("lines", [False, True])
def test_we_read_what_doc_to_json_returns(tmp_path: Path, lines: bool) -> None:
    records = [spacy_doc(LEE).to_json(), spacy_doc(ANN).to_json()]
    if lines:
        srsly.write_jsonl(tmp_path / "n.json", records)
    else:
        srsly.write_json(tmp_path / "n.json", records)
    assert [d.spans for d in read_corpus(tmp_path / "n.json")] == [(LEE,), (ANN,)]


def test_we_read_a_single_document(tmp_path: Path) -> None:
    srsly.write_json(tmp_path / "n.json", spacy_doc(LEE).to_json())
    assert [d.spans for d in read_corpus(tmp_path / "n.json")] == [(LEE,)]


def test_we_read_training_tuples(tmp_path: Path) -> None:
    examples = [["Dr. Lee", {"entities": [[4, 7, "DOCTOR"]]}], ["None.", {"entities": []}]]
    srsly.write_json(tmp_path / "train.json", examples)
    assert [d.spans for d in read_corpus(tmp_path / "train.json")] == [(LEE,), ()]


def test_we_read_the_training_format_of_spacy_2(tmp_path: Path) -> None:
    doc = spacy_doc(LEE, ANN)
    old = docs_to_json([spacy.blank("en").add_pipe("sentencizer")(doc)], doc_id=3)
    for key, value in (("raw", doc.text), ("raw", None)):
        old["paragraphs"][0][key] = value
        for entities in (old["paragraphs"][0].get("entities", []), []):
            old["paragraphs"][0]["entities"] = entities
            srsly.write_json(tmp_path / "old.json", [old])
            (document,) = read_corpus(tmp_path / "old.json")
            assert (document.id, document.text, document.spans) == ("3-0", doc.text, (LEE, ANN))
            assert [found(d) for d in json_to_docs([old])] == [[tuple(LEE), tuple(ANN)]]


def test_spans_of_several_tokens_in_biluo_tags_are_one(tmp_path: Path) -> None:
    words = zip(
        "Dr. Ann B. Lee came".split(), "O B-DOCTOR I-DOCTOR L-DOCTOR O".split(), strict=True
    )
    tokens = [{"orth": word, "ner": tag} for word, tag in words]
    srsly.write_json(tmp_path / "a.json", [{"paragraphs": [{"sentences": [{"tokens": tokens}]}]}])
    (document,) = read_corpus(tmp_path / "a.json")
    assert document.text == "Dr. Ann B. Lee came "
    assert document.spans == (Span(4, 14, "DOCTOR"),)


@pytest.mark.parametrize("name", ["docbin", "spacy-json"])
def test_span_groups_are_read_where_there_are_no_entities(tmp_path: Path, name: str) -> None:
    def save(doc: Doc) -> Path:
        path = tmp_path / "corpus"
        if name == "docbin":
            DocBin(docs=[doc]).to_disk(path)
        else:
            srsly.write_json(path, [doc.to_json()])
        return path

    assert [d.spans for d in read_corpus(save(spacy_doc(LEE, key="sc")))] == [(LEE,)]
    doc = spacy_doc(LEE, key="sc")
    doc.spans["other"] = [doc.char_span(12, 15, label="PATIENT")]
    path = save(doc)
    with pytest.raises(CorpusError, match=r"name one as spans_key \(other, sc\)"):
        read_corpus(path, name)
    assert [d.spans for d in read_corpus(path, name, spans_key="other")] == [(ANN,)]
    with pytest.raises(CorpusError, match="has no span group 'none'; it has other, sc"):
        read_corpus(path, name, spans_key="none")
    doc.set_ents([doc.char_span(4, 7, label="NAME")])
    assert [d.spans for d in read_corpus(save(doc), name)] == [(Span(4, 7, "NAME"),)]


def test_overlapping_spans_of_a_group_are_resolved_with_a_warning(tmp_path: Path) -> None:
    doc = spacy_doc(LEE, Span(0, 7, "NAME"), key="sc")
    DocBin(docs=[doc]).to_disk(tmp_path / "a.spacy")
    with pytest.warns(CorpusWarning, match="1 overlapping spans"):
        (document,) = read_corpus(tmp_path / "a.spacy")
    assert document.spans == (Span(0, 7, "NAME"),)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([{"text": "Lee", "ents": [{"start": 0, "label": "X"}]}], "item 1: is not as spaCy writes"),
        ([{"text": "Lee", "ents": 5}], "item 1: is not as spaCy writes"),
        ([{"text": "Lee", "ents": [{"start": 0, "end": 9, "label": "X"}]}], "outside the text"),
        ([{"text": "a", "ents": []}, 7], "item 2: is neither a document nor an example of spaCy"),
        ([["Lee", {"cats": {}}]], "item 1: is neither"),
        ([{"id": 1, "paragraphs": [{"raw": "Lee"}]}], "item 1: is not as spaCy writes"),
        ([{"id": 1, "paragraphs": [{"raw": "L", "sentences": [{"tokens": [{"orth": "Lee"}]}]}]}],
         "item 1: is not as spaCy writes"),
    ],
)  # fmt: skip
def test_other_json_is_refused_without_its_text(tmp_path: Path, value: Any, problem: str) -> None:
    srsly.write_json(tmp_path / "a.json", value)
    with pytest.raises(CorpusError, match=problem) as error:
        read_corpus(tmp_path / "a.json", "spacy-json")
    assert "Lee" not in str(error.value)


def test_broken_json_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[\n{"text": "Lee", "ents": []},\n{"text": "Lee"')
    with pytest.raises(CorpusError, match="line 3: not valid JSON at column"):
        read_corpus(tmp_path / "a.json", "spacy-json")
    (tmp_path / "b.json").write_text('{"text": "a", "ents": []}\n\n{"text": "Lee"\n')
    with pytest.raises(CorpusError, match="line 3: not valid JSON at column"):
        read_corpus(tmp_path / "b.json", "spacy-json")


def test_files_of_other_tools_are_not_taken_for_spacy_json(tmp_path: Path) -> None:
    line = {"id": "1", "text": 'x "ents": [', "spans": [], "meta": {"ents": [1]}}
    srsly.write_jsonl(tmp_path / "a", [line])
    assert read_corpus(tmp_path / "a")[0].text == line["text"]


@given(place=st.integers(0, 10_000), bits=st.integers(1, 255))
def test_a_damaged_docbin_is_refused_or_read_whole(place: int, bits: int) -> None:
    inner = bytearray(_unpacked_docbin())
    inner[place % len(inner)] ^= bits
    path = Path(docbin.__file__).with_name("none")
    for damaged in (bytes(inner), zlib.compress(bytes(inner))):
        try:
            documents = list(_read_bytes(damaged, path))
        except CorpusError:
            continue
        assert all(d.text[s.start : s.end] for d in documents for s in d.spans)


@cache
def _unpacked_docbin() -> bytes:
    return zlib.decompress(DocBin(docs=[spacy_doc(LEE, ANN)]).to_bytes())


def _read_bytes(content: bytes, path: Path) -> list[Document]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "a.spacy")
        place.write_bytes(content)
        return list(docbin.read(place, lambda _: None))


def test_a_bomb_is_refused_before_it_fills_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docbin, "_MOST", 1 << 25)
    (tmp_path / "a.spacy").write_bytes(zlib.compress(bytes(1 << 26)))
    with pytest.raises(CorpusError, match="once decompressed"):
        read_corpus(tmp_path / "a.spacy", "docbin")


def test_without_spacy_the_message_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus([NOTE], tmp_path / "a.spacy", "docbin")
    # Parts that are loaded already could be imported without spaCy itself.
    for module in [name for name in sys.modules if name.partition(".")[0] == "spacy"]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=r"needs spaCy.*pip install 'multideid\[spacy\]'"):
        read_corpus(tmp_path / "a.spacy")
    with pytest.raises(UsageError, match=r"pip install 'multideid\[spacy\]'"):
        write_corpus([NOTE], tmp_path / "b.spacy", "docbin")
