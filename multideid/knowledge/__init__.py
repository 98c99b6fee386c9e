"""External knowledge for features: word lists, the Link Grammar parser and MeSH."""
