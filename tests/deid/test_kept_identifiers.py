"""Columns of tables that are kept, and look like identifiers, are named in a warning."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import pandas as pd
import pytest

import multideid
from multideid import DeidOptions
from multideid.corpora.identifier_names import IdentifierWarning, warn_of_identifiers
from multideid.document import Document, Span
from multideid.stacking import Deidentifier, SingleDeidentifier
from multideid.taggers import registry


class Nothing:
    name, summary = "nothing-but-x", "The letter x."

    def tag(self, document: Document) -> list[Span]:
        return [Span(0, 1, "ID")] if document.text == "x" else []


@pytest.fixture
def model() -> Deidentifier:
    registry.register(Nothing)
    yield SingleDeidentifier("nothing-but-x").fit([Document("n", "x", ((0, 1, "ID"),))])
    registry._SESSION.pop("nothing-but-x")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_identifiers_in_other_columns_are_named(model, tmp_path: Path, suffix: str) -> None:
    table = pd.DataFrame({"MRN": ["7"], "contact": ["a@b.org"], "ward": ["3"], "text": ["note"]})
    path, target = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    if suffix == ".parquet":
        table.to_parquet(path)
        rewrite = multideid.deidentify_parquet
    else:
        table.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
        rewrite = multideid.deidentify_csv
    with pytest.warns(IdentifierWarning) as caught:
        rewrite(path, target, DeidOptions(model=model, n_jobs=1))
    (message,) = [str(each.message) for each in caught]
    assert "this looks like identifiers: 'MRN', 'contact'; leave them out, or name" in message
    assert "a@b.org" not in message


def test_a_column_of_notes_that_is_kept_is_named(model, tmp_path: Path) -> None:
    note = "Called the daughter of the patient, who will come again in two weeks."
    (tmp_path / "in.csv").write_text(f"ward,ADDENDUM,text\n3,{note.replace(',', '')},note\n")
    options = DeidOptions(model=model, n_jobs=1)
    with pytest.warns(IdentifierWarning, match="this looks like text: 'ADDENDUM'"):
        multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", options)


def test_a_long_value_without_spaces_is_looked_at_in_linear_time() -> None:
    start = time.thread_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_identifiers("file", {"scan": ["AbC1" * 10_000]}, "remove it")
    assert time.thread_time() - start < 1


@pytest.mark.parametrize(("words", "is_named"), [(11, False), (12, True), (1_000, True)])
def test_twelve_words_are_a_note(words: int, is_named: bool) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_identifiers("file", {"memo": [" word\t" * words]}, "remove it")
    assert bool(caught) is is_named


def test_ages_over_89_are_named_and_others_are_not(model, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("AGE,age_at_onset,text\n45,44,note\n94,89,note\n")
    options = DeidOptions(model=model, n_jobs=1)
    with pytest.warns(IdentifierWarning, match="this looks like identifiers: 'AGE'; leave"):
        multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", options)


def test_other_columns_give_no_warning(model, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("ward,text\n3,note\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        options = DeidOptions(model=model, n_jobs=1)
        multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", options)
