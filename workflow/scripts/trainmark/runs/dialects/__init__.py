"""One file per log format: `progress(lines)` gives what each statement of a log says.

At the top of a file are, as literals that the host reads without importing it:

    EXPECTED    how the lines that it reads look, for whoever gave a log that has none of them
    LEAVES_OUT  what the speed that such a log states leaves out, in a clause

and progress() takes a log's lines one by one, with or without their ends, and keeps none of them.
"""
