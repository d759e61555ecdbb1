"""A vendor of GPUs is one module, and nothing else of the host knows it."""

import re

import pytest

from trainmark.machine import gpu
from trainmark.study import plugins
from worker import devices

HOST = [*plugins.SCRIPTS.glob("*.py"), *plugins.SCRIPTS.glob("trainmark/**/*.py")]
HOST += [*plugins.SCRIPTS.parent.glob("rules/*.smk")]
DOCSTRING_OR_COMMENT = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)
KNOWS = {
    "trainmark/machine/gpu/nvidia.py": "it is the vendor",
    "trainmark/machine/gpu/amd.py": "it is a vendor, whose HIP obeys a variable of CUDA",
    "trainmark/environments/recipes/mxnet.py": "completes a framework's build for CUDA",
    "trainmark/environments/recipes/pytorch.py": "stands in for a framework's build for CUDA",
    "trainmark/analyse/published/result_sets.py": "names the devices of published GPUs",
    "trainmark/report/published/latency.py": "shows columns of a study published elsewhere",
    "trainmark/study/axes.py": "documents devices and precisions",
}


@pytest.mark.parametrize("kind", devices.GPUS)
def test_a_vendor_has_all_that_is_asked_of_one(kind):
    wanted = {name for name in (*vars(gpu.Vendor), *gpu.Vendor.__annotations__) if name[0] != "_"}
    assert wanted >= {"NAME", "find"}
    assert not [name for name in wanted if not hasattr(gpu.vendor(kind), name)]


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in sorted(HOST)])
def test_nothing_else_of_the_host_knows_a_vendor(path):
    """But for names of devices, such as cuda:2x4, in docstrings and comments."""
    name = str(path.relative_to(plugins.SCRIPTS)) if path.suffix == ".py" else path.name
    text = path.read_text(encoding="utf-8").lower()
    words = re.findall(r"nvml|nvidia|amdsmi", text)
    words += re.findall("cuda|rocm", DOCSTRING_OR_COMMENT.sub("", text))
    assert bool(words) == (name in KNOWS), words
