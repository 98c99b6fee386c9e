"""A command that is asked to end by a signal does, wherever the signal finds it."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from threading import Event
from weakref import ref

import pytest
import typer

from multideid.cli.error_handler import handle_errors
from multideid.cli.progress import progress_bar
from multideid.cli.stopping import StoppedError, end_on_signals, forget_signals
from multideid.document import Document, Span
from multideid.taggers import registry

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals of Unix")
_LONG = 60.0


@pytest.fixture(autouse=True)
def handled() -> Iterator[None]:
    """Handle signals as the command line does; the tests may run where they are ignored."""
    before = {n: signal.signal(n, signal.SIG_DFL) for n in (signal.SIGTERM, signal.SIGHUP)}
    end_on_signals()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def _exit_code(command: Callable[[], None]) -> int:
    with pytest.raises(typer.Exit) as ended:
        handle_errors(command)()
    return ended.value.exit_code


class _Thing:
    def __init__(self, act: Callable[[], None] = lambda: None) -> None:
        self.act = act

    def __del__(self) -> None:
        self.act()


def _signal_in_del(number: int = signal.SIGTERM) -> None:
    _Thing(lambda: signal.raise_signal(number))


def _signal_in_weak_callback() -> None:
    thing = _Thing()
    _ = ref(thing, lambda _: signal.raise_signal(signal.SIGTERM))
    del thing


def _signal_that_is_caught() -> None:
    with suppress(BaseException):
        signal.raise_signal(signal.SIGTERM)


def _signal_that_a_cycle_keeps() -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
    except BaseException as error:
        # The traceback has this frame, and this frame the exception.
        kept = error
        assert kept


@pytest.mark.parametrize(
    "lose",
    [_signal_in_del, _signal_in_weak_callback, _signal_that_is_caught, _signal_that_a_cycle_keeps],
)
def test_a_wait_ends_though_the_exception_is_lost(lose, capsys) -> None:
    went_on = []

    def command() -> None:
        lose()
        went_on.append(Event().wait(_LONG))

    assert _exit_code(command) == 143
    assert went_on == []
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("shown", [False, True])
def test_no_document_follows_a_stop_that_somebody_keeps(shown) -> None:
    kept, done = [], []

    def command() -> None:
        with progress_bar(shown, thread=False) as move:
            for n in range(3):
                move(n, 3, "documents")
                done.append(n)
                try:
                    signal.raise_signal(signal.SIGHUP)
                except StoppedError as error:
                    kept.append(error)

    assert _exit_code(command) == 129
    assert done == [0]


def test_removal_of_files_is_not_interrupted_again() -> None:
    removed = []

    def command() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            # Longer than the pause between two looks.
            Event().wait(0.5)
            removed.append("file")

    assert _exit_code(command) == 143
    assert removed == ["file"]


def test_a_stop_that_is_swallowed_after_a_long_removal_ends_the_command() -> None:
    went_on = []

    def command() -> None:
        with suppress(BaseException):
            try:
                signal.raise_signal(signal.SIGTERM)
            finally:
                # Several looks find that it is being handled.
                Event().wait(0.5)
        went_on.append(Event().wait(_LONG))

    assert _exit_code(command) == 143
    assert went_on == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_second_signal_does_not_interrupt_the_removal_of_files(name) -> None:
    number, removed = getattr(signal, name), []

    def command() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(number)
            removed.append("file")

    # A second command in the same process is no other than the first.
    for _ in range(2):
        assert _exit_code(command) == 128 + number
    assert removed == ["file", "file"]


def test_a_third_signal_ends_a_removal_that_hangs() -> None:
    went_on = []

    def command() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)
            went_on.append("second")
            signal.raise_signal(signal.SIGTERM)
            went_on.append("third")

    assert _exit_code(command) == 143
    assert went_on == ["second"]


def test_a_second_signal_is_raised_where_the_first_was_lost() -> None:
    went_on = []

    def command() -> None:
        _signal_in_del()
        signal.raise_signal(signal.SIGTERM)
        went_on.append("second")

    assert _exit_code(command) == 143
    assert went_on == []


def test_a_stop_outside_of_a_command_is_not_raised_again(monkeypatch) -> None:
    app = import_module("multideid.cli.app")
    monkeypatch.setattr(app, "app", lambda **_: signal.raise_signal(signal.SIGTERM))
    monkeypatch.setattr(app, "print_nothing", lambda: None)
    monkeypatch.setattr(app, "end_at_once_on_signals", forget_signals)
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, io.StringIO())
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == 143
    # The fixture looks whether the timer is off.


def test_an_error_that_comes_of_a_stop_is_shown_as_the_stop(capsys) -> None:
    def command() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        except BaseException:
            raise ValueError from None

    def wrong() -> None:
        raise ValueError

    assert _exit_code(command) == 143
    assert capsys.readouterr().err == ""
    assert _exit_code(wrong) == 3


def test_other_lost_exceptions_are_reported_as_before(monkeypatch) -> None:
    def divide() -> None:
        raise ZeroDivisionError

    def command() -> None:
        _Thing(divide)

    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: lost.append(args.exc_type))
    handle_errors(command)()
    assert lost == [ZeroDivisionError]


def test_training_ends_though_a_base_system_loses_the_stop(invoke, corpus, tmp_path) -> None:
    class Loses:
        name, summary = "loses", "Is asked to end where nobody hears it."

        def tag(self, document: Document) -> list[Span]:
            _signal_in_del()
            return []

    registry.register(Loses)
    try:
        result = invoke(
            "train", corpus, "--mode", "vote", "--systems", "loses,badge", "-o", tmp_path / "model"
        )
    finally:
        registry._SESSION.pop("loses")
    assert result.exit_code == 143
    assert list(tmp_path.iterdir()) == []
