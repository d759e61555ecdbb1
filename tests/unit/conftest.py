"""Where the tests of image files have them, and what comes of them."""

from pathlib import Path

import pytest


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the user has the images."""
    return tmp_path / "mine"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"
