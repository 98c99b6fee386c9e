"""``multideid bench``."""

from __future__ import annotations

import json


def test_figures_are_told_by_stage(invoke, model, corpus) -> None:
    options = ("--passes", "1", "--no-long", "--no-peers", "--json")
    figures = json.loads(invoke("bench", model, corpus, *options).output)
    assert figures["notes"]["documents"] == 6
    assert figures["notes"]["tokens_per_second"] > 0
    assert "tokens" in figures["notes"]["microseconds"]
    assert figures["peak memory, MB"] > 0


def test_table_names_the_stages(invoke, model, corpus) -> None:
    shown = invoke("bench", model, corpus, "--passes", "1", "--no-long", "--no-peers").output
    assert "tokens/s" in shown
    assert "spans" in shown
    assert "peak memory" in shown
