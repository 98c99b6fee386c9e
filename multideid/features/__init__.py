"""Feature templates, and the sparse matrices that are gathered from them."""
