"""A browser as a runtime: a page that this process serves and drives.

page.py       a browser with one page, by its DevTools protocol
server.py     what the page asks this process for
page.html     the page: loads a model, predicts, and times its own calls
runtime.py    BrowserRuntime: the adapter of a runtime that lives in the page
"""
