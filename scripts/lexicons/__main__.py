"""Build the packed word lists, organisations, and the packed lexicon of Brill's tagger.

`multideid/knowledge/data/lexicons.npz` is made of the sources in
`multideid/knowledge/lexicon_sources.py`, `organizations.npz` beside it of `organizations.txt` here,
and `multideid/text/data/en-lexicon.npz` of `en-lexicon.txt`. Run it after a change of one of
these::

    python scripts/lexicons
"""

from __future__ import annotations

import numpy as np
from organization_lists import read_organizations

from multideid.knowledge import lexicons, organizations
from multideid.knowledge.lexicon_sources import build_phrases
from multideid.text.brill import TAGS
from multideid.text.brill_lexicon import PACKED, TagLexicon


def main() -> None:
    """Write the files; they are not compressed, so that they are read at once."""
    arrays = {
        lexicons.PATH: build_phrases().arrays(),
        organizations.PATH: organizations.build_phrases(read_organizations()).arrays(),
        PACKED: TagLexicon.build(TAGS).arrays(),
    }
    for path, columns in arrays.items():
        np.savez(path, allow_pickle=False, **columns)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
