"""A network of the transformers library with random weights, small enough to train in a test."""

from __future__ import annotations

import string
from collections.abc import Sequence
from pathlib import Path

_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def make_network(folder: Path, labels: Sequence[str] = ("O", "X"), longest: int = 64) -> Path:
    """Write a BERT of one layer whose subtokens are the first letters of words, and letters."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForTokenClassification

    letters = [*string.ascii_letters, *string.digits, *string.punctuation]
    vocabulary = [*_SPECIAL, *letters, *(f"##{letter}" for letter in letters), "Se", "##en", "3/4"]
    codes = {token: n for n, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(codes, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    specials = [("[CLS]", codes["[CLS]"]), ("[SEP]", codes["[SEP]"])]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, specials)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=longest, pad_token_id=0,
        id2label=dict(enumerate(labels)), label2id={label: n for n, label in enumerate(labels)},
    )  # fmt: skip
    BertForTokenClassification(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
