"""The base systems that come with multideid: one folder each, independent of one another."""
