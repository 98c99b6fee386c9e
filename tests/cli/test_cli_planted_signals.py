"""A signal ends the command line as stopped, and with nothing left, before each line of its end."""

from __future__ import annotations

import json
import signal
import sys
import time
from subprocess import PIPE, Popen, run

import pytest

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals of Unix"),
]

_EVERY_MOMENT = """
import importlib, json, os, signal, sys
from pathlib import Path
from typer import Typer
from multideid.files import scratch_path

app = importlib.import_module("multideid.cli.app")
stopping = importlib.import_module("multideid.cli.stopping")
folder = Path(sys.argv[1])


def command():
    with scratch_path(folder / "out") as path:
        path.write_text("Zanzibar")


app.app = Typer()
app.app.command()(app.handle_errors(command))
sys.argv = ["multideid"]
# Imports what its copies use.
app.app(standalone_mode=False)


def child(moment, lines):
    seen = set()

    def trace(frame, event, _):
        name = frame.f_code.co_filename
        if not ("/multideid/" in name or name.endswith("contextlib.py")):
            return None
        # Before, the program ends as any that has just begun.
        if event == "line" and signal.getsignal(signal.SIGTERM) in (stopping._stop, stopping._end):
            line = f"{name}:{frame.f_lineno}"
            if line == moment and line not in seen:
                os.kill(os.getpid(), signal.SIGTERM)
            seen.add(line)
        return trace

    code = 99
    try:
        sys.settrace(trace)
        app.main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.settrace(None)
        if lines is not None:
            os.write(lines, json.dumps(sorted(seen)).encode())
        os._exit(code)


def exit_code(moment, lines=None):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if not (pid := os.fork()):
        child(moment, lines)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


reader, writer = os.pipe()
assert exit_code(None, writer) == 0
codes, left = {}, []
for line in json.loads(os.read(reader, 1 << 16)):
    codes[line] = exit_code(line)
    left += [path.name for path in folder.iterdir()]
print(json.dumps([codes, left]))
"""


def test_a_signal_before_any_line_ends_the_program_as_stopped(tmp_path) -> None:
    command = [sys.executable, "-c", _EVERY_MOMENT, str(tmp_path)]
    done = run(command, capture_output=True, text=True, check=True, timeout=300)
    codes, left = json.loads(done.stdout)
    assert len(codes) > 100
    assert {line: code for line, code in codes.items() if code != 128 + signal.SIGTERM} == {}
    assert left == []
    assert done.stderr == ""


_WAITS = """
import importlib, sys, threading, time

app = importlib.import_module("multideid.cli.app")
importlib.import_module("multideid.cli.stopping")._LONGEST_END = 0.5


def command():
    threading.Thread(target=time.sleep, args=(600,)).start()
    print("ready", flush=True)
    time.sleep(600)


app.app.command("waits")(app.handle_errors(command))
sys.argv = ["multideid", "waits"]
app.main()
"""


@pytest.mark.parametrize("signals", [1, 2])
def test_a_stopped_program_does_not_wait_for_threads_of_others(signals) -> None:
    with Popen([sys.executable, "-c", _WAITS], stdout=PIPE, stderr=PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        for _ in range(signals):
            program.terminate()
            time.sleep(0.2)
        _, errors = program.communicate(timeout=60)
    assert (program.returncode, errors) == (128 + signal.SIGTERM, "")
