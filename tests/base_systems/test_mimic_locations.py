from __future__ import annotations

from collections.abc import Callable

import pytest

ADDRESSES = [
    "at [12 Elm Street], [Springfield], [MA] [02115].",
    "at [1200 N. Main St.], [Xqztv] [12345]",
    "at [12 Oak Avenue, Apt 3]",
    "[P.O. Box 123]",
    "zip code: [02115]",
]
AMBIGUOUS = [
    "near [Fort Worth] once",
    "near [Cape Coral] once",
    "near [Lake Charles] once",
    "near [Mount Vernon] once",
    "near [Los Angeles] once",
    "near [Lake Charlotte] once",
    "near [Cape Cod] once",
    "near [Fort Lawrence] once",
    "near [Lawrence Parkway] once",
    "near [Norwood Town] once",
    "near [Charlotte Street] once",
    "near [Norwood Harbor] once",
]
LONG_ZIP_CODES = [
    "[Springfield], [MA] [02115-1234]",
    "mail to MA [02115-1234]",
    "mail to [New York] [12345-6789]",
    "mail to N.Y. [12345-6789]",
    "zip code: [02115-1234]",
    "12345-6789",
]
PLACES = [
    "went to [Chicago] by bus",
    "a man from [Xqztv] came",
    "Lives in [Reading] with her spouse",
    "a resident of [Stone], [Texas]",
    "Travelled to [Mobile] last year",
    "seen at Lopez Hospital, [Xqztv].",
    "staying with family in [Xqztv] now",
    "from [Chicago], [France]",
    "moved here from [Stoke-on-Trent].",
    "in [Boston, MA]".replace(", MA", "], [MA"),
]
NEGATIVES = [
    "Boston Scientific stent",
    "Philadelphia collar",
    "1 Foley catheter",
    "transferred to the ICU",
    "moved to PACU",
    "5 mm port",
    "mobile and reading well",
    "Factor V Leiden",
    "lives in the hospital",
    "Katherine Puri, MD was there",
]


@pytest.mark.parametrize("expected", ADDRESSES + AMBIGUOUS + LONG_ZIP_CODES + PLACES + NEGATIVES)
def test_places(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "LOCATION") == expected
