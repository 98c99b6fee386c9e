"""Whether a note is written in British English, in which the day comes before the month."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FEWEST = 2
_BRITISH = re.compile(
    r"\b(?:NHS|A&E|GP surgery|paracetamol|\w*aemi[ac]\w*|\w*haem\w+|oedema\w*|oesoph\w+|oestr\w+"
    r"|(?:ortho)?paed\w+|gynaec\w+|diarrhoea|foetal|tumours?|colour\w*|behaviour\w*|metres?|litres?"
    r"|centres?|theatre|practise[ds]?|(?:organ|recogn)is(?:e|ed|es|ing|ation))\b",
    re.IGNORECASE,
)


def is_british(texts: Iterable[str]) -> bool:
    """Return whether texts have two or more different words of British spelling.

    Examples
    --------
    >>> is_british(["Anaemia, seen in A&E."]), is_british(["Anemia, seen in ED."])
    (True, False)
    """
    found = {match[0].lower() for text in texts for match in _BRITISH.finditer(text)}
    return len(found) >= _FEWEST
