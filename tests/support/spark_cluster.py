"""A standalone cluster of Spark: a master and workers, processes of their own on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_DEPLOY = "org.apache.spark.deploy"
_NAMES = ["--host", "127.0.0.1", "--webui-port", "0"]
_WORKER = ["--cores", "1", "--memory", "2g"]


class Cluster:
    """Runs until the end of a ``with``.

    Parameters
    ----------
    folder : Path
        For the files and the log of its processes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = _free_port()
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._start(f"{_DEPLOY}.master.Master", *_NAMES, "--port", str(self._port))
        _wait_for(self._port)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for process in reversed(self._started):
            process.terminate()
            process.wait(20)

    @property
    def master(self) -> str:
        """The address of the master."""
        return f"spark://127.0.0.1:{self._port}"

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker of one core."""
        place = ["--work-dir", str(self._folder)]
        return self._start(f"{_DEPLOY}.worker.Worker", *_NAMES, *_WORKER, *place, self.master)

    def session(self, cores: int) -> SparkSession:
        """Return a session that uses so many cores."""
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "512m",
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.cores.max": str(cores),
        }
        return SparkSession.builder.master(self.master).config(map=settings).getOrCreate()

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        import pyspark

        run = Path(pyspark.__file__).parent / "bin" / "spark-class"
        own = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [str(run), *command], env=os.environ | own, stdout=log, stderr=log
            )
        self._started.append(process)
        return process


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the master does not listen")
