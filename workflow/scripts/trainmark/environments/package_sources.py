"""The machine's package sources: pip's settings, passed on to uv, which doesn't read them."""

import ast
import os
import subprocess
import sys
from functools import cache

# pip's setting -> uv's variable, and what separates several values there.
UV_NAMES = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
}


@cache
def machine_sources() -> dict[str, str]:
    """The environment variables that tell uv pip's settings of this machine.

    A variable that the user set for uv itself stays as it is. Indexes are merged as pip merges
    them: the best version of all counts, not the first index that knows the name.
    """
    sources = {"UV_INDEX_STRATEGY": "unsafe-best-match", **translate(pip_settings())}
    return {name: value for name, value in sources.items() if name not in os.environ}


def pip_settings() -> dict[str, str]:
    """Ask pip for its settings, from its files and the environment; none where there is no pip."""
    listing = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True
    )
    return parse(listing.stdout) if listing.returncode == 0 else {}


def parse(listing: str) -> dict[str, str]:
    """Read the lines of `pip config list`, such as global.index-url='https://…'.

    Later sections win: global, then install, then the environment (`:env:`).
    """
    rank = {"global": 0, "install": 1, ":env:": 2}
    indexes = {}
    for line in listing.splitlines():
        key, _, value = line.partition("=")
        section, _, name = key.partition(".")
        if section in rank:
            indexes[rank[section], name] = str(ast.literal_eval(value))
    return {name: value for (_, name), value in sorted(indexes.items())}


def translate(settings: dict[str, str]) -> dict[str, str]:
    """Turn pip's settings into uv's environment variables."""
    return {
        variable: separator.join(settings[name].split())
        for name, (variable, separator) in UV_NAMES.items()
        if settings.get(name)
    }
