"""The documents as a searchable site (`make site`), from the Markdown that GitHub shows.

The root of the repository is the source folder, so that relative links are the same on both.
Diagrams are drawn while the site is built: no page needs a script or a network for them.
"""

import re
from pathlib import Path

import mermaidx
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

project = "trainmark"
author = "The trainmark authors"
extensions = ["myst_parser", "sphinx_external_toc"]
external_toc_path = "docs/site/_toc.yml"
source_suffix = {".md": "markdown"}
include_patterns = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/**",
    "resources/published/**",
    "resources/results/README.md",
]
exclude_patterns = ["docs/site"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "trainmark"
html_show_sphinx = False
html_show_copyright = False
smartquotes = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1f5fd0",
        "color-brand-content": "#1f5fd0",
        "color-brand-visited": "#1f5fd0",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7fb0ff",
        "color-brand-content": "#7fb0ff",
        "color-brand-visited": "#7fb0ff",
    },
}

THEMES = {"only-light": "neutral", "only-dark": "dark"}
"""Mermaid's theme for each of the two classes by which furo shows one of two pictures."""

ELSEWHERE = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc="(?:https?:)?//[^"]*"
    |<link\b(?=[^>]*\brel="(?:stylesheet|preload|icon|manifest)")[^>]*\bhref="(?:https?:)?//[^"]*"
    |url\(["']?(?:https?:)?//[^)]*\)
    |@import[^;]*//[^;]*""",
    re.VERBOSE,
)
"""What a browser would fetch from another host to show a page."""


ARCHIVES = "<!-- page of the archives -->"
"""Where docs/studies/index.md leads to the page of the archives, which only the site has."""


def link_archives(_app: Sphinx, _page: str, text: list[str]) -> None:
    """Put a link to the page of the archives in the place of ARCHIVES."""
    text[0] = text[0].replace(ARCHIVES, '<a href="../../archives/index.html">Open it.</a>')


def drawing(diagram: str, theme: str, name: str) -> str:
    """Mermaid's text as SVG; its identifier is `name`, as a page may have several."""
    svg = mermaidx.render(diagram, theme=theme).svg()
    svg = svg.replace("my-svg", name)
    return re.sub(r"(\.\d\d)\d+", r"\1", svg)  # hundredths of a pixel are enough


def draw_diagrams(app: Sphinx, page: nodes.document) -> None:
    """Replace each block of Mermaid's text by its drawings, a light and a dark one."""
    blocks = [
        block for block in page.findall(nodes.literal_block) if block.get("language") == "mermaid"
    ]
    for number, block in enumerate(blocks):
        pictures = [
            f'<div class="diagram {shown}">'
            + drawing(block.astext(), theme, f"diagram-{number}-{theme}")
            + "</div>"
            for shown, theme in THEMES.items()
        ]
        block.replace_self(nodes.raw("", "".join(pictures), format="html"))


def check_offline(app: Sphinx, error: Exception | None) -> None:
    """Fail where a page would load something from another host when it is read."""
    files = [] if error else sorted(Path(app.outdir).rglob("*.*"))
    for path in files:
        if path.suffix in (".html", ".css"):
            address = ELSEWHERE.search(path.read_text(encoding="utf-8"))
            if address:
                raise ExtensionError(f"{path} loads from another host: {address[0]}")


def setup(app: Sphinx) -> None:
    """Sphinx's hook of a configuration."""
    app.connect("source-read", link_archives)
    app.connect("doctree-read", draw_diagrams)
    app.connect("build-finished", check_offline)
