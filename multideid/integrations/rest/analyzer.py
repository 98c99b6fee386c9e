"""The routes of Presidio's analyzer, so that its clients need no change."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from multideid.document import Document, FailedDocument, Span
from multideid.integrations.presidio_entities import presidio_entity
from multideid.integrations.rest.predictor import Scores
from multideid.integrations.rest.schemas import AnalyzeRequest
from multideid.integrations.rest.service import Service, status_of

RECOGNIZER = "MultideidRecognizer"
SCORE = 0.85
"""The score of all results of models without calibrated scores, as of Presidio's own models."""


def add_analyzer_routes(app: FastAPI, service: Service) -> None:
    """Add ``/analyze``, ``/recognizers`` and ``/supportedentities``."""

    @app.post("/analyze")
    async def analyze(request: AnalyzeRequest) -> JSONResponse:
        problem = _problem(request, service.settings.language)
        if problem is not None:
            return JSONResponse({"error": problem}, 400)
        texts = [request.text] if isinstance(request.text, str) else request.text
        documents = [Document(str(n), text) for n, text in enumerate(texts)]

        def results(document: Document, scores: Scores) -> list[dict[str, Any]]:
            return _results(request, document, scores)

        found = await service.find(documents, results, scores=True)
        failed = next((r for r in found if isinstance(r, FailedDocument)), None)
        if failed is not None:
            error = f"text {failed.id}: {failed.problem}"
            return JSONResponse({"error": error}, status_of(failed))
        return JSONResponse(found[0] if isinstance(request.text, str) else found)

    @app.get("/recognizers")
    async def recognizers(language: str | None = None) -> list[str]:
        return [RECOGNIZER] if language in (None, service.settings.language) else []

    @app.get("/supportedentities")
    async def entities(language: str | None = None) -> list[str]:
        known = dict.fromkeys(map(presidio_entity, service.model.predicted_labels_))
        return list(known) if language in (None, service.settings.language) else []


def _problem(request: AnalyzeRequest, language: str) -> str | None:
    """Return why a request cannot be answered as Presidio would."""
    if request.language != language:
        return f"No matching recognizers were found to serve the request: the model is {language!r}"
    if request.ad_hoc_recognizers:
        return "ad hoc recognizers are not supported"
    if request.allow_list and request.allow_list_match not in (None, "exact"):
        return "allow lists are matched exactly; other kinds of matches are not supported"
    return None


def _results(request: AnalyzeRequest, document: Document, scores: Scores) -> list[dict[str, Any]]:
    found = []
    for span, score in zip(document.spans, scores, strict=True):
        entity, value = presidio_entity(span.label), SCORE if score is None else score
        chosen = not request.entities or entity in request.entities
        allowed = document.span_text(span) in (request.allow_list or ())
        if chosen and not allowed and value >= (request.score_threshold or 0):
            explanation = _explanation(span, value) if request.return_decision_process else None
            place = {"entity_type": entity, "start": span.start, "end": span.end}
            found.append({**place, "score": value, "analysis_explanation": explanation})
    return found


def _explanation(span: Span, score: float) -> dict[str, Any]:
    """Return the fields of Presidio's `AnalysisExplanation`."""
    return {
        "recognizer": RECOGNIZER,
        "pattern_name": None,
        "pattern": None,
        "original_score": score,
        "score": score,
        "textual_explanation": f"Identified as {span.label} by multideid",
        "score_context_improvement": 0,
        "supportive_context_word": "",
        "validation_result": None,
        "regex_flags": None,
    }
