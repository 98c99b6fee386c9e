"""Compare the base systems, the vote, Mega and Multi on the same documents."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.document import Document
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.fitting import Progress
from multideid.stacking.mega import MegaDeidentifier
from multideid.stacking.multi import MultiDeidentifier
from multideid.stacking.out_of_fold import DEFAULT_SYSTEMS
from multideid.stacking.single import SingleDeidentifier
from multideid.stacking.systems import Params, Systems, system_params
from multideid.stacking.vote import VoteDeidentifier


def compare_systems(  # noqa: PLR0913 (all but four by name)
    train: Sequence[Document],
    test: Sequence[Document],
    systems: Systems = DEFAULT_SYSTEMS,
    folds: int = 5,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, list[Document]]:
    """Train every base system, the vote, Mega and Multi, and predict the test documents.

    Each base system is fitted only once, and shared by all of them but Mega.

    Parameters
    ----------
    train, test : sequence of Document
    systems : sequence of str, or mapping of str to mapping
    folds, seed : int
    n_jobs, progress
        As for `MultiDeidentifier`.

    Returns
    -------
    dict of str to list of Document
        The test documents with predicted spans. Keys are the names of the systems,
        ``"vote"``, ``"mega"`` and ``"multi"``.
    """
    models = _fit_systems(train, systems, folds, seed=seed, n_jobs=n_jobs, progress=progress)
    return {name: model.predict(test) for name, model in models.items()}


def _fit_systems(  # noqa: PLR0913 (all but three by name)
    train: Sequence[Document],
    systems: Systems,
    folds: int,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Deidentifier]:
    """Return the fitted models by name, those of `compare_systems`."""
    multi = MultiDeidentifier(systems, folds, seed=seed, n_jobs=n_jobs, progress=progress)
    multi.fit(train)
    mega = MegaDeidentifier(systems, seed=seed, folds=folds, n_jobs=n_jobs, progress=progress)
    mega.fit(train)
    return members_alone(multi) | {"mega": mega, "multi": multi}


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
