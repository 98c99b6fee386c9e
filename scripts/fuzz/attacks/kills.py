"""Runs that are killed at random moments, and resumed: what becomes of their output.

The command runs in a copy of this process, which has imported everything, and so does its
model unless `isolated`: a clean process for it takes seconds to start.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from attacks.slow_system import MARK, Slow
from multideid.stacking import parallel_prediction

KILLED = "killed"
NOTES = 60
_BATCH = 400  # Characters: a few notes.
_PATIENCE = 600.0
_ENTRY_POINTS = "[multideid.base_systems]\nslow = attacks.slow_system:Slow\n"
_METADATA = "Metadata-Version: 2.1\nName: slow-system\nVersion: 1.0\n"
_NAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel")


@dataclass(frozen=True)
class Kind:
    """A kind of run.

    Parameters
    ----------
    command : callable
        Returns the arguments of the command for the folder of inputs and that of
        outputs.
    again : str
        The option with which a killed command is repeated.
    """

    command: Callable[[Path, Path], Sequence[object]]
    again: str = "--resume"


def _deid(name: str, *options: object) -> Kind:
    def command(inputs: Path, outputs: Path) -> Sequence[object]:
        kept = ("--key-file", inputs / "key", "--vault", outputs / "vault")
        common = ("--model", inputs / "slow", "--as", "surrogate", "--jobs", 1, *kept)
        report = ("--report", outputs / "report.json")
        return ("deid", inputs / name, "--out", outputs / "out", *common, *report, *options)

    return Kind(command)


def _predict(inputs: Path, outputs: Path) -> Sequence[object]:
    model, notes = inputs / "slow", inputs / "notes"
    return ("predict", model, notes, "--to", "brat", "--jobs", 1, "--out", outputs / "out")


def _restore(inputs: Path, outputs: Path) -> Sequence[object]:
    kept = ("--key-file", inputs / "key", "--vault", inputs / "done" / "vault")
    return ("restore", inputs / "done" / "out", "--out", outputs / "out", *kept)


def _train(inputs: Path, outputs: Path) -> Sequence[object]:
    systems = ("--systems", "mist,slow", "--mode", "vote", "--jobs", 1)
    return ("train", inputs / "gold", *systems, "--out", outputs / "out")


KINDS = {
    "folder": _deid("notes"),
    "jsonl": _deid("notes.jsonl"),
    "csv": _deid("notes.csv", "--column", "text"),
    "parquet": _deid("notes.parquet", "--column", "text"),
    "predict": Kind(_predict),
    "train": Kind(_train, "--overwrite"),
    "restore": Kind(_restore, "--overwrite"),
}


def attack(  # noqa: PLR0913 (all but two by name)
    name: str, place: Path, *, kills: int, chain: int, seed: int, isolated: bool = False
) -> Counter[str]:
    """Kill runs of a kind, repeat them, and count what becomes of them.

    Parameters
    ----------
    name : str
        One of `KINDS`.
    place : Path
        An empty folder.
    kills : int
        Number of kills.
    chain : int
        Kills of one run, before it may end.
    seed : int
        Of the moments.
    isolated : bool
        Whether models work in processes of their own, as they do for users.
    """
    if not isolated:
        parallel_prediction._may_have_processes = lambda: False
    os.environ.pop(MARK, None)
    inputs, whole = place / "in", place / "whole"
    _make_inputs(inputs)
    whole.mkdir()
    timed = _Timed(KINDS[name], inputs)
    moments = timed.unbroken(whole)
    expected, random = _contents(whole, inputs), Random(seed)
    outcomes: Counter[str] = Counter()
    while outcomes[KILLED] < kills:
        broken = place / f"broken{outcomes.total()}"
        broken.mkdir()
        for n in range(min(chain, kills - outcomes[KILLED])):
            early = random.random() < 1 / 5
            outcome = timed.kill(broken, random.uniform(0, moments[early]), early, again=n > 0)
            outcomes[outcome] += 1
            if not _is_part(_contents(broken, inputs), expected):
                outcomes["FAULT: a half or foreign file after a kill"] += 1
            if outcome != KILLED:
                break
        outcomes[timed.finish(broken, expected)] += 1
        shutil.rmtree(broken)
    return outcomes


class _Timed:
    """Runs a command in copies of this process."""

    def __init__(self, kind: Kind, inputs: Path) -> None:
        self._kind, self._inputs = kind, inputs
        self._mark = inputs.parent / "mark"
        os.environ[MARK] = str(self._mark)

    def unbroken(self, outputs: Path) -> tuple[float, float]:
        """Run it to the end; return seconds after the first note, and those before it."""
        self._mark.unlink(missing_ok=True)
        start = time.monotonic()
        pid = _started(self._arguments(outputs, again=False))
        first = self._wait_for_mark(pid) - start
        if _exit_code(pid) != 0:
            raise SystemExit("the unbroken run failed")
        return time.monotonic() - start - first, first

    def kill(self, outputs: Path, moment: float, early: bool, again: bool) -> str:
        """Kill a run some time after its start, or after its first note."""
        self._mark.unlink(missing_ok=True)
        pid = _started(self._arguments(outputs, again))
        if not early:
            self._wait_for_mark(pid)
        time.sleep(moment)
        os.kill(pid, signal.SIGKILL)
        code = _exit_code(pid)
        return KILLED if code == -signal.SIGKILL else f"had ended before, exit code {code}"

    def finish(self, outputs: Path, expected: dict[str, object]) -> str:
        """Repeat the command, and compare its output with that of an unbroken run."""
        code = _exit_code(_started(self._arguments(outputs, again=True)))
        if code == 2 and _contents(outputs, self._inputs) == expected:
            # A run that had ended before its kill has nothing to resume, and says so.
            code = 0
        if code:
            return f"FAULT: exit code {code} of the run that went on"
        if _contents(outputs, self._inputs) != expected:
            return "FAULT: the output differs from that of an unbroken run"
        if hidden := [p.name for p in outputs.rglob(".*")]:
            return f"FAULT: {len(hidden)} hidden files are left"
        return "resumed, output as of an unbroken run"

    def _arguments(self, outputs: Path, again: bool) -> list[str]:
        arguments = [str(a) for a in self._kind.command(self._inputs, outputs)]
        return [*arguments, self._kind.again] if again else arguments

    def _wait_for_mark(self, pid: int) -> float:
        end = time.monotonic() + _PATIENCE
        while not self._mark.exists() and time.monotonic() < end and not _has_ended(pid):
            time.sleep(0.005)
        return time.monotonic()


def _started(arguments: list[str]) -> int:
    """Run a command of multideid in a copy of this process."""
    if pid := os.fork():
        return pid
    code = 3
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        _small_batches()
        from multideid.cli import app

        app(arguments, standalone_mode=True)
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def _small_batches() -> None:
    from multideid.stacking import deidentifier

    deidentifier._BATCH_CHARACTERS = _BATCH
    deidentifier._DOCUMENT_COST = 0


def _has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _exit_code(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _contents(outputs: Path, inputs: Path) -> dict[str, object]:
    """Return the files that are not hidden; of a vault, what it restores."""
    from multideid.redact import Key, read_vault

    found: dict[str, object] = {}
    for path in sorted(outputs.rglob("*")):
        name = path.relative_to(outputs).as_posix()
        if not path.is_file() or any(part.startswith(".") for part in Path(name).parts):
            continue
        found[name] = (
            read_vault(path, Key.read(inputs / "key")) if name == "vault" else path.read_bytes()
        )
    return found


def _is_part(found: dict[str, object], whole: dict[str, object]) -> bool:
    return all(whole.get(name) == content for name, content in found.items())


def _make_inputs(folder: Path) -> None:
    """Write the notes in four forms, an annotated corpus, a key, a model and a finished run."""
    from multideid.corpora import write_corpus
    from multideid.document import Document, Span
    from multideid.stacking import SingleDeidentifier

    _install(folder / "packages")
    texts = list(_texts())
    _write_tables(folder, texts)
    (folder / "key").write_text("0123456789abcdef")
    found = Slow()
    gold = [
        Document(f"n{n}", t, tuple(map(Span._make, found.tag(Document("", t)))))
        for n, t in enumerate(texts)
    ]
    write_corpus(gold, folder / "gold", "brat")
    SingleDeidentifier("slow").fit(gold[:5]).save(folder / "slow")
    _finish_one(folder, folder / "done")


def _finish_one(inputs: Path, outputs: Path) -> None:
    """De-identify in this process, which loads what its copies use."""
    from multideid.deid import DeidOptions, deidentify_folder

    outputs.mkdir()
    options = DeidOptions(
        model=inputs / "slow",
        mode="surrogate",
        key=inputs / "key",
        vault=outputs / "vault",
        report=outputs / "report.json",
        n_jobs=1,
        isolated=False,
    )
    deidentify_folder(inputs / "notes", outputs / "out", options)


def _install(folder: Path) -> None:
    """Let processes find the slow system, as that of any package."""
    info = folder / "slow_system-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(_METADATA)
    (info / "entry_points.txt").write_text(_ENTRY_POINTS)
    sys.path.append(str(folder))


def _texts() -> Iterator[str]:
    random = Random(0)
    for n in range(NOTES):
        day = f"{random.randint(1, 12)}/{random.randint(1, 28)}/20{n % 20:02}"
        name = random.choice(_NAMES)
        yield f"Note {n}. Seen by Dr. {name} on {day}, badge B-{1000 + n}. Dr. {name} agrees.\n"


def _write_tables(folder: Path, texts: Sequence[str]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    (folder / "notes" / "ward").mkdir(parents=True)
    for n, text in enumerate(texts):
        (folder / "notes" / ("ward" if n % 2 else ".") / f"{n:03}.txt").write_text(text)
    lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(texts)]
    (folder / "notes.jsonl").write_text("\n".join(lines) + "\n")
    with (folder / "notes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["visit", "text"], *enumerate(texts)])
    parquet.write_table(pa.table({"text": list(texts)}), folder / "notes.parquet", row_group_size=7)
