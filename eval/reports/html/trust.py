"""Whom Multi trusts for what."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from multideid.eval.reports.html.blocks import HeatMap, Section, Text
from multideid.eval.reports.html.cells import named

if TYPE_CHECKING:
    import pandas as pd


def trust_section(trust: Mapping[str, pd.DataFrame]) -> Section:
    """Show how much Multi leans on each system for each class."""
    lead = (
        "The system's share of what speaks for a class where it stands; rows sum to one. "
        "A row is empty where nothing spoke for the class."
    )
    maps = [
        _trust_map(table, named("Trust", corpus, trust))
        for corpus, table in trust.items()
        if table.size
    ]
    return Section("trust", "Trust", (Text(lead), *maps) if maps else ())


def _trust_map(table: pd.DataFrame, title: str) -> HeatMap:
    classes, systems = tuple(map(str, table.index)), tuple(map(str, table.columns))
    shares = table.to_numpy().tolist()
    cells = [["" if math.isnan(share) else f"{share:.2f}" for share in row] for row in shares]
    darkness = table.clip(0, 1).fillna(0).to_numpy().tolist()
    return HeatMap(title, classes, systems, darkness, cells, "class", "base system")
