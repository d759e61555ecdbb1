# `make` sets up and runs the default study, `make everything` the published ones. `make test` sets up
# and runs the tests, `make test-all` every one of them, which takes twice as long (CONTRIBUTING.md has
# the difference).
PYTHON ?= python3
READY := .venv/.ready
SLURM_READY := .venv-slurm/.ready
SITE_READY := .venv-site/.ready
SOURCES := workflow/scripts tests benchmarks docs/site
# Set-up and locks use the host library before, or outside, any workflow.
LIBRARY := PYTHONPATH=workflow/scripts .venv/bin/python -m trainmark.environments

.PHONY: run everything setup slurm test test-all check lock lock-releases docs archives bisect newest site

run: $(READY)
	.venv/bin/snakemake

# The published studies, in their short forms for two cores: hours.
everything: $(READY)
	.venv/bin/snakemake --configfile config/everything-short.yaml -- everything

setup: $(READY)

# A Snakemake of its own with the plug-ins for clusters, which cost every call seconds.
slurm: $(SLURM_READY)

# The checks have run the unit and contract tests. Those of frameworks, workflows and a little cluster
# start processes and wait for them, so four at once, each with files of its own: a file's tests
# share what they start, and the longest come first (tests/conftest.py). Those that send processes
# signals follow, and last those that depend on what the whole machine does.
ALONE := tests/processes/test_patience.py tests/processes/test_out_of_memory.py
# NumPy's own threads would wait actively on cores that other tests need.
test test-all check: export OPENBLAS_NUM_THREADS = 1
PART := -m "not whole"
test-all: PART :=
test-all: site
test test-all: check $(SLURM_READY)
	.venv/bin/snakemake --quiet all -- environments
	.venv/bin/pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder $(PART) tests/frameworks tests/workflow tests/cluster
	.venv/bin/pytest --numprocesses 2 --dist loadfile $(PART) tests/processes $(ALONE:%=--ignore %)
	.venv/bin/pytest $(ALONE)

# The fastest first: the first four take a second together; mypy takes some seconds, or a quarter of a
# minute without its cache.
check: $(READY)
	.venv/bin/ruff format --check $(SOURCES)
	.venv/bin/ruff check $(SOURCES)
	.venv/bin/deptry $(SOURCES)
	.venv/bin/snakefmt --check Snakefile workflow/Snakefile workflow/rules
	.venv/bin/mypy
	.venv/bin/pytest -q --numprocesses 2 $(PART) tests/unit tests/contract

# Resolve requirements.lock and envs/*.lock anew; Debian packages where apt is there.
lock: $(READY)
	$(LIBRARY).locks .
	$(LIBRARY).debian envs tests/cluster

# Only the locks of releases that were added to envs/releases/.
lock-releases: $(READY)
	$(LIBRARY).locks . releases

# The tables in the documents: of keys from the schema, of results from kept archives.
docs: $(READY)
	PYTHONPATH=workflow/scripts .venv/bin/python -m trainmark.study.config.key_tables docs/*/*.md
	PYTHONPATH=workflow/scripts .venv/bin/python -m trainmark.report.words.result_tables README.md docs/*/*.md

# The page of the archives in resources/results/.
archives: $(READY)
	@rm -rf results/archives
	PYTHONPATH=workflow/scripts .venv/bin/python -m trainmark.report.page.archives results/archives
	@echo "open results/archives/index.html"

# The release between two others that changed LeNet's speed, or first failed:
# make bisect FRAMEWORK=jax FROM=0.7.1 TO=0.8.0
CASE := lenet-digits
STUDY := config/studies/releases.yaml config/releases-short.yaml
bisect: $(READY)
	$(if $(and $(FRAMEWORK),$(FROM),$(TO)),,$(error FRAMEWORK, FROM and TO are missing: \
	  make bisect FRAMEWORK=jax FROM=0.7.1 TO=0.8.0))
	@PYTHONPATH=workflow/scripts .venv/bin/python -m trainmark.bisect $(FRAMEWORK) $(FROM) $(TO) $(CASE) $(STUDY)

# The newest release of each framework that still has new ones, beside the pinned one; adds it to the
# tables in envs/releases/.
newest: $(READY)
	$(LIBRARY).newest envs
	.venv/bin/snakemake --configfile config/studies/newest.yaml

# The documents as a searchable site in results/site/, to be read without a network, with that page.
site: $(SITE_READY) archives
	@rm -rf results/site
	.venv-site/bin/sphinx-build -q -W --keep-going -c docs/site -d .venv-site/doctrees . results/site
	@cp -r results/archives results/site/archives
	@echo "open results/site/README.html"

# pip brings uv, checked against its hash; uv, several times faster, brings the rest.
$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11, 4))' || \
	  { echo "trainmark needs Python 3.11.4 or later: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "setting up .venv"
	@$(PYTHON) -m venv .venv
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > .venv/uv.lock
	@.venv/bin/pip install --no-deps --require-hashes -r .venv/uv.lock > .venv/pip.log 2>&1 || \
	  { echo "trainmark: pip can't get uv: .venv/pip.log says why" >&2; exit 1; }
	@$(LIBRARY).host requirements.lock
	@touch $@

$(SLURM_READY): requirements-slurm.lock $(READY)
	@echo "setting up .venv-slurm"
	@.venv/bin/python -m venv .venv-slurm
	@$(LIBRARY).host requirements-slurm.lock .venv-slurm/bin/python
	@touch $@

$(SITE_READY): requirements-site.lock $(READY)
	@echo "setting up .venv-site"
	@.venv/bin/python -m venv --without-pip .venv-site
	@$(LIBRARY).host requirements-site.lock .venv-site/bin/python
	@touch $@
