"""Which parameters of base systems have a part in an experiment's figures; others are refused."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from multideid.errors import UsageError
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.plans import base_systems
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.systems import Params


def check_measured(setup: Setup, names: Collection[str]) -> None:
    """Check that all parameters have a part in what is measured.

    Of a system that learns, Mega takes the features alone.

    Parameters
    ----------
    setup : Setup
    names : collection of str
        Base systems, or of `ENSEMBLES`.

    Raises
    ------
    UsageError
        As `check_parts`.
    """
    united = [s for s in setup.params if s in setup.systems] if "mega" in names else []
    rules = [s for s in united if not isinstance(setup.tagger(s), FeatureTagger)]
    whole = base_systems([name for name in names if name != "mega"], setup.systems)
    features = setup.systems if "mega" in names else ()
    check_parts(setup, whole=(*whole, *rules), features=features)


def check_parts(
    setup: Setup,
    *,
    whole: Collection[str] = (),
    features: Collection[str] = (),
    also: Collection[str] = (),
) -> None:
    """Check that all parameters have a part in an experiment's figures.

    Parameters
    ----------
    setup : Setup
    whole : collection of str
        Base systems that are fitted as they are.
    features : collection of str
        Base systems of which only the feature templates are used.
    also : collection of str
        Parameters of these that have a part beside those that the templates
        are made of.

    Raises
    ------
    UsageError
        If there is a parameter of a system that is not used, or one that
        would change nothing.
    """
    used = tuple(dict.fromkeys((*whole, *features)))
    for system, params in setup.params.items():
        if params and system not in used:
            raise UsageError(
                f"parameters are given of system {system!r}, which is not used; "
                f"used are {', '.join(used)}"
            )
        if params and system not in whole:
            _check_features(setup, system, params, also)


def _check_features(setup: Setup, system: str, params: Params, also: Collection[str]) -> None:
    parts = {*also, *_read_by_templates(setup, system)}
    idle = [param for param in params if param not in parts]
    if idle:
        raise UsageError(
            f"system {system!r}: {idle[0]} has no part in these figures, for which only the "
            "features of the system are used"
        )


def _read_by_templates(setup: Setup, system: str) -> set[str]:
    """Return the names of the attributes that a system's templates are made of, if it has any."""
    tagger = setup.tagger(system)
    if not isinstance(tagger, FeatureTagger):
        return set()
    read: set[str] = set()

    def note(self: object, name: str) -> Any:
        read.add(name)
        return object.__getattribute__(self, name)

    kind = type(tagger)
    tagger.__class__ = type(kind.__name__, (kind,), {"__getattribute__": note})
    tagger.templates()
    return read
