"""Repeats end when those before them are enough."""

import json

from small_checkout import ONE, Checkout


def test_a_repeat_after_enough_of_them_is_not_needed(tmp_path):
    checkout = Checkout(tmp_path)
    enough = {"repeats": 2, "interval_percent": 10000}
    checkout.write({**ONE, "repeats": 3, "enough": enough})
    checkout.snakemake()
    records = sorted(tmp_path.rglob("run.json"))
    statuses = [json.loads(path.read_text())["status"] for path in records]
    assert statuses == ["ok", "ok", "not_needed"]
    assert "Nothing to be done" in checkout.snakemake()[0]
