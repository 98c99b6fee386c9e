"""How unsure a model is of a note, by which notes are offered that teach most.

Two signals of active learning, summed over the places of a note: the entropy of the model's
probability (uncertainty sampling, Lewis & Gale 1994), and that of the systems' votes (query by
committee, Seung et al. 1992; vote entropy, Dagan & Engelson 1995).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, log2

from multideid.document import Span

LENGTH_POWER = 0.5
"""Power of a note's length that divides its uncertainty, for long notes would all come first."""


def uncertainty(
    spans: Sequence[Span],
    scores: Sequence[float | None],
    systems: Mapping[str, Sequence[Span]],
) -> float:
    """Return how unsure a model is of the spans of a note.

    Parameters
    ----------
    spans : sequence of Span
        What the model finds.
    scores : sequence of float or None
        One per span, as `Deidentifier.span_scores` has it: the mean probability of its tokens to
        be PHI.
    systems : mapping of str to sequence of Span
        What each base system finds, as `Deidentifier.system_spans` has it.

    Returns
    -------
    float
        0 or more; each span of the model adds 1 at most, and so does each place, which is where
        spans of the model or of systems overlap. 0 for a model of a single system, which has
        neither signal.
    """
    return sum(map(binary_entropy, scores)) + sum(
        vote_entropy(says) for says in _said(spans, systems)
    )


def binary_entropy(probability: float | None) -> float:
    """Return the entropy of a probability in bits; 0 for an unknown one."""
    if probability is None or not 0 < probability < 1:
        return 0.0
    rest = 1 - probability
    return -probability * log2(probability) - rest * log2(rest)


def vote_entropy(votes: Sequence[object]) -> float:
    """Return the entropy of votes, as a share of that of votes that all differ."""
    if len(votes) < 2:
        return 0.0
    shares = [count / len(votes) for count in Counter(votes).values()]
    return sum(-share * log(share) for share in shares) / log(len(votes))


def _said(
    spans: Iterable[Span], systems: Mapping[str, Sequence[Span]]
) -> Iterator[list[tuple[Span, ...]]]:
    """Yield what each system says at each place."""
    marked = [(span, name) for name, found in systems.items() for span in found]
    marked += [(span, "") for span in spans]
    place: dict[str, list[Span]] = {}
    end = -1
    for span, name in sorted(marked):
        if place and span.start >= end:
            yield [tuple(place.get(system, ())) for system in systems]
            place, end = {}, -1
        place.setdefault(name, []).append(span)
        end = max(end, span.end)
    if place:
        yield [tuple(place.get(system, ())) for system in systems]
