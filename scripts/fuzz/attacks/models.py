"""Malicious models, each loaded and used in a process of its own."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from attacks.mutations import mutate
from multideid.document import Document
from multideid.errors import MultideidError
from multideid.samples import sample_corpus
from multideid.scoring import scorer
from multideid.stacking import (
    Deidentifier,
    FailedDocument,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_folder,
)

SECONDS = 60
"""After this time, an attempt counts as one without end."""

SINGLE: dict[str, dict[str, object]] = {
    "stat-deid": {}, "stanford": {"epochs": 2}, "mist": {"epochs": 3}, "lbj": {"epochs": 2},
    "mimic": {}, "majority": {}, "identifinder": {}, "heuristic-dictionary": {}, "tree": {},
    "szarvas": {"rounds": 3}, "convnet": {"epochs": 1, "embedding_dim": 8, "hidden_dim": 8},
    "snow": {"epochs": 2}, "svm-kernel": {"kernel": "quadratic"},
    "spacy": {"epochs": 1, "width": 16, "depth": 1},
}  # fmt: skip

REFUSED, FAILED, SAME, OTHER = "refused", "documents failed", "same spans", "other spans"
_CODES = {REFUSED: 10, FAILED: 11, SAME: 12, OTHER: 13}
_FAULT = 20
_MEMORY = 8_000_000_000
"""Bytes of address space, of which compiled code and libraries take about two billion."""

NOTES = [
    Document(
        "a", "Seen by Dr. Martha Alder on 3/14/2007 at Larkfield General Hospital, MRN 44719."
    ),
    Document(
        "b", "Mr. Abel Baker, 93, of Springfield.\nPhone: 617-555-0143\n\nDr. Alder, Dr. Alder"
    ),
    Document("c", ""),
    Document("d", "\n \x85 \U0001d400 - 1"),
]


def make_models(folder: Path, names: tuple[str, ...] | None = None) -> list[Path]:
    """Train and save small models: every base system, and every way to combine some.

    Parameters
    ----------
    folder : Path
    names : tuple of str, optional
        The models to make. Default: all.
    """
    corpus = sample_corpus(12)
    some = {"mist": {"epochs": 2}, "lbj": {"epochs": 2}, "mimic": {}}
    unfitted: dict[str, Deidentifier] = {
        **{name: SingleDeidentifier(name, SINGLE[name]) for name in SINGLE},
        "stanford-consistency": SingleDeidentifier("stanford", {"epochs": 2, "consistency": True}),
        "multi": MultiDeidentifier(some, folds=2, augmentation=False, n_jobs=1),
        "mega": MegaDeidentifier(some),
        "vote": VoteDeidentifier(some, n_jobs=1),
    }
    chosen = [name for name in unfitted if names is None or name in names]
    for name in chosen:
        unfitted[name].fit(corpus).save(folder / name, overwrite=True)
    return [folder / name for name in chosen]


def use(model: Path) -> list[object]:
    """Load a model, and find PHI by both ways of scoring."""
    found: list[object] = []
    for compile_after in (10**9, 0):
        scorer.COMPILE_AFTER = compile_after
        loaded = load_folder(model)
        found += loaded.predict_each(NOTES)
        found += [loaded.votes(NOTES)]
    return found


def attack(models: list[Path], attempts: range, log: Path | None = None) -> Counter[str]:
    """Try mutated models, and count outcomes.

    Parameters
    ----------
    models : list of Path
        From `make_models`.
    attempts : range
        Each number is a seed, by which an attempt can be repeated.
    log : Path, optional
        Faults are appended to this file.

    Returns
    -------
    Counter
        Of outcomes; those that begin with "FAULT" must not be.
    """
    # Kernels are compiled, or read from the cache, before the processes fork.
    expected = {model: use(model) for model in models}
    counts: Counter[str] = Counter()
    for seed in attempts:
        model = models[seed % len(models)]
        outcome, done = _attempt(model, seed, expected[model])
        counts[outcome] += 1
        if log is not None and outcome.startswith("FAULT"):
            with log.open("a") as file:
                file.write(f"{seed} {model.name}: {outcome}: {'; '.join(done)}\n")
    return counts


def _attempt(model: Path, seed: int, expected: list[object]) -> tuple[str, list[str]]:
    folder = Path(tempfile.mkdtemp(prefix="attack-"))
    try:
        copy = folder / "model"
        shutil.copytree(model, copy)
        done = mutate(copy, Random(seed))
        return _outcome(folder, lambda: _judge(copy, expected)), done
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _judge(model: Path, expected: list[object]) -> str:
    try:
        found = use(model)
    except MultideidError:
        return REFUSED
    if found == expected:
        return SAME
    failed = [each for each in found if isinstance(each, FailedDocument)]
    crashes = [each.problem for each in failed if "IndexError" in each.problem]
    if crashes:
        raise IndexError(crashes[0])
    return FAILED if failed else OTHER


def _outcome(folder: Path, judge: Callable[[], str]) -> str:
    """Run a function in a forked process, and return its result, or the fault that ended it."""
    child = os.fork()
    if not child:
        code = _FAULT
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        try:
            code = _CODES[judge()]
        except BaseException as error:
            (folder / "fault").write_text(f"{type(error).__name__}: {error}"[:300])
        finally:
            os._exit(code)
    status = _wait(child)
    if status is None:
        return "FAULT: no end"
    if os.WIFSIGNALED(status):
        return f"FAULT: {signal.Signals(os.WTERMSIG(status)).name}"
    code = os.WEXITSTATUS(status)
    known = {number: name for name, number in _CODES.items()}
    return known.get(code) or f"FAULT: {(folder / 'fault').read_text()}"


def _wait(child: int) -> int | None:
    """Return the status of a child process, None if it had to be killed."""
    for _ in _clock(SECONDS):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _clock(seconds: float) -> Iterator[None]:
    end, pause = time.monotonic() + seconds, 0.001
    while time.monotonic() < end:
        yield
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
