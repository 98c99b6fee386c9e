"""Values of options: lists of names, formats, and systems with parameters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.document import Document
    from multideid.stacking.systems import Systems

_WITH_SPANS = {"plain": "brat"}


def chosen_formats(corpus: Path, format: str | None, to: str | None) -> tuple[str, str]:
    """Return the format of a corpus, and the one in which to write it with spans.

    Parameters
    ----------
    corpus : Path
    format : str or None
        Given as `CorpusFormat`; None to detect it.
    to : str or None
        Given as `SpansFormat`.

    Raises
    ------
    CorpusError
        If the format is not recognised.
    """
    from multideid.corpora import detect_format

    source = format or detect_format(corpus)
    return source, to or _WITH_SPANS.get(source, source)


def listed_names(listed: str) -> list[str]:
    """Return the names in a list separated by commas."""
    return [name.strip() for name in listed.split(",") if name.strip()]


def read_training(path: Path, format: str | None, labels: str | None) -> list[Document]:
    """Read a corpus to learn from, with the choice of labels of ``--labels``.

    Raises
    ------
    CorpusError
        If the corpus cannot be read.
    UsageError
        If a chosen label does not occur in it.
    """
    from multideid.corpora import read_corpus
    from multideid.corpora.label_choice import check_labels_occur, with_labels

    documents = read_corpus(path, format)
    if labels is None:
        return documents
    chosen = listed_names(labels)
    check_labels_occur(documents, chosen, path)
    return with_labels(documents, chosen)


def read_test(path: Path, format: str | None, labels: str | None) -> list[Document]:
    """Read a corpus to measure on; the chosen labels need not occur in it."""
    from multideid.corpora import read_corpus
    from multideid.corpora.label_choice import with_labels

    documents = read_corpus(path, format)
    return documents if labels is None else with_labels(documents, listed_names(labels))


def chosen_systems(names: str | None) -> tuple[str, ...]:
    """Return the base systems that the user named, or the default ones.

    Raises
    ------
    UsageError
        If one is unknown, does not load or is repeated, or the list is empty.
    """
    from multideid.stacking import DEFAULT_SYSTEMS
    from multideid.stacking.out_of_fold import check_systems

    if names is None:
        return check_systems(DEFAULT_SYSTEMS)
    return check_systems(listed_names(names))


def with_params(systems: Sequence[str], given: Iterable[str] | None) -> Systems:
    """Return systems with the parameters of ``system.name=value`` pairs.

    Parameters
    ----------
    systems : sequence of str
        Names of systems.
    given : iterable of str, optional
        A value is JSON, or else a string. With a single system, its name may be
        left out.

    Returns
    -------
    sequence of str, or dict of str to dict
        The names alone if there are no parameters.

    Raises
    ------
    UsageError
        If a pair is malformed or is for a system that is not used, or a
        parameter is repeated, unknown or invalid.
    """
    from multideid.stacking.systems import make_systems

    if not given:
        return systems
    params: dict[str, dict[str, Any]] = {system: {} for system in systems}
    for pair in given:
        system, name, value = _parse_param(pair, systems)
        if name in params[system]:
            raise UsageError(f"--param gives {name} of system {system!r} twice")
        params[system][name] = value
    make_systems(params)
    return params


def with_features(systems: Systems, features: str) -> Systems:
    """Return systems with the choice of features of ``--features``.

    Raises
    ------
    UsageError
        If the choice is unknown, or no system has the choice.
    """
    from multideid.stacking.paper import check_features, with_feature_set
    from multideid.taggers.parameters import FULL

    if check_features(features) == FULL:
        return systems
    chosen = with_feature_set(systems, features)
    if not any("features" in own for own in chosen.values()):
        names = ", ".join(chosen)
        raise UsageError(f"--features {features} changes nothing: {names} has no such choice")
    return chosen


def with_resources(systems: Systems, resources: Mapping[str, Path | None]) -> Systems:
    """Return systems with what ``--clusters`` and ``--lists`` name.

    Raises
    ------
    UsageError
        If no system takes them, or they cannot be read.
    """
    from multideid.stacking.resources import with_resource

    for parameter, path in resources.items():
        if path is not None:
            systems = with_resource(systems, parameter, path.resolve())
    return systems


def _parse_param(pair: str, systems: Sequence[str]) -> tuple[str, str, Any]:
    key, equals, value = pair.partition("=")
    # A system's name may have dots, a parameter's cannot.
    system, dot, name = key.strip().rpartition(".")
    if not dot and len(systems) == 1:
        (system,) = systems
    if not (equals and system and name):
        raise UsageError(f"--param must be {_param_form(systems)}; got {pair!r}")
    if system not in systems:
        used = ", ".join(systems)
        raise UsageError(f"--param {pair}: system {system!r} is not used; used are {used}")
    return system, name, _json_or_str(value)


def _param_form(systems: Sequence[str]) -> str:
    if len(systems) == 1:
        return "NAME=VALUE, such as mesh=true"
    return "SYSTEM.NAME=VALUE, such as stat-deid.mesh=true, where there are several systems"


def _json_or_str(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
