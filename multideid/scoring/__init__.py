"""Trained linear models made ready to score much text: see `linear` first."""
