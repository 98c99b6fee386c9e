"""What ``multideid validate`` compares: what people marked, and what a model finds."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.cli.error_handler import print_notice
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.review import Store
    from multideid.site import Site
    from multideid.validation import Conditions, Plan, Readings

_LIBRARIES = ("numpy", "scipy", "scikit-learn")


def readings_of(
    plan: Plan, places: Sequence[Path], reviewers: Sequence[str] | None, format: str | None
) -> Readings:
    """Read what one or two people marked: corpora, or the file of a review.

    Raises
    ------
    UsageError
        If notes are missing, or the reviewers saw what a model proposed.
    """
    from multideid.corpora import read_corpus
    from multideid.review.database import is_review
    from multideid.validation import gold_of

    if len(places) == 1 and is_review(places[0]):
        return _of_review(plan, places[0], reviewers)
    if reviewers:
        raise UsageError("--reviewer is for the file of a review; name one corpus for each reader")
    return gold_of(plan, [read_corpus(path, format) for path in places])


def _of_review(plan: Plan, path: Path, reviewers: Sequence[str] | None) -> Readings:
    from multideid.review import ADJUDICATED, Store
    from multideid.review.outcome import disputed, reviewed_documents
    from multideid.validation import gold_of

    store = Store(path)
    check_blind(store)
    names = reviewers or [name for name in store.layers.names() if name != ADJUDICATED]
    if not 1 <= len(names) <= 2:
        listed = ", ".join(names) or "none"
        raise UsageError(f"{path} has the reviewers {listed}; name one or two by --reviewer")
    readings = [list(reviewed_documents(store, name)) for name in names]
    # With other reviewers in the file, what all agree on says nothing of these.
    settled = len(names) == 2 and not reviewers and not disputed(store)
    return gold_of(plan, readings, list(reviewed_documents(store)) if settled else None)


def check_blind(store: Store) -> None:
    """Raise UsageError if reviewers see or saw what a model proposes."""
    from multideid.review.reading import MODEL

    if store.fact(MODEL) is not None or any(
        note.proposal is not None and note.proposal.spans for note in store.notes()
    ):
        raise UsageError(
            f"{store.path} shows its reviewers what a model proposed, and what is proposed is "
            "easily taken for right; review the sample without a model"
        )


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model with its settings, as the options give them; or predictions."""

    model: str | None
    predicted: Path | None
    recall: str | None = None
    site: Site | None = None
    pass_through: bool | None = None
    language_check: bool = True
    jobs: int | None = None

    def __post_init__(self) -> None:
        if (self.model is None) == (self.predicted is None):
            raise UsageError("give either --model or --predicted")
        if self.predicted is not None and (given := list(self._of_model())):
            raise UsageError(
                f"{', '.join(given)} has no effect with --predicted; it is for --model"
            )

    def _of_model(self) -> Iterator[str]:
        """Yield the options that change what a model finds, and were given."""
        options = {
            "--recall": self.recall is not None,
            "--pass-through": self.pass_through is not None,
            "a site": self.site is not None,
            "--language-check": not self.language_check,
        }
        yield from (name for name, is_given in options.items() if is_given)

    def run(self, documents: Sequence[Document]) -> tuple[list[Document | None], Conditions]:
        """Return what is found in documents, None where it failed, and the conditions."""
        if self.predicted is not None:
            return self._read(self.predicted, documents)
        assert self.model is not None
        return self._predict(self.model, documents), self._conditions(self.model)

    def _read(
        self, path: Path, documents: Sequence[Document]
    ) -> tuple[list[Document | None], Conditions]:
        from multideid.corpora import read_corpus
        from multideid.document import corpus_fingerprint
        from multideid.validation import Conditions

        found = read_corpus(path)
        by_text = {document.text: document for document in found}
        if missing := [d.id for d in documents if d.text not in by_text]:
            raise UsageError(f"{path} lacks {len(missing)} notes, the first {missing[0]!r}")
        chosen: list[Document | None] = [by_text[d.text] for d in documents]
        return chosen, Conditions("predictions", corpus_fingerprint(found), {}, _libraries())

    def _predict(self, model: str, documents: Sequence[Document]) -> list[Document | None]:
        from multideid.document import Document
        from multideid.models import load
        from multideid.models.languages import language_refusal
        from multideid.stacking import ParallelPredictor

        make = partial(load, model, self.recall, self.site, pass_through=self.pass_through)
        found: list[Document | None] = []
        with ParallelPredictor(make, self.jobs, isolated=True) as predictor:
            refusal = language_refusal(model, lambda: predictor.labels, self.language_check)
            for result in predictor.predict_each(documents):
                document = result if isinstance(result, Document) else None
                problem = getattr(result, "problem", None) or refusal(
                    document.text if document else ""
                )
                if problem:
                    print_notice(f"failed: {result.id}: {problem}")
                found.append(None if problem else document)
        return found

    def _conditions(self, model: str) -> Conditions:
        from multideid.models import find_model
        from multideid.validation import Conditions

        folder = find_model(model)
        manifest = (folder / "manifest.json").read_bytes()
        settings: dict[str, Any] = {
            "recall": self.recall and str(self.recall),
            "pass_through": self.pass_through,
            # Not what the site knows, which may be PHI.
            "site": True if self.site is not None else None,
        }
        given = {name: value for name, value in settings.items() if value is not None}
        fingerprint = hashlib.sha256(manifest).hexdigest()
        return Conditions(folder.resolve().name, fingerprint, given, _libraries())


def _libraries() -> tuple[str, ...]:
    python = f"python {platform.python_version()}"
    return (python, *(f"{name} {version(name)}" for name in _LIBRARIES))
