"""Precision over recall as Multi's decisions are shifted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.curves import curves_of
from multideid.eval.reports.html.blocks import Chart
from multideid.eval.reports.html.experiments import precision_recall_chart
from multideid.stacking.out_of_fold import all_scores
from multideid.text.bio import bio_names
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from multideid.stacking import MultiDeidentifier


def multi_curves(title: str, model: MultiDeidentifier, gold: Sequence[Document]) -> Chart:
    """Draw Multi's curves on annotated documents, of any PHI and class by class.

    Parameters
    ----------
    title : str
    model : MultiDeidentifier
        Fitted.
    gold : sequence of Document
        With gold spans.
    """
    tokens = TokenTable.from_documents(gold)
    margins = model.stacker_.margins(tokens, all_scores(model.taggers_, tokens))
    corpus = Corpus(title, (), tuple(gold))
    curves = curves_of(corpus, tokens, margins, bio_names(model.labels_))
    return precision_recall_chart(title, [curve.to_dict() for curve in curves])
