"""Fine-tuning of a network on gold tags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.base_systems.transformer.alignment import NONE, leading, pieces
from multideid.base_systems.transformer.network import Network
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_IGNORED = -100
"""The label that the loss function leaves out."""
_WARM_UP = 0.1
_WEIGHT_DECAY = 0.01
_LARGEST_GRADIENT = 1.0


class Example(NamedTuple):
    """A window with the gold tag of each subtoken, -100 where there is none."""

    ids: list[int]
    tags: LongArray


@dataclass(frozen=True, slots=True)
class Trainer:
    """Training with AdamW, a warm-up and a linear decay of the step size.

    Parameters
    ----------
    epochs : int
    learning_rate : float
        Greatest step size.
    batch_size : int
        Windows of a minibatch.
    max_length, stride : int
        As for `Network.windows`.
    seed : int
    """

    epochs: int
    learning_rate: float
    batch_size: int
    max_length: int
    stride: int
    seed: int

    def train(self, network: Network, tokens: TokenTable, labels: TokenLabels) -> None:
        """Fine-tune all weights, reproducibly for a seed."""
        import torch

        examples = self._examples(network, tokens, labels.ids)
        batches = -(-len(examples) // self.batch_size)
        optimizer = torch.optim.AdamW(
            network.model.parameters(), lr=self.learning_rate, weight_decay=_WEIGHT_DECAY
        )
        steps = max(1, batches * self.epochs)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: _share(n, steps))
        with torch.random.fork_rng():
            torch.manual_seed(self.seed)
            network.model.train()
            for batch in self._batches(examples):
                self._step(network.model, batch, optimizer)
                schedule.step()
        network.model.eval()

    def _batches(self, examples: list[Example]) -> Iterator[list[Example]]:
        random = np.random.default_rng(self.seed)
        for _ in range(self.epochs):
            order = random.permutation(len(examples)).tolist()
            for start in range(0, len(order), self.batch_size):
                yield [examples[n] for n in order[start : start + self.batch_size]]

    def _step(self, model: Any, batch: list[Example], optimizer: Any) -> None:
        import torch

        found = model(**_padded(batch, model.config.pad_token_id or 0))
        optimizer.zero_grad()
        found.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), _LARGEST_GRADIENT)
        optimizer.step()

    def _examples(self, network: Network, tokens: TokenTable, ids: IntArray) -> list[Example]:
        examples = []
        for piece in pieces(tokens):
            gold = ids[piece.rows]
            for window in network.windows(piece.text, self.max_length, self.stride):
                lead = leading(piece, window.bounds)
                # Of tokens that share a subtoken, the first decides.
                first, token = np.unique(lead, return_index=True)
                named = first != NONE
                tags = np.full(len(window.ids), _IGNORED, dtype=np.int64)
                tags[window.content[first[named]]] = gold[token[named]]
                examples.append(Example(window.ids, tags))
        return [example for example in examples if (example.tags != _IGNORED).any()]


def _share(step: int, steps: int) -> float:
    """Return the step size as a share of the greatest."""
    warm = max(1, round(_WARM_UP * steps))
    return min((step + 1) / warm, (steps - step) / max(1, steps - warm), 1.0)


def _padded(batch: list[Example], padding: int) -> dict[str, Any]:
    import torch

    longest = max(len(example.ids) for example in batch)
    ids = np.full((len(batch), longest), padding, dtype=np.int64)
    mask, tags = np.zeros_like(ids), np.full_like(ids, _IGNORED)
    for row, example in enumerate(batch):
        size = len(example.ids)
        ids[row, :size], mask[row, :size], tags[row, :size] = example.ids, 1, example.tags
    arrays = {"input_ids": ids, "attention_mask": mask, "labels": tags}
    return {name: torch.from_numpy(array) for name, array in arrays.items()}
