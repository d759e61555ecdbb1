"""What docs/studies/gtdlbench.md says of all settings together is so in its archive."""

from pathlib import Path

import pandas as pd
from archive_numbers import measurements

DOCUMENT = Path(__file__).parents[2] / "docs" / "studies" / "gtdlbench.md"
ARCHIVE = "gtdlbench-short/2026-11-29-intel-r-xeon-r-processor-2-cores"


def by_setting(metric: str) -> pd.DataFrame:
    """A metric, a row for each setting and a column for each framework."""
    rows = measurements(ARCHIVE)
    return rows[rows["metric"] == metric].pivot_table("value", "case", "framework")


def defaults_of() -> dict[str, str]:
    """The framework of each setting."""
    rows = measurements(ARCHIVE).drop_duplicates("case")
    return dict(zip(rows["case"], rows["default_of"], strict=True))


def text() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


def test_accuracies_are_as_close_as_it_says() -> None:
    accuracies = by_setting("accuracy_top1")
    ranges = accuracies.max(axis=1) - accuracies.min(axis=1)
    mnist, cifar10 = (ranges.filter(like=name).max() for name in ("mnist", "cifar10"))
    written = f"MNIST end within {mnist:.2f} points in all frameworks, those for CIFAR-10 within "
    assert f"{written}{cifar10:.2f}." in text()


def test_no_framework_alone_is_the_best_with_its_own_default() -> None:
    accuracies = by_setting("accuracy_top1")
    for setting, framework in defaults_of().items():
        others = accuracies.loc[setting].drop(framework)
        assert accuracies.loc[setting, framework] <= others.max()


def test_speeds_are_as_far_apart_as_it_says() -> None:
    speeds = by_setting("training_speed")
    ratios = speeds.max(axis=1) / speeds.min(axis=1)
    assert f"{ratios.min():.1f} to {ratios.max():.1f} times as fast as the slowest" in text()
    fastest = speeds.idxmax(axis=1)
    assert sum(fastest[setting] == owner for setting, owner in defaults_of().items()) == 3
    assert "In three of eight settings it is the setting's own" in text()
