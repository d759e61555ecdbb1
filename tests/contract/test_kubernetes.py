"""The Job of docs/kubernetes-job.yaml is one to Kubernetes' own schema, and measures on its own."""

import copy
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

JOB = Path(__file__).parents[2] / "docs" / "kubernetes-job.yaml"


@pytest.fixture
def job():
    return yaml.safe_load(JOB.read_text(encoding="utf-8"))


def validate(job):
    kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)


def test_it_is_valid(job):
    validate(job)


def test_a_misspelt_key_would_be_found(job):
    spec = copy.deepcopy(job)
    spec["spec"]["template"]["spec"]["nodeSelectr"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        validate(spec)


def test_its_pod_has_whole_cpus_and_no_other_trainmark_beside_it(job):
    template = job["spec"]["template"]
    (container,) = template["spec"]["containers"]
    requests, limits = container["resources"]["requests"], container["resources"]["limits"]
    assert requests == {name: limits[name] for name in requests}
    assert requests["cpu"].isdigit()
    affinity = template["spec"]["affinity"]["podAntiAffinity"]
    (rule,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]
    assert rule["labelSelector"]["matchLabels"] == template["metadata"]["labels"]
