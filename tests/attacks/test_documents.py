"""Odd documents are checked, and what must not be is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from attacks.documents import fuzz
from attacks.odd_documents import odd_file, odd_text
from multideid.document import Document, Span
from multideid.stacking import FailedDocument, SingleDeidentifier


@pytest.fixture(scope="module")
def model() -> SingleDeidentifier:
    """Return a model that finds words that it has seen."""
    notes = [Document("a", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))]
    return SingleDeidentifier("majority").fit(notes)


def test_odd_documents_have_no_faults(model: SingleDeidentifier) -> None:
    outcome = fuzz(model, 0, 60)
    assert outcome.faults == []
    assert outcome.counts["documents"] == 60


def test_equal_seeds_give_equal_documents() -> None:
    assert [odd_text(n) for n in range(5)] == [odd_text(n) for n in range(5)]
    assert odd_file(3) == odd_file(3)


def test_results_that_depend_on_the_batch_are_noticed(
    model: SingleDeidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_is_phi(batch: Sequence[Document]) -> list[Document | FailedDocument]:
        first, *others = batch
        return [replace(first, spans=(Span(0, 1, "ID"),)) if first.text else first, *others]

    monkeypatch.setattr(model, "predict_batch", first_is_phi)
    kinds = {fault.kind for fault in fuzz(model, 0, 40).faults}
    assert "another result in another batch" in kinds
    assert "another result alone" in kinds


def test_a_document_that_fails_is_a_fault(
    model: SingleDeidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        model, "predict_batch", lambda batch: [FailedDocument(d.id, "no") for d in batch]
    )
    assert {fault.kind for fault in fuzz(model, 0, 5).faults} == {"failed: no"}
