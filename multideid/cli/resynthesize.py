"""``multideid resynthesize``: a corpus with the same text and new, synthetic PHI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from multideid.cli.error_handler import print_notice
from multideid.cli.options.common import AsJson, Overwrite, Shared
from multideid.cli.options.corpora import CorpusFormat, OutCorpus, SpansFormat
from multideid.cli.output import count_labels, counted, print_figures
from multideid.cli.values import chosen_formats
from multideid.document import Document, FailedDocument
from multideid.errors import DocumentError, UsageError
from multideid.models import find_model, load
from multideid.parallel import TIMEOUT
from multideid.tables import text_table

if TYPE_CHECKING:
    from multideid.redact import Key
    from multideid.resynthesis import PlaceholderReport
    from multideid.resynthesis.placeholder_types import TypeFinder
    from multideid.stacking import ParallelPredictor


class Styles(StrEnum):
    """Styles of synthetic PHI."""

    realistic = "realistic"
    shuffled = "shuffled"
    ambiguous = "ambiguous"
    out_of_dictionary = "out-of-dictionary"


class _Made(NamedTuple):
    """A corpus before and after, and the report on its placeholders."""

    old: Sequence[Document]
    new: Sequence[Document]
    filled: PlaceholderReport | None


Style = Annotated[
    Styles,
    typer.Option(
        "--style",
        help="Names from dictionaries ([b]realistic[/b]), such names with shuffled syllables "
        "([b]shuffled[/b]), names that are also words ([b]ambiguous[/b]), or permuted letters "
        "that are in no word list ([b]out-of-dictionary[/b]).",
    ),
]
Placeholders = Annotated[
    bool,
    typer.Option(
        "--placeholders",
        help="Also fill placeholders outside the spans, such as [REMOVED], ___ and Dr. X; the "
        "type of PHI is inferred from their wording and context.",
    ),
]
TypeModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="A model folder, or the name of a bundled model, that helps to infer the type of "
        "PHI of a placeholder.",
        show_default=False,
    ),
]
OwnSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Random seed. It is not a secret: if the PHI is real, use --key-file. Default: "
        "different PHI in each run.",
        show_default=False,
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The secret from which the synthetic PHI follows, 16 bytes or more. Default: the "
        "environment variable MULTIDEID_KEY, if there is no seed.",
        show_default=False,
    ),
]


def resynthesize(  # noqa: PLR0913 (the options of the command)
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="Documents with spans, or with placeholders.")
    ],
    out: OutCorpus,
    *,
    style: Style = Styles.realistic,
    placeholders: Placeholders = False,
    model: TypeModel = None,
    seed: OwnSeed = None,
    key_file: KeyFile = None,
    to: SpansFormat = None,
    format: CorpusFormat = None,
    overwrite: Overwrite = False,
    shared: Shared = False,
    json: AsJson = False,
) -> None:
    """Write a corpus with new, synthetic PHI under the same labels.

    All text outside the spans stays. Prints the number of words of each class,
    of ambiguous words, and of words in no word list.
    """
    from multideid.corpora import read_corpus, write_corpus
    from multideid.resynthesis import resynthesize as make

    if model is not None and not placeholders:
        raise UsageError("--model is for --placeholders")
    key = _key(seed, key_file)
    source, target = chosen_formats(corpus, format, to)
    old, filled = _annotated(read_corpus(corpus, source), placeholders, model)
    new = make(old, style.value, key)
    _notice_of_fields(new)
    inputs = [corpus, *([] if model is None else [find_model(model)])]
    inputs += [] if key_file is None else [key_file]
    write_corpus(new, out, target, overwrite=overwrite, inputs=inputs, private=not shared)
    figures = {"out": str(out), "format": target, "style": style.value, "documents": len(new)}
    line = f"{counted(len(new), 'document')} written to {out} ({target}), {style.value}"
    _print(figures, line, _Made(old, new, filled), json)


def _key(seed: int | None, key_file: Path | None) -> Key | None:
    from multideid.deid.replacing import find_key
    from multideid.resynthesis import seeded_key

    if seed is not None and key_file is not None:
        raise UsageError("give --seed or --key-file, not both")
    if seed is not None:
        return seeded_key(seed)
    key = find_key(key_file)
    if key is None:
        print_notice("note: neither seed nor key was given; each run invents different PHI")
    return key


def _notice_of_fields(documents: Sequence[Document]) -> None:
    """Name the fields that stay as they are, since patients may be in them by name."""
    from multideid.corpora import format_names
    from multideid.meta_fields import COLUMNS

    of_formats = {COLUMNS, *format_names()}
    found = [document.meta for document in documents]
    tables = (meta.get(COLUMNS) for meta in found)
    found += [columns for columns in tables if isinstance(columns, Mapping)]
    names = dict.fromkeys(str(name) for meta in found for name in meta if name not in of_formats)
    if names:
        print_notice(
            f"note: ids and these fields of the documents stay as they are: {', '.join(names)}"
        )


def _annotated(
    documents: Sequence[Document], placeholders: bool, model: str | None
) -> tuple[Sequence[Document], PlaceholderReport | None]:
    """Return the documents with spans for all PHI to replace.

    Raises
    ------
    UsageError
        If there is nothing to replace.
    """
    from multideid.resynthesis import annotated, types_by_rules

    filled = None
    if placeholders:
        opened = nullcontext(types_by_rules) if model is None else _types_by(model)
        with opened as find_types:
            documents, filled = annotated(documents, find_types)
    if not any(document.spans for document in documents):
        advice = "for [REMOVED], ___ and the like, add --placeholders"
        if placeholders:
            advice = "nor a placeholder of a known type"
        raise UsageError(f"the corpus has no span of PHI to replace; {advice}")
    return documents, filled


@contextmanager
def _types_by(model: str) -> Iterator[TypeFinder]:
    """Infer types with a model in processes of its own, where a base system may do anything."""
    from multideid.resynthesis import ModelTypes
    from multideid.stacking import ParallelPredictor

    find_model(model)
    with ParallelPredictor(partial(load, model), isolated=True, timeout=TIMEOUT) as predictor:
        yield ModelTypes(_Isolated(predictor))


class _Isolated:
    """A model in other processes; all documents must succeed."""

    def __init__(self, predictor: ParallelPredictor) -> None:
        self._predictor = predictor

    @property
    def labels_(self) -> tuple[str, ...]:
        """The PHI labels of the model."""
        return self._predictor.labels

    def predict(self, documents: Iterable[Document], /) -> list[Document]:
        """Return the documents with predicted spans.

        Raises
        ------
        DocumentError
            If the model fails on a document.
        """
        found = []
        for result in self._predictor.predict_each(documents):
            if isinstance(result, FailedDocument):
                raise DocumentError(result.id, result.problem)
            found.append(result)
        return found


def _print(figures: dict[str, Any], line: str, made: _Made, json: bool) -> None:
    from multideid.eval import distribution, format_distribution

    before, after = distribution(made.old), distribution(made.new)
    figures |= {
        "spans": count_labels(made.new),
        "words": {"before": before.to_dict(), "after": after.to_dict()},
    }
    parts = [line]
    if made.filled is not None:
        figures["placeholders"] = made.filled.to_dict()
        parts.append(_placeholders_table(made.filled))
    print_figures(figures, "\n\n".join([*parts, format_distribution(after, before)]), json)


def _placeholders_table(filled: PlaceholderReport) -> str:
    from multideid.resynthesis import Source

    ways = [way.value for way in Source if way is not Source.UNKNOWN]
    rows = [
        [label, *(str(counts[way]) for way in ways)] for label, counts in filled.by_label.items()
    ]
    left = f"\n{counted(filled.left, 'placeholder')} left, of unknown type"
    title = f"{counted(len(filled.found), 'placeholder')}, by the source of the label"
    return f"{title}\n{text_table(['label', *ways], rows)}{left if filled.left else ''}"
