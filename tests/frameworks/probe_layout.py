"""What a browser makes of several pages on several screens, as JSON.

usage: python -I probe_layout.py SCRIPTS CHROMIUM WIDTHS PAGE …

WIDTHS are pixels, joined by commas. Each page is opened as a file, printed, light and dark; on
screens, where it has configurations, the first is shown.
"""

import json
import sys
import time
from pathlib import Path

scripts, program, widths, *paths = sys.argv[1:]
sys.path.append(scripts)
from worker.browser.page import Page  # noqa: E402

WHOLE = ".track i, .card, .fold, .pill, .badge, .counts dd"
BEYOND = f"""[...document.querySelectorAll("{WHOLE}")]
  .filter((each) => !each.closest(".scroll"))
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.className)"""
CONTRASTS = """(() => {
  const parse = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const linear = (byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = (text) => {
    const [red, green, blue] = parse(text).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const texts = ["h1", ".lead", ".facts", "h2", ".pill", ".badge b", ".setting", ".note", "td"];
  const ground = (each) => {
    const { backgroundColor } = getComputedStyle(each);
    return /, 0\\)$/.test(backgroundColor) ? ground(each.parentElement) : backgroundColor;
  };
  const contrast = (each) => {
    const both = [getComputedStyle(each).color, ground(each)].map(luminance);
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  };
  const lowest = {};
  for (const each of document.querySelectorAll(texts.join(", "))) {
    const name = each.closest("[class]")?.className ?? each.localName;
    lowest[name] = Math.min(lowest[name] ?? Infinity, contrast(each));
  }
  return lowest;
})()"""
# What is on paper: the headings, what only a screen can use or scroll, and what would cover text.
PRINTED = """(() => {
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const styled = (selector, has) =>
    seen(selector).filter((each) => has(getComputedStyle(each))).map((each) => each.className);
  return {
    sections: seen("main > section > h2").map((each) => each.textContent),
    controls: seen(".top, form, input, select, .download, .hint").map((each) => each.outerHTML),
    cut: styled(".scroll, pre", ({ overflowX }) => overflowX !== "visible"),
    covering: styled("body *", ({ position }) => ["fixed", "sticky"].includes(position)),
  };
})()"""


def look(page, width):
    """What is seen on a screen of this width."""
    page.page.request(
        "Emulation.setDeviceMetricsOverride",
        width=int(width),
        height=800,
        deviceScaleFactor=1,
        mobile=False,
    )
    return {
        "width": page.call("document.documentElement.scrollWidth"),
        "beyond": page.call(BEYOND),
    }


page = Page(program, "about:blank")
facts = {}
for path in map(Path, paths):
    page.page.request("Page.navigate", url=path.as_uri())
    while page.call(f"location.href == {path.as_uri()!r} && document.readyState") != "complete":
        time.sleep(0.05)
    page.page.request("Emulation.setEmulatedMedia", media="print")
    printed = page.call(PRINTED)
    page.page.request("Emulation.setEmulatedMedia", media="")
    page.call("document.querySelector('[data-configuration]')?.click()")
    facts[path.stem] = {"printed": printed}
    facts[path.stem]["screens"] = {width: look(page, width) for width in widths.split(",")}
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.page.request("Emulation.setEmulatedMedia", features=[feature])
        facts[path.stem][scheme] = page.call(CONTRASTS)
print(json.dumps(facts))
