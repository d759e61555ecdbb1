"""Where the keyboard leads on a page, as JSON.

usage: python -I probe_keyboard.py SCRIPTS CHROMIUM PAGE

The page is opened as a file. Tab is pressed up to the first closed fold, then Enter twice.
"""

import json
import sys
from pathlib import Path

MOST_STEPS = 500

scripts, program, path = sys.argv[1:]
sys.path.append(scripts)
from worker.browser.page import Page  # noqa: E402

KEYS = {
    "Tab": {"type": "rawKeyDown", "windowsVirtualKeyCode": 9},
    "Enter": {"type": "keyDown", "windowsVirtualKeyCode": 13, "text": "\r"},
}
FOCUSED = """(() => {
  const each = document.activeElement;
  const { outlineStyle } = getComputedStyle(each);
  return { kind: each.localName, text: each.textContent.trim(), outline: outlineStyle };
})()"""
CLOSED_FOLD = 'document.activeElement.matches("details:not([open]) > summary")'
IS_OPEN = "document.activeElement.parentElement.open"


def press(page, key):
    """Press a key and release it."""
    page.page.request("Input.dispatchKeyEvent", key=key, code=key, **KEYS[key])
    page.page.request("Input.dispatchKeyEvent", key=key, code=key, type="keyUp")


page = Page(program, Path(path).as_uri())
page.page.request("Emulation.setFocusEmulationEnabled", enabled=True)
facts = {"reached": [], "open": []}
while not page.call(CLOSED_FOLD):
    if len(facts["reached"]) > MOST_STEPS:
        sys.exit("Tab reaches no closed fold")
    press(page, "Tab")
    facts["reached"].append(page.call(FOCUSED))
for _ in range(2):
    press(page, "Enter")
    facts["open"].append(page.call(IS_OPEN))
print(json.dumps(facts))
