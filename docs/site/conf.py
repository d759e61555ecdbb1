"""The documents as a searchable site (`make site`), from the Markdown that GitHub shows.

The root of the repository is the source folder, so that relative links are the same on both.
"""

project = "trainmark"
author = "The trainmark authors"
extensions = ["myst_parser", "sphinx_external_toc"]
external_toc_path = "docs/site/_toc.yml"
source_suffix = {".md": "markdown"}
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**", "resources/published/**"]
exclude_patterns = ["docs/site"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "trainmark"
html_show_sphinx = False
