"""Images completed in the window per second of it, the device synchronised at both edges."""

from trainmark.analyse.run.recording import Absent, Run


def images_per_second(run: Run, stage: str) -> float:
    """The speed of a run of one stage; raises Absent for one of another, or without a window."""
    if run.job["stage"] != stage:
        raise Absent(f"a run of stage {run.job['stage']}, not {stage}")
    return float(run.event("window_end")["images"]) / run.window_seconds
