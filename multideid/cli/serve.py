"""``multideid serve``: de-identification over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from multideid.cli.error_handler import print_notice
from multideid.cli.hidden_output import hidden_output
from multideid.cli.options.models import ModelOption, Recall
from multideid.cli.options.replacing import KeyFile
from multideid.errors import UsageError, reason
from multideid.models import DEFAULT_MODEL

TOKEN = "MULTIDEID_TOKEN"
"""The environment variable that may hold the token."""
_SHORTEST = 16


def serve(  # noqa: PLR0913 (the options of the command)
    *,
    model: ModelOption = DEFAULT_MODEL,
    recall: Recall = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 for all.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, metavar="N", help="Port; 0 for any free one.")
    ] = 8000,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"File with the token that requests must send. Default: [b]{TOKEN}[/b], if set.",
        ),
    ] = None,
    key_file: KeyFile = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="Language code that requests to /analyze must give.")
    ] = "en",
    max_bytes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Largest size of a request.")
    ] = 5_000_000,
    timeout: Annotated[
        float,
        typer.Option(min=0.1, metavar="SECONDS", help="Longest time for a request, in seconds."),
    ] = 30.0,
) -> None:
    """Serve de-identification over HTTP, by default to this machine only.

    POST /deidentify and /spans take texts in JSON, POST /analyze is that of
    Presidio's analyzer, GET /health and /model describe the service. Texts are
    neither stored nor logged.
    """
    from multideid.deid.replacing import find_key
    from multideid.integrations.rest.app import Settings
    from multideid.integrations.rest.server import is_loopback
    from multideid.integrations.rest.server import serve as serve_settings

    settings = Settings(
        model=model,
        recall=recall,
        key=find_key(key_file),
        language=language,
        token=_token(token_file),
        max_bytes=max_bytes,
        timeout=timeout,
    )
    if settings.token is None and not is_loopback(host):
        print_notice(f"warning: whoever reaches {host} can use this service; --token-file helps")
    with hidden_output() as shown:
        serve_settings(settings, host, port, on_start=_print_address, log=shown)


def _print_address(url: str) -> None:
    print_notice(f"listening at {url}")


def _token(path: Path | None) -> str | None:
    """Return the token of a file, or else of the environment, if there is one."""
    if path is None:
        token = os.environ.get(TOKEN)
    else:
        try:
            token = path.read_text(encoding="ascii").strip()
        except OSError as error:
            raise UsageError(f"cannot read {path}: {reason(error)}") from None
        except UnicodeDecodeError:
            raise UsageError(f"{path}: a token is of ASCII characters") from None
    if token is not None and not token.isascii():
        # Clients write others in encodings of their own.
        raise UsageError(f"{TOKEN}: a token is of ASCII characters")
    if token is not None and (len(token) < _SHORTEST or not token.isprintable()):
        raise UsageError(
            f"a token has {_SHORTEST} characters or more; make one with: openssl rand -hex 32"
        )
    return token
