"""What a browser makes of a page, as JSON.

usage: python -I probe_page.py SCRIPTS CHROMIUM PAGE

The page is opened as a file, a framework's row is clicked, each control gets its last value, and a
point is clicked. Then it is opened with its first chart broken.
"""

import json
import sys
import time
from pathlib import Path

PATIENCE_SECONDS = 60

scripts, program, path = sys.argv[1:]
sys.path.append(scripts)
from worker.browser.page import Page  # noqa: E402

RECORDER = """<script>window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
for (const kind of ["error", "warn"])
  console[kind] = (...told) => errors.push(told.join(" "));</script>"""
HEADING = 'document.querySelector("#configuration h3")?.textContent'
CURVES = 'document.querySelectorAll("#configuration .mark-line path").length'
MATCHING = 'document.getElementById("matching").value'
# What is drawn last; an action clears it first.
COUNT = 'document.getElementById("count").value'
LAST_OF_EACH = f"""{COUNT} = "",
[...document.getElementById("choices").elements].map((control) => {{
  control.selectedIndex = control.options.length - 1;
  control.dispatchEvent(new Event("input", {{bubbles: true}}));
  return [control.name, control.value];
}})"""
CLICK = """document.querySelector(".case:not([hidden]) .mark-symbol path").dispatchEvent(
  new MouseEvent("click", {bubbles: true}))"""
LABELS = """[...document.querySelector(".case").querySelectorAll(".role-axis-label text")]
  .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
  .map((label) => label.textContent)"""
SEARCH = """(() => {
  const search = document.getElementById("search");
  search.value = "pytorch";
  search.dispatchEvent(new Event("input"));
})()"""
SORTED = """(() => {
  const headings = [...document.querySelectorAll(".sortable th")];
  const heading = headings.find(({ textContent }) => textContent === "images/s");
  heading.firstElementChild.click();
  const place = headings.indexOf(heading);
  return [...heading.closest("table").tBodies[0].rows].map((row) => row.cells[place].textContent);
})()"""
DOWNLOAD = """new Promise((done) => {
  URL.createObjectURL = (blob) => { blob.text().then(done); return "data:,"; };
  document.querySelector(".case:not([hidden]) .download").click();
})"""

EXPLORE = 'document.getElementById("explore").open = true'
# What can be read of the page before any script has run.
FIRST = """({
  sections: [...document.querySelectorAll("main > section > h2")].map((each) => each.textContent),
  charts: document.querySelectorAll(".chart svg").length,
  images: [...document.querySelectorAll(".drawing img")].filter((each) => each.src).length,
  rows: [...document.querySelectorAll("[data-configuration]")].map((each) => each.textContent),
})"""
QUICKLY = """(() => {
  document.getElementById("count").value = "";
  const { case: control } = document.getElementById("choices").elements;
  for (const index of [0, control.options.length - 1]) {
    control.selectedIndex = index;
    control.dispatchEvent(new Event("input", {bubbles: true}));
  }
})()"""
CHOOSE = """(() => {{
  document.getElementById("count").value = "";
  const control = document.querySelector("select[name={control}]");
  control.value = {value!r};
  control.dispatchEvent(new Event("input", {{bubbles: true}}));
}})()"""
CAPTIONS = """(async () => {
  const found = {};
  const { metric } = document.getElementById("choices").elements;
  for (const { value, label } of metric.options) {
    metric.value = value;
    metric.dispatchEvent(new Event("input", {bubbles: true}));
    while (!document.getElementById("count").value.startsWith(label + ":"))
      await new Promise((done) => setTimeout(done, 10));
    found[value] = document.querySelector(".case:not([hidden]) .metric").textContent;
  }
  return found;
})()"""
CHARTS = """[...document.querySelectorAll(".case")].map((figure) => ({
  text: figure.querySelector(".chart").textContent,
  marks: figure.querySelectorAll(".mark-symbol path").length,
}))"""
NAMED = {"combobox", "button", "searchbox", "link", "image", "graphics-document"}
NAMED |= {"DisclosureTriangle"}  # the summary of details
EMPTY = "WARN Infinite extent"  # Vega's, of a chart without any value


def opened(page, address):
    """Wait until all of the page is there."""
    page.page.request("Page.navigate", url=address)
    while page.call(f"location.href == {address!r} && document.body?.dataset.ready") != "yes":
        failed = page.call("window.errors ?? []")
        if failed:
            sys.exit("\n".join(failed))
        time.sleep(0.05)


def until(page, condition):
    """Wait until a condition of the page is true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not page.call(f"Boolean({condition})"):
        if time.monotonic() > deadline:
            sys.exit(f"waited in vain for {condition}")
        time.sleep(0.02)


def names(page):
    """The role and the name that a screen reader has, of all that should have one."""
    nodes = page.page.request("Accessibility.getFullAXTree")["nodes"]
    labelled_nodes = [
        node for node in nodes if not node["ignored"] and node["role"]["value"] in NAMED
    ]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", "")) for node in labelled_nodes
    ]


recording = Path(path).with_name("recording.html")
text = Path(path).read_text(encoding="utf-8")
recording.write_text(text.replace("<head>", "<head>" + RECORDER, 1), encoding="utf-8")
page = Page(program, "about:blank")
opened(page, recording.as_uri())
facts = {"first": page.call(FIRST)}
page.call('document.querySelector("[data-configuration]").click()')
until(page, HEADING)
facts["clicked"] = page.call(HEADING)
facts["kept"] = page.call("location.hash")
page.call(CHOOSE.format(control="configuration", value=""))
for section in ("evidence", "figures", "values"):
    page.call(f"""document.querySelector('.top a[href="#{section}"]').click()""")
facts["address_after_links"] = page.call("location.hash")
page.call(EXPLORE)
until(page, COUNT)
facts |= {"marks": page.call('document.querySelectorAll(".case .mark-symbol path").length')}
facts["labels"] = page.call(LABELS)
facts["chosen"] = dict(page.call(LAST_OF_EACH))
facts["address"] = page.call("location.hash")
until(page, COUNT)
page.call(CHOOSE.format(control="thread_count", value="all"))
until(page, COUNT)
facts["of_all_threads"] = page.call(LABELS.replace(".case", ".case:not([hidden])"))
facts["count"] = page.call(COUNT)
facts["cases"] = page.call('document.querySelectorAll(".case:not([hidden])").length')
page.call(CLICK)
until(page, f"{CURVES} >= 3")
facts["opened"] = page.call(HEADING)
facts["drawn"] = page.call("[...document.querySelectorAll('img')].map((i) => i.naturalWidth > 0)")
for name, (first, second) in {"verdict": (0, 1), "other": (1, 0)}.items():
    for control, value in {"configuration": first, "beside": second}.items():
        page.call(CHOOSE.format(control=control, value=str(value)))
    facts[name] = page.call('document.getElementById("verdict").value')
page.call(SEARCH)
facts["rows"] = page.call(
    '[...document.querySelectorAll(".sortable tbody tr:not([hidden])")].map((r) => r.textContent)'
)
facts["searched"] = page.call("location.hash")
page.call(f'{MATCHING} = ""')
page.call('location.hash = location.hash.replace("search=pytorch", "search=jax")')
until(page, MATCHING)
facts["searched_by_address"] = page.call(MATCHING)
facts["sorted"] = [page.call(SORTED) for _ in range(2)]
facts["downloaded"] = page.call(DOWNLOAD)
page.call(CHOOSE.format(control="thread_count", value=""))
page.call(QUICKLY)
until(page, COUNT)
facts["last_count"] = page.call(COUNT)
facts["errors"] = page.call("window.errors.splice(0)")
facts["captions"] = page.call(CAPTIONS)
facts["errors"] += [error for error in page.call("window.errors") if not error.startswith(EMPTY)]
facts["names"] = names(page)
facts["taken"] = page.call("window.taken === true")
broken = Path(path).with_name("broken.html")
broken.write_text(text.replace('data-gzip="', 'data-gzip="AAAA', 1), encoding="utf-8")
opened(page, broken.as_uri())
page.call(EXPLORE)
until(page, COUNT)
facts["broken"] = page.call(CHARTS)
print(json.dumps(facts))
