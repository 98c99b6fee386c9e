"""The command line: ``multideid COMMAND``, one file per command."""

from __future__ import annotations

from multideid.cli.app import app, main

__all__ = ["app", "main"]
