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
include: "workflow/rules/share.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/published.smk"


rule all:
    default_target: True
    input:
        to_measure,
        of_all_studies(report_files),
    message:
        "Everything is there"


onstart:
    claim_results()
    keep_finished_runs()
    end_jobs_on_signal(batch_system())
    if runs_locally():
        stop_timer()


onsuccess:
    show_results()


onerror:
    show_kept_runs()
