"""The frame of a page of HTML that needs no other file: its head, scripts and data."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}
</style>
</head>
"""
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src '{hash}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def page_head(title: str, script: str) -> str:
    """Return the beginning of a page, up to its body.

    The page asks nothing of the network, and no script but `script` may run.

    Parameters
    ----------
    title : str
    script : str
        The content of the page's script element.
    """
    policy = _POLICY.format(hash=_hash(script))
    style = page_file("page.css")
    return _HEAD.format(policy=policy, title=escape(title, quote=False), style=style)


def page_file(name: str) -> str:
    """Return the text of a file of this package, such as a style or a script."""
    return (files("multideid.pages") / name).read_text(encoding="utf-8")


def script_json(value: Any) -> str:
    """Return a value as JSON that can be in a script element, whatever its strings are."""
    # ASCII alone: halves of characters cannot be encoded otherwise.
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
