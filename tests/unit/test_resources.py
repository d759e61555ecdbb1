"""The resources of a run, as a scheduler gets them before it runs."""

from small_study import case, make

from trainmark.runs.resources import memory_megabytes, runtime_minutes


def memory(**changes):
    settings = {path: run.settings for path, run in make(**changes).runs.items()}
    return memory_megabytes(next(iter(settings.values())))


def test_a_run_may_wait_and_time_out_in_each_of_its_attempts():
    patience = {"attempts": 2, "wait_seconds": 60}
    assert runtime_minutes({"timeout_seconds": 600, "patience": patience}) == 2 * (1 + 10) + 1


def test_memory_grows_with_the_batch_and_the_network():
    small = memory(cases=case(dataset="cifar10"))
    assert memory(cases=case(dataset="cifar10", batch_size=1024)) > small
    assert memory(cases=case(dataset="cifar10", network="vgg16")) > small


def test_cached_images_are_kept_in_memory_decoded():
    images = 50_000 * 3 * 32 * 32
    kept = memory(cases=case(dataset="cifar10"), input_modes=["cached"])
    read = memory(cases=case(dataset="cifar10"), input_modes=["dataset"])
    assert abs(kept - read - 4 * images / 1e6) <= 1


def test_of_cached_image_files_no_more_are_kept_than_the_steps_need():
    files = case(dataset="imagenet", network="resnet50", batch_size=16, warmup_steps=2, steps=8)
    kept = memory(cases=files, input_modes=["cached"])
    read = memory(cases=files, input_modes=["dataset"])
    assert abs(kept - read - 4 * 16 * (2 + 8) * 3 * 224 * 224 / 1e6) <= 1
