"""What of the PHI would still stand in the text after de-identification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from multideid.document import Document


@dataclass(frozen=True, slots=True)
class Leak:
    """PHI that no predicted span covers, whatever its label.

    Parameters
    ----------
    characters : int
        Letters and digits of gold PHI left standing; marks and white space
        between two covered words tell nobody anything.
    phi_characters : int
        Letters and digits of gold PHI in all.
    documents : int
        Documents with at least one such character.
    n_documents : int
        Documents in all.
    """

    characters: int
    phi_characters: int
    documents: int
    n_documents: int

    @property
    def character_rate(self) -> float:
        """Share of the characters of PHI left standing; 0.0 without any PHI."""
        return self.characters / self.phi_characters if self.phi_characters else 0.0

    @property
    def document_rate(self) -> float:
        """Share of the documents with a leak; 0.0 without documents."""
        return self.documents / self.n_documents if self.n_documents else 0.0

    def to_dict(self) -> dict[str, int | float]:
        """Return the counts and rates as plain JSON values."""
        rates = {"character_rate": self.character_rate, "document_rate": self.document_rate}
        return {**asdict(self), **rates}


def count_leaks(gold: Sequence[Document], predicted: Sequence[Document]) -> Leak:
    """Count the PHI left standing in aligned documents.

    Parameters
    ----------
    gold, predicted : sequence of Document
        Aligned: the same documents in the same order.
    """
    standing, total = [], 0
    for left, right in zip(gold, predicted, strict=True):
        covered = _offsets(right)
        phi = [n for n in _offsets(left) if left.text[n].isalnum()]
        total += len(phi)
        standing.append(sum(n not in covered for n in phi))
    return Leak(sum(standing), total, sum(n > 0 for n in standing), len(standing))


def _offsets(document: Document) -> set[int]:
    return {n for span in document.spans for n in range(span.start, span.end)}
