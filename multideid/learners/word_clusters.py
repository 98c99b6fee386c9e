"""Clusters of words by their neighbours in unlabelled notes.

Positive pointwise mutual information of a word and its neighbours, reduced by a
singular value decomposition (Levy and Goldberg 2014), then k-means; the clusters are
joined to coarser ones by Ward's method. As features of named-entity recognizers,
classes of words from unlabelled text are due to Miller, Guinness and Zamanian (2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

import numpy as np
from scipy import sparse

from multideid.arrays import DoubleArray, IntArray
from multideid.blas_threads import one_blas_thread, one_openmp_thread
from multideid.errors import UsageError
from multideid.features.word_clusters import MOST_WORDS, WordClusters
from multideid.learners.neighbour_counts import DocumentCounts, NeighbourCounts, batches

OnProgress = Callable[[int, int | None, str], None]

MIN_DOCUMENTS = 5
CLASSES = 512
_FEWEST_DOCUMENTS = 2
_SHARES = {"middle": 5, "coarse": 25}
"""How many fine classes make a middle and a coarse one, on average."""
_WORDS_A_CLASS = 8
_MOST_CONTEXTS = 2_000
_DIMENSIONS = 64
_SMOOTHING = 0.75


def learn_clusters(  # noqa: PLR0913 (settings, by name)
    texts: Callable[[], Iterable[str]],
    *,
    min_documents: int = MIN_DOCUMENTS,
    classes: int = CLASSES,
    max_words: int = 20_000,
    seed: int = 0,
    progress: OnProgress | None = None,
) -> WordClusters:
    """Learn clusters of words from notes.

    Parameters
    ----------
    texts : callable
        Returns the notes; called twice, so that they need not be in memory.
    min_documents : int, default 5
        Words of fewer notes, such as rare names, are left out.
    classes : int, default 512
        The most fine classes; there are fewer, an eighth of the words, for few words.
    max_words : int, default 20,000
        The most frequent are taken.
    seed : int, default 0
    progress : callable, optional
        Called with the notes read, their number (None at first) and a description.

    Returns
    -------
    WordClusters
        The same for the same notes and seed, whatever the number of threads.

    Raises
    ------
    UsageError
        If a setting is out of range, or too few words are in enough notes.
    """
    _check_settings(min_documents, classes, max_words, seed)
    counts = DocumentCounts()
    for batch in batches(texts()):
        counts.add(batch)
        _report(progress, counts.n_documents, None, "notes read")
    words = counts.frequent(min_documents, max_words, letters=True)
    if len(words) < 2 * _WORDS_A_CLASS:
        raise UsageError(
            f"clusters: {len(words)} words are in at least {min_documents} of the "
            f"{counts.n_documents:,} notes, and {2 * _WORDS_A_CLASS} are needed; give more notes, "
            "or a lower number of notes"
        )
    neighbours = NeighbourCounts(
        words, counts.frequent(min_documents, _MOST_CONTEXTS, letters=False)
    )
    done = 0
    for batch in batches(texts()):
        neighbours.add(batch)
        done += len(batch)
        _report(progress, done, counts.n_documents, "notes counted")
    return clustered(words, neighbours.matrix, min(classes, len(words) // _WORDS_A_CLASS), seed)


def clustered(words: list[str], counts: sparse.csr_matrix, classes: int, seed: int) -> WordClusters:
    """Return clusters of words from the counts of their neighbours."""
    # Loads the libraries that are limited.
    import_module("sklearn.cluster")
    # Sums in another order differ in the last bits, and a word may change its class.
    with one_blas_thread(), one_openmp_thread():
        fine, centres = _fine_classes(_vectors(_ppmi(counts), seed), classes, seed)
        coarser = [_joined(centres, len(centres) // share) for share in _SHARES.values()]
    return WordClusters(words, fine, *coarser)


def _ppmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return positive pointwise mutual information, with contexts smoothed by a power."""
    rows = np.asarray(counts.sum(axis=1)).ravel()
    columns = np.asarray(counts.sum(axis=0)).ravel() ** _SMOOTHING
    found = counts.tocoo()
    expected = rows[found.row] * columns[found.col] / max(columns.sum(), 1)
    values = np.maximum(np.log(found.data / expected), 0)
    matrix = sparse.csr_matrix((values, (found.row, found.col)), counts.shape)
    matrix.eliminate_zeros()
    return matrix


def _vectors(matrix: sparse.csr_matrix, seed: int) -> DoubleArray:
    """Return a vector of length one for each word, or zero for one without neighbours."""
    from sklearn.utils.extmath import randomized_svd

    size = min(_DIMENSIONS, *(n - 1 for n in matrix.shape))
    left, values, _ = randomized_svd(matrix, size, n_iter=5, random_state=seed)
    vectors = left * np.sqrt(values)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1))


def _fine_classes(vectors: DoubleArray, classes: int, seed: int) -> tuple[IntArray, DoubleArray]:
    """Return the class of each word, renumbered to leave none empty, and the centres."""
    from sklearn.cluster import MiniBatchKMeans

    means = MiniBatchKMeans(classes, batch_size=4096, n_init=1, max_iter=30, random_state=seed).fit(
        vectors
    )
    used, fine = np.unique(means.labels_, return_inverse=True)
    return fine.astype(np.int32), np.asarray(means.cluster_centers_[used])


def _joined(centres: DoubleArray, classes: int) -> IntArray:
    """Return the coarser class of each class, of a tree, so that classes are nested."""
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(centres) < 2:
        return np.zeros(len(centres), dtype=np.int32)
    tree = linkage(centres, "ward")
    return (fcluster(tree, max(classes, 2), "maxclust") - 1).astype(np.int32)


def _check_settings(min_documents: int, classes: int, max_words: int, seed: int) -> None:
    rules = (
        ("min_documents", min_documents, _FEWEST_DOCUMENTS, 2**31),
        ("classes", classes, 2, 4096),
        ("max_words", max_words, 100, MOST_WORDS),
        ("seed", seed, 0, 2**32 - 1),
    )
    for name, value, least, most in rules:
        if not least <= value <= most:
            raise UsageError(f"clusters: {name} must be from {least:,} to {most:,}; got {value:,}")


def _report(progress: OnProgress | None, done: int, total: int | None, description: str) -> None:
    if progress:
        progress(done, total, description)
