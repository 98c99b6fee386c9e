"""How experiments are run: base systems, folds, seed, parameters, and where fits are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from multideid.errors import UsageError
from multideid.eval.experiments.store import MemoryStore, Store
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.fitting import Progress
from multideid.stacking.out_of_fold import DEFAULT_SYSTEMS, check_systems
from multideid.stacking.paper import check_features, with_feature_set
from multideid.stacking.systems import Params, make_systems
from multideid.taggers.contract import BaseTagger
from multideid.taggers.parameters import FULL, PAPER
from multideid.taggers.registry import make_system, system_names

ENSEMBLES = ("vote", "mega", "multi")
"""The de-identifiers of several systems, by their names in tables."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How experiments are run.

    Parameters
    ----------
    systems : tuple of str
        The base systems.
    folds : int
        Number of folds, for Multi and for cross-validation.
    seed : int
    tokenization : {"multideid", "whitespace"}
        The tokens of token-level scores.
    store : Store
        Keeps finished fits.
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor.
    progress : callable, optional
        Called with ``(done, total, name)`` after every fit.
    params : mapping of str to mapping
        Parameters by base system; missing ones have their default values.
    groups : str, optional
        Field of the documents' `meta`; documents with the same value share a fold.
    features : {"full", "paper"}
        "paper": systems have the features of the thesis alone, where they offer the choice,
        and Multi has the thesis's stacker (`multideid.stacking.paper`).

    Raises
    ------
    UsageError
        If a system in `params` is unknown or unusable, or a parameter is
        unknown or invalid.
    """

    systems: tuple[str, ...] = DEFAULT_SYSTEMS
    folds: int = 5
    seed: int = 0
    tokenization: str = "multideid"
    store: Store = field(default_factory=MemoryStore, repr=False)
    n_jobs: int | None = None
    progress: Progress | None = field(default=None, repr=False)
    params: Mapping[str, Params] = field(default_factory=dict, hash=False)
    groups: str | None = None
    features: str = FULL

    def __post_init__(self) -> None:
        check_features(self.features)
        if self.params:
            make_systems(self.params)

    @property
    def plain_stacker(self) -> bool:
        """Whether Multi has the thesis's stacker."""
        return self.features == PAPER

    def tagger(self, system: str) -> BaseTagger:
        """Return an unfitted base system with its parameters."""
        return make_system(system, **self.with_params([system])[system])

    def with_params(self, systems: Iterable[str]) -> dict[str, Params]:
        """Return base systems with their parameters, as de-identifiers take them."""
        given = {system: dict(self.params.get(system, {})) for system in systems}
        return {**(with_feature_set(given, self.features) if given else given)}


def base_systems(names: Iterable[str], members: Iterable[str]) -> tuple[str, ...]:
    """Return the base systems behind measured names.

    Parameters
    ----------
    names : iterable of str
        Base systems or `ENSEMBLES`.
    members : iterable of str
        The base systems of the ensembles.
    """
    chosen = tuple(names)
    own = [name for name in chosen if name not in ENSEMBLES]
    return tuple(dict.fromkeys((*own, *members) if len(own) < len(chosen) else own))


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of base systems and ensembles.

    Raises
    ------
    UsageError
        If there is none, or one is unknown or repeated.
    """
    chosen = tuple(names)
    bases = [name for name in chosen if name not in ENSEMBLES]
    unknown = [name for name in bases if name not in system_names()]
    if unknown:
        known = ", ".join((*ENSEMBLES, *system_names()))
        raise UsageError(f"there is nothing called {unknown[0]!r} to measure; there are: {known}")
    if not chosen or len(set(chosen)) < len(chosen):
        raise UsageError(f"name each system to measure, once; got: {', '.join(chosen) or 'none'}")
    if bases:
        check_systems(bases)
    return chosen


def check_params(setup: Setup, names: Collection[str]) -> None:
    """Check that all parameters have an effect on the measured systems.

    Mega uses only the features of a system that learns.

    Parameters
    ----------
    setup : Setup
    names : collection of str
        Base systems or `ENSEMBLES`.

    Raises
    ------
    UsageError
        As `check_params_used`.
    """
    united = [s for s in setup.params if s in setup.systems] if "mega" in names else []
    rules = [s for s in united if not isinstance(setup.tagger(s), FeatureTagger)]
    whole = base_systems([name for name in names if name != "mega"], setup.systems)
    features = setup.systems if "mega" in names else ()
    check_params_used(setup, whole=(*whole, *rules), features=features)


def check_params_used(
    setup: Setup,
    *,
    whole: Collection[str] = (),
    features: Collection[str] = (),
    also: Collection[str] = (),
) -> None:
    """Check that all parameters have an effect on an experiment's figures.

    Parameters
    ----------
    setup : Setup
    whole : collection of str
        Base systems that are fitted.
    features : collection of str
        Base systems of which only the feature templates are used.
    also : collection of str
        Parameters of these with an effect besides those that the templates
        depend on.

    Raises
    ------
    UsageError
        If a parameter is of an unused system, or has no effect.
    """
    used = tuple(dict.fromkeys((*whole, *features)))
    for system, params in setup.params.items():
        if params and system not in used:
            raise UsageError(
                f"parameters are given for system {system!r}, which is not used; "
                f"used are {', '.join(used)}"
            )
        if params and system not in whole:
            effective = {*also, *_template_params(setup.tagger(system))}
            idle = [param for param in params if param not in effective]
            if idle:
                raise UsageError(
                    f"system {system!r}: {idle[0]} has no effect on these figures, which use "
                    "only the features of the system"
                )


def _template_params(tagger: BaseTagger) -> set[str]:
    """Return the names of the attributes that a tagger's feature templates depend on."""
    if not isinstance(tagger, FeatureTagger):
        return set()
    read: set[str] = set()

    def record(self: object, name: str) -> Any:
        read.add(name)
        return object.__getattribute__(self, name)

    kind = type(tagger)
    tagger.__class__ = type(kind.__name__, (kind,), {"__getattribute__": record})
    tagger.templates()
    return read
