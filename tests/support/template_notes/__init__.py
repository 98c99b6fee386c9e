"""Invented discharge summaries with gold PHI, for demonstrations and tests."""

from __future__ import annotations

from template_notes.generator import sample_corpus

__all__ = ["sample_corpus"]
