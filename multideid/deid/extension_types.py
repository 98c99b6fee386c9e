"""Extension types of Parquet columns whose names and parameters hold no free text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress

NAME, PARAMETERS = b"ARROW:extension:name", b"ARROW:extension:metadata"

_CLOSED = ("left", "right", "both", "neither")


def extension_metadata(name: bytes, parameters: bytes) -> dict[bytes, bytes] | None:
    """Return the metadata of a field of an extension type; None for any other type."""
    written = _WRITTEN.get(name)
    # Parameters in another form are free text.
    with suppress(Exception):
        return None if written is None else {NAME: name, PARAMETERS: written(parameters)}
    return None


def _none(parameters: bytes) -> bytes:
    return b""


def _period(parameters: bytes) -> bytes:
    import pandas as pd

    frequency = json.loads(parameters)["freq"]
    pd.PeriodDtype(frequency)
    return _json({"freq": frequency})


def _interval(parameters: bytes) -> bytes:
    import pyarrow as pa

    given = json.loads(parameters)
    subtype, closed = given["subtype"], _CLOSED[_CLOSED.index(given["closed"])]
    pa.type_for_alias(subtype)
    return _json({"subtype": subtype, "closed": closed})


def _json(parameters: Mapping[str, str]) -> bytes:
    return json.dumps(parameters).encode()


_WRITTEN: dict[bytes, Callable[[bytes], bytes]] = {
    b"arrow.uuid": _none,
    b"arrow.json": _none,
    b"arrow.bool8": _none,
    b"pandas.period": _period,
    b"pandas.interval": _interval,
}
"""How the parameters of each are written."""
