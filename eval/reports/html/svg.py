"""Matplotlib figures as inline SVG.

They are drawn in placeholder colours, which are replaced by the style
variables of the page, so that one drawing fits light and dark screens and paper.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, RULE, HEAT, ON_HEAT = (f"#00000{n}" for n in range(1, 6))
SERIES = tuple(f"#0000{n}" for n in range(11, 19))
_COLOURS = {
    INK: "currentColor",
    MUTED: "var(--muted)",
    RULE: "var(--rule)",
    HEAT: "var(--heat)",
    ON_HEAT: "var(--on-heat)",
    **{colour: f"var(--series-{n})" for n, colour in enumerate(SERIES, start=1)},
}
_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "multideid",
    "font.size": 11,
    "font.family": "DejaVu Sans",
    # A dollar sign in a label does not begin a formula.
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.labelcolor": INK,
    "axes.linewidth": 1,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
}
_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NOT_PRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_COLOUR = re.compile("|".join(_COLOURS))
_FONT = re.compile(r"font: (?:[^\s:;]++ )*?(\d[\d.]*+px) [^;]+")


@contextmanager
def drawing() -> Iterator[None]:
    """Draw in the style of the page within the context."""
    import matplotlib as mpl

    # The fonts of the page may have glyphs that matplotlib's font lacks.
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with mpl.rc_context(_SETTINGS):
            yield
    finally:
        logger.setLevel(level)


def new_axes(width: float, height: float) -> tuple[Figure, Axes]:
    """Return axes of a size in inches; labels around them add to the size of the figure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    return figure, figure.add_axes((0, 0, 1, 1))


def label(text: str) -> str:
    """Return text without control characters, which SVG cannot hold."""
    return _NOT_PRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def to_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """Return a figure as an ``<svg>`` element for the page.

    Parameters
    ----------
    figure : matplotlib Figure
        Drawn with the colours of this module.
    name : str
        Unique in the page, the prefix of ids in the drawing.
    title, description : str
        Text for screen readers.
    """
    import warnings

    file = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of glyphs that matplotlib's font lacks
        figure.savefig(file, format="svg", transparent=True, bbox_inches="tight", pad_inches=0.05)
    root = ElementTree.fromstring(file.getvalue())
    _drop_extras(root)
    _rename(root, name)
    _repaint(root)
    _introduce(root, name, label(title), label(description))
    return _serialised(root)


def _drop_extras(root: ElementTree.Element) -> None:
    """Remove the metadata, and the style sheet, which would apply to the whole page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{{{_SVG}}}style" or child.tag.endswith("}metadata"):
                parent.remove(child)


def _rename(root: ElementTree.Element, name: str) -> None:
    """Make ids unique in the page, and drop unused ones."""
    text = [value for element in root.iter() for value in element.attrib.values()]
    used = {used for value in text for used in re.findall(r"#([\w-]+)", value)}
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in used:
            element.set("id", f"{name}-{own}")
        if _LINK in element.attrib:
            element.set("href", f"#{name}-{element.attrib.pop(_LINK)[1:]}")
        if "clip-path" in element.attrib:
            clip = element.attrib["clip-path"]
            element.set("clip-path", clip.replace("(#", f"(#{name}-"))


def _repaint(root: ElementTree.Element) -> None:
    for element in root.iter():
        style = element.get("style")
        if style:
            style = _COLOUR.sub(lambda match: _COLOURS[match.group()], style)
            element.set("style", _FONT.sub(r"font-size: \1", style))


def _introduce(root: ElementTree.Element, name: str, title: str, description: str) -> None:
    width = float(root.attrib["viewBox"].split()[2])
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    root.set("style", f"--width: {width:.0f}px")
    for n, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}", {"id": f"{name}-{tag}"})
        element.text = text
        root.insert(n, element)


def _serialised(root: ElementTree.Element) -> str:
    for element in root.iter():
        # Inside HTML, the elements need no namespace.
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
    return ElementTree.tostring(root, encoding="unicode")
