"""Mask, tag, remove or replace the PHI of documents."""

from __future__ import annotations

from multideid.redact.actions import ACTIONS, PRESETS, Actions
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import Vocabulary, WordKind
from multideid.redact.keys import Key
from multideid.redact.modes import MODES, Mode, Pseudonyms, Replacer, mask, remove, tag
from multideid.redact.redaction import make_replacer, redact, replacements, rewrite, spliced
from multideid.redact.surrogates import Surrogates
from multideid.redact.vault import Record, VaultError, VaultWriter, read_vault

__all__ = [
    "ACTIONS",
    "MODES",
    "PRESETS",
    "Actions",
    "Key",
    "Mode",
    "Pseudonyms",
    "Realistic",
    "Record",
    "Replacer",
    "Surrogates",
    "VaultError",
    "VaultWriter",
    "Vocabulary",
    "WordKind",
    "make_replacer",
    "mask",
    "read_vault",
    "redact",
    "remove",
    "replacements",
    "rewrite",
    "spliced",
    "tag",
]
