"""The colours of the frameworks that train stay apart, for the colour-blind too."""

from itertools import combinations

import adapters
import numpy as np
import pytest
from colorspacious import cspace_convert
from matplotlib.colors import to_rgb

from trainmark.report.draw import style
from trainmark.study import plugins

APART = 12  # in CAM02-UCS, where 1 is about what can just be told apart side by side
OWN = [name for name in adapters.TRAINING if "COLOUR" in plugins.facts("framework", name)]
COLOURS = {name: to_rgb(style.adapter_colour(name)) for name in OWN}


def seen_with(deficiency):
    """Each colour as it looks to somebody (Machado et al. 2009), in CAM02-UCS."""
    space = {"name": "sRGB1+CVD", "cvd_type": deficiency, "severity": 100}
    for name, colour in COLOURS.items():
        looks = cspace_convert(colour, space, "sRGB1") if deficiency else colour
        yield name, cspace_convert(np.clip(looks, 0, 1), "sRGB1", "CAM02-UCS")


@pytest.mark.parametrize("deficiency", [None, "protanomaly", "deuteranomaly", "tritanomaly"])
def test_no_two_look_alike(deficiency):
    seen = dict(seen_with(deficiency))
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) > APART, (one, other)
