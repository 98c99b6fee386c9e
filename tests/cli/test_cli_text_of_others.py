"""Base systems of others show no text of notes, whatever they print, warn of or raise."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from multideid.corpora import read_corpus
from multideid.corpora.reports import CorpusWarning
from multideid.errors import UsageError
from multideid.integrations.rest import server
from multideid.stacking import SingleDeidentifier
from multideid.taggers import registry
from multideid.taggers.contract import BaseTagger

SECRET = "Seen by nurse"
"""Begins the notes."""


def _fail(error: BaseException) -> NoReturn:
    raise error


ACTS: dict[str, Callable[[str], Any]] = {
    "prints": print,
    "warns as multideid does": lambda text: warnings.warn(text, CorpusWarning, stacklevel=1),
    "cannot open a file": lambda text: _fail(FileNotFoundError(2, os.strerror(2), text)),
    "calls multideid with it": lambda text: read_corpus(Path(text)),
    "raises an error of multideid": lambda text: _fail(UsageError(text)),
}


class Gossip(BaseTagger):
    name, summary = "gossip", "Does with text what it should not."

    act: Callable[[str], Any] = staticmethod(len)
    when = "fit"

    def fit(self, tokens: Any, labels: Any) -> Gossip:
        self.labels_ = labels.names
        return self._acted("fit", tokens.texts[0])

    def predict_scores(self, tokens: Any) -> Any:
        self._acted("predict", tokens.texts[0])
        return np.zeros((len(tokens), len(self.labels_)), dtype=np.float32)

    def save(self, folder: Path) -> None:
        self._acted("save", SECRET)

    @classmethod
    def load(cls, folder: Path) -> Gossip:
        made = cls()
        made.labels_ = ("O", "B-ID", "I-ID")
        return made

    def _acted(self, moment: str, text: str) -> Gossip:
        if moment == Gossip.when:
            Gossip.act(text)
        return self


@pytest.fixture
def gossip() -> Iterator[type[Gossip]]:
    """Register the system; a test says what it does, and when."""
    registry.register(Gossip)
    yield Gossip
    registry._SESSION.pop("gossip")
    Gossip.act, Gossip.when = len, "fit"


@pytest.mark.parametrize("when", ["fit", "save"])
@pytest.mark.parametrize("act", ACTS)
def test_training_shows_no_text(  # noqa: PLR0913, PLR0917 (fixtures)
    invoke, corpus, tmp_path, gossip, act, when
) -> None:
    gossip.act, gossip.when = ACTS[act], when
    result = invoke("train", corpus, "--mode", "gossip", "--jobs", 1, "--out", tmp_path / "m")
    assert SECRET not in result.output
    assert result.exit_code == 0 or "error: " in result.stderr


def _breaks(text: str) -> None:
    raise ValueError(text)


@pytest.mark.parametrize(("mode", "when"), [("gossip", "fit"), ("vote", "fit"), ("multi", "fit")])
def test_the_system_that_fails_in_training_is_named(  # noqa: PLR0913, PLR0917 (fixtures)
    invoke, corpus, tmp_path, gossip, mode, when
) -> None:
    gossip.act, gossip.when = _breaks, when
    systems = () if mode == "gossip" else ("--systems", "gossip,badge")
    options = ("--mode", mode, *systems, "--jobs", 1, "--out", tmp_path / "m")
    result = invoke("train", corpus, *options)
    assert result.exit_code == 2
    assert "system 'gossip': failed with ValueError at test_cli_text_of_others.py" in result.stderr
    assert SECRET not in result.output


@pytest.mark.parametrize("act", ["prints", "warns as multideid does"])
def test_measuring_speed_shows_no_text(invoke, corpus, tmp_path, gossip, act) -> None:
    SingleDeidentifier("gossip").fit(read_corpus(corpus)).save(tmp_path / "m")
    gossip.act, gossip.when = ACTS[act], "predict"
    options = ("--passes", 1, "--starts", 0, "--no-long", "--no-peers")
    result = invoke("bench", tmp_path / "m", corpus, *options)
    assert result.exit_code == 0, result.output
    assert SECRET not in result.output


def test_the_service_shows_its_own_lines_only(invoke, monkeypatch) -> None:
    def serve(*args: object, on_start: Callable, log: Any, **kwargs: object) -> None:
        on_start("http://127.0.0.1:8000")
        print(SECRET)
        log.write("a line of the service\n")

    monkeypatch.setattr(server, "serve", serve)
    result = invoke("serve")
    assert "listening at http://127.0.0.1:8000" in result.stderr
    assert "a line of the service" in result.stderr
    assert SECRET not in result.output


_WORK = """
import os
from multideid.review import {module}

def speak(*_):
    print("Zanzibar", flush=True)
    os.system("echo Zanzibar; echo Zanzibar >&2")
    raise SystemExit("Zanzibar")

{module}.work_behind_page(1, speak, None, 1, os.getppid())
"""


@pytest.mark.end_to_end
@pytest.mark.parametrize("module", ["reading", "training"])
def test_what_a_model_does_for_a_review_is_not_shown(module) -> None:
    code = _WORK.format(module=module)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("", "", 1)


@pytest.mark.end_to_end
def test_what_is_left_for_the_end_of_the_program_is_not_shown() -> None:
    code = "import atexit; atexit.register(print, 'Zanzibar'); from multideid.cli import main; "
    run = subprocess.run(
        [sys.executable, "-c", f"{code}import sys; sys.argv[1:] = ['formats']; main()"],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    assert "brat" in run.stdout
    assert "Zanzibar" not in run.stdout
