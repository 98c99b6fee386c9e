"""The base systems of an ensemble, given as names or as names with parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

from multideid.arguments import as_python, invalid
from multideid.errors import UsageError
from multideid.estimator import Estimator
from multideid.features.noun_phrases import mesh_headings
from multideid.features.syntax import LEFT_BIGRAMS, RIGHT_BIGRAMS
from multideid.features.templates import Bag, Template
from multideid.knowledge.sources import LINK_GRAMMAR, MESH, source_version
from multideid.learners.feature_tagger import FeatureTagger
from multideid.taggers.contract import BaseTagger
from multideid.taggers.parameters import check_params, with_todays_names
from multideid.taggers.registry import load_system, make_system

Params = Mapping[str, Any]
Systems = Sequence[str] | Mapping[str, Params]

_SYNTAX_VIEWS = (LEFT_BIGRAMS.name, RIGHT_BIGRAMS.name)
_MESH_VIEWS = mesh_headings("").name


class SystemsEstimator(Estimator):
    """An estimator made of base systems, which its parameter ``systems`` names."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's parameters.

        Parameters
        ----------
        deep : bool
            Whether to add the parameters of the base systems, as ``mist__epochs``.
        """
        params = super().get_params()
        return params | (_nested_params(self._named_systems(params)) if deep else {})

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, and of base systems, as ``mist__epochs=5``.

        Raises
        ------
        UsageError
            If there is no such parameter; nothing is set then.
        """
        nested = {name: params.pop(name) for name in list(params) if "__" in name}
        if nested:
            systems = self._named_systems(self.get_params(deep=False) | params)
            params |= self._systems_params(_with_nested_params(systems, nested))
        return super().set_params(**params)

    def _named_systems(self, params: Mapping[str, Any]) -> Systems:
        """Return the base systems that parameters name."""
        systems: Systems = params["systems"]
        return systems

    def _systems_params(self, systems: Mapping[str, Params]) -> dict[str, Any]:
        """Return the parameters that name base systems."""
        return {"systems": systems}

    def _rename_params(self) -> None:
        """Give the parameters of base systems, as a stored model has them, today's names."""
        given = self._named_systems(self.get_params(deep=False))
        if isinstance(given, Mapping) and any(given.values()):
            todays = {name: with_todays_names(load_system(name), given[name]) for name in given}
            super().set_params(**self._systems_params(todays))


def make_systems(systems: Systems) -> dict[str, BaseTagger]:
    """Create the systems, in order, unfitted.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered systems; in a mapping, with the parameters of each.

    Returns
    -------
    dict of str to BaseTagger

    Raises
    ------
    UsageError
        If no system is named, or one is unknown or named twice; if a parameter is
        unknown or invalid; if a knowledge source is missing.
    """
    taggers = {name: make_system(name, **p) for name, p in system_params(systems).items()}
    for name, tagger in taggers.items():
        _check_sources(name, tagger)
    return taggers


def system_params(systems: Systems) -> dict[str, dict[str, Any]]:
    """Return the parameters of every system, in order, empty if only names are given.

    Raises
    ------
    UsageError
        If no system is named, one is named twice, or a name or parameter has the wrong type.
    """
    if isinstance(systems, str):
        raise UsageError(f"systems must be a list of names; got the text {systems!r}")
    # A set has no order, on which results depend.
    if not isinstance(systems, Mapping | Sequence) or isinstance(systems, bytes):
        raise invalid("systems", "a list of names, or a mapping of names to parameters", systems)
    names = tuple(systems)
    _check_names(names)
    if isinstance(systems, Mapping):
        return {name: _params(name, systems[name]) for name in names}
    return {name: {} for name in names}


def given_params(systems: Systems) -> dict[str, dict[str, Any]]:
    """Return the parameters of systems that have any; raises as `system_params` does."""
    return {name: params for name, params in system_params(systems).items() if params}


def _nested_params(systems: Systems) -> dict[str, Any]:
    """Return the parameters of base systems, with defaults, under names as ``mist__epochs``.

    Systems that cannot be made are left out; `fit` reports them.
    """
    nested: dict[str, Any] = {}
    with suppress(UsageError, TypeError):
        for name, params in system_params(systems).items():
            with suppress(UsageError):
                values = make_system(name, **params).get_params(deep=False)
                nested |= {f"{name}__{param}": value for param, value in values.items()}
    return nested


def _with_nested_params(systems: Systems, nested: Params) -> dict[str, dict[str, Any]]:
    """Return systems with parameters changed.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
    nested : mapping of str to object
        New values, under names as ``mist__epochs``.

    Raises
    ------
    UsageError
        If there is no such system among `systems`, no such parameter, or the value is invalid.
    """
    changed = system_params(systems)
    for key, value in nested.items():
        name, _, param = key.partition("__")
        if name not in changed:
            raise UsageError(f"{key}: there is no system {name!r} among {', '.join(changed)}")
        check_params(name, load_system(name), {param: value})
        changed[name][param] = as_python(value)
    return changed


def _check_names(names: tuple[str, ...]) -> None:
    odd = [name for name in names if not isinstance(name, str)]
    if odd:
        raise UsageError(f"systems must be a list of names; got {odd[0]!r} in it")
    if not names:
        raise UsageError("systems must name at least one base system; got none")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"systems must name each system once; twice: {', '.join(twice)}")


def _params(name: str, params: object) -> dict[str, Any]:
    if not isinstance(params, Mapping):
        raise UsageError(f"system {name!r}: parameters must be a mapping; got {params!r}")
    odd = [param for param in params if not isinstance(param, str)]
    if odd:
        raise UsageError(f"system {name!r}: parameters must have names; got {odd[0]!r}")
    return dict(params)


def _check_sources(name: str, tagger: BaseTagger) -> None:
    """Check that the knowledge sources of a system are present, before hours of training."""
    try:
        knowledge_of([tagger])
    except UsageError as error:
        raise UsageError(f"system {name!r}: {error}") from None


def knowledge_of(taggers: Iterable[BaseTagger]) -> dict[str, str]:
    """Return the knowledge sources of base systems, as `sources_of`."""
    learners = [tagger for tagger in taggers if isinstance(tagger, FeatureTagger)]
    return sources_of(template for tagger in learners for template in tagger.templates())


def sources_of(templates: Iterable[Template]) -> dict[str, str]:
    """Return the knowledge sources of feature templates, with their present versions.

    Parameters
    ----------
    templates : iterable of Template

    Returns
    -------
    dict of str to str
        By name, the result of `multideid.knowledge.sources.source_version`.

    Raises
    ------
    UsageError
        If a source is missing; the message says how to install or add it.
    """
    views = {template.view.name for template in templates if isinstance(template, Bag)}
    names = [LINK_GRAMMAR] * (not views.isdisjoint(_SYNTAX_VIEWS))
    names += [MESH] * any(view.startswith(_MESH_VIEWS) for view in views)
    return {name: source_version(name) for name in names}
