"""No document is scored by a system that saw it."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.errors import DocumentError
from multideid.stacking.fitting import FitJob, run_all
from multideid.stacking.folds import document_folds
from multideid.stacking.out_of_fold import fit_out_of_fold
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels, encode_bio
from multideid.text.table import TokenTable


def table(documents: list[Document]) -> tuple[TokenTable, TokenLabels]:
    tokens = TokenTable.from_documents(documents)
    return tokens, encode_bio(tokens, documents)


def test_the_spy_would_tell(spy: type[BaseTagger], corpus: list[Document]) -> None:
    tokens, labels = table(corpus)
    job = FitJob("spy", spy(), range(5), [4], keep=False)
    with pytest.raises(DocumentError, match=f"'{corpus[4].id}': was scored"):
        list(run_all([job], tokens, labels, n_jobs=1))


def test_progress_is_told_after_every_fit(spy: type[BaseTagger], corpus: list[Document]) -> None:
    tokens, labels = table(corpus)
    told: list[tuple[int, int, str]] = []
    fold = document_folds(len(corpus), 3, seed=0)
    fit_out_of_fold(["spy"], tokens, labels, fold, n_jobs=1, progress=lambda *t: told.append(t))
    assert told == [(n, 4, "spy") for n in range(1, 5)]
