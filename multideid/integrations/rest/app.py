"""The application and its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from multideid import __version__
from multideid.document import Document, FailedDocument
from multideid.errors import MissingPackageError
from multideid.integrations.note_names import note_name
from multideid.integrations.rest.guard import Bounds, Guard
from multideid.integrations.rest.predictor import BusyError, Scores
from multideid.integrations.rest.service import Service, Settings, status_of
from multideid.redact.redaction import redact
from multideid.site.patients import PATIENT

try:
    from fastapi import FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse
    from starlette.exceptions import HTTPException

    from multideid.integrations.rest.analyzer import add_analyzer_routes
    from multideid.integrations.rest.schemas import DeidentifyRequest, FoundSpan, SpansRequest
except ImportError:
    raise MissingPackageError("fastapi", "serve", "multideid serve") from None

__all__ = ["Settings", "make_app"]


def make_app(settings: Settings | None = None) -> Guard:
    """Make the ASGI application, with the model loaded.

    Parameters
    ----------
    settings : Settings, optional

    Returns
    -------
    Guard
        For any ASGI server, such as uvicorn.

    Raises
    ------
    ModelError
        If the model cannot be loaded.
    """
    chosen = settings or Settings()
    service = Service(chosen)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    # The pages of documentation would load scripts from other servers.
    app = FastAPI(
        title="multideid", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    _add_routes(app, service)
    _add_handlers(app, service)
    tokens = () if chosen.token is None else (chosen.token,)
    bounds = Bounds(chosen.max_bytes, chosen.timeout, tokens, chosen.hosts)
    return Guard(app, bounds, {str(getattr(route, "path", "")) for route in app.routes})


def _add_routes(app: FastAPI, service: Service) -> None:
    @app.get("/health")
    async def health() -> JSONResponse:
        healthy = service.is_healthy()
        return JSONResponse({"status": "ok" if healthy else "stuck"}, 200 if healthy else 503)

    @app.get("/model")
    async def model() -> dict[str, Any]:
        return service.describe()

    @app.post("/spans")
    async def spans(request: SpansRequest) -> JSONResponse:
        found = await service.find(_documents(request), _with_spans, scores=request.scores)
        return _respond(request, found)

    @app.post("/deidentify")
    async def deidentify(request: DeidentifyRequest) -> JSONResponse:
        replacer = service.replacer(request.mode)

        def replaced(document: Document, scores: Scores) -> dict[str, Any]:
            return {"text": redact(document, replacer), **_with_spans(document, scores)}

        found = await service.find(_documents(request), replaced, scores=request.scores)
        return _respond(request, found)

    add_analyzer_routes(app, service)


def _documents(request: SpansRequest) -> list[Document]:
    if request.documents is None:
        return [_document(request.text or "", getattr(request, "patient", None))]
    return [_document(note.text, note.patient) for note in request.documents]


def _document(text: str, patient: str | None) -> Document:
    # The notes of unrelated requests may have one id, from which surrogates would follow.
    return Document(note_name(text), text, meta={PATIENT: patient})


def _with_spans(document: Document, scores: Scores) -> dict[str, Any]:
    pairs = zip(document.spans, scores, strict=True)
    found = [FoundSpan(**span._asdict(), score=score) for span, score in pairs]
    return {"spans": [span.model_dump(exclude_none=True) for span in found]}


def _respond(request: SpansRequest, found: Sequence[Any]) -> JSONResponse:
    """Return the result of a text, or of each document; a failed one has an error, and no text."""
    if request.documents is None:
        (result,) = found
        if isinstance(result, FailedDocument):
            return JSONResponse({"error": result.problem}, status_of(result))
        return JSONResponse(result)
    results = [
        {"id": note.id, **({"error": r.problem} if isinstance(r, FailedDocument) else r)}
        for note, r in zip(request.documents, found, strict=True)
    ]
    return JSONResponse({"documents": results})


def _add_handlers(app: FastAPI, service: Service) -> None:
    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        # Without the input, which may be a text.
        problems = [f"{'.'.join(map(str, e['loc']))}: {_message(e)}" for e in error.errors()]
        return JSONResponse({"error": "; ".join(problems)}, 422)

    async def busy(_: Request, error: Exception) -> JSONResponse:
        headers = {"retry-after": "1"}
        return JSONResponse({"error": "too many requests are in progress"}, 503, headers)

    async def slow(_: Request, error: Exception) -> JSONResponse:
        limit = service.settings.timeout
        return JSONResponse({"error": f"no result within {limit:g} seconds"}, 504)

    async def internal(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": f"internal error: {type(error).__name__}"}, 500)

    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": error.detail}, error.status_code, error.headers)

    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(BusyError, busy)
    app.add_exception_handler(TimeoutError, slow)
    app.add_exception_handler(Exception, internal)
    app.add_exception_handler(HTTPException, refused)  # type: ignore[arg-type]


def _message(error: dict[str, Any]) -> str:
    """Return a problem in words; messages about JSON quote what they found."""
    return "not valid JSON" if error["type"] == "json_invalid" else str(error["msg"])
