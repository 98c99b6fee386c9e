"""Empty pictures, which take the place of pictures that nobody has read."""

from __future__ import annotations

import base64

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
)
_GIF = "R0lGODdhAQABAIEAAP///wAAAAAAAAAAACwAAAAAAQABAAAIBAABBAQAOw=="
_JPEG = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI//////////////////////"
    "//////////////////////////////wAALCAABAAEBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL"
    "/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJi"
    "coKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ip"
    "qrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/ALtf/9k="
)
_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
_BY_SUFFIX = {".gif": _GIF, ".jpg": _JPEG, ".jpeg": _JPEG, ".jfif": _JPEG}


def empty_image(suffix: str) -> bytes:
    """Return a picture of one pixel in the format of a suffix, or else as PNG."""
    return _SVG if suffix == ".svg" else base64.b64decode(_BY_SUFFIX.get(suffix, _PNG))
