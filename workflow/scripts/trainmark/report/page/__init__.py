"""The page people open: one HTML file of a study, which needs no network.

Vega-Lite draws, by its own JavaScript within the page; Altair writes what it draws, and Jinja2 the
rest. Bokeh and Plotly would bring two to five times as much JavaScript, and Vega's charts in SVG
have a text for screen readers.
"""
