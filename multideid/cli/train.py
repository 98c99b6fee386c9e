"""``multideid train``: an annotated corpus in, a model out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.modes import EstimatorSpec
from multideid.cli.options.common import AsJson, Jobs, Overwrite, Shared, ShowProgress
from multideid.cli.options.corpora import CorpusFormat, GroupField
from multideid.cli.options.training import (
    Augmentation,
    ChosenLabels,
    Clusters,
    FeatureSet,
    Folds,
    Lists,
    ModelOut,
    Param,
    RequestedRecall,
    Systems,
    TrainingMode,
    TrainingPassThrough,
    TrainingSeed,
    VoteRule,
)
from multideid.cli.output import (
    count_labels,
    count_misaligned,
    counted,
    labels_table,
    print_figures,
)
from multideid.cli.progress import training_progress
from multideid.cli.values import read_training
from multideid.files import refuse_same
from multideid.tables import text_table

if TYPE_CHECKING:
    import pandas as pd

    from multideid.document import Document


def train(  # noqa: PLR0913 (the options of the command)
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="The annotated corpus.")],
    out: ModelOut,
    *,
    mode: TrainingMode = "multi",
    systems: Systems = None,
    folds: Folds = None,
    groups: GroupField = None,
    recall: RequestedRecall = None,
    rule: VoteRule = None,
    augmentation: Augmentation = None,
    param: Param = None,
    features: FeatureSet = "full",
    clusters: Clusters = None,
    lists: Lists = None,
    labels: ChosenLabels = None,
    format: CorpusFormat = None,
    seed: TrainingSeed = None,
    pass_through: TrainingPassThrough = True,
    jobs: Jobs = None,
    overwrite: Overwrite = False,
    shared: Shared = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Train a model on an annotated corpus.

    A model contains words of its corpus: protect it as you protect the corpus.
    """
    from multideid.persistence import check_output

    options = {
        "folds": folds, "recall": recall, "seed": seed, "rule": rule, "augmentation": augmentation,
    }  # fmt: skip
    passing = pass_through and labels is None
    resources = {"clusters": clusters, "lists": lists}
    spec = EstimatorSpec.of(
        mode, systems, param, features, pass_through=passing, resources=resources, **options
    )
    refuse_same({"the corpus": corpus}, {"the model": out})
    check_output(out, overwrite)
    documents = read_training(corpus, format, labels)
    together = spec.groups_of(documents, groups)
    misaligned = count_misaligned(documents, corpus)
    start = perf_counter()
    with training_progress(progress) as on_progress:
        model = spec.make(jobs, on_progress).fit(documents, groups=together)
        seconds = perf_counter() - start
        model.save(out, overwrite=overwrite, private=not shared)
    trust: pd.DataFrame | None = getattr(model, "trust_", None)
    figures = {
        **spec.to_dict(),
        **({} if groups is None else {"groups": groups}),
        **_figures(documents, seconds, trust),
        "passing_labels": {label: list(names) for label, names in model.passing_labels_.items()},
    }
    text = _text(spec, figures, trust, out)
    print_figures({**figures, "misaligned_spans": misaligned, "model": str(out)}, text, json)


def _figures(
    documents: list[Document], seconds: float, trust: pd.DataFrame | None
) -> dict[str, Any]:
    return {
        "documents": len(documents),
        "spans": count_labels(documents),
        "seconds": round(seconds, 1),
        "trust": None if trust is None else trust.astype(float).to_dict("index"),
    }


def _text(
    spec: EstimatorSpec, figures: dict[str, Any], trust: pd.DataFrame | None, out: Path
) -> str:
    n = counted(figures["documents"], "document")
    parts = [
        f"{spec} trained on {n} in {figures['seconds']:g} s; model written to {out}",
        labels_table(figures["spans"]),
    ]
    if figures["passing_labels"]:
        parts.append(_passing_text(figures["passing_labels"]))
    if trust is not None:
        parts.append(f"Trust of the stacker in each system\n\n{_trust_table(trust)}")
    return "\n\n".join(parts)


def _passing_text(passing: Mapping[str, Sequence[str]]) -> str:
    found = ", ".join(f"{label} ({', '.join(names)})" for label, names in passing.items())
    return (
        f"Not annotated, but found by rules and kept: {found}; "
        "--no-pass-through leaves such finds out"
    )


def _trust_table(trust: pd.DataFrame) -> str:
    rows = [[str(label), *(f"{x:.3f}" for x in row)] for label, *row in trust.itertuples()]
    return text_table(["", *map(str, trust.columns)], rows)
