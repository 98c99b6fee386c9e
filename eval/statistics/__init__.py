"""Whether a difference between two systems is more than chance."""
