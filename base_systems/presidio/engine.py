"""Presidio's engine without a download: patterns alone, or a language model that is installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from multideid.errors import UsageError
from multideid.text.spacy_pipelines import blank_pipeline, check_installed

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpEngine
    from spacy.language import Language
    from tldextract import TLDExtract

_NAME = attrgetter("name")


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What an engine is made of.

    Parameters
    ----------
    language : str
        Code of the notes' language, ``"en"``.
    nlp_model : str or None
        An installed spaCy pipeline, which finds names and places and tells
        context words. None: recognizers of patterns only.
    recognizers : tuple of str or None
        Names of Presidio's recognizers, such as ``"PhoneRecognizer"``. None:
        all that Presidio switches on for the language.
    """

    language: str = "en"
    nlp_model: str | None = None
    recognizers: tuple[str, ...] | None = None


def make_engine(settings: EngineSettings) -> AnalyzerEngine:
    """Make an engine that never asks the network.

    Raises
    ------
    UsageError
        If the language, the pipeline or a recognizer is not there.
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

    if settings.nlp_model is None:
        engine = SpacyNlpEngine()
        # It would load a trained pipeline; the attribute's declared type does not foresee others.
        vars(engine)["nlp"] = {settings.language: _without_tokens(settings.language)}
        return engine
    # Presidio would download it.
    check_installed(settings.nlp_model)
    return SpacyNlpEngine([{"lang_code": settings.language, "model_name": settings.nlp_model}])


def _without_tokens(language: str) -> Language:
    """Return a pipeline that finds no tokens.

    Patterns are matched in the text. Tokens serve only to look for context
    words by their lemmas, of which a blank pipeline has none, and cost time
    that grows with the square of a note's length.
    """
    from spacy.tokens import Doc

    pipeline = blank_pipeline(language)
    pipeline.max_length = 10**9
    vars(pipeline)["tokenizer"] = lambda _: Doc(pipeline.vocab)
    return pipeline


def _choose(registry: RecognizerRegistry, settings: EngineSettings) -> None:
    """Leave only the recognizers that are wanted."""
    there = set(map(_NAME, registry.recognizers))
    wanted = there if settings.recognizers is None else set(settings.recognizers)
    unknown = sorted(wanted - there)
    if unknown or not wanted:
        problem = f"unknown: {', '.join(unknown)}" if unknown else "none given"
        raise UsageError(f"recognizers must be of {', '.join(sorted(there))}; {problem}")
    registry.recognizers = [r for r in registry.recognizers if _NAME(r) in wanted]


def _stay_offline(registry: RecognizerRegistry) -> None:
    """Have e-mail addresses checked against the list of domains that is installed.

    Presidio's recognizer would fetch the newest list from the network.
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
