"""Reading of saved networks: nothing is filled in that has not the form of a new network.

spaCy takes shapes, attributes and references of a network's parts from the file, and its loops
do not check bounds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from multideid.persistence.files import load_json
from multideid.persistence.json_rules import check_json

_MOST_MOVES = 6
_NOTHING = "."


def fill(component: Any, folder: Path) -> None:
    """Fill a new component with what its ``to_disk`` wrote.

    Parameters
    ----------
    component : spacy.pipeline.EntityRecognizer
    folder : Path

    Raises
    ------
    Exception
        Of any kind, if a file is missing or damaged or the networks differ.
    """
    import srsly

    load_json(folder / "cfg", None, dict)
    actions = _actions(srsly.msgpack_loads((folder / "moves").read_bytes()), folder / "moves")
    _initialize(component, actions)
    saved = srsly.msgpack_loads((folder / "model").read_bytes())
    new = component.model.to_dict()
    _check_form(new, saved)
    component.model.from_dict({**saved, "attrs": new["attrs"]})


def _actions(saved: dict[str, Any], path: Path) -> dict[int, dict[str, int]]:
    """Return the labels of each kind of transition, with their frequencies."""
    import srsly

    actions = srsly.json_loads(saved["moves"])
    check_json(path, actions, {str: {str: int}})
    found = {int(number): labels for number, labels in actions.items()}
    if not found.keys() <= set(range(_MOST_MOVES)):
        raise ValueError("unknown transitions")
    return found


def _initialize(component: Any, actions: dict[int, dict[str, int]]) -> None:
    from spacy.tokens import Doc
    from spacy.training import Example

    doc, gold = (Doc(component.vocab, words=[_NOTHING], ents=["O"]) for _ in range(2))
    component.initialize(lambda: [Example(doc, gold)], labels=actions)


def _check_form(new: dict[str, Any], saved: dict[str, Any]) -> None:
    """Check that two networks differ in the values of their parameters only."""
    parts = ("dims", "refs")
    ours, theirs = ([[n[p] for p in parts] for n in m["nodes"]] for m in (new, saved))
    attributes, saved_attributes = (list(map(_that_matter, m["attrs"])) for m in (new, saved))
    if (ours, attributes, new["shims"]) != (theirs, saved_attributes, saved["shims"]):
        raise ValueError("another network")
    for expected, found in zip(new["params"], saved["params"], strict=True):
        if expected.keys() != found.keys():
            raise ValueError("other parameters")
        for name, values in expected.items():
            _check_values(values, found[name])


def _that_matter(attributes: dict[str, bytes]) -> dict[str, bytes]:
    """Return the attributes that prediction uses."""
    return {name: value for name, value in attributes.items() if name != "dropout_rate"}


def _check_values(expected: object, found: object) -> None:
    if expected is None and found is None:
        return
    if not isinstance(expected, np.ndarray) or not isinstance(found, np.ndarray):
        raise TypeError("no array")
    if found.shape != expected.shape or found.dtype != expected.dtype:
        raise ValueError("another shape")
    if not np.isfinite(found).all():
        raise ValueError("not finite")
