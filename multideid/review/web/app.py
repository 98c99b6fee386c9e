"""The application of the desk, and its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from multideid import __version__
from multideid.document import Span
from multideid.errors import MissingPackageError, MultideidError
from multideid.integrations.rest.guard import Bounds, Guard
from multideid.review.layers import ADJUDICATED, Change, Layer, StaleLayerError
from multideid.review.outcome import agreements
from multideid.review.reading import Reader
from multideid.review.training import Trainer, describe
from multideid.review.web.desk import Desk

try:
    from fastapi import FastAPI, Request, Response
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse

    from multideid.review.web.pages import add_pages, page_files
    from multideid.review.web.schemas import (
        Decision,
        Search,
        Step,
        change_values,
        note_values,
    )
except ImportError:
    raise MissingPackageError("fastapi", "serve", "multideid review") from None

MAX_BYTES = 2_000_000
TIMEOUT = 30.0
HOSTS = ("127.0.0.1", "localhost")


def make_app(desk: Desk) -> Guard:
    """Make the ASGI application of a desk."""
    reader, trainer = Reader(desk.store), Trainer(desk.store)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        reader.start()
        yield
        trainer.close()
        reader.close()

    app = FastAPI(
        title="multideid review",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
    )
    pages = page_files()
    add_pages(app, pages)
    _add_looks(app, desk)
    _add_decisions(app, desk)
    _add_training(app, trainer, reader)
    _add_handlers(app)
    bounds = Bounds(MAX_BYTES, TIMEOUT, tuple(desk.reviewers), HOSTS, tuple(pages))
    return Guard(app, bounds, {str(getattr(route, "path", "")) for route in app.routes})


def _add_looks(app: FastAPI, desk: Desk) -> None:
    """Add the routes that change nothing."""

    @app.get("/api/desk")
    def about(request: Request) -> dict[str, Any]:
        return desk.describe(_reviewer(desk, request))

    @app.get("/api/queue")
    def queue(request: Request) -> Response:
        # Not by way of the framework, which would look at each value of thousands.
        return JSONResponse(desk.queue(_reviewer(desk, request)))

    @app.get("/api/notes/{number}")
    def note(number: int, request: Request, adjudication: bool = False) -> Response:
        found = desk.store.note(number)
        if found.proposal is None:
            desk.want(number)
        name = ADJUDICATED if adjudication else _reviewer(desk, request)
        return JSONResponse(note_values(desk.store, found, name))

    @app.post("/api/search")
    def search(wanted: Search) -> dict[str, Any]:
        return {"notes": desk.store.search(wanted.text)}

    @app.get("/api/agreement")
    def agreement() -> dict[str, Any]:
        return {"pairs": [pair.to_dict() for pair in agreements(desk.store)]}


def _add_decisions(app: FastAPI, desk: Desk) -> None:
    """Add the routes that change layers; they answer when the decision is on disk."""
    layers = desk.store.layers

    def changed(number: int, step: Step, request: Request, make: Callable[..., Layer]) -> Response:
        name = ADJUDICATED if step.adjudication else _reviewer(desk, request)
        before = layers.get(number, name)
        after = make(number, name, version=step.version)
        return JSONResponse(change_values(before, after))

    @app.post("/api/notes/{number}/decisions")
    def decide(number: int, decision: Decision, request: Request) -> Response:
        desk.check_labels({label for _, _, label in decision.added})
        removed, added = (
            [Span(*values) for values in spans] for spans in (decision.removed, decision.added)
        )
        change, reviewer = Change(removed, added, decision.accepted), _reviewer(desk, request)
        return changed(
            number, decision, request, partial(layers.change, change=change, reviewer=reviewer)
        )

    @app.post("/api/notes/{number}/undo")
    def undo(number: int, step: Step, request: Request) -> Response:
        return changed(number, step, request, layers.undo)

    @app.post("/api/notes/{number}/redo")
    def redo(number: int, step: Step, request: Request) -> Response:
        return changed(number, step, request, layers.redo)


def _add_training(app: FastAPI, trainer: Trainer, reader: Reader) -> None:
    """Add the routes of training; a new model is used only when somebody says so."""

    @app.get("/api/training")
    def training() -> dict[str, Any]:
        return {**trainer.counts(), "job": describe(trainer.job())}

    @app.post("/api/training")
    def start() -> dict[str, Any]:
        trainer.start()
        return training()

    @app.post("/api/training/{number}/use")
    def use(number: int) -> dict[str, Any]:
        with reader.paused():
            trainer.use(number)
        return training()


def _reviewer(desk: Desk, request: Request) -> str:
    return desk.reviewer(request.headers["authorization"])


def _add_handlers(app: FastAPI) -> None:
    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        # Without the input, which may be a text.
        places = [".".join(map(str, problem["loc"])) for problem in error.errors()]
        return JSONResponse({"error": f"invalid: {', '.join(places)}"}, 422)

    async def stale(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 409)

    async def refused(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 400)

    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(StaleLayerError, stale)
    app.add_exception_handler(MultideidError, refused)
