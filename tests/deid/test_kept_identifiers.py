"""Columns of tables that are kept, and look like identifiers, are named in a warning."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd
import pytest

import multideid
from multideid import DeidOptions
from multideid.corpora.identifier_names import IdentifierWarning
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
