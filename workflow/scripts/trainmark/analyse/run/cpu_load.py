"""Who used the machine's processors during the window."""

from trainmark.analyse.run.recording import Absent, Run


def cores(run: Run, user: str) -> float:
    """Mean number of cores used in the window; user: own_cpu, other_cpu or steal."""
    run.check_sampled()
    load = run.record["load"]
    if load is None or load[user] is None:
        raise Absent("the machine's load was not readable")
    return float(load[user])
