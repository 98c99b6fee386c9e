from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document
from multideid.errors import UsageError
from multideid.samples import sample_corpus
from multideid.samples.generator import _Writer
from multideid.samples.layouts import LAYOUTS, SECTIONS, SENTENCES_OF
from multideid.samples.phi import Stay
from multideid.samples.pieces import Piece, assemble, wrap
from multideid.samples.templates import SENTENCES
from multideid.text.bio import misaligned_spans
from multideid.text.table import TokenTable

LABELS = {"PATIENT", "DOCTOR", "HOSPITAL", "LOCATION", "DATE", "ID", "PHONE", "AGE"}


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return sample_corpus()


def phi(corpus: list[Document], label: str) -> list[str]:
    return [d.span_text(s) for d in corpus for s in d.spans if s.label == label]


def test_sixty_documents_hold_all_eight_labels(corpus: list[Document]) -> None:
    assert len(corpus) == 60
    assert {span.label for d in corpus for span in d.spans} == LABELS


def test_the_same_seed_writes_the_same_documents(corpus: list[Document]) -> None:
    assert sample_corpus() == corpus
    assert sample_corpus(5) == corpus[:5]


def test_documents_do_not_depend_on_the_order_of_sets() -> None:
    code = "from multideid.samples import sample_corpus; print(sample_corpus(3)[2].text)"
    texts = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert texts[0]


def test_different_seeds_write_different_documents(corpus: list[Document]) -> None:
    other = {d.text for d in sample_corpus(10, seed=1)}
    assert other.isdisjoint(d.text for d in corpus)


def test_no_two_documents_are_about_the_same_patient(corpus: list[Document]) -> None:
    assert len({d.id for d in corpus}) == len(corpus)
    names = [set(phi([d], "PATIENT")) for d in corpus]
    alike = sum(bool(a & b) for a, b in combinations(names, 2))
    assert alike < len(corpus) / 2


def test_spans_cover_whole_tokens_and_no_blanks_at_their_edges(corpus: list[Document]) -> None:
    assert misaligned_spans(TokenTable.from_documents(corpus), corpus) == []
    texts = [d.span_text(s) for d in corpus for s in d.spans]
    assert [t for t in texts if t != t.strip()] == []


def test_an_age_is_phi_from_ninety_on(corpus: list[Document]) -> None:
    ages = [int(age) for age in phi(corpus, "AGE")]
    assert min(ages) >= 90
    text = " ".join(d.text for d in corpus)
    assert any(int(age) < 90 for age in re.findall(r"(\d+)-year-old", text))


def test_labels_stand_on_text_of_their_kind(corpus: list[Document]) -> None:
    assert all(re.search(r"\d", text) for text in phi(corpus, "PHONE") + phi(corpus, "ID"))
    months = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    dates = re.compile(rf"\d+[-/]\d+|{months}|{months.upper()}")
    assert all(dates.search(text) for text in phi(corpus, "DATE"))
    names = phi(corpus, "PATIENT") + phi(corpus, "DOCTOR")
    assert [name for name in names if re.search(r"\d|Dr\.|Mr\.|M\.D", name)] == []


def test_names_come_in_many_forms(corpus: list[Document]) -> None:
    names = "\n".join(" ".join(n.split()) for n in phi(corpus, "PATIENT") + phi(corpus, "DOCTOR"))
    forms = (r"^\w+$", r"^\w+ \w+$", r"^[\w-]+, ?\w+", r"^\w\. \w\. ", r"^[A-Z]{4,},")
    assert [form for form in forms if not re.search(form, names, re.MULTILINE)] == []
    text = " ".join(d.text for d in corpus)
    assert any(f"{name}'s" in text for name in phi(corpus, "PATIENT"))


def test_there_are_a_hundred_and_fifty_sentences() -> None:
    assert len({s for section in SENTENCES.values() for s in section}) >= 150


@pytest.mark.parametrize("seed", range(5))
def test_every_brace_of_every_template_can_be_filled(seed: int) -> None:
    writer = _Writer(Stay(Random(seed)))
    templates = [s for section in SENTENCES.values() for s in section] + list(LAYOUTS)
    for template in templates:
        text, _ = assemble(writer.expand(template))
        assert not re.search(r"[{}]", text)


def test_every_section_has_sentences_to_choose_from() -> None:
    assert {SENTENCES_OF.get(name, name) for name in SECTIONS} == set(SENTENCES)


def test_no_documents_are_no_error_and_fewer_are() -> None:
    assert sample_corpus(0) == []
    with pytest.raises(UsageError, match="-1"):
        sample_corpus(-1)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=9), st.sampled_from([None, "ID"]))))
def test_spans_of_pieces_cover_the_labelled_ones(parts: list[tuple[str, str | None]]) -> None:
    text, spans = assemble(Piece(*part) for part in parts)
    document = Document("d", text, spans)
    assert [document.span_text(s) for s in spans] == [text for text, label in parts if label]


@given(st.text(alphabet="ab \n", max_size=200), st.integers(1, 40))
def test_wrapping_only_turns_spaces_into_line_ends(text: str, width: int) -> None:
    wrapped = wrap(text, width)
    assert len(wrapped) == len(text)
    assert wrapped.replace("\n", " ") == text.replace("\n", " ")
    # A line is longer than the width only where it has no space to break at.
    assert all(" " not in line[1 : width + 1] for line in wrapped.split("\n") if len(line) > width)
