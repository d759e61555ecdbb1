"""The light form: without folders of the machine, in texts of whatever length."""

from trainmark.analyse.sets.light import LocalNames, without_folders


def test_a_field_may_hold_the_latencies_of_many_calls(recorded_runs):
    calls = " ".join(["0.091"] * 40_000)  # twice as long as Python's csv reads
    header, row = "framework,reason,milliseconds", f"jax,no /home/me/lenet,{calls}"
    local = LocalNames(run.record for run in recorded_runs)
    assert local.in_csv(f"{header}\n{row}\n") == f"{header}\njax,no lenet,{calls}\n"


def test_empty_fields_and_quoted_ones_stay(recorded_runs):
    text = 'framework,reason,value\njax,"a, b",\ncaffe,,1.50\n'
    assert LocalNames(run.record for run in recorded_runs).in_csv(text) == text


def test_a_folder_with_spaces_in_its_name_is_left_out(recorded_runs):
    record = recorded_runs[0].record
    job = {**record["job"], "data": "/home/Jane Doe/results/data/mnist/lmdb/dataset.json"}
    local = LocalNames([record])
    assert local.in_record({**record, "job": job})["job"]["data"] == "dataset.json"


def test_every_folder_of_a_list_is_left_out():
    text = "LD_LIBRARY_PATH=/home/me/lib:/opt/mine/lib64 file:///home/me/x https://a.org/b/c"
    assert without_folders(text) == "LD_LIBRARY_PATH=lib:lib64 file://x https://a.org/b/c"
