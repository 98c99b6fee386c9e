"""Presidio's results, with entity types mapped to the labels of the corpus by training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from multideid.base_systems.presidio.engine import EngineSettings, make_engine
from multideid.document import Document, Span
from multideid.taggers.parameters import SHARE, ParamRule, check_params

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, RecognizerResult


class PresidioTagger:
    """An engine of presidio-analyzer as a span plug-in.

    Each entity type and score, rounded to tenths (``"PHONE_NUMBER 0.4"``), is a label
    of its own, so that training finds the corpus's label and the score from which
    results are reliable. For an engine of your own,
    override `make_engine` in a subclass and register it under another name.

    Parameters
    ----------
    language : str, default "en"
        Code of the notes' language.
    nlp_model : str, optional
        An installed spaCy pipeline. Default: pattern recognizers only.
    score_threshold : float, optional
        Threshold of scores, 0 to 1. Default: that of the engine.
    recognizers : sequence of str, optional
        Names of Presidio's recognizers. Default: all that it enables.

    Raises
    ------
    UsageError
        If a parameter is invalid, or something it names is not installed.

    Examples
    --------
    >>> PresidioTagger().tag(Document("n", "Call 617-555-1234."))  # doctest: +SKIP
    [Span(start=5, end=17, label='PHONE_NUMBER 0.4')]
    """

    name: ClassVar[str] = "presidio"
    summary: ClassVar[str] = "Presidio's recognizers of patterns; needs no training."
    needs: ClassVar[Mapping[str, str]] = {"presidio_analyzer": "presidio"}
    min_precision: ClassVar[float] = 0.5
    # Presidio gives the highest score to what it verified, such as check digits.
    certain_labels: ClassVar[Mapping[str, str]] = {
        "EMAIL_ADDRESS 1.0": "EMAIL",
        "CREDIT_CARD 1.0": "CREDIT_CARD",
        "IBAN_CODE 1.0": "IBAN_CODE",
    }
    param_rules: ClassVar[Mapping[str, ParamRule]] = {"score_threshold": SHARE}

    def __init__(
        self,
        language: str = "en",
        nlp_model: str | None = None,
        score_threshold: float | None = None,
        recognizers: Sequence[str] | None = None,
    ) -> None:
        check_params(self.name, PresidioTagger, {"score_threshold": score_threshold})
        chosen = None if recognizers is None else tuple(recognizers)
        self._language = language
        self._threshold = score_threshold
        self._engine = _cached_engine(self.make_engine, EngineSettings(language, nlp_model, chosen))

    @classmethod
    def make_engine(cls, settings: EngineSettings) -> AnalyzerEngine:
        """Make the engine; called once per process for the same settings.

        Parameters
        ----------
        settings : EngineSettings
            The parameters of the constructor.
        """
        return make_engine(settings)

    def tag(self, document: Document) -> list[Span]:
        """Return the engine's results; overlaps are resolved by score."""
        found = self._engine.analyze(
            document.text, language=self._language, score_threshold=self._threshold
        )
        return [Span(r.start, r.end, f"{r.entity_type} {r.score:.1f}") for r in _apart(found)]


@lru_cache(maxsize=8)
def _cached_engine(
    make: Callable[[EngineSettings], AnalyzerEngine], settings: EngineSettings
) -> AnalyzerEngine:
    return make(settings)


def _apart(results: Iterable[RecognizerResult]) -> list[RecognizerResult]:
    """Resolve overlaps by score, then length, then position; the results are sorted."""
    kept: list[RecognizerResult] = []
    ranked = sorted(results, key=lambda r: (-r.score, r.start - r.end, r.start, r.entity_type))
    taken = bytearray(max((r.end for r in ranked), default=0))
    for result in ranked:
        if not any(taken[result.start : result.end]):
            taken[result.start : result.end] = b"\1" * (result.end - result.start)
            kept.append(result)
    return sorted(kept, key=lambda r: int(r.start))
