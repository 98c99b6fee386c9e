"""A token-classification network and its tokenizer, in a folder without pickle or code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.errors import ModelError, UsageError
from multideid.fork_locks import ForkLock

if TYPE_CHECKING:
    from tokenizers import Encoding

_CONFIG, _WEIGHTS, _TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"


class Window(NamedTuple):
    """Subtokens that are read at a time.

    Parameters
    ----------
    ids : list of int
        With the tokenizer's special tokens.
    content : int64 array
        Indices into `ids` of those that stand for text.
    bounds : int64 array, shape (len(content), 2)
        Their character offsets.
    """

    ids: list[int]
    content: LongArray
    bounds: LongArray


class Network:
    """A network that scores the labels of subtokens.

    Parameters
    ----------
    model : transformers.PreTrainedModel
        For token classification.
    tokenizer : tokenizers.Tokenizer
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model
        self.tokenizer = tokenizer
        # Each call sets the tokenizer, which threads share, to the size of its windows.
        self._tokenizing = ForkLock()

    @property
    def labels(self) -> tuple[str, ...]:
        """The network's own labels, one per column of its scores."""
        names = self.model.config.id2label
        return tuple(str(names[n]) for n in range(self.model.config.num_labels))

    @classmethod
    def pretrained(cls, folder: Path, n_labels: int | None = None) -> Self:
        """Read a pretrained network.

        Parameters
        ----------
        folder : Path
        n_labels : int, optional
            Give it a new last layer with so many labels.

        Raises
        ------
        UsageError
            If the folder does not hold what is needed, or cannot be read.
        """
        check_folder(folder)
        new = {} if n_labels is None else {"num_labels": n_labels, "ignore_mismatched_sizes": True}
        try:
            model, lacking = _read(folder, **new)
            network = cls(model, _tokenizer(folder))
        except Exception as error:
            kind = type(error).__name__
            raise UsageError(f"{folder}: the network cannot be read ({kind})") from None
        if any(name.startswith(f"{model.base_model_prefix}.") for name in lacking):
            raise UsageError(f"{folder}: the weights are not those of the network in {_CONFIG}")
        if n_labels is None and lacking:
            raise UsageError(f"{folder}: the network has no layer for labels; fine-tune it")
        return network

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged.
        """
        try:
            model, lacking = _read(folder)
            network = cls(model, _tokenizer(folder))
        except Exception:
            raise ModelError(folder, "is missing or damaged; train the model again") from None
        if lacking or not all(bool(p.isfinite().all()) for p in model.parameters()):
            raise ModelError(folder, "is damaged: weights are missing or not finite")
        return network

    def save(self, folder: Path) -> None:
        """Write configuration, weights and tokenizer."""
        folder.mkdir()
        with _quiet():
            self.model.save_pretrained(folder, max_shard_size="1TB")
        with self._tokenizing:
            self.tokenizer.no_truncation()
            self.tokenizer.save(str(folder / _TOKENIZER))
        for path in folder.iterdir():
            if path.name not in {_CONFIG, _WEIGHTS, _TOKENIZER}:
                path.unlink()

    def windows(self, text: str, size: int, stride: int) -> list[Window]:
        """Split a text into windows of at most `size` subtokens that overlap by `stride`.

        Both are smaller if the network reads fewer at a time.
        """
        size = min(size, self._longest(size))
        with self._tokenizing:
            self.tokenizer.no_padding()
            self.tokenizer.enable_truncation(size, stride=_overlap(size, stride))
            first = self.tokenizer.encode(text)
        return [_window(encoding) for encoding in (first, *first.overflowing)]

    def scores(self, text: str, size: int, stride: int) -> tuple[FloatArray, LongArray]:
        """Return the scores of every subtoken's labels, and its character offsets.

        In the overlap of two windows, each subtoken is scored where it has more context.
        """
        found = self.windows(text, size, stride)
        overlap = _overlap(min(size, self._longest(size)), stride)
        kept = _kept([len(window.content) for window in found], overlap)
        scores = [self._logits(w)[w.content[rows]] for w, rows in zip(found, kept, strict=True)]
        bounds = [w.bounds[rows] for w, rows in zip(found, kept, strict=True)]
        return np.concatenate(scores), np.concatenate(bounds)

    def _logits(self, window: Window) -> FloatArray:
        """Read one window alone, so that its scores do not depend on others."""
        import torch

        if not len(window.content):
            return np.zeros((len(window.ids), len(self.labels)), dtype=np.float32)
        self.model.eval()
        with torch.inference_mode():
            found = self.model(input_ids=torch.tensor([window.ids])).logits[0]
        return np.asarray(found.float().numpy(), dtype=np.float32)

    def _longest(self, otherwise: int) -> int:
        config = self.model.config
        most = getattr(config, "max_position_embeddings", None)
        # Some networks number positions from behind that of the padding.
        return otherwise if not most or most < 0 else most - (config.pad_token_id or 0) - 1


def check_folder(folder: Path) -> None:
    """Check that a folder holds a network that can be read without pickle or a download.

    Raises
    ------
    UsageError
        Names the file that is missing.
    """
    if not folder.is_dir():
        raise UsageError(f"no folder {folder}: networks are read from a folder, never downloaded")
    if not (folder / _WEIGHTS).is_file():
        raise UsageError(
            f"{folder} has no {_WEIGHTS}; pickled weights are not read: save the network with "
            "save_pretrained, unsharded, in the format safetensors"
        )
    for name in (_CONFIG, _TOKENIZER):
        if not (folder / name).is_file():
            raise UsageError(f"{folder} has no {name}; save network and tokenizer to one folder")


def _read(folder: Path, **options: Any) -> tuple[Any, list[str]]:
    """Return a network, and the names of weights that the file has not, or in other sizes."""
    from transformers import AutoModelForTokenClassification

    safe = {"local_files_only": True, "trust_remote_code": False, "use_safetensors": True}
    with _quiet():
        model, info = AutoModelForTokenClassification.from_pretrained(
            str(folder), output_loading_info=True, **safe, **options
        )
    return model, [*info["missing_keys"], *(key for key, *_ in info["mismatched_keys"])]


@contextmanager
def _quiet() -> Iterator[None]:
    """Let the library print no progress, and no warning of the new last layer."""
    from transformers.utils import logging

    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


def _overlap(size: int, stride: int) -> int:
    return min(stride, size // 4)


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(folder / _TOKENIZER))


def _window(encoding: Encoding) -> Window:
    bounds = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    content = np.flatnonzero(np.array(encoding.special_tokens_mask) == 0)
    return Window(encoding.ids, content, bounds[content])


def _kept(lengths: list[int], stride: int) -> list[slice]:
    """Return the rows of each window that are kept, so that each subtoken is kept once."""
    half = stride // 2
    ends = [length - (stride - half) for length in lengths[:-1]] + lengths[-1:]
    starts = [0] + [half for _ in pairwise(lengths)]
    return [slice(start, end) for start, end in zip(starts, ends, strict=True)]
