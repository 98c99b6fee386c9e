"""Parts that self-contained pages of HTML share: head, style, and tables with filters."""
