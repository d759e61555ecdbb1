"""What the module of every CSV of a study must keep."""

import pytest

from trainmark.study import plugins

ROOT = plugins.SCRIPTS.parents[1]
CSV = plugins.names("csv")


@pytest.mark.parametrize("name", CSV)
def test_a_csv_of_no_runs_has_its_columns_and_is_read_back(name, tmp_path):
    module = plugins.load("csv", name)
    table = module.tabulate([])
    assert list(table) == list(module.COLUMNS)
    table.to_csv(tmp_path / f"{name}.csv", index=False)
    assert list(module.read(tmp_path / f"{name}.csv")) == list(module.COLUMNS)


@pytest.mark.parametrize("name", CSV)
def test_a_csv_is_an_output_of_the_rule_that_makes_them(name):
    rule = (ROOT / "workflow" / "rules" / "analyse.smk").read_text(encoding="utf-8")
    assert f'{name}="results/{{study}}/{name}.csv"' in rule


@pytest.mark.parametrize("kind", ["table", "figure"])
def test_the_source_of_each_table_and_figure_is_a_csv(kind):
    sources = {
        plugins.facts(kind, name).get("SOURCE", "measurements") for name in plugins.names(kind)
    }
    assert sources <= set(CSV)
