"""Doors into other tools' pipelines."""
