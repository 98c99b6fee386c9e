"""The files of the page, which are all in the package, and headers that keep it alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files

from fastapi import FastAPI, Request, Response

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def page_files() -> dict[str, tuple[str, bytes]]:
    """Return the type and content of each file of the page, by its path."""
    folder = files("multideid.review.web") / "page"
    found = {}
    for file in folder.iterdir():
        ending = file.name[file.name.rfind(".") :]
        if ending in _TYPES:
            found[f"/{file.name}"] = (_TYPES[ending], file.read_bytes())
    return found | {"/": found["/index.html"]}


def add_pages(app: FastAPI, pages: dict[str, tuple[str, bytes]]) -> None:
    """Serve the files of the page, and send the headers with every response."""

    @app.middleware("http")
    async def with_headers(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        response = await call_next(request)
        response.headers.update(_HEADERS)
        return response

    for path, (kind, content) in pages.items():
        app.get(path, include_in_schema=False)(_sender(kind, content))


def _sender(kind: str, content: bytes) -> Callable[[], Awaitable[Response]]:
    async def send() -> Response:
        return Response(content, media_type=kind)

    return send
