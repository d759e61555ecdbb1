"""What a browser makes of a page, told as JSON.

usage: python -I probe_page.py SCRIPTS CHROMIUM PAGE

The page is opened as a file, each control gets its last value, and a point is clicked.
"""

import json
import sys
import time
from pathlib import Path

scripts, program, path = sys.argv[1:]
sys.path.append(scripts)
from worker.browser.page import Page  # noqa: E402

RECORDER = """<script>window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
for (const kind of ["error", "warn"])
  console[kind] = (...told) => errors.push(told.join(" "));</script>"""
SETTLE = "new Promise((done) => setTimeout(done, 500))"
LAST_OF_EACH = """[...document.getElementById("choices").elements].map((control) => {
  control.selectedIndex = control.options.length - 1;
  control.dispatchEvent(new Event("input", {bubbles: true}));
  return [control.name, control.value];
})"""
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
SORT = 'document.querySelector(".sortable th:nth-child(3) button").click()'
DOWNLOAD = """new Promise((done) => {
  URL.createObjectURL = (blob) => { blob.text().then(done); return "data:,"; };
  document.querySelector(".case:not([hidden]) .download").click();
})"""

recording = Path(path).with_name("recording.html")
text = Path(path).read_text(encoding="utf-8")
recording.write_text(text.replace("<head>", "<head>" + RECORDER, 1), encoding="utf-8")
page = Page(program, recording.as_uri())
while page.call("document.body.dataset.ready") != "yes":
    failed = page.call("window.errors")
    if failed:
        sys.exit("\n".join(failed))
    time.sleep(0.05)
found = {"marks": page.call('document.querySelectorAll(".case .mark-symbol path").length')}
found["labels"] = page.call(LABELS)
found["chosen"] = dict(page.call(LAST_OF_EACH))
found["address"] = page.call("location.hash")
page.call(SETTLE)
found["cases"] = page.call('document.querySelectorAll(".case:not([hidden])").length')
page.call(CLICK)
page.call(SETTLE)
found["opened"] = page.call('document.querySelector("#configuration h3").textContent')
found["curves"] = page.call('document.querySelectorAll("#configuration .mark-line path").length')
found["drawn"] = page.call("[...document.querySelectorAll('img')].map((i) => i.naturalWidth > 0)")
for name, (first, second) in {"verdict": (0, 1), "other": (1, 0)}.items():
    for control, value in {"configuration": first, "beside": second}.items():
        page.call(f"""(() => {{
            const control = document.querySelector("select[name={control}]");
            control.value = {value};
            control.dispatchEvent(new Event("input", {{bubbles: true}}));
        }})()""")
    found[name] = page.call('document.getElementById("verdict").value')
page.call(SEARCH)
found["rows"] = page.call(
    '[...document.querySelectorAll(".sortable tbody tr:not([hidden])")].map((r) => r.textContent)'
)
page.call(SORT)
found["sorted"] = page.call('document.querySelector("th[aria-sort]").textContent')
found["downloaded"] = page.call(DOWNLOAD)
found["taken"] = page.call("window.taken === true")
found["errors"] = page.call("window.errors")
found["version"] = page.version
print(json.dumps(found))
