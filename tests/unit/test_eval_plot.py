"""The plots: sound SVG whose marks follow the numbers."""

import math
from xml.etree import ElementTree

from zhiji.evals.plot import bars, lines


def parts(svg, tag):
    return [one for one in ElementTree.fromstring(svg) if one.tag.endswith(tag)]


def test_bars_are_as_long_as_their_counts():
    wide = [float(one.get("width")) for one in parts(bars("lost", {"a": 4, "b": 1, "c": 0}), "rect")][1:]
    assert (wide[0] / wide[1], wide[2]) == (4.0, 0.0)


def test_names_cannot_break_the_file():
    assert "a<b>&" in [one.text for one in parts(bars("x<y", {"a<b>&": 1}), "text")]


def test_nothing_counted_is_still_a_plot():
    assert parts(bars("lost", {"a": 0}), "rect")


def test_equal_factors_are_equal_steps():
    (line,) = parts(lines("growth", {"a": [(1, 1), (10, 10), (100, 100)]}, x="chunks", y="ms"), "polyline")
    (x0, y0), (x1, y1), (x2, y2) = [map(float, one.split(",")) for one in line.get("points").split()]
    assert math.isclose(x1 - x0, x2 - x1, abs_tol=0.2)
    assert math.isclose(y0 - y1, y1 - y2, abs_tol=0.2)
    assert y0 > y2


def test_every_series_is_named():
    svg = lines("growth", {"ours": [(1, 2), (2, 3)], "theirs": [(1, 5), (2, 9)]}, x="chunks", y="ms")
    assert {"ours", "theirs"} <= {one.text for one in parts(svg, "text")}
