"""Tokens, lines, sentences and headings: the TokenTable and what it is made of."""
