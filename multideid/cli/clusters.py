"""``multideid clusters``: unlabelled notes in, word classes for training out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.options.common import AsJson, Overwrite, Seed, Shared, ShowProgress
from multideid.cli.options.corpora import CorpusFormat
from multideid.cli.output import print_figures
from multideid.cli.progress import training_progress
from multideid.files import refuse_same


def clusters(  # noqa: PLR0913 (the options of the command)
    notes: Annotated[
        Path, typer.Argument(metavar="NOTES", help="Notes; annotations in them are not used.")
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="CLUSTERS", help="The folder to write."),
    ],
    *,
    format: CorpusFormat = None,
    min_documents: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Leave out words of fewer notes. Raise it where a patient has many notes: a name "
            "that is in N notes is written into the folder.",
        ),
    ] = 5,
    classes: Annotated[int, typer.Option(metavar="N", help="The most word classes.")] = 512,
    max_words: Annotated[
        int, typer.Option(metavar="N", help="The most words; the most frequent are taken.")
    ] = 20_000,
    seed: Seed = 0,
    overwrite: Overwrite = False,
    shared: Shared = False,
    progress: ShowProgress = None,
    json: AsJson = False,
) -> None:
    """Learn classes of words from notes without annotations, for train --clusters.

    Any language; nothing is downloaded. The folder holds words of the notes, and may hold
    PHI: names of people, hospitals and towns that are in many notes are among them. Protect
    it, and models trained with it, as you protect the notes.
    """
    from multideid.corpora import iter_corpus
    from multideid.features.word_clusters import write_clusters
    from multideid.learners.word_clusters import learn_clusters
    from multideid.persistence import check_output

    refuse_same({"the notes": notes}, {"the clusters": out})
    check_output(out, overwrite)

    def texts() -> Iterator[str]:
        return (document.text for document in iter_corpus(notes, format))

    with training_progress(progress) as on_progress:
        learned = learn_clusters(
            texts,
            min_documents=min_documents,
            classes=classes,
            max_words=max_words,
            seed=seed,
            progress=on_progress,
        )
    write_clusters(learned, out, overwrite=overwrite, private=not shared)
    words, found = len(learned.words), len(learned.middle)
    figures = {"words": words, "classes": found, "clusters": str(out)}
    print_figures(figures, f"{words:,} words in {found} classes written to {out}", json)
