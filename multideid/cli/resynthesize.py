"""``multideid resynthesize``: a corpus with the same text and new, invented PHI."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multideid.cli.deid_replacing import find_key
from multideid.cli.guard import tell
from multideid.cli.options import AsJson, CorpusFormat, OutCorpus, Overwrite
from multideid.cli.output import count_labels, counted, print_figures
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.redact import Key
    from multideid.redact.resynthesis import PlaceholderCounts

_WITHOUT_SPANS = {"plain": "brat"}


class Styles(StrEnum):
    """In which styles PHI can be invented."""

    realistic = "realistic"
    shuffled = "shuffled"
    ambiguous = "ambiguous"
    out_of_dictionary = "out-of-dictionary"


def resynthesize(  # noqa: PLR0913 (the options of the command)
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="Documents with spans, or with placeholders.")
    ],
    out: OutCorpus,
    *,
    style: Annotated[
        Styles,
        typer.Option(
            "--style",
            help="Names of dictionaries ([b]realistic[/b]), such names with their syllables "
            "shuffled ([b]shuffled[/b]), names that are words as well ([b]ambiguous[/b]), or "
            "permuted letters that no word list has ([b]out-of-dictionary[/b]).",
        ),
    ] = Styles.realistic,
    placeholders: Annotated[
        bool,
        typer.Option(
            "--placeholders",
            help="Fill placeholders outside the spans too, such as [REMOVED], ___ and Dr. X; what "
            "stood there is told by their wording and their context.",
        ),
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL",
            help="A trained model that tells what stood where a placeholder stands.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            min=0,
            help="What is invented follows from it. It is no secret: where the PHI is real, use "
            "--key-file. Default: chance.",
            show_default=False,
        ),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help="The secret that what is invented follows from, 16 bytes or more. Default: the "
            "environment variable MULTIDEID_KEY, if there is no seed.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="NAME",
            help="Format to write. Default: that of CORPUS, or brat if that holds no spans.",
        ),
    ] = None,
    format: CorpusFormat = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Write a corpus again with new, invented PHI under the same labels.

    All text outside the spans stays. Prints how many words each class has,
    how many are ambiguous, and how many no word list has.
    """
    from multideid.corpora import detect_format, read_corpus, write_corpus
    from multideid.eval.distribution import distribution, format_distribution
    from multideid.redact.resynthesis import resynthesize as make

    if model is not None and not placeholders:
        raise UsageError("--model is for --placeholders")
    key = _key(seed, key_file)
    source = format or detect_format(corpus)
    target = to or _WITHOUT_SPANS.get(source, source)
    documents, filled = _annotated(read_corpus(corpus, source), placeholders, model)
    new = make(documents, style.value, key)
    write_corpus(
        new, out, target, overwrite=overwrite, inputs=[path for path in (corpus, model) if path]
    )
    before, after = distribution(documents), distribution(new)
    figures: dict[str, Any] = {
        "out": str(out),
        "format": target,
        "style": style.value,
        "documents": len(new),
        "spans": count_labels(new),
        "words": {"before": before.to_dict(), "after": after.to_dict()},
    }
    lines = [f"{counted(len(new), 'document')} written to {out} ({target}), {style.value}"]
    if filled is not None:
        figures["placeholders"] = filled.to_dict()
        lines.append(_placeholders_table(filled))
    lines.append(format_distribution(after, before))
    print_figures(figures, "\n\n".join(lines), json)


def _key(seed: int | None, key_file: Path | None) -> Key | None:
    from multideid.redact.resynthesis import seeded_key

    if seed is not None and key_file is not None:
        raise UsageError("give --seed or --key-file, not both")
    if seed is not None:
        return seeded_key(seed)
    key = find_key(key_file)
    if key is None:
        tell("note: neither seed nor key was given; another run will invent other PHI")
    return key


def _annotated(
    documents: Sequence[Document], placeholders: bool, model: Path | None
) -> tuple[Sequence[Document], PlaceholderCounts | None]:
    """Return the documents with spans for what is to be replaced.

    Raises
    ------
    UsageError
        If there is nothing to replace.
    """
    from multideid.redact.resynthesis import ModelTypes, annotated, types_by_rules

    filled = None
    if placeholders:
        from multideid.stacking import load

        find_types = types_by_rules if model is None else ModelTypes(load(model))
        documents, filled = annotated(documents, find_types)
    if not any(document.spans for document in documents):
        advice = "it has no placeholder either" if placeholders else "for [REMOVED], ___ and the "
        advice += "" if placeholders else "like, add --placeholders"
        raise UsageError(f"the corpus has no span of PHI to replace; {advice}")
    return documents, filled


def _placeholders_table(filled: PlaceholderCounts) -> str:
    from multideid.eval.text_table import text_table
    from multideid.redact.resynthesis import ToldBy

    ways = [way.value for way in ToldBy if way is not ToldBy.NOTHING]
    rows = [
        [label, *(str(counts[way]) for way in ways)]
        for label, counts in sorted(filled.by_label.items())
    ]
    left = f"\n{counted(filled.left, 'placeholder')} left, of which nothing tells what it was"
    title = f"{counted(filled.total, 'placeholder')}, by what told the label"
    return f"{title}\n{text_table(['label', *ways], rows)}{left if filled.left else ''}"
