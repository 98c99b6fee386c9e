"""Archives: their files are read one by one, and get their names when all were read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from multideid.corpora.structure import Container, Content
from multideid.deid.files import TABLE_SUFFIXES
from multideid.deid.inputs import Input
from multideid.deid.member_names import MemberNames, warn_of_neutral
from multideid.deid.outputs import ContainerOutput, CountedOutput
from multideid.deid.run import Run
from multideid.document import Span


class Archive:
    """A file that holds other files.

    What PHI a name may repeat is known when all files were read. Until then, report and
    vault know them by their names in the archive.

    Parameters
    ----------
    file : Input
    container : Container
    run : Run
    """

    def __init__(self, file: Input, container: Container, run: Run) -> None:
        self._file, self._run = file, run
        self._folder = f"{file.saved_name or file.name}/"
        self._output = ContainerOutput(container.packer, file.output)
        self._names = MemberNames()
        self._new: dict[str, str] = {}

    def member(self, name: str, content: Content) -> Input:
        """Return the input for the next file; its name is empty if it is the only one."""
        outer = self._file
        inner = name or Path(outer.target_name or outer.name).with_suffix("").name

        def opened() -> Content:
            if inner.lower().endswith(TABLE_SUFFIXES):
                raise content.error("is a table in an archive: unpack it, and name its column")
            return content

        if not name:
            output = CountedOutput(self._output.member(""), outer.name, self._run)
            return outer._replace(target_name="", open=opened, output=output)
        written = f"{name}.txt" if inner.lower().endswith(".pdf") else name
        before = self._run.name_before(self._folder + written)
        own = self._names.add(before.removeprefix(self._folder))
        shown = f"{outer.name}/{name}"
        return Input(
            shown,
            self._folder + own,
            own,
            opened,
            CountedOutput(self._output.member(own), shown, self._run),
            partial(self._add_phi, own),
            is_member=True,
        )

    def choose_names(self) -> None:
        """Choose the names of the files, all of which were read."""
        if self._run.finds_phi:
            self._new = self._names.neutral()
            folder = self._folder
            self._run.name_members({folder + a: folder + b for a, b in self._new.items()})

    def finish(self) -> None:
        """Write the archive, and warn of names that were changed."""
        changed = [name for name in self._output.names if self._new.get(name, name) != name]
        warn_of_neutral(self._file.name, changed)
        self._output.finish(self._new)

    def _add_phi(self, name: str, text: str, spans: Sequence[Span]) -> None:
        self._names.add_phi(name, text, spans)
        self._file.add_phi(text, spans)
