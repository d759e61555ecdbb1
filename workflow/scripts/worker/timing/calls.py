"""Timing the calls of a stage: each call waited for, or all of them together."""

import time
from typing import Any, Callable, Dict, List, Optional

from worker import events
from worker.adapter import Adapter, OwnClock
from worker.job import Job
from worker.timing import steady, windows

Call = Callable[[], Any]


def measure(adapter: Adapter, job: Job, queued: Call, waited: Call) -> None:
    """Settle, warm up, time the job's steps one by one, and then the same number of calls together.

    queued: a call that may return before its work is done; the timed window consists of these.
    waited: a call that returns when its result can be used; these are timed one by one. The job's
    limit of seconds may end them early.
    """
    warm_up(adapter, job, waited)
    latencies = latency(waited, job.steps, job.max_seconds)
    events.emit("latency", **latencies)
    count = len(latencies["call_seconds"])
    together(queued, adapter.synchronise, count, job)


def measure_elsewhere(adapter: OwnClock, job: Job, waited: Call) -> None:
    """Measure an adapter that calls and times its framework in another process.

    Each call there is waited for, so latency and throughput differ by chance alone.
    """
    warm_up(adapter, job, waited)
    start = time.monotonic()
    seconds = adapter.call_seconds(job.steps, job.max_seconds)
    events.emit("latency", start_seconds=start, call_seconds=seconds)
    more, ends = len(seconds), [0.0]
    start = time.monotonic()
    while more:
        for each in adapter.call_seconds(more, None):
            ends.append(ends[-1] + each)
        more = windows.further(len(ends) - 1, ends[-1], windows.least_seconds(job))
    windows.report(job, start, time.monotonic(), ends[1:])
    events.emit("process_memory", **adapter.memory())


def warm_up(adapter: Adapter, job: Job, waited: Call) -> None:
    """Settle: call until call times are steady. Then do the warm-up steps, up to max_seconds."""
    if job.warmup_limit_seconds:
        bounds = (job.warmup_seconds, job.warmup_limit_seconds)
        events.emit("settled", **steady.settle(waited, adapter.synchronise, *bounds))
    seconds = latency(waited, job.warmup_steps, job.max_seconds)["call_seconds"]
    events.emit("warmup", steps=len(seconds), seconds=sum(seconds))


def latency(waited: Call, steps: int, max_seconds: Optional[float]) -> Dict[str, Any]:
    """The fields of the event `latency`: seconds of each call; none begins after `max_seconds`."""
    seconds: List[float] = []
    start = end = time.monotonic()
    while len(seconds) < steps and (max_seconds is None or end - start <= max_seconds):
        call_start = end
        waited()
        end = time.monotonic()
        seconds.append(end - call_start)
    return dict(start_seconds=start, call_seconds=seconds)


def together(queued: Call, synchronise: Call, steps: int, job: Job) -> None:
    """Time a window of `steps` calls, or more if the job has a minimum of seconds.

    The job's limit of seconds has ended `steps` early, and limits the minimum as well.
    """
    ends: List[float] = []
    least = windows.least_seconds(job)
    synchronise()
    start = time.monotonic()
    while len(ends) < steps:
        queued()
        ends.append(time.monotonic() - start)
        if len(ends) == steps:
            synchronise()
            end = time.monotonic()
            steps += windows.further(steps, end - start, least)
    windows.report(job, start, end, ends)
