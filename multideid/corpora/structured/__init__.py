"""Formats whose files are read by structure: only values change, the rest stays."""
