"""Values, statuses and names as tables and figures write them."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import shorten
from typing import Any

import pandas as pd

from trainmark.study import plugins
from trainmark.study.axes import VARIANTS

NOTHING = "-"
PREFIXES = {"batch_size": "batch ", "thread_count": "threads "}
MANY = 1000
TINY, LARGE, VERY_LARGE = 0.1, 100, 1e6  # ratios
INTERVAL = "±: 95 % confidence interval of the mean (Student's t); none where n = 1."
DISTURBED = (
    "*: at least one run was disturbed in every attempt, for example by other programs; its "
    "run.json says by what (disturbances)."
)
MOST_REASONS, REASON_CHARACTERS = 3, 90  # in a figure; its CSV has all reasons in full
FAILED = "!"
BEYOND = f"{FAILED}: beyond a tolerance, by which a run failed."


def number(metric: str, mean: Any, half_width: Any = None) -> str:
    """A metric's value in its own format, with its interval where there is one."""
    return formatted(plugins.facts("metric", metric)["NUMBER_FORMAT"], mean, half_width)


def value(row: Any) -> str:
    """The mean of a row of configurations in its metric's format, its interval, and its mark."""
    return number(row.metric, row.mean, row.half_width) + mark(row)


def value_or_status(row: Any) -> str:
    """The value of a row of configurations, or what became of its runs where it has none."""
    if not row.n:
        return NOTHING if row.status == "ok" else str(row.status)
    return value(row)


def mark(row: Any) -> str:
    """The mark of a row of which runs were disturbed: see DISTURBED."""
    return " *" if row.disturbed else ""


def formatted(form: str, mean: Any, half_width: Any = None) -> str:
    """A value in a format such as "{:,.1f}", with its interval where there is one.

    If either is a thousand or more, both are written without decimals. So is a whole number
    without interval, as studies publish speeds; but not a share: its format has no thousands
    separator.
    """
    if pd.isna(mean):
        return NOTHING
    if pd.isna(half_width):
        is_whole = abs(mean) >= MANY or ("," in form and float(mean).is_integer())
        return ("{:,.0f}" if is_whole else form).format(mean)
    form = "{:,.0f}" if max(abs(mean), half_width) >= MANY else form
    return f"{form.format(mean)} ± {form.format(half_width)}"


def interval(low: Any, high: Any) -> str:
    """The interval of a ratio, or the sign that there is none."""
    return NOTHING if pd.isna(low) else f"{factor(low)} to {factor(high)}"


def factor(value: float) -> str:
    """A ratio with two decimals; a tiny one with two digits, a large one without decimals."""
    if pd.isna(value):
        return NOTHING
    if TINY <= value < LARGE:
        return f"{value:.2f}"
    return f"{value:,.0f}" if LARGE <= value < VERY_LARGE else f"{value:.2g}"


def ratio(compared: Any) -> str:
    """A ratio with its interval where there is one (anything with ratio, low and high)."""
    return factor_with_interval(compared.ratio, compared.low, compared.high)


def factor_with_interval(value: float, low: Any, high: Any) -> str:
    """A ratio, with the ends of its interval where they are known."""
    return factor(value) if pd.isna(low) else f"{factor(value)} ({interval(low, high)})"


def counted(count: int, name: str, number: str | None = None) -> str:
    """A number of things, in the plural where they aren't one; `number` stands for the digits."""
    return f"{number or f'{count:,}'} {name}{'s' * (count != 1)}"


def heading(metric: str, networks: Iterable[str] = ()) -> str:
    """A metric's title with its unit."""
    return f"{plugins.facts('metric', metric)['TITLE']} ({unit(metric, networks)})"


def unit(metric: str, networks: Iterable[str] = ()) -> str:
    """A metric's unit, which has texts in place of images for networks that read text."""
    stated = str(plugins.facts("metric", metric)["UNIT"])
    read = dict.fromkeys(map(reads_text, dict.fromkeys(networks)))
    units = [stated.replace("images", "texts") if of_text else stated for of_text in read]
    return " or ".join(dict.fromkeys(units or [stated]))


def valued(table: pd.DataFrame, metrics: Mapping[str, str]) -> list[str]:
    """Those metrics of which a row of `beside_main` has a value."""
    return [name for name in metrics if table[f"{name}_mean"].notna().any()]


def meanings(short_names: Mapping[str, str], metrics: Iterable[str]) -> str:
    """The metrics' headings by the short names that stand above a table's columns."""
    return ", ".join(f"{short_names[name]}: {heading(name)}" for name in metrics)


def main_titles(configurations: pd.DataFrame) -> str:
    """The titles of the main metrics of some configurations, for a sentence."""
    titles = [
        plugins.facts("metric", metric)["TITLE"] for metric in configurations["metric"].unique()
    ]
    return " or ".join(title.lower() for title in titles)


def main_units(configurations: pd.DataFrame) -> str:
    """The units of the main metrics of some configurations."""
    pairs = configurations[["metric", "network"]].drop_duplicates().itertuples(index=False)
    return " or ".join(dict.fromkeys(unit(metric, [network]) for metric, network in pairs))


def ratio_of_means(configurations: pd.DataFrame) -> str:
    """The meaning of a ratio between configurations and of its interval."""
    return (
        f"Ratio of the (geometric) means of the {main_titles(configurations)} with its 95 % "
        "confidence interval (Welch's t of the logarithms)"
    )


def status(configuration: Any) -> str:
    """A configuration's status with the remarks that a reader needs besides its values.

    Takes anything with status, remark and disturbed (a row of analyse.compare.configurations).
    """
    remark: str | None = None if pd.isna(configuration.remark) else configuration.remark
    if configuration.status != "ok":
        return remark or str(configuration.status)
    mark = "ok *" if configuration.disturbed else "ok"
    return f"{mark}; {remark}" if remark else mark


def commonest(reasons: pd.Series) -> str:
    """The commonest of some reasons, shortened, and the number of further reasons."""
    ordered = list(reasons.value_counts().index)
    more = [f"and {len(ordered) - MOST_REASONS} more"] * (len(ordered) > MOST_REASONS)
    short = [shorten(reason, REASON_CHARACTERS, placeholder=" …") for reason in ordered]
    return "; ".join([*short[:MOST_REASONS], *more])


def parity(configuration: Any) -> str:
    """A configuration's worst parity error, marked where a run failed by it, or its status."""
    if pd.isna(configuration.error):
        return str(configuration.status)
    mark = f" {FAILED}" if configuration.failed else ""
    return number("parity_error", configuration.error) + mark


def framework_title(framework: str, adapter: str) -> str:
    """The title of a framework; an entry that differs from its adapter keeps its own name."""
    if framework != adapter:
        return framework
    return str(plugins.facts_if_known("framework", adapter).get("TITLE", framework))


def framework_titles(configurations: pd.DataFrame) -> list[str]:
    """The title of each row's framework."""
    names = zip(configurations["framework"], configurations["adapter"], strict=True)
    return [framework_title(framework, adapter) for framework, adapter in names]


def titles(configurations: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """The title of each row's framework, and its values of some settings."""
    columns = [
        framework_titles(configurations),
        *(settings(configurations, name) for name in names),
    ]
    return [", ".join(parts) for parts in zip(*columns, strict=True)]


def labels(configurations: pd.DataFrame) -> list[str]:
    """The title of each row's framework, and the settings that differ within a case."""
    return titles(configurations, varying(configurations))


def settings(configurations: pd.DataFrame, name: str) -> list[str]:
    """A setting of each row, with its name where its value alone says nothing."""
    prefix = PREFIXES.get(name, "")
    return [f"{prefix}{value}" for value in configurations[name]]


def machines(configurations: pd.DataFrame) -> str:
    """The machines' hardware, each after the machine's name if the study has several machines."""
    if "machine_name" not in configurations or configurations["machine_name"].nunique() < 2:
        return "; ".join(hardware(configurations["machine"]))
    groups = configurations.groupby("machine_name", sort=False)["machine"]
    return "; ".join(f"{name}: {'; '.join(hardware(kinds))}" for name, kinds in groups)


def hardware(named: Iterable[str]) -> list[str]:
    """Each machine once, by the longest description of its hardware.

    A run that used no GPU, or never began, describes less of the same machine.
    """
    kinds = list(dict.fromkeys(named))
    return [name for name in kinds if not any(kind.startswith(f"{name}, ") for kind in kinds)]


def where(configurations: pd.DataFrame) -> str:
    """The study and its machines, as text; empty without any configuration."""
    if configurations.empty:
        return ""
    return f"Study {configurations['study'].iloc[0]} on {machines(configurations)}"


def notes(configurations: pd.DataFrame, *texts: str) -> list[str]:
    """The notes below a table: study and machines, `texts`, and the meaning of a mark."""
    place = [] if configurations.empty else [f"{where(configurations)}."]
    marks = [DISTURBED] if configurations["disturbed"].any() else []
    return [*place, *texts, *marks]


def varying(configurations: pd.DataFrame) -> list[str]:
    """The settings that differ between a case's configurations, so that a reader needs them."""
    present = [setting for setting in VARIANTS if setting in configurations]
    differs = configurations.groupby("case")[present].nunique().max() > 1
    return [setting for setting in present if differs[setting]]


def threads(count: Any) -> str:
    """A number of threads, or all of them."""
    return "all threads" if count == "all" else counted(int(count), "thread")


def reads_text(network: str) -> bool:
    """Whether a network that is here reads text."""
    return "READS_TEXT" in plugins.facts_if_known("network", network)
