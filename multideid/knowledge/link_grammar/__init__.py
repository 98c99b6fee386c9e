"""The Link Grammar parser, version 5, where Debian's package of it is installed."""

from __future__ import annotations

from multideid.knowledge.link_grammar.parser import Link, Linkage, Word, parse, problem, version

__all__ = ["Link", "Linkage", "Word", "parse", "problem", "version"]
