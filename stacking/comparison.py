"""The base systems of a fitted Multi, each by itself."""

from __future__ import annotations

from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.multi import MultiDeidentifier
from multideid.stacking.single import SingleDeidentifier
from multideid.stacking.systems import Params, system_params
from multideid.stacking.vote import VoteDeidentifier


def members_alone(multi: MultiDeidentifier) -> dict[str, Deidentifier]:
    """Return the base systems of a fitted Multi, each deciding alone, and their ``"vote"``."""
    params = system_params(multi.systems)
    models: dict[str, Deidentifier] = {
        name: _single(multi, name, each) for name, each in params.items()
    }
    return models | {"vote": _vote(multi)}


def _single(multi: MultiDeidentifier, name: str, params: Params) -> SingleDeidentifier:
    single = SingleDeidentifier(name, params or None)
    single.labels_, single.corpus_ = multi.labels_, multi.corpus_
    single.taggers_ = {name: multi.taggers_[name]}
    return single


def _vote(multi: MultiDeidentifier) -> VoteDeidentifier:
    vote = VoteDeidentifier(multi.systems)
    vote.labels_, vote.corpus_ = multi.labels_, multi.corpus_
    vote.taggers_ = multi.taggers_
    return vote
