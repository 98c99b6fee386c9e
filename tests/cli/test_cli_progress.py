"""Where stderr is no terminal, progress and remaining time are printed once a minute."""

from __future__ import annotations

from multideid.cli import progress


def test_a_line_a_minute_says_how_far_a_run_is_and_how_long_it_takes(monkeypatch, capsys) -> None:
    now = iter([0.0, 30.0, 61.0, 90.0, 125.0])
    monkeypatch.setattr(progress, "monotonic", lambda: next(now))
    with progress.progress_bar(None) as move:
        move(1, 20, "files, 9 tokens/s")
        move(10, 20, "files, 9 tokens/s")
        move(11, 20, "files, 9 tokens/s")
        move(12, None, "documents, 9 tokens/s")
    assert capsys.readouterr().err.splitlines() == [
        "progress: 10 of 20 files, 9 tokens/s, 1 min remaining",
        "progress: 12 documents, 9 tokens/s",
    ]


def test_a_short_run_prints_no_progress(capsys) -> None:
    with progress.progress_bar(None) as move:
        move(1, 2, "files")
    assert capsys.readouterr().err == ""
