"""A recognizer of Presidio that uses a de-identifier.

The other way, Presidio's engine as a member of an ensemble, is the base system ``presidio``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.base_systems.presidio import EngineSettings, make_engine
from multideid.document import Document, FailedDocument, Span
from multideid.errors import DocumentError, MissingPackageError, UsageError
from multideid.integrations.coded_notes import found_in_readable
from multideid.integrations.presidio_entities import presidio_entity
from multideid.models import open_model
from multideid.stacking.deidentifier import Deidentifier

try:
    from presidio_analyzer import (
        AnalysisExplanation,
        AnalyzerEngine,
        EntityRecognizer,
        RecognizerResult,
    )
except ImportError:
    raise MissingPackageError("presidio-analyzer", "presidio", __name__) from None

if TYPE_CHECKING:
    from presidio_analyzer.nlp_engine import NlpArtifacts

SCORE = 0.85
"""The score of all results of models without calibrated scores, as of Presidio's own models."""


class MultideidRecognizer(EntityRecognizer):
    """Finds PHI for an `AnalyzerEngine` with a de-identifier.

    Importing this module makes the recognizer known to Presidio's YAML files, under its
    class name and with the parameters below.

    Parameters
    ----------
    model : str, Path or Deidentifier
        The name of a bundled model, a model folder, or a fitted de-identifier.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`.
    entity_mapping : mapping of str to str, optional
        Presidio's entity of a label, where it shall not be that of `presidio_entity`.
    supported_language : str, default "en"
    name : str, optional
    supported_entities : sequence of str, optional
        The entities to report. Default: all of the model.
    context : sequence of str, optional
        Not used: the model sees the whole text.

    Raises
    ------
    UsageError
        If one of `supported_entities` is none of the model.
    DocumentError
        From `analyze`, if the model fails on the text, or the text holds letters as codes or
        encoded data, so that it is not taken for clean.
    """

    name: str

    def __init__(  # noqa: PLR0913 (all but two by name)
        self,
        model: str | Path | Deidentifier = "en-default",
        recall: str | None = None,
        *,
        entity_mapping: Mapping[str, str] | None = None,
        supported_language: str = "en",
        name: str | None = None,
        supported_entities: Sequence[str] | None = None,
        context: Sequence[str] | None = None,
    ) -> None:
        self._source, self._recall = model, recall
        self._mapping = dict(entity_mapping or {})
        self._chosen = supported_entities
        super().__init__(
            supported_entities=[],
            name=name or type(self).__name__,
            supported_language=supported_language,
            context=list(context or ()),
        )

    def load(self) -> None:
        """Load the model."""
        self.model = open_model(self._source, self._recall)
        entities = dict.fromkeys(map(self._entity, self.model.predicted_labels_))
        chosen = entities if self._chosen is None else self._chosen
        if unknown := [entity for entity in chosen if entity not in entities]:
            raise UsageError(
                f"supported_entities has {', '.join(unknown)}, which the model never finds; "
                f"there are {', '.join(entities)}"
            )
        self.supported_entities = [entity for entity in entities if entity in chosen]

    def analyze(
        self, text: str, entities: Collection[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Return the PHI of a text.

        Parameters
        ----------
        text : str
        entities : collection of str
            The entities to report; all supported ones if empty.
        nlp_artifacts : NlpArtifacts, optional
            Not used.
        """
        reported = set(entities or self.supported_entities) & set(self.supported_entities)
        (found,) = found_in_readable([Document("text", text)], self.model.read_batch)
        if isinstance(found, FailedDocument):
            raise DocumentError(found.id, found.problem)
        pairs = zip(found.document.spans, found.scores, strict=True)
        return [self._result(s, score) for s, score in pairs if self._entity(s.label) in reported]

    def _entity(self, label: str) -> str:
        return self._mapping.get(label) or presidio_entity(label)

    def _result(self, span: Span, score: float | None) -> RecognizerResult:
        score = SCORE if score is None else score
        explanation = AnalysisExplanation(
            recognizer=type(self).__name__,
            original_score=score,
            textual_explanation=f"Identified as {span.label} by multideid ({self.model.kind})",
        )
        names = {
            RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
            RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
        }
        return RecognizerResult(
            self._entity(span.label), span.start, span.end, score, explanation, names
        )


def make_analyzer(
    model: str | Path | Deidentifier = "en-default",
    recall: str | None = None,
    *,
    language: str = "en",
    predefined: bool = False,
) -> AnalyzerEngine:
    """Return an engine with the recognizer that needs no language model and no network.

    Parameters
    ----------
    model, recall
        As for `MultideidRecognizer`.
    language : str
    predefined : bool
        Whether Presidio's own recognizers of patterns work along.

    Raises
    ------
    UsageError
        If spaCy does not know the language.
    """
    engine = make_engine(EngineSettings(language))
    recognizer = MultideidRecognizer(model, recall, supported_language=language)
    others = engine.registry.recognizers if predefined else []
    engine.registry.recognizers = [recognizer, *others]
    return engine


def _know_in_yaml() -> None:
    """Let Presidio's YAML files give the parameters of the recognizer, and refuse others."""
    try:
        from presidio_analyzer.input_validation import yaml_recognizer_models as models
    except ImportError:
        return  # Older versions pass on all parameters.
    from pydantic import create_model

    fields: dict[str, Any] = {
        "model": (str, "en-default"),
        "recall": (str | None, None),
        "entity_mapping": (dict[str, str] | None, None),
        "__config__": {"extra": "forbid"},
    }
    base = models.PredefinedRecognizerConfig
    bases = create_model("MultideidRecognizerConfig", __base__=base, **fields)
    models.CONFIG_MODEL_MAP[MultideidRecognizer.__name__] = bases


_know_in_yaml()
