"""Attacks on the package: malicious model folders, and documents of every kind."""
