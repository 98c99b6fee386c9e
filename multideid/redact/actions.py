"""One action for each label: what is kept, masked, shifted, replaced or hashed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.labels import SurrogateKind, identifier_kind, phi_class, surrogate_kind
from multideid.lazy import lazy
from multideid.redact.invented.ages import top_coded_age
from multideid.redact.invented.forms import kind_by_form
from multideid.redact.keys import Key
from multideid.redact.modes import MODES, Pseudonyms, Replacer, mask
from multideid.redact.surrogates import Surrogates

ANY = "*"
"""Stands for all labels without an action of their own."""

KEEP = "keep"
SHIFT = "shift"
TOP_CODE = "top-code"
ACTIONS = (KEEP, *MODES, "surrogate", SHIFT, "hash", TOP_CODE)
"""The names of the actions."""

KEYED = ("surrogate", SHIFT, "hash")
"""The actions whose result follows from a key."""

DATE_SHIFTING = ("surrogate", SHIFT)
"""The actions that move dates."""

SHOWING = (KEEP, "tag")
"""The actions that leave PHI in the text."""

PRESETS: Mapping[str, Mapping[str, str]] = {
    "safe-harbor": {"AGE": TOP_CODE, "STATE": KEEP, "COUNTRY": KEEP, ANY: "mask"},
    "limited-data-set": {
        **dict.fromkeys(("DATE", "AGE", "CITY", "STATE", "ZIP", "COUNTRY"), KEEP),
        ANY: "mask",
    },
    "gdpr-pseudonymous": {"DATE": SHIFT, "AGE": TOP_CODE, ANY: "hash"},
}
"""Actions for common purposes; docs/how-to/presets.md says what they promise."""

_KIND_OF = {SHIFT: SurrogateKind.DATE, TOP_CODE: SurrogateKind.AGE}
_CONTACTS = (SurrogateKind.EMAIL, SurrogateKind.URL, SurrogateKind.ADDRESS, SurrogateKind.PHONE)
_CATEGORIES = ("NAME", "CONTACT")
# Of labels that do not cover a label.
_NOT = 9


def action_problem(label: str, action: object) -> str | None:
    """Return why an action cannot be done to a label; None if it can.

    Examples
    --------
    >>> action_problem("PATIENT", "shift")
    'shift is for dates'
    """
    if action not in ACTIONS:
        return f"must be one of {', '.join(ACTIONS)}"
    kind = _KIND_OF.get(str(action))
    if kind is not None and surrogate_kind(label) is not kind:
        return f"{action} is for {kind}s"
    return None


def covers(named: str, label: str) -> bool:
    """Return whether an action that is named for a label is done to spans of another one.

    It is if both are the same class, or `named` is the class of the thesis for it within
    the same category, such as LOCATION for CITY, or its category NAME or CONTACT.

    Examples
    --------
    >>> covers("LOCATION", "CITY"), covers("CITY", "LOCATION"), covers("LOCATION", "HOSPITAL")
    (True, False, False)
    """
    return named == ANY or _distance(named, label) < _NOT


def _distance(named: str, label: str) -> int:
    row, own = phi_class(label), phi_class(named)
    if named == label:
        return 0
    if row is None:
        return _NOT
    if own is row:
        return 1
    if named == row.thesis and own is not None and own.category == row.category:
        return 2
    return 3 if named in _CATEGORIES and named == row.category else _NOT


class Actions:
    """Replaces each span by the action of its label; a `Replacer`.

    Parameters
    ----------
    actions : mapping of str to str
        One of `ACTIONS` by label: ``"keep"`` (see `keeps_span`); ``"mask"``, ``"tag"``,
        ``"remove"``, ``"surrogate"`` and ``"hash"`` as for `redact`; ``"shift"``, by which dates
        become surrogates; ``"top-code"``, by which ages over 89 become ``90+`` and others
        stay. Anything that is not a date, or not an age, is masked. A label stands for
        those within it too (LOCATION for CITY, NAME for PATIENT), and ``"*"`` for the rest.
    default : str or Replacer
        For labels without an action.
    key : Key, optional
        Default: the random key of this run.
    **surrogates
        Parameters of `Surrogates`.

    Raises
    ------
    UsageError
        If an action is unknown, or not for that label.

    Examples
    --------
    >>> note = Document("n1", "Lee, 94, Oslo", (Span(0, 3, "PATIENT"), Span(5, 7, "AGE")))
    >>> actions = Actions({"AGE": "top-code", "NAME": "remove"})
    >>> [actions(note, span) for span in note.spans]
    ['', '90+']
    """

    def __init__(
        self,
        actions: Mapping[str, str],
        default: str | Replacer = "mask",
        *,
        key: Key | None = None,
        **surrogates: Any,
    ) -> None:
        for label, action in actions.items():
            if problem := action_problem(label, action):
                raise UsageError(f"the action of {label}: {problem}")
        self.actions = dict(actions)
        self._default = actions.get(ANY, default)
        self._key = key
        self._parameters = surrogates
        self._of_label: dict[str, Replacer] = {}

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the replacement of a span."""
        replacer = self._of_label.get(span.label)
        if replacer is None:
            replacer = self._of_label[span.label] = self._replacer(self.action_of(span.label))
        return replacer(document, span)

    def action_of(self, label: str) -> str | Replacer:
        """Return the action for spans of a label."""
        named = min(self.actions, key=lambda name: _distance(name, label), default=ANY)
        return self.actions[named] if _distance(named, label) < _NOT else self._default

    def keeps(self, label: str) -> bool:
        """Return whether spans of a label stay as they are."""
        return self.action_of(label) == KEEP

    def keeps_span(self, document: Document, span: Span) -> bool:
        """Return whether a span stays as it is.

        A phone number, or an address of e-mail, the web or a network, does not stay under the
        label of a quasi-identifier, such as DATE, which is then wrong.
        """
        return self.keeps(span.label) and not _is_mislabelled_contact(document, span)

    def _replacer(self, action: str | Replacer) -> Replacer:
        if not isinstance(action, str):
            return action
        named = {KEEP: _kept, TOP_CODE: _top_coded, SHIFT: self._shifted, **MODES}
        return named.get(action) or (self._pseudonyms if action == "hash" else self._surrogates)

    def _shifted(self, document: Document, span: Span) -> str:
        # An invented phone number among shifted dates would look like a date that was missed.
        is_date = kind_by_form(document.span_text(span)) in (None, SurrogateKind.DATE)
        return self._surrogates(document, span) if is_date else mask(document, span)

    @lazy
    def _pseudonyms(self) -> Pseudonyms:
        return Pseudonyms(self._key)

    @lazy
    def _surrogates(self) -> Surrogates:
        return Surrogates(self._key, **self._parameters)


def _kept(document: Document, span: Span) -> str:
    is_wrong = _is_mislabelled_contact(document, span)
    return mask(document, span) if is_wrong else document.span_text(span)


def _is_mislabelled_contact(document: Document, span: Span) -> bool:
    is_quasi = identifier_kind(span.label) == "quasi"
    return is_quasi and kind_by_form(document.span_text(span)) in _CONTACTS


def _top_coded(document: Document, span: Span) -> str:
    text = document.span_text(span)
    age = top_coded_age(text) if kind_by_form(text) in (None, SurrogateKind.AGE) else None
    return mask(document, span) if age is None else age
