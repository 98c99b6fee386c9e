"""Fast scoring with trained linear models; start reading at `linear_sums`."""
