"""Results of experiments: records, tables and charts, with notes and signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from multideid.document import corpus_fingerprint
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.setup import ENSEMBLES, Setup, base_systems
from multideid.eval.metrics.scores import Score
from multideid.eval.reports.blocks import Block, Chart, Report, Section, Text, to_text
from multideid.eval.signature import Scoring, Signature
from multideid.stacking.systems import given_params, knowledge_of
from multideid.tables import Record

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Source:
    """The conditions of an experiment's figures on one corpus.

    Parameters
    ----------
    corpus : str
        Name of the corpus.
    trained_on : str
        Fingerprint of the training documents.
    n_train : int
        Number of training documents.
    base_systems : tuple of str
        The members of vote, Mega and Multi; empty if none of them is measured.
    signature : Signature
        Of the test documents, the systems and the scores.
    """

    corpus: str
    trained_on: str
    n_train: int
    base_systems: tuple[str, ...]
    signature: Signature

    @classmethod
    def of(  # noqa: PLR0913 -- keywords
        cls,
        corpus: Corpus,
        systems: Sequence[str],
        setup: Setup,
        *,
        folds: bool = True,
        n_resamples: int | None = None,
        members: Iterable[str] | None = None,
    ) -> Source:
        """Sign the figures of some systems on a corpus.

        Parameters
        ----------
        corpus : Corpus
        systems : sequence of str
            The measured systems.
        setup : Setup
        folds : bool
            Whether documents were divided into folds.
        n_resamples : int, optional
        members : iterable of str, optional
            The base systems behind the figures. Default: `base_systems` of `systems`.
        """
        used = base_systems(systems, setup.systems) if members is None else tuple(members)
        scoring = Scoring(
            tokenization=setup.tokenization,
            folds=setup.folds if folds else None,
            seed=setup.seed,
            n_resamples=n_resamples,
            params=given_params(setup.with_params(used)),
            knowledge=knowledge_of(map(setup.tagger, used)),
            features=setup.features,
        )
        signature = Signature.of(corpus.test, systems, scoring)
        trained_on = corpus_fingerprint(corpus.train), len(corpus.train)
        ensemble = setup.systems if set(systems) & set(ENSEMBLES) else ()
        return cls(corpus.name, *trained_on, ensemble, signature)

    def __str__(self) -> str:
        members = f"base systems {'+'.join(self.base_systems)}; " if self.base_systems else ""
        return (
            f"{self.corpus}: trained on {self.trained_on}, {self.n_train} documents; {members}"
            f"{self.signature}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the printed line as plain JSON values."""
        return {
            "corpus": self.corpus,
            "trained_on": self.trained_on,
            "n_train": self.n_train,
            "base_systems": list(self.base_systems),
            "signature": self.signature.to_dict(),
            "line": str(self),
        }


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an experiment: records, and tables and charts of these.

    ``result["rows"]`` returns the records called "rows", with one attribute per
    figure, and ``result.to_frame("rows")`` a DataFrame.

    Parameters
    ----------
    experiment : str
        The name of the experiment.
    records : mapping of str to sequence of Record
    tables : sequence of Block
        Tables of the records, with text between them.
    sources : sequence of Source
    notes : sequence of str
        Remarks for the reader of the figures.
    charts : sequence of Chart
    """

    experiment: str
    records: Mapping[str, Sequence[Any]]
    tables: Sequence[Block]
    sources: Sequence[Source]
    notes: Sequence[str] = ()
    charts: Sequence[Chart] = ()

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.records[name]

    def to_frame(self, name: str) -> pd.DataFrame:
        """Return records with one column per figure."""
        import pandas as pd

        return pd.json_normalize(_plain(self.records[name]))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        figures = {name: _plain(records) for name, records in self.records.items()}
        sources = [source.to_dict() for source in self.sources]
        return {
            "experiment": self.experiment, **figures, "sources": sources, "notes": [*self.notes],
        }  # fmt: skip

    def to_text(self) -> str:
        """Return the tables, the notes and the signatures as text."""
        signatures = Text("\n".join(map(str, self.sources)), "signature")
        return to_text([*self.tables, *self._notes(), signatures])

    def report(self) -> Report:
        """Return the charts, and the tables with notes and signatures, for a page of HTML."""
        signatures = (Text(str(source), "signature") for source in self.sources)
        charts = Section("charts", "Charts", tuple(self.charts))
        tables = Section("tables", "Tables", (*self.tables, *self._notes(), *signatures))
        return Report(f"Experiment: {self.experiment}", (charts, tables))

    def _notes(self) -> Iterator[Text]:
        return (Text(note, "note") for note in dict.fromkeys(self.notes))


def silent_notes(corpus: str, system: str, score: Score) -> Iterator[str]:
    """Yield a note if all scores are 0 because the system predicts nothing."""
    if score.gold and not score.predicted:
        yield f"{corpus}: {system} predicts no PHI at all, so that its precision and F are 0"


def _plain(value: Any) -> Any:
    """Return JSON values of records, dataclasses and containers."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Record):
        return {name: _plain(x) for name, x in vars(value).items()}
    if isinstance(value, Mapping):
        return {key: _plain(x) for key, x in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(x) for x in value]
    return value
