"""Whom Multi trusts for what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from multideid.eval.html.blocks import HeatMap, Section, Text
from multideid.eval.html.cells import named

if TYPE_CHECKING:
    import pandas as pd


def trust_section(trust: Mapping[str, pd.DataFrame]) -> Section:
    """Show how much Multi leans on each system for each class."""
    lead = "The system's share of what speaks for a class where it stands; rows sum to one."
    maps = [
        HeatMap(
            named("Trust", corpus, trust),
            tuple(map(str, table.index)),
            tuple(map(str, table.columns)),
            table.clip(0, 1).fillna(0).to_numpy().tolist(),
            [[f"{share:.2f}" for share in row] for row in table.to_numpy().tolist()],
            "class",
            "base system",
        )
        for corpus, table in trust.items()
        if table.size
    ]
    return Section("trust", "Trust", (Text(lead), *maps) if maps else ())
