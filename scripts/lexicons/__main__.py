"""Build the packed word lists, terms, and the packed lexicon of Brill's tagger.

`multideid/knowledge/data/lexicons.npz` is made of the sources in
`multideid/knowledge/lexicon_sources.py`, `organizations.npz`, `clinical_terms.npz` and
`other_languages.npz` beside it of the text files or folder of these names here (and
`more_organizations.txt`), and
`multideid/text/data/en-lexicon.npz` of `en-lexicon.txt`.
Run it after a change of one of these::

    python scripts/lexicons
"""

from __future__ import annotations

import numpy as np
from term_lists import read_terms

from multideid.knowledge import lexicons
from multideid.knowledge.lexicon_sources import build_phrases
from multideid.knowledge.terms import CLINICAL_TERMS, ORGANIZATIONS, OTHER_LANGUAGES
from multideid.text.brill import TAGS
from multideid.text.brill_lexicon import PACKED, TagLexicon

_TERMS = (ORGANIZATIONS, CLINICAL_TERMS, OTHER_LANGUAGES)


def main() -> None:
    """Write the files; they are not compressed, so that they are read at once."""
    arrays = {
        lexicons.PATH: build_phrases().arrays(),
        **{terms.path: terms.build(read_terms(terms)).arrays() for terms in _TERMS},
        PACKED: TagLexicon.build(TAGS).arrays(),
    }
    for path, columns in arrays.items():
        np.savez(path, allow_pickle=False, **columns)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
