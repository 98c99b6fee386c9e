"""Build the packed word lists and the packed lexicon of Brill's tagger.

Both are made of what the package holds: `multideid/knowledge/data/lexicons.npz` of the sources
in `multideid/knowledge/lexicon_sources.py`, `multideid/text/data/en-lexicon.npz` of
`en-lexicon.txt`. Run it after a change of one of these::

    python scripts/lexicons
"""

from __future__ import annotations

import numpy as np

from multideid.knowledge.lexicon_sources import build_phrases
from multideid.knowledge.lexicons import PATH
from multideid.text.brill import TAGS
from multideid.text.brill_lexicon import PACKED, TagLexicon


def main() -> None:
    """Write both files; they are not compressed, so that they are read at once."""
    arrays = {PATH: build_phrases().arrays(), PACKED: TagLexicon.build(TAGS).arrays()}
    for path, columns in arrays.items():
        np.savez(path, allow_pickle=False, **columns)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
