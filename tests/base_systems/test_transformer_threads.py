"""Threads that share a network each get windows of their own size."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from multideid.base_systems.transformer.network import Network


class Tokenizer:
    """Keeps its size between calls, as that of the tokenizers library does."""

    def no_padding(self) -> None:
        """Do nothing."""

    def enable_truncation(self, size: int, stride: int) -> None:
        self.size = size
        time.sleep(0.001)

    def encode(self, text: str) -> SimpleNamespace:
        rows = list(range(self.size))
        return SimpleNamespace(
            ids=rows, offsets=[(n, n + 1) for n in rows], special_tokens_mask=[0] * self.size,
            overflowing=[],
        )  # fmt: skip


def test_windows_have_the_size_that_their_thread_asked_for() -> None:
    network = Network(SimpleNamespace(config=SimpleNamespace()), Tokenizer())
    sizes = [8, 16, 32, 64] * 10
    with ThreadPoolExecutor(8) as threads:
        found = threads.map(lambda size: network.windows("a text", size, 2), sizes)
    assert [len(window.ids) for (window,) in found] == sizes
