"""Learners and helpers that base systems share."""
