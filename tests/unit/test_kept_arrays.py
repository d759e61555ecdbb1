"""The arrays that a run keeps: whole, or named as damaged."""

import numpy

from trainmark.runs import kept_arrays


def test_arrays_without_their_table_of_contents_are_damaged(tmp_path):
    path = tmp_path / "weights.npz"
    numpy.savez(path, kernel=numpy.zeros(1000))
    assert kept_arrays.damaged(tmp_path) == []
    assert kept_arrays.has_arrays(path)
    content = bytearray(path.read_bytes())
    start = content.rindex(b"PK\x01\x02")
    content[start : start + 40] = bytes(40)
    path.write_bytes(content)
    assert kept_arrays.damaged(tmp_path) == [path]
