"""Presidio's engine without downloads: patterns alone, or with an installed language model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from multideid.errors import UsageError
from multideid.text.spacy_pipelines import check_installed

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpEngine
    from tldextract import TLDExtract

_NAME = attrgetter("name")


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Options of an engine.

    Parameters
    ----------
    language : str
        Code of the notes' language, ``"en"``.
    nlp_model : str or None
        An installed spaCy pipeline, which finds names and places and lemmatises context
        words. None: pattern recognizers only.
    recognizers : tuple of str or None
        Names of Presidio's recognizers, such as ``"PhoneRecognizer"``. None:
        all that Presidio enables for the language.
    """

    language: str = "en"
    nlp_model: str | None = None
    recognizers: tuple[str, ...] | None = None


def make_engine(settings: EngineSettings) -> AnalyzerEngine:
    """Return an engine that never uses the network.

    Raises
    ------
    UsageError
        If the language, the pipeline or a recognizer is not available.
    """
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

    nlp = _nlp_engine(settings)
    languages = [settings.language]
    registry = RecognizerRegistry(supported_languages=languages)
    registry.load_predefined_recognizers(languages=languages, nlp_engine=nlp)
    _choose(registry, settings)
    _stay_offline(registry)
    return AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=languages)


def _nlp_engine(settings: EngineSettings) -> NlpEngine:
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    from multideid.base_systems.presidio.pattern_nlp_engine import PatternNlpEngine

    if settings.nlp_model is None:
        return PatternNlpEngine(settings.language)
    # Presidio would download it.
    check_installed(settings.nlp_model)
    return SpacyNlpEngine([{"lang_code": settings.language, "model_name": settings.nlp_model}])


def _choose(registry: RecognizerRegistry, settings: EngineSettings) -> None:
    """Remove all recognizers except the requested ones."""
    there = set(map(_NAME, registry.recognizers))
    wanted = there if settings.recognizers is None else set(settings.recognizers)
    unknown = sorted(wanted - there)
    if unknown or not wanted:
        problem = f"unknown: {', '.join(unknown)}" if unknown else "none given"
        raise UsageError(f"recognizers must be of {', '.join(sorted(there))}; {problem}")
    registry.recognizers = [r for r in registry.recognizers if _NAME(r) in wanted]


def _stay_offline(registry: RecognizerRegistry) -> None:
    """Check e-mail addresses against the installed list of domains.

    Presidio's recognizer would download the current list.
    """
    from presidio_analyzer.predefined_recognizers import EmailRecognizer

    for recognizer in registry.recognizers:
        if isinstance(recognizer, EmailRecognizer):
            vars(recognizer)["validate_result"] = _has_known_domain


def _has_known_domain(address: str) -> bool:
    return bool(_domains()(address).fqdn)


@cache
def _domains() -> TLDExtract:
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=())
