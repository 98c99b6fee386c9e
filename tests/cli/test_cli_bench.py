"""``multideid bench``."""

from __future__ import annotations

import json

from multideid.eval import start_up


def test_figures_are_reported_by_stage(invoke, model, corpus) -> None:
    options = ("--passes", "1", "--no-long", "--no-peers", "--starts", "0", "--json")
    figures = json.loads(invoke("bench", model, corpus, *options).output)
    assert figures["notes"]["documents"] == 6
    assert figures["notes"]["tokens_per_second"] > 0
    assert "tokens" in figures["notes"]["microseconds"]
    assert figures["peak memory, MB"] > 0


def test_other_functions_are_measured_as_peers(invoke, model, corpus) -> None:
    options = ("--passes", "1", "--no-long", "--no-peers", "--starts", "0")
    options += ("--peer", "json:dumps")
    options += ("--peer", "json:loads")
    shown = invoke("bench", model, corpus, *options).output
    assert "tokenizer alone" in shown
    assert "json:dumps" in shown
    assert "not measured: it failed with JSONDecodeError" in shown
    figures = json.loads(invoke("bench", model, corpus, *options, "--json").output)
    assert figures["peers"]["json:dumps"] > 0
    assert set(figures["not measured"]) == {"json:loads"}


def test_missing_function_is_refused_first(invoke, corpus) -> None:
    result = invoke("bench", "no-such-model", corpus, "--peer", "json:no_such")
    assert result.exit_code == 2
    assert "json has no function 'no_such'" in result.output


def test_table_names_the_stages(invoke, model, corpus, monkeypatch) -> None:
    # The plug-in of the model is registered in this process only.
    names = ("load", "first_note", "new_note", "warm_note")
    monkeypatch.setattr(start_up, "_run", lambda *_: dict.fromkeys(names, 0.0125))
    options = ("--passes", "1", "--no-long", "--no-peers", "--starts", "1")
    shown = invoke("bench", model, corpus, *options).output
    assert "tokens/s" in shown
    assert "spans" in shown
    assert "warm note   12.5" in shown
    assert "peak memory" in shown
