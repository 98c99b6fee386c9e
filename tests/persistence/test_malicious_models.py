"""Malicious models with valid checksums end no process and are never without an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[2]


def test_no_malicious_model_ends_its_process() -> None:
    chosen = ["--only", "mimic", "--only", "tree", "--only", "majority"]
    run = subprocess.run(
        [sys.executable, ROOT / "scripts" / "fuzz", "models", "--attempts", "60", *chosen],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    counts = {
        name.strip(): int(number)
        for number, _, name in (line.strip().partition(" ") for line in run.stdout.splitlines())
    }
    assert (run.returncode, sum(counts.values())) == (0, 60), run.stdout + run.stderr[-2000:]
    assert set(counts) <= {"refused", "documents failed", "same spans", "other spans"}
    assert counts["refused"] > 20
