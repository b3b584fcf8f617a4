"""The texts in the picture of a chart."""

import re
from xml.etree import ElementTree


def texts(chart):
    """Return every text in the picture."""
    svg = ElementTree.fromstring(chart.to_svg())
    return [element.text for element in svg.iter() if element.tag.endswith("text") and element.text]


def names(chart):
    """Return the labels of its marks for screen readers."""
    return re.findall(r'aria-label="([^"]+)"', chart.to_svg())


def subtitle(chart):
    """Return the sentence below its title."""
    return " ".join(chart.to_dict()["title"]["subtitle"])
