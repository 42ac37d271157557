"""Plots as SVG, written by hand: bars for counts, lines on logarithmic axes for what grows."""

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path

WIDTH, LEFT, RIGHT, TOP = 640, 150, 60, 44
ROW, HEIGHT, NAMES = 28, 360, 30
COLOURS = ("#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#475569")
Points = Sequence[tuple[float, float]]


def bars(title: str, counts: Mapping[str, int]) -> str:
    """A bar for each count, in their order, with the count beside it."""
    most = max([*counts.values(), 1])
    room = WIDTH - LEFT - RIGHT
    parts = []
    for row, (name, count) in enumerate(counts.items()):
        top, long = TOP + row * ROW, round(room * count / most, 1)
        parts.append(_text(LEFT - 8, top + 16, name, "end"))
        parts.append(f'<rect x="{LEFT}" y="{top + 3}" width="{long}" height="{ROW - 8}" fill="{COLOURS[0]}"/>')
        parts.append(_text(LEFT + long + 6, top + 16, str(count)))
    return _svg(title, TOP + ROW * len(counts) + 12, parts)


def lines(title: str, series: Mapping[str, Points], *, x: str, y: str) -> str:
    """A line for each series of positive points, both axes logarithmic."""
    points = [point for one in series.values() for point in one]
    end = WIDTH - RIGHT - NAMES
    across, up = _scale([a for a, _ in points], LEFT, end), _scale([b for _, b in points], HEIGHT - 50, TOP)
    parts = [_text((LEFT + end) / 2, HEIGHT - 10, x, "middle"), _text(LEFT - 8, TOP - 8, y, "end")]
    parts += [_text(across(a), HEIGHT - 30, f"{a:g}", "middle") for a in sorted({a for a, _ in points})]
    for tick in _decades([b for _, b in points]):
        parts.append(f'<path d="M{LEFT} {up(tick)}H{end}" stroke="#cbd5e1"/>')
        parts.append(_text(LEFT - 8, up(tick) + 4, f"{tick:g}", "end"))
    for place, (name, held) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{across(a)},{up(b)}" for a, b in held)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(across(held[-1][0]) + 8, up(held[-1][1]) + 4, name, colour=colour))
    return _svg(title, HEIGHT, parts)


def write(path: Path, svg: str) -> Path:
    """Keep a plot in a file, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    return path


def _scale(values: Sequence[float], low: float, high: float) -> Callable[[float], float]:
    """Where a positive value stands between two pixels, by its logarithm."""
    least, most = math.log(min(values)), math.log(max(values))
    span = (most - least) or 1.0
    return lambda value: round(low + (high - low) * (math.log(value) - least) / span, 1)


def _decades(values: Sequence[float]) -> list[float]:
    """The powers of ten between the least and the greatest value."""
    least, most = math.ceil(math.log10(min(values))), math.floor(math.log10(max(values)))
    return [10.0**power for power in range(least, most + 1)]


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = "#334155") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def _svg(title: str, height: int, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">'
    )
    ground = f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    said = f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-size="15">{escape(title)}</text>'
    return "\n".join([head, ground, said, *parts, "</svg>"]) + "\n"
