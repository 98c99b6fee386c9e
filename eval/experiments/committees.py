"""Multi of ever other systems: only the stacker is fitted again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from multideid.document import Document
from multideid.eval.experiments.plans import Plan
from multideid.stacking.decode import best_tags

Systems = tuple[str, ...]

ALONE, BASE, WITH, WITHOUT, ALL, ALL_WITHOUT = (
    "alone", "base", "with", "without", "all", "all without",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Committee:
    """Multi of some systems, as it sees the held documents.

    Parameters
    ----------
    change : str
        One of `BASE`, `WITH`, `WITHOUT`, `ALL` and `ALL_WITHOUT`.
    system : str
        The one that is added or left out; "" with `BASE` and `ALL`.
    predicted : list of Document
    stacker_seconds : float
        By the clock: of fitting the stacker and of its decisions.
    """

    change: str
    system: str
    predicted: list[Document]
    stacker_seconds: float


def committees(plan: Plan, base: Systems, added: Systems) -> Iterator[Committee]:
    """Yield Multi of the base set and of all systems, with one more and with one less.

    Parameters
    ----------
    plan : Plan
        Of all the systems, with Multi's fits finished.
    base, added : tuple of str
        Together the plan's systems.
    """
    names = plan.setup.systems
    # What is told of is how many ensembles are done, not each stacker.
    whole = replace(plan.stack(), progress=None)
    chosen = _choices(base, added)
    for done, ((change, system), own) in enumerate(chosen.items(), 1):
        stack = whole.only([names.index(name) for name in own])
        tags = best_tags(stack.held, stack.margins())
        predicted = plan.data.with_tags(plan.held, tags)
        yield Committee(change, system, predicted, stack.seconds())
        if plan.setup.progress:
            plan.setup.progress(done, len(chosen), "stacker")


def _choices(base: Systems, added: Systems) -> dict[tuple[str, str], Systems]:
    everything = (*base, *added)
    chosen = {(BASE, ""): base}
    chosen |= {(WITH, system): (*base, system) for system in added}
    chosen |= {(WITHOUT, system): rest for system, rest in _each_left_out(base)}
    if added:
        chosen[ALL, ""] = everything
        chosen |= {(ALL_WITHOUT, system): rest for system, rest in _each_left_out(everything)}
    return chosen


def _each_left_out(systems: Systems) -> list[tuple[str, Systems]]:
    if len(systems) == 1:
        return []
    return [(one, tuple(name for name in systems if name != one)) for one in systems]
