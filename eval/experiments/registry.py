"""The registry of experiments, from which the command line and its help are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from multideid.eval.experiments.setup import base_systems

if TYPE_CHECKING:
    from multideid.eval.experiments.result import Result

Run = TypeVar("Run", bound="Callable[..., Result]")
Uses = Callable[[Sequence[str], Mapping[str, Any]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Option:
    """The command-line option for a parameter of an experiment, given in its annotation.

    Parameters
    ----------
    help : str
    metavar : str
    flag : str, optional
        Default: made from the name of the parameter.
    """

    help: str
    metavar: str = "N"
    flag: str | None = None


def systems_option(choices: str) -> Option:
    """Return the option ``--of``, which names the systems to measure."""
    return Option(f"What to measure, with commas between: {choices}.", "LIST", "--of")


AllSystems = Annotated[
    Sequence[str] | None,
    systems_option("base systems, vote, mega, multi. Default: --systems, vote, mega and multi"),
]
Resamples = Annotated[int, Option("Shuffles of the randomization test.", flag="--resamples")]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A registered experiment.

    Parameters
    ----------
    name : str
        As on the command line, and the ``experiment`` of its results.
    run : callable
        Takes a sequence of `Corpus`, a `Setup` and the experiment's own keywords.
    topic : {"systems", "corpora"}
        The group in which the command line lists it.
    source : str
        The paper and section that it repeats; "" if none.
    example : str
        Options for an example on the command line.
    uses : callable
        Takes the names of the base systems of the setup, which it need not check, and
        the experiment's keywords; returns the base systems that parameters may be given for.
    needs_tests : bool
        Whether corpora must have test documents.
    """

    name: str
    run: Callable[..., Result]
    topic: str
    source: str
    example: str
    uses: Uses
    needs_tests: bool = True

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.description.partition("\n")[0]

    @property
    def description(self) -> str:
        """The docstring without its sections on parameters, errors and so on."""
        return (inspect.getdoc(self.run) or "").partition("\n\nParameters\n")[0]

    def uses_setup_systems(self, options: Mapping[str, Any]) -> bool:
        """Return whether the base systems of the setup matter, given the experiment's keywords."""
        anything = "any system"
        return anything in self.uses((anything,), options)


EXPERIMENTS: dict[str, Experiment] = {}
"""Every registered experiment by name."""


def measured_systems(systems: Sequence[str], options: Mapping[str, Any]) -> Sequence[str]:
    """Return the base systems behind the keyword ``systems``; without it, all."""
    chosen = options.get("systems")
    return systems if chosen is None else base_systems(chosen, systems)


def experiment(  # noqa: PLR0913 (all but one by name)
    name: str,
    *,
    topic: str,
    source: str = "",
    example: str = "",
    uses: Uses = measured_systems,
    needs_tests: bool = True,
) -> Callable[[Run], Run]:
    """Register the decorated function as an experiment; see `Experiment`."""

    def register(run: Run) -> Run:
        EXPERIMENTS[name] = Experiment(name, run, topic, source, example, uses, needs_tests)
        return run

    return register
