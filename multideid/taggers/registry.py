"""Registry of base systems: built-in ones, installed plug-ins, and those of the session."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

from multideid.arguments import as_python
from multideid.errors import MissingPackageError, UsageError
from multideid.plugins import PluginEntry, entry_named, load_entry, plugin_entries
from multideid.taggers.contract import BaseTagger
from multideid.taggers.declarations import check_declarations
from multideid.taggers.names import name_problem
from multideid.taggers.parameters import check_params, check_required
from multideid.taggers.span_adapter import adapt

GROUP = "multideid.base_systems"

# The entry points of pyproject.toml, for a checkout that is not installed;
# tests/packaging compares the two.
BUILT_IN = {
    "convnet": "multideid.base_systems.convnet:ConvnetTagger",
    "heuristic-dictionary": "multideid.base_systems.heuristic_dictionary:HeuristicDictionaryTagger",
    "identifinder": "multideid.base_systems.identifinder:IdentifinderTagger",
    "lbj": "multideid.base_systems.lbj:LbjTagger",
    "majority": "multideid.base_systems.majority:MajorityTagger",
    "mimic": "multideid.base_systems.mimic:MimicTagger",
    "mist": "multideid.base_systems.mist:MistTagger",
    "presidio": "multideid.base_systems.presidio:PresidioTagger",
    "snow": "multideid.base_systems.snow:SnowTagger",
    "spacy": "multideid.base_systems.spacy_ner:SpacyTagger",
    "stanford": "multideid.base_systems.stanford:StanfordTagger",
    "stat-deid": "multideid.base_systems.stat_deid:StatDeidTagger",
    "szarvas": "multideid.base_systems.szarvas:SzarvasTagger",
    "svm-kernel": "multideid.base_systems.svm_kernel:SvmKernelTagger",
    "transformer": "multideid.base_systems.transformer:TransformerTagger",
    "tree": "multideid.base_systems.tree:TreeTagger",
}

_SESSION: dict[str, object] = {}

Plugin = TypeVar("Plugin")


class SystemInfo(NamedTuple):
    """Description of a registered system.

    Parameters
    ----------
    name, summary : str
    origin : str
        The distribution that provides it, or the class if it was registered
        in this session.
    usable : bool
        Whether it can be loaded.
    problem : str or None
        Why it cannot be loaded.
    """

    name: str
    summary: str
    origin: str
    usable: bool
    problem: str | None


def system_names() -> tuple[str, ...]:
    """Return the names of all registered systems, sorted, without loading them."""
    return tuple(sorted({entry.name for entry in _entries()}))


def load_system(name: str) -> type[BaseTagger]:
    """Return the class of the system that is registered as `name`.

    A plug-in that only has ``tag(document)`` is wrapped in an adapter.

    Raises
    ------
    UsageError
        If there is no such system, if two packages provide the name, if no
        system may have it, if the plug-in cannot be loaded or is not a tagger,
        or if an optional dependency of it is not installed.
    """
    entry = entry_named("system", name, _entries())
    if entry is None:
        raise UsageError(_unknown(name))
    if problem := name_problem(name):
        raise UsageError(
            f"system {name!r} of {entry.origin} cannot be used: its entry point needs {problem}"
        )
    return _as_tagger(load_entry("system", entry), entry)


def make_system(name: str, **params: Any) -> BaseTagger:
    """Make the system that is registered as `name`.

    Raises
    ------
    UsageError
        As `load_system`, and if a parameter is unknown, its value invalid, or has no
        value.
    """
    system = load_system(name)
    check_params(name, system, params)
    check_required(name, system, params)
    try:
        return system(**{param: as_python(value) for param, value in params.items()})
    except (TypeError, ValueError) as error:
        raise UsageError(f"system {name!r}: {error}") from error


def describe_systems() -> list[SystemInfo]:
    """Describe every registered system; errors on loading are reported, not raised."""
    return [_describe(name) for name in system_names()]


def register(plugin: Plugin, name: str | None = None) -> Plugin:
    """Register a system for this session; can be used as a class decorator.

    Parameters
    ----------
    plugin : class or object
        A `BaseTagger` subclass, or a class or object with ``tag(document)``.
    name : str, optional
        Default: the plug-in's own ``name``.

    Returns
    -------
    class or object
        `plugin` itself.

    Raises
    ------
    UsageError
        If the name is missing, invalid or taken, or `plugin` is not a tagger or has an
        invalid class attribute, such as `BaseTagger.param_rules`.
        A class that is redefined under the same qualified name replaces the
        old one, as when a notebook cell is run again.
    """
    chosen: Any = name or getattr(plugin, "name", None)
    if problem := name_problem(chosen):
        raise UsageError(
            f"{_qualified(plugin)} needs {problem}; set its class attribute 'name' or pass name="
        )
    entry = _session_entry(chosen, plugin)
    _as_tagger(plugin, entry)
    _refuse_taken(entry, plugin)
    _SESSION[chosen] = plugin
    return plugin


def session_plugins(names: Iterable[str]) -> dict[str, object]:
    """Return the plug-ins of those names that were registered in this session."""
    return {name: _SESSION[name] for name in names if name in _SESSION}


def add_session_plugins(plugins: Mapping[str, object]) -> None:
    """Register plug-ins of another session, where the name is free."""
    names = set(system_names()) if plugins else set()
    for name, plugin in plugins.items():
        if name not in names:
            register(plugin, name)


def _refuse_taken(entry: PluginEntry, plugin: object) -> None:
    mine = _SESSION.get(entry.name)
    if mine is not None and _qualified(mine) == _qualified(plugin):
        return
    for other in _entries():
        if other.name == entry.name:
            raise UsageError(
                f"system {entry.name!r} of {entry.origin} is already registered by "
                f"{other.origin}; choose another name"
            )


def _entries() -> list[PluginEntry]:
    session = [_session_entry(name, plugin) for name, plugin in _SESSION.items()]
    return [*plugin_entries(GROUP, BUILT_IN), *session]


def _session_entry(name: str, plugin: object) -> PluginEntry:
    return PluginEntry(name, f"this session ({_qualified(plugin)})", lambda: plugin)


def _qualified(plugin: object) -> str:
    kind = plugin if isinstance(plugin, type) else type(plugin)
    return f"{kind.__module__}.{kind.__qualname__}"


def _unknown(name: str) -> str:
    names = system_names()
    close = " or ".join(map(repr, get_close_matches(name, names, n=2)))
    guess = f"did you mean {close}? " if close else ""
    return f"there is no system {name!r}; {guess}there are: {', '.join(names)}"


def _as_tagger(loaded: object, entry: PluginEntry) -> type[BaseTagger]:
    if isinstance(loaded, type) and issubclass(loaded, BaseTagger):
        check_declarations(entry.name, loaded)
        return _usable(_checked_tagger(loaded, entry), entry)
    if callable(getattr(loaded, "tag", None)):
        check_declarations(entry.name, loaded)
        return _usable(adapt(loaded, entry.name), entry)  # type: ignore[arg-type]
    raise UsageError(
        f"system {entry.name!r} of {entry.origin} is not a tagger: it must be a subclass of "
        "multideid.taggers.contract.BaseTagger, or have a method tag(document)"
    )


def _checked_tagger(tagger: type[BaseTagger], entry: PluginEntry) -> type[BaseTagger]:
    if inspect.isabstract(tagger):
        missing = ", ".join(sorted(tagger.__abstractmethods__))
        raise UsageError(f"system {entry.name!r} of {entry.origin} lacks {missing}")
    return tagger


def _usable(tagger: type[BaseTagger], entry: PluginEntry) -> type[BaseTagger]:
    for module, extra in tagger.needs.items():
        if find_spec(module) is None:
            raise MissingPackageError(module, extra, f"system {entry.name!r}")
    return tagger


def _describe(name: str) -> SystemInfo:
    origin = " and ".join(sorted(entry.origin for entry in _entries() if entry.name == name))
    try:
        summary = load_system(name).summary
    except Exception as error:
        return SystemInfo(name, "", origin, False, _first_line(str(error)))
    return SystemInfo(name, _first_line(summary), origin, True, None)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
