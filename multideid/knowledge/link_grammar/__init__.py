"""The Link Grammar parser, version 5, from the Debian package."""

from __future__ import annotations

from multideid.knowledge.link_grammar.parser import Link, Linkage, Word, parse, problem, version

__all__ = ["Link", "Linkage", "Word", "parse", "problem", "version"]
