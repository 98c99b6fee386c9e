"""Knowledge from outside that features can use: the Link Grammar parser and MeSH."""
