"""What the picture of a chart says."""

import re
from xml.etree import ElementTree


def texts(chart):
    """Every text that stands in it."""
    svg = ElementTree.fromstring(chart.to_svg())
    return [element.text for element in svg.iter() if element.tag.endswith("text") and element.text]


def names(chart):
    """What its marks say to who cannot see them."""
    return re.findall(r'aria-label="([^"]+)"', chart.to_svg())


def subtitle(chart):
    """The sentence below its title."""
    return " ".join(chart.to_dict()["title"]["subtitle"])
