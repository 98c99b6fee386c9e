"""Scores of predictions against gold documents."""
