"""Tokenization and token tables: lines, sentences, headings, parts of speech, phrases."""
