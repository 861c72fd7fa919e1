"""Plots as SVG text, readable on light and dark ground: bars, dots under roofs, maps and lines, logarithmic where they are
of speeds or errors."""
import html
import math

GREYS = ("#3366aa", "#cc6633", "#449966", "#aa4499", "#999933", "#666666")


def svg(width, height, parts):
    body = "\n".join(parts)
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
            f"font-family='sans-serif' font-size='12' fill='#808080'>\n{body}\n</svg>\n")


def text(x, y, words, anchor="start", extra=""):
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' {extra}>{html.escape(str(words))}</text>"


def line(x1, y1, x2, y2, colour="#80808060", width=1):
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{colour}' stroke-width='{width}'/>"


class Axis:
    """A logarithmic axis from place `a` to place `b` of the picture."""

    def __init__(self, values, a, b):
        values = [v for v in values if v > 0]
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.a, self.b = a, b

    def at(self, value):
        return self.a + (self.b - self.a) * (math.log10(value) - self.low) / (self.high - self.low)

    def decades(self):
        return [10.0 ** e for e in range(self.low, self.high + 1)]


def bars(title, rows):
    left, width, step = 140, 720, 18
    axis = Axis([value for _, value, _ in rows], left, width - 130)
    bottom = 40 + step * len(rows)
    parts = [text(0, 16, title, extra="font-weight='bold'")]
    for decade in axis.decades():
        x = axis.at(decade)
        parts += [line(x, 28, x, bottom), text(x, bottom + 14, f"{decade:.0e}", "middle")]
    for i, (label, value, note) in enumerate(rows):
        y = 32 + step * i
        parts += [text(left - 6, y + 11, label, "end"),
                  f"<rect x='{left}' y='{y}' width='{axis.at(value) - left:.1f}' height='13' fill='{GREYS[0]}'/>",
                  text(axis.at(value) + 5, y + 11, note)]
    return svg(width, bottom + 22, parts)


def frame(title, x_title, y_title, x, y, width, height):
    parts = [text(0, 16, title, extra="font-weight='bold'"), text((x.a + x.b) / 2, height - 6, x_title, "middle"),
             text(12, (y.a + y.b) / 2, y_title, "middle", f"transform='rotate(-90 12 {(y.a + y.b) / 2:.1f})'")]
    for decade in x.decades():
        parts += [line(x.at(decade), y.a, x.at(decade), y.b), text(x.at(decade), y.a + 15, f"{decade:.0e}", "middle")]
    for decade in y.decades():
        parts += [line(x.a, y.at(decade), x.b, y.at(decade)), text(x.a - 5, y.at(decade) + 4, f"{decade:.0e}", "end")]
    return parts


def scatter(title, x_title, y_title, points, roofs):
    """Numbered dots with a list of their labels; `roofs` are functions of x, drawn as lines."""
    points = [p for p in points if p[1] > 0 and p[2] > 0]
    width, height = 720, 440
    x = Axis([p[1] for p in points], 70, width - 150)
    y = Axis([p[2] for p in points] + [roof(p[1]) for _, roof in roofs for p in points if roof(p[1]) < 1e15], height - 45, 30)
    parts = frame(title, x_title, y_title, x, y, width, height)
    for i, (label, roof) in enumerate(roofs):
        corners = [10 ** (x.low + (x.high - x.low) * j / 40) for j in range(41)]
        inside = [(x.at(c), y.at(roof(c))) for c in corners if 10.0 ** y.low <= roof(c) <= 10.0 ** y.high]
        parts.append("<polyline fill='none' stroke='" + GREYS[i + 1] + "' points='"
                     + " ".join(f"{a:.1f},{b:.1f}" for a, b in inside) + "'/>")
        if inside:
            parts.append(text(inside[-1][0] - 4, inside[-1][1] - 5, label, "end", f"fill='{GREYS[i + 1]}'"))
    for i, (label, px, py) in enumerate(points, 1):
        cx, cy = x.at(px), y.at(py)
        parts += [f"<circle cx='{cx:.1f}' cy='{cy:.1f}' r='3.5' fill='{GREYS[0]}'/>",
                  text(cx + 5, cy - 4 - 9 * (i % 2), i, extra="font-size='9'"),
                  text(width - 130, 26 + 14 * i, f"{i} {label}", extra="font-size='11'")]
    return svg(width, max(height, 40 + 14 * len(points)), parts)


def lines(title, x_title, y_title, named):
    width, height = 720, 380
    every = [p for points in named.values() for p in points]
    x, y = Axis([p[0] for p in every], 70, width - 170), Axis([p[1] for p in every], height - 45, 30)
    parts = frame(title, x_title, y_title, x, y, width, height)
    for i, (label, points) in enumerate(named.items()):
        colour = GREYS[i % len(GREYS)]
        places = [(x.at(a), y.at(b)) for a, b in points]
        parts.append(f"<polyline fill='none' stroke='{colour}' points='" + " ".join(f"{a:.1f},{b:.1f}" for a, b in places) + "'/>")
        parts += [f"<circle cx='{a:.1f}' cy='{b:.1f}' r='2.5' fill='{colour}'/>" for a, b in places]
        parts += [line(width - 160, 40 + 18 * i, width - 140, 40 + 18 * i, colour, 3), text(width - 134, 44 + 18 * i, label)]
    return svg(width, height, parts)


def heat(title, trials):
    """Maps beside each other, one an unrolling. @param trials  rows [threads, samples, unrolling, seconds]"""
    best = min(t[3] for t in trials)
    unrolls, rows, columns = (sorted({t[i] for t in trials}) for i in (2, 0, 1))
    cell, gap = 30, 50
    map_width = cell * len(columns)
    parts = [text(0, 16, title, extra="font-weight='bold'")]
    for u, unroll in enumerate(unrolls):
        left = 45 + u * (map_width + gap)
        parts.append(text(left + map_width / 2, 36, f"unrolled by {unroll}", "middle"))
        for r, threads in enumerate(rows):
            parts.append(text(left - 4, 62 + cell * r, threads, "end"))
        for c, samples in enumerate(columns):
            parts.append(text(left + cell * (c + 0.5), 58 + cell * len(rows), samples, "middle", "font-size='9'"))
        for threads, samples, by, seconds in trials:
            if by == unroll:
                share = best / seconds
                x, y = left + cell * columns.index(samples), 42 + cell * rows.index(threads)
                parts += [f"<rect x='{x}' y='{y}' width='{cell - 1}' height='{cell - 1}' fill='{GREYS[0]}' fill-opacity='{share:.2f}'/>",
                          text(x + cell / 2, y + cell / 2 + 4, f"{100 * share:.0f}", "middle",
                               "font-size='10'" + (" fill='#ffffff'" if share > 0.6 else ""))]
    return svg(45 + len(unrolls) * (map_width + gap), 70 + cell * len(rows), parts)
