"""A browser as a runtime: a page that this process serves and drives.

page.py       a browser with one page
devtools.py   connections to a browser by the DevTools protocol
server.py     the server of the page's files, images and logits
page.html     the page: loads a model, predicts, and times its own calls
runtime.py    BrowserRuntime: the adapter of a runtime in the page
"""
