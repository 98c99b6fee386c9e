"""The step that joins a site's knowledge to the spans that a model found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.labels import nearest_label
from multideid.lazy import lazy
from multideid.redact.actions import covers
from multideid.site.agreement import agreeing
from multideid.site.findings import Finding, Scored, is_covered, joined, without_inner
from multideid.site.lists import ListSearch, Pattern
from multideid.site.name_variants import with_variants
from multideid.site.occurrences import known_places
from multideid.site.patients import PATIENT
from multideid.site.site import Site
from multideid.spans import Extent, bounds, overlap_groups
from multideid.text.table import TokenTable

DENY_LIST = "deny-list"
"""Source of what lists of PHI find."""

KNOWN_VALUES = "known-values"
"""Source of what is known of a patient."""

_SURE = 1.0
_KNOWN_ODDS = 32.0
"""How much likelier an ordinary word in lower case is PHI if it is a name of the note's patient.

It makes PHI of words with a score of 0.03 or more, which 2.3 % of such words have that are no
names, and 28 of 33 that are (dev split of the sample notes)."""

ScoreSpans = Callable[[Sequence[Document]], Sequence[Sequence[float | None]]]
"""Returns the score of each span of each document: all those of the step, with any spans."""


class SiteStep:
    """Adds what a site knows to the spans of a model, and takes away what it allows.

    What a list or pattern finds, or is known of the patient, is PHI, except where it is
    only a part of an allowed phrase. A span of the model is left out if allowed entries
    cover all its words.

    Parameters
    ----------
    site : Site
    """

    def __init__(self, site: Site) -> None:
        self.site = site

    @lazy
    def _allowed(self) -> ListSearch:
        return ListSearch(((entry, "") for entry in self.site.allow), careful=False)

    @lazy
    def _denied(self) -> ListSearch:
        return ListSearch(self.site.entries(), careful=True)

    def check_labels(self, labels: Sequence[str]) -> None:
        """Check that labels to take, or with an action, can be found, and no list is in vain.

        Parameters
        ----------
        labels : sequence of str
            All that the model can find.

        Raises
        ------
        UsageError
            If neither the model nor a list or pattern has a label, or if a list or pattern
            has one that is not to be taken.
        """
        known = () if self.site.patients is None else self.site.patients.labels
        own = (*self.site.deny, *(pattern.label for pattern in self.site.patterns), *known)
        there = tuple(dict.fromkeys([*labels, *(nearest_label(label, labels) for label in own)]))
        for label in self.site.labels or ():
            if nearest_label(label, labels) not in there:
                raise _never_found("labels", label, there)
        for label in self.site.actions:
            if not any(covers(label, other) for other in there):
                raise _never_found("actions", label, there)
        self._check_lists_are_taken(labels)

    def _check_lists_are_taken(self, labels: Sequence[str]) -> None:
        """Check that no list or pattern is in vain, which would leave its PHI in the text."""
        if not self.site.labels:
            return
        taken = self._taken(labels)
        sources = [(f"deny.{label}", label) for label in self.site.deny]
        sources += [(_source(pattern), pattern.label) for pattern in self.site.patterns]
        for source, label in sources:
            if nearest_label(label, labels) not in taken:
                raise _never_taken(source, label, self.site.labels)

    def _taken(self, labels: Sequence[str]) -> set[str]:
        """Return those of the model's and the site's own labels that are to be taken."""
        return {nearest_label(label, labels) for label in self.site.labels or ()}

    def apply(
        self,
        tokens: TokenTable,
        documents: Sequence[Document],
        score_spans: ScoreSpans,
        labels: Sequence[str],
    ) -> list[list[Scored]]:
        """Return the spans of each document, with scores and sources.

        Parameters
        ----------
        tokens : TokenTable
            Made from `documents`.
        documents : sequence of Document
            With the spans of the model.
        score_spans : callable
            Returns the score of each span of documents.
        labels : sequence of str
            Those of the model.
        """
        scores = self._scores(documents, score_spans)
        allowed = self._allowed_extents(tokens)
        findings = self._counting(tokens, documents, score_spans, labels, allowed)
        results = []
        for d, document in enumerate(documents):
            found = map(Scored, document.spans, scores[d])
            kept = [s for s in found if not is_covered(s.span, document.text, allowed[d])]
            results.append(joined(kept, findings[d]))
        if self.site.agreement:
            results = self._agreed(documents, results, allowed)
        return [self._chosen(found, labels) for found in results]

    def spans_by_source(
        self,
        tokens: TokenTable,
        documents: Sequence[Document],
        score_spans: ScoreSpans,
        labels: Sequence[str],
    ) -> list[dict[str, tuple[Span, ...]]]:
        """Return the spans that each part of the knowledge finds by itself, by its source.

        Parameters
        ----------
        tokens, documents, score_spans, labels
            As for `apply`.
        """
        allowed = self._allowed_extents(tokens)
        findings = self._counting(tokens, documents, score_spans, labels, allowed)
        return [
            {source: _of_source(source, found) for source in self._sources()} for found in findings
        ]

    def _sources(self) -> Iterator[str]:
        """Yield the sources that the site has; agreement only repeats others."""
        if self.site.deny:
            yield DENY_LIST
        if self.site.patients is not None:
            yield KNOWN_VALUES
        yield from dict.fromkeys(map(_source, self.site.patterns))

    def _counting(
        self,
        tokens: TokenTable,
        documents: Sequence[Document],
        score_spans: ScoreSpans,
        labels: Sequence[str],
        allowed: Sequence[Sequence[Extent]],
    ) -> list[list[Finding]]:
        """Return what is found in each document and not allowed."""
        findings = self.findings(tokens, labels)
        self._add_known(documents, findings, labels, score_spans)
        return [without_inner(*pair) for pair in zip(findings, allowed, strict=True)]

    def _scores(
        self, documents: Sequence[Document], score_spans: ScoreSpans
    ) -> Sequence[Sequence[float | None]]:
        """Return the scores of the model's spans if they matter."""
        if self.site.agreement or self.site.min_score > 0:
            return score_spans(documents)
        return [(None,) * len(document.spans) for document in documents]

    def _agreed(
        self,
        documents: Sequence[Document],
        found: Sequence[list[Scored]],
        allowed: Sequence[Sequence[Extent]],
    ) -> list[list[Scored]]:
        """Add what agrees with the finds of each document."""
        added = agreeing(documents, found)
        return [
            joined(kept, (f for f in more if not is_covered(f.span, document.text, extents)))
            for kept, more, document, extents in zip(found, added, documents, allowed, strict=True)
        ]

    def findings(self, tokens: TokenTable, labels: Sequence[str]) -> list[list[Finding]]:
        """Return what the site's knowledge finds in each document.

        Parameters
        ----------
        tokens : TokenTable
        labels : sequence of str
            Those of the model, of which the nearest are used.
        """
        found: list[list[Finding]] = [[] for _ in tokens.ids]
        for d, matches in enumerate(self._denied.find(tokens)):
            for start, end, value in matches:
                label = nearest_label(value, labels)
                found[d].append(Finding(start, end, label, _SURE, DENY_LIST))
        for pattern in self.site.patterns:
            label, source = nearest_label(pattern.label, labels), _source(pattern)
            for d, start, end in pattern.find(tokens):
                found[d].append(Finding(start, end, label, pattern.score, source))
        return found

    def _add_known(
        self,
        documents: Sequence[Document],
        findings: list[list[Finding]],
        labels: Sequence[str],
        score_spans: ScoreSpans,
    ) -> None:
        """Add what is known of the patient of each document."""
        patients = self.site.patients
        if patients is None:
            return
        doubtful: list[Document] = []
        for document, found in zip(documents, findings, strict=True):
            known = patients.values(document.meta.get(PATIENT), document.text)
            variants = with_variants(document.text, known)
            places = known_places(document.text, variants)
            for start, end, value in places.certain:
                label = nearest_label(value, labels)
                found.append(Finding(start, end, label, _SURE, KNOWN_VALUES))
            named = (
                word._replace(label=nearest_label(word.label, labels)) for word in places.doubtful
            )
            doubtful.append(document.with_spans(_apart(named)))
        if any(document.spans for document in doubtful):
            scores = score_spans(doubtful)
            for document, found, own in zip(doubtful, findings, scores, strict=True):
                found.extend(_likely(document, own))

    def _allowed_extents(self, tokens: TokenTable) -> list[list[Extent]]:
        return [[match[:2] for match in matches] for matches in self._allowed.find(tokens)]

    def _chosen(self, found: Iterable[Scored], labels: Sequence[str]) -> list[Scored]:
        """Return the spans with the labels to take, and high enough a score."""
        taken = self._taken(labels)
        return [
            one
            for one in found
            if (not taken or one.span.label in taken)
            and (one.score is None or one.score >= self.site.min_score)
        ]


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans that do not overlap: one for those that do, with the label of the longest.

    A word can be in the names of two people, such as a patient and a doctor.
    """
    for group in overlap_groups(sorted(spans)):
        longest = max(group, key=lambda span: span.end - span.start)
        yield Span(*bounds(group), longest.label)


def _likely(document: Document, scores: Sequence[float | None]) -> Iterator[Finding]:
    """Yield the doubtful names of a document that are likely to be some."""
    for span, score in zip(document.spans, scores, strict=True):
        odds = _KNOWN_ODDS * (score or 0)
        if score is not None and odds >= 1 - score:
            yield Finding(*span, odds / (odds + 1 - score), KNOWN_VALUES)


def _source(pattern: Pattern) -> str:
    return f"pattern {pattern.name}"


def _of_source(source: str, findings: Iterable[Finding]) -> tuple[Span, ...]:
    """Return the spans of one source; those that overlap are one."""
    return tuple(one.span for one in joined((), (f for f in findings if f.source == source)))


def _never_found(name: str, label: str, there: Sequence[str]) -> UsageError:
    return UsageError(f"{name} has {label}, which is never found; there are {', '.join(there)}")


def _never_taken(source: str, label: str, labels: Sequence[str]) -> UsageError:
    problem = f"labels leaves out {label}, so {source} would find nothing"
    remedy = f"add {label} to labels ({', '.join(labels)}), or leave labels out to find all PHI"
    return UsageError(f"{problem}; {remedy}")
