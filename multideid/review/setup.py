"""Begin a review of a corpus, or go on with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from multideid.document import Document
from multideid.errors import UsageError
from multideid.labels import PHI_CLASSES
from multideid.review.database import is_review
from multideid.review.notes import Proposal
from multideid.review.order import ORDER, TEACHING, arrange, check_order
from multideid.review.reading import MODEL, RECALL, SITE
from multideid.review.store import Store
from multideid.review.training import CORPORA
from multideid.site.site import as_site

SUFFIX = ".review"
_FREQUENT = "PATIENT DOCTOR NAME DATE HOSPITAL LOCATION CITY PHONE ID MEDICALRECORD AGE".split()


def open_review(  # noqa: PLR0913 (all but two by name)
    notes: Path,
    file: Path | None = None,
    *,
    model: str | Path | None = None,
    recall: str | None = None,
    site: Path | None = None,
    format: str | None = None,
    labels: Sequence[str] = (),
    train_with: Sequence[Path] = (),
    order: str | None = None,
) -> Store:
    """Return the review of a corpus: a new one, or that of an earlier time.

    Parameters
    ----------
    notes : Path
        The corpus, or the file of a review.
    file : Path, optional
        Where the review is kept. Default: beside the corpus, with ``.review`` at the end.
    model : str or Path, optional
        What proposes spans. Default: that of the earlier time, or else the corpus proposes
        the spans that it has.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`. Default: that of the earlier time if the model is the same.
    format : str, optional
        As for `multideid.corpora.read_corpus`.
    site : Path, optional
        A file ``site.toml``, which the model reads notes with; patient tables need the
        ``patient`` of each note. Default: that of the earlier time if the model is the same.
    labels : sequence of str
        More labels to offer.
    train_with : sequence of Path
        Annotated corpora to learn from too. Default: those of the earlier time.
    order : {"teaching", "random", "given"}, optional
        In which notes are offered. Default: that of the earlier time, or else "teaching" if
        a model proposes spans.

    Raises
    ------
    UsageError, CorpusError, ModelError, DocumentError
        If one of them cannot be used, or a note has changed since the review began.
    """
    place = notes if is_review(notes) else file or default_file(notes)
    _check_order(order, place, model)
    reader = _reader(place, model, recall, site)
    known = () if reader is None else _labels_of(reader)
    store, new = (Store(place), 0) if place == notes else _filled(place, notes, format, model)
    if reader is not None:
        _use(store, reader)
    if train_with:
        store.set_fact(CORPORA, [str(path.resolve()) for path in train_with])
    _offer(store, [*known, *labels])
    _order(store, order, new)
    return store


def _check_order(order: str | None, place: Path, model: str | Path | None) -> None:
    if order is None:
        return
    check_order(order)
    if order == TEACHING and model is None and _earlier_reader(place) is None:
        raise UsageError("which notes teach most is for a model to say: give --model")


class _Reader(NamedTuple):
    """The folder of the model that reads the notes, its recall point and its site's file."""

    model: str
    recall: str | None
    site: Path | None


def _reader(
    place: Path, model: str | Path | None, recall: str | None, site: Path | None
) -> _Reader | None:
    """Return what is to read the notes; None if nothing is said of it, and all stays as it is.

    Raises
    ------
    UsageError
        If a recall point or a site has no model.
    ModelError
        If there is no such model.
    """
    from multideid.models import find_model

    if model is None and recall is None and site is None:
        return None
    earlier = _earlier_reader(place)
    if model is not None:
        chosen = str(find_model(model).resolve())
    elif earlier is not None:
        chosen = earlier.model
    elif site is not None:
        raise UsageError("what a site knows is for a model to use: give --model with --site")
    else:
        raise UsageError("recall is that of a model: give --model with --recall")
    if earlier is None or earlier.model != chosen:
        return _Reader(chosen, recall, site)
    return _Reader(chosen, recall or earlier.recall, site or earlier.site)


def _earlier_reader(place: Path) -> _Reader | None:
    if not is_review(place):
        return None
    with closing(Store(place)) as store:
        model, recall, site = map(store.fact, (MODEL, RECALL, SITE))
    return model and _Reader(model, recall, site and Path(site[0]))


def _offer(store: Store, labels: Sequence[str]) -> None:
    if not (labels or store.labels):
        labels = [phi_class.label for phi_class in PHI_CLASSES]
    store.add_labels(offered_labels(labels))


def _order(store: Store, wanted: str | None, new: int) -> None:
    """Put the notes into an order; where nothing has changed, they stay as they are."""
    before = store.fact(ORDER)
    if wanted is None and before is None and store.fact(MODEL) and not store.layers.begun():
        wanted = TEACHING
    if wanted is not None and wanted != before:
        store.set_fact(ORDER, wanted)
    if new or store.fact(ORDER) != before:
        arrange(store)


def default_file(notes: Path) -> Path:
    """Return where the review of a corpus is kept unless told otherwise."""
    return notes.with_name(notes.name + SUFFIX)


def offered_labels(labels: Iterable[str]) -> list[str]:
    """Return labels in the order in which they are offered: frequent ones first."""
    place = {label: n for n, label in enumerate(_FREQUENT)}
    return sorted(set(labels), key=lambda label: (place.get(label, len(place)), label))


def _labels_of(reader: _Reader) -> tuple[str, ...]:
    from multideid.models import load

    return load(*reader).predicted_labels_


def _site_fact(site: Path | None) -> list[str] | None:
    """Return the path of a site's file, and a digest of its knowledge, which may change."""
    if site is None:
        return None
    known = "\n".join(as_site(site).content())
    return [str(site.resolve()), sha256(known.encode()).hexdigest()]


def _filled(
    place: Path, notes: Path, format: str | None, model: str | Path | None
) -> tuple[Store, int]:
    """Return the review of a corpus, and how many of its notes are new."""
    from multideid.corpora import read_corpus

    documents = read_corpus(notes, format)
    store = Store(place) if place.exists() else Store.create(place)
    return store, _fill(store, documents, with_spans=model is None and store.fact(MODEL) is None)


def _fill(store: Store, documents: Sequence[Document], *, with_spans: bool) -> int:
    """Add the notes that are new, with the spans that they have; return their number."""
    known = {row.id for row in store.queue()}
    new = store.add(documents)
    if not with_spans:
        return new
    store.add_labels(offered_labels({span.label for d in documents for span in d.spans}))
    numbers = {row.id: row.number for row in store.queue()}
    store.propose(
        (numbers[d.id], Proposal(d.spans, (None,) * len(d.spans)))
        for d in documents
        if d.id not in known
    )
    return new


def _use(store: Store, reader: _Reader) -> None:
    """Let a model read the notes; what another one, or another site, proposed is forgotten."""
    facts = {MODEL: reader.model, RECALL: reader.recall, SITE: _site_fact(reader.site)}
    if any(store.fact(name) != value for name, value in facts.items()):
        for name, value in facts.items():
            store.set_fact(name, value)
        store.forget_proposals()
