"""Why a run doesn't take place, known before anything of it has started."""

from examples import LENET, of_adapter

from trainmark.runs.status import unmeasured

BUILT = {"status": "available", "reason": None}


def outcome(adapter, lock=BUILT, excluded=None):
    return unmeasured.outcome(of_adapter(LENET, adapter), [lock], excluded, None)


def test_a_run_of_what_is_there_takes_place():
    assert outcome("numpy") is None


def test_an_environment_that_could_not_be_built_is_the_reason():
    found = outcome("numpy", {"status": "unavailable", "reason": "no gcc"})
    assert found == ("unavailable", "no gcc")


def test_what_no_machine_of_ours_has_says_so_whatever_its_environment():
    assert outcome("coreml").status == "unavailable"
    assert "macOS" in outcome("coreml").reason


def test_what_the_study_leaves_out_is_unsupported_with_the_studys_reason():
    found = outcome("coreml", excluded="no interest")
    assert found == ("unsupported", "left out by the study: no interest")
