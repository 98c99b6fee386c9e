"""The component of spaCy's pipelines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
from hypothesis import example, given
from hypothesis import strategies as st
from spacy.language import Language
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import DocumentError, ModelError, UsageError
from multideid.integrations.spacy import MultideidComponent
from multideid.stacking import Deidentifier, SingleDeidentifier
from multideid.taggers import registry
from multideid.taggers.registry import register

NOTE = "Seen by Dr. Alder-Lee on 3/14/2007, room 7."
BLANK = spacy.blank("en")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spacy") / "model"
    SingleDeidentifier("mimic").fit(sample_corpus(6, seed=9)).save(path)
    return path


@pytest.fixture
def nlp(folder: Path) -> Language:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("multideid", config={"model": str(folder)})
    return pipeline


class Fixed:
    """Finds the spans that the text of a note names after a bar, and fails on "fail"."""

    name, summary = "fixed", "Fixed spans."

    def tag(self, document: Document) -> Iterator[Span]:
        if document.text == "fail":
            raise RuntimeError(document.text)
        for n, part in enumerate(document.text.partition("|")[2].split()):
            yield Span(*map(int, part.split("-")), f"L{n}")  # type: ignore[call-arg]


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> Deidentifier:
    monkeypatch.setattr(registry, "_SESSION", {})
    register(Fixed)
    spans = tuple(Span(2 * n, 2 * n + 1, f"L{n}") for n in range(4))
    return SingleDeidentifier("fixed").fit([Document("a", "a b c d |0-1 2-3 4-5 6-7", spans)])


def test_phi_is_found_with_exact_offsets_and_in_whole_tokens(nlp: Language) -> None:
    doc = nlp(NOTE)
    assert doc._.phi == [(12, 21, "DOCTOR"), (25, 34, "DATE")]
    assert [(s.text, s.label_) for s in doc.spans["phi"]] == [
        ("Alder-Lee", "DOCTOR"),
        ("3/14/2007", "DATE"),
    ]
    assert doc.ents == ()
    assert doc._.deidentified == "Seen by Dr. [DOCTOR] on [DATE], room 7."


def test_entities_of_others_stay_where_they_are_no_phi(folder: Path) -> None:
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "TITLE", "pattern": "Dr. Alder"},
            {"label": "CARDINAL", "pattern": "7"},
        ]
    )  # type: ignore[attr-defined]
    settings = {"model": str(folder), "set_ents": True, "spans_key": "mine"}
    pipeline.add_pipe("multideid", name="deid", config=settings)
    doc = pipeline(NOTE)
    assert [e.label_ for e in doc.ents] == ["DOCTOR", "DATE", "CARDINAL"]
    assert set(doc.spans) == {"mine"}


def test_the_bundled_model_is_the_default() -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("multideid")
    assert pipeline("Seen by Dr. Martha Alder.")._.phi == [(12, 24, "DOCTOR")]
    assert "DOCTOR" in pipeline.get_pipe("multideid").labels  # type: ignore[attr-defined]


def test_a_stream_gives_what_single_documents_give(nlp: Language) -> None:
    texts = [note.text for note in sample_corpus(5, seed=2)] + ["", NOTE]
    streamed = [doc._.phi for doc in nlp.pipe(texts, batch_size=3)]
    assert streamed == [nlp(text)._.phi for text in texts]
    assert streamed[-1]


def test_several_processes_give_the_same(nlp: Language) -> None:
    texts = [note.text for note in sample_corpus(6, seed=2)]
    expected = [(doc.text, doc._.phi, doc._.deidentified) for doc in nlp.pipe(texts)]
    docs = nlp.pipe(texts, n_process=2, batch_size=2)
    assert [(doc.text, doc._.phi, doc._.deidentified) for doc in docs] == expected


def test_spans_of_a_document_that_was_stored_are_those_of_the_document(nlp: Language) -> None:
    docs = [nlp(NOTE), nlp.make_doc(NOTE)]
    stored = spacy.tokens.DocBin(store_user_data=True, docs=docs).to_bytes()
    again = spacy.tokens.DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert [doc._.phi for doc in again] == [[(12, 21, "DOCTOR"), (25, 34, "DATE")], None]


@example(text="00000000 ", cuts={0, 9})
@given(text=st.text(max_size=40), cuts=st.sets(st.integers(0, 40), min_size=2, max_size=8))
def test_spans_of_spacy_cover_the_exact_ones(text: str, cuts: set[int]) -> None:
    places = sorted(cut for cut in cuts if cut <= len(text))
    spans = [Span(a, b, "ID") for a, b in zip(places[::2], places[1::2], strict=False)]
    doc = BLANK(text)
    component = MultideidComponent("none", set_ents=True)
    component._annotate(doc, spans)
    assert doc._.phi == [tuple(span) for span in spans]
    for exact, found in zip(spans, doc.spans["phi"], strict=True):
        # The space after a word belongs to its token in spaCy, whose end is before it.
        space = text[exact.end - 1] == " "
        assert found.start_char <= exact.start < exact.end <= found.end_char + space
    visible = [n for span in spans for n in range(*span[:2]) if not text[n].isspace()]
    covered = {n for entity in doc.ents for n in range(entity.start_char, entity.end_char)}
    assert covered.issuperset(visible)


def test_two_spans_in_one_token_are_both_kept(fixed: Deidentifier) -> None:
    doc = MultideidComponent(fixed)(spacy.blank("en")("ab.cd |0-2 3-5"))
    assert doc._.phi == [(0, 2, "L0"), (3, 5, "L1")]
    assert [span.text for span in doc.spans["phi"]] == ["ab.cd", "ab.cd"]
    assert doc._.deidentified == "[L0].[L1] |0-2 3-5"


def test_a_document_on_which_the_model_fails_is_never_given_as_clean(fixed: Deidentifier) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("multideid")
    component = pipeline.get_pipe("multideid")
    component._model = fixed  # type: ignore[attr-defined]
    with pytest.raises(DocumentError, match="failed with RuntimeError") as error:
        list(pipeline.pipe(["ab |0-2", "fail"]))
    assert "'fail'" not in str(error.value)
    with pytest.raises(DocumentError):
        pipeline("fail")
    dropped: list[str] = []
    pipeline.set_error_handler(lambda name, *_: dropped.append(name))
    assert [doc._.phi for doc in pipeline.pipe(["ab |0-2", "fail", "b"])] == [[(0, 2, "L0")], []]
    assert dropped == ["multideid"]
    with pytest.raises(UsageError, match="the search failed"):
        _ = pipeline("fail")._.deidentified


def test_a_saved_pipeline_holds_its_model(nlp: Language, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "pipeline")
    nlp.get_pipe("multideid").to_disk(tmp_path / "again")  # type: ignore[attr-defined]
    config = tmp_path / "pipeline" / "config.cfg"
    text = config.read_text()
    config.write_text("\n".join(
        'model = "/none"' if line.startswith("model =") else line for line in text.splitlines()
    ))  # fmt: skip
    again = spacy.load(tmp_path / "pipeline")
    assert again(NOTE)._.phi == nlp(NOTE)._.phi
    other = spacy.blank("en")
    other.add_pipe("multideid", config={"model": "/none"})
    assert other.from_bytes(nlp.to_bytes())(NOTE)._.phi == nlp(NOTE)._.phi


def test_a_missing_model_is_named_when_it_is_used() -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("multideid", config={"model": "/none/such"})
    with pytest.raises(ModelError, match="/none/such"):
        pipeline("x")


def test_spacy_does_not_take_it_for_a_component_to_train() -> None:
    """In an order that changes from process to process, spaCy asks for attributes of such."""
    component = spacy.blank("en").add_pipe("multideid", config={"model": "/none/such"})
    assert not hasattr(component, "model")


@pytest.mark.end_to_end
def test_spacy_finds_the_component_by_itself(folder: Path) -> None:
    code = f"""
import spacy, sys
nlp = spacy.blank("en")
assert "multideid.stacking" not in sys.modules
nlp.add_pipe("multideid", config={{"model": {str(folder)!r}}})
print(nlp("Seen by Dr. Lee.")._.deidentified)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Seen by Dr. [DOCTOR].\n"
