"""One HTML file without outside links: readable on a phone, in light and dark, and on paper."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #24292f; --faint: #6e7781; --line: #d0d7de;
  --box: #f6f8fa; --accent: #0b7285 }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --faint: #9198a1;
  --line: #30363d; --box: #161b22; --accent: #66d9e8 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 ui-sans-serif, system-ui, sans-serif }
h1 { font-size: 1.6rem; margin: .5rem 0 } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem;
  border-bottom: 1px solid var(--line); padding-bottom: .2rem }
p.lead { color: var(--faint); margin-top: 0 }
nav { font-size: .9rem } nav a { margin-right: .9rem; white-space: nowrap } a { color: var(--accent) }
.pictures, .boards { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)) }
.boards { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)) }
.boards img { width: 100%; max-width: 17rem }
figure { margin: 0; padding: .6rem; background: var(--box); border-radius: .5rem; overflow: hidden }
figure.wide { grid-column: 1 / -1 }
figure svg, figure img { display: block; max-width: 100%; height: auto; margin: 0 auto }
figcaption { color: var(--faint); font-size: .85rem; margin-top: .3rem }
figcaption b { color: var(--ink) }
.scroll { overflow-x: auto; margin-bottom: 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right }
.words { text-align: left } th { color: var(--faint); font-weight: 600 }
pre { background: var(--box); padding: .8rem; border-radius: .5rem; overflow-x: auto; font-size: .85rem }
details summary { cursor: pointer; color: var(--accent) }
@media print { nav { display: none } figure { break-inside: avoid } }
"""

_NUMBER = re.compile(r"([+-]?[\d,.]+ ?(%|ms)?)?")


@dataclass(frozen=True)
class Picture:
    """A picture with its words; the name is that of its files."""

    name: str
    title: str
    caption: str
    svg: str
    png: bytes
    wide: bool = False
    themed: bool = False
    """Whether it takes its colours from the text around it. It is then a part of the page; others are
    images, so that the style sheet of one does not touch another."""

    def html(self) -> str:
        shown = self.svg if self.themed else self._image()
        return (
            f'<figure{" class=wide" if self.wide else ""} id="{escape(self.name)}">{shown}'
            f"<figcaption><b>{escape(self.title)}.</b> {escape(self.caption)}</figcaption></figure>"
        )

    def _image(self) -> str:
        data = b64encode(self.svg.encode()).decode()
        return f'<img alt="{escape(self.title)}" src="data:image/svg+xml;base64,{data}">'


@dataclass(frozen=True)
class Table:
    """Rows below a head; words stand on the left, numbers on the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        columns = list(zip(*self.rows, strict=True))
        kinds = ["" if all(map(_NUMBER.fullmatch, column)) else " class=words" for column in columns]
        head = self._row("th", self.head, kinds)
        rows = "".join(self._row("td", row, kinds) for row in self.rows)
        return f'<div class="scroll"><table>{head}{rows}</table></div>'

    @staticmethod
    def _row(tag: str, words: Sequence[str], kinds: Sequence[str]) -> str:
        cells = (f"<{tag}{kind}>{escape(word)}</{tag}>" for word, kind in zip(words, kinds, strict=True))
        return f"<tr>{''.join(cells)}</tr>"


@dataclass(frozen=True)
class Code:
    """Text as it would be typed, or as a file holds it; folded if it is long."""

    text: str
    folded: str = ""
    """What is to be seen of it at first."""

    def html(self) -> str:
        block = f"<pre>{escape(self.text)}</pre>"
        if not self.folded:
            return block
        return f"<details><summary>{escape(self.folded)}</summary>{block}</details>"


@dataclass(frozen=True)
class Section:
    """A part of the page: words, tables, code, and pictures side by side."""

    title: str
    words: str = ""
    parts: Sequence[Table | Code] = field(default_factory=tuple)
    pictures: Sequence[Picture] = field(default_factory=tuple)
    boards: bool = False
    """Whether the pictures are small ones."""

    @property
    def anchor(self) -> str:
        return self.title.lower().replace(" ", "-")

    def html(self) -> str:
        words = f"<p>{escape(self.words)}</p>" if self.words else ""
        shown = "".join(picture.html() for picture in self.pictures)
        if shown:
            shown = f'<div class="{"boards" if self.boards else "pictures"}">{shown}</div>'
        parts = "".join(part.html() for part in self.parts)
        return f'<section id="{self.anchor}"><h2>{escape(self.title)}</h2>{words}{parts}{shown}</section>'


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    links = " ".join(f'<a href="#{one.anchor}">{escape(one.title)}</a>' for one in sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f'<h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><nav>{links}</nav>'
        f"{''.join(one.html() for one in sections)}</body></html>\n"
    )
