"""The browser of the web's runtimes: which one it is, its memory, and the message without one."""

import subprocess

import adapters
import examples
import pytest

from trainmark.runs import events
from trainmark.study import plugins, stages

JOB = examples.small_images("lenet5", stage="infer", **stages.NO_UPDATE)
OF_THE_WEB = [
    name
    for name in adapters.RUNTIMES
    if plugins.facts("framework", name).get("ENVIRONMENT") == "web"
]

OPEN = """
import os, sys
sys.path.append(sys.argv[1])
from worker.browser.devtools import RefusedError
from worker.browser.page import Page
from worker.events import Unsupported

browser = os.environ["TRAINMARK_BROWSER"]
page = Page(browser, "about:blank")
try:
    page.page.request("Page.paint")
except RefusedError as error:
    print(error)
page.close()
try:
    Page(browser, "http://127.0.0.1:1/")
except Unsupported as error:
    print(error)
"""
"""What a page is asked that can't be done: a method, and an address, that aren't there."""


@pytest.mark.parametrize("runtime", OF_THE_WEB)
def test_a_run_says_which_browser_it_was_and_what_memory_its_page_took(job_events, runtime):
    (log,) = job_events(runtime, [JOB])
    assert "Chrome/" in events.last(log, "environment")["libraries"]["browser"]
    memory = events.last(log, "process_memory")
    assert 0 < memory["empty_bytes"] < memory["peak_bytes"]


@pytest.mark.parametrize(
    ("browser", "why"),
    [("/nowhere/chromium", "No such file or directory"), ("/bin/false", "it ended with status 1")],
)
def test_a_browser_that_does_not_start_is_reported_in_one_line(
    refused, framework_environment, browser, why
):
    python, variables = framework_environment("onnxruntime_web")
    environment = python, {**variables, "TRAINMARK_BROWSER": browser}
    message = refused("onnxruntime_web", JOB, environment)
    assert message.startswith(f"no browser: {browser}: {why}; name a Chromium that runs here under")
    assert message.endswith("delete the folder of this run and give the same command again")


def test_what_a_browser_refuses_and_can_not_open_is_reported_in_one_line(framework_environment):
    python, variables = framework_environment("onnxruntime_web")
    command = [python, "-I", "-c", OPEN, plugins.SCRIPTS]
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    refused, unopened = done.stdout.splitlines()
    assert refused == "Page.paint: 'Page.paint' wasn't found"
    assert "it can't open http://127.0.0.1:1/: net::ERR_" in unopened
