"""Repair: what an earlier call, a full disk or a changed clock spoilt is made again, or dated now.

In: the files of the studies' plans. Out: no files; damaged ones are deleted or put aside before
Snakemake decides on its jobs.
"""


def measure_damaged_runs_again():
    """Set the records of damaged runs aside, so that Snakemake makes them again, and say so."""
    for record, run in runs_to_check():
        folder = Path(record).parent
        if damage := records.damage(folder, run.settings):
            print_message(f"{damage}: it will be measured again")
            if not is_dry_run():
                records.set_aside(folder)


def runs_to_check():
    """The runs with a record, and a file that changed since their study's events were made.

    Events are made of whole runs alone, and reading all again takes seconds where there are many.
    """
    for study, plan in PLANS.items():
        events = Path(EVENTS.format(study=study))
        read_at = events.stat().st_mtime if events.exists() else 0
        for run in plan.runs.values():
            record = Path(run_record(run))
            if file_times.is_changed(record.parent, read_at) and record.exists():
                yield record, run


@cache
def files_before_runs():
    """The files that runs need and other rules make."""
    runs = of_all_studies(first_repeats)
    files = dict.fromkeys(file for run in runs for file in inputs.files_before(run))
    return [Path(file) for file in files]


def delete_damaged_inputs():
    """Delete damaged files that runs read, and say so; returns their paths.

    Snakemake makes a missing file again where a run needs it, or it is requested by name.
    """
    deleted = []
    for path in files_before_runs():
        try:
            if path.exists():
                inputs.check(path)
        except DamagedFile as error:
            print_message(f"{error.damage}: it will be made again")
            if not is_dry_run():
                path.unlink()
                deleted.append(str(path))
    return deleted


def build_broken_environments_again():
    """Have environments whose Python is gone built again where a run needs them, and say so.

    Snakemake makes those of conda again itself.
    """
    for complete in Path().glob(paths.ENVIRONMENT_COMPLETE.format(environment="*")):
        python = virtual.missing_python(complete.parent)
        if python is None:
            continue
        if makes_conda_environments() and python.is_relative_to(
            conda_folder().resolve()
        ):
            continue
        print_message(
            f"{complete.parent}: its {python} is gone: it will be built again"
        )
        if not is_dry_run():
            complete.unlink()


def redate_files_of_the_future():
    """Date files now that have a later time, as after a clock was set back, and say so."""
    if is_dry_run():
        return
    files = {*map(Path, all_runs()), *files_before_runs()}
    for study in PLANS:
        files.update(file_times.of_study(RESULTS / study))
    if count := file_times.redate_future(files, file_times.TOLERANCE_SECONDS):
        print_message(
            f"the clock was set back: files of later times are dated now ({count})"
        )
