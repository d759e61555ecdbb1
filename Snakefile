"""trainmark: measure deep-learning frameworks on equal work.

`snakemake` measures the study of config/config.yaml; `--configfile` names another one.
"""

from snakemake.utils import min_version

min_version("9.27")


include: "workflow/rules/common.smk"
include: "workflow/rules/environments.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/train.smk"
include: "workflow/rules/analyse.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/published.smk"


rule all:
    default_target: True
    input:
        all_records,
        RETRIED,
        TABLES,
        FIGURES,
        CHARTS,
        PAGE,
    message:
        "Everything is there"


onstart:
    claim_results()
    keep_finished_runs()
    end_jobs_on_signal(has_batch_system=not workflow.local_exec)
    # It wakes the scheduler each second, and once more for each job that has ended: after forty
    # runs that took 0.07 cores from the run being measured. What goes to a batch system is still limited.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    show_results()


onerror:
    show_kept_runs()
