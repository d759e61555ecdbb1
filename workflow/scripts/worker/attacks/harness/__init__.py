"""Running attacks on a framework's network; the Toolbox has a process of its own.

robustness.py   measures how often attacks succeed, and by how much they change images
target.py       the adapter as an attack sees it: pixels from 0 to 1, counted requests
unit_range.py   pixels from 0 to 1 and normalised ones
process.py      starts the Toolbox's process and answers its requests
pipe.py         messages between both processes
attacker.py     the Toolbox's process
victim.py       the network as the Toolbox sees it
"""
