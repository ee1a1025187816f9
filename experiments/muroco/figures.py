#!/usr/bin/env python3
"""Draws figures 3.4 and 3.8 of the MuRoCo thesis with what Crewlab counts and measures.

    make build && experiments/muroco/figures.py [--out DIR]

Writes figure-3.4.svg (operations and messages against the number of robots, `crewlab bench allocation --operations`) and
figure-3.8.svg (time to assign one task, `crewlab bench allocation`), and the numbers next to them as JSON.
"""

import argparse
import json
import math
import os
import subprocess
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.path.join(HERE, "..", "..", "target", "release", "crewlab")
# Distinguishable with any colour vision, and in print by brightness.
COLOURS = ["#0060a8", "#d05a00", "#5a8f29", "#8a3fa0", "#555555", "#b0862a", "#111111"]
TEXT, GRID = "#222222", "#dddddd"
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, KEY = 560, 360, 64, 48, 44, 190


def power(exponent):
    return f'10<tspan dy="-4" font-size="9">{exponent}</tspan>'


def panel(x0, title, xlabel, ylabel, curves):
    """Curves [(name, [(x, y)], dashed)] on a logarithmic scale."""
    points = [point for _, curve, _ in curves for point in curve]
    low = math.floor(math.log10(min(y for _, y in points)))
    high = math.ceil(math.log10(max(y for _, y in points)))
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    right, bottom = x0 + WIDTH - KEY, HEIGHT - BOTTOM

    def at(x, y):
        across = x0 + LEFT + (x - first) / (last - first) * (right - x0 - LEFT)
        return across, bottom - (math.log10(y) - low) / (high - low) * (bottom - TOP)

    out = [f'<text x="{x0 + LEFT}" y="24" font-size="14" font-weight="600">{escape(title)}</text>']
    step = max(1, (high - low) // 7)
    for exponent in range(low, high + 1, step):
        _, y = at(first, 10.0**exponent)
        out.append(f'<line x1="{x0 + LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
        out.append(f'<text x="{x0 + LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{power(exponent)}</text>')
    for x in range(math.ceil(first), math.floor(last) + 1, 2):
        out.append(f'<text x="{at(x, 10.0**low)[0]:.1f}" y="{bottom + 16}" text-anchor="middle">{x}</text>')
    out.append(f'<text x="{(x0 + LEFT + right) / 2:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(xlabel)}</text>')
    out.append(f'<text x="{x0 + LEFT}" y="{TOP - 8}" fill="{TEXT}">{escape(ylabel)}</text>')
    for number, (name, curve, dashed) in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in curve))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
        y = TOP + 8 + 20 * number
        out.append(f'<line x1="{right + 12}" x2="{right + 34}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="1.8"{dash}/>')
        out.append(f'<text x="{right + 40}" y="{y + 4}">{escape(name)}</text>')
    return "\n".join(out)


def picture(path, panels):
    width = WIDTH * len(panels)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}"'
    head += f' font-family="sans-serif" font-size="12" fill="{TEXT}">\n<rect width="100%" height="100%" fill="white"/>\n'
    drawn = "\n".join(panel(number * WIDTH, *parts) for number, parts in enumerate(panels))
    with open(path, "w") as file:
        file.write(f"{head}{drawn}\n</svg>\n")


def crewlab(*args):
    return json.loads(subprocess.run([BINARY, *args], check=True, capture_output=True).stdout)


def curve(rows, key):
    return [(row["robots"], row[key]) for row in rows]


def figure_3_4(out):
    rows = crewlab("bench", "allocation", "--operations", "--json")
    with open(os.path.join(out, "figure-3.4.json"), "w") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")
    counted = [
        ("exhaustive, counted", curve(rows, "exhaustive"), False),
        ("its share per robot", curve(rows, "exhaustive_shared"), False),
        ("matching, counted", curve(rows, "matching"), False),
    ]
    bounds = [
        ("|R|!  ASyMTRe", curve(rows, "factorial"), True),
        ("2^R R³  MuRoCo", curve(rows, "central"), True),
        ("2^R R²  MuRoCo-D", curve(rows, "distributed"), True),
        ("R^k, k = R/2", curve(rows, "limited"), True),
    ]
    messages = [
        ("SR: 4R", curve(rows, "messages_single"), False),
        ("MuRoCo: R² + 3R", curve(rows, "messages_central"), False),
        ("MuRoCo-D: 3R² + 3R", curve(rows, "messages_distributed"), False),
    ]
    picture(
        os.path.join(out, "figure-3.4.svg"),
        [
            ("(a) computation", "robots", "operations", bounds + counted),
            ("(b) communication", "robots", "messages", messages),
        ],
    )


def figure_3_8(out):
    answer = crewlab("bench", "allocation", "--json")
    with open(os.path.join(out, "figure-3.8.json"), "w") as file:
        json.dump(answer, file, indent=1)
        file.write("\n")
    rows = [row for row in answer["figure_3_8"] if row["robots"] == row["capable"]]
    names = [("exhaustive", "exhaustive_us"), ("matching", "matching_us")]
    names += [("branch and bound", "branch_and_bound_us"), ("joint", "joint_us")]
    curves = [(name, [(r["robots"], r[key] * 1e-6) for r in rows], False) for name, key in names]
    thesis = ("thesis: 80 s at 6", [(5.9, 80.0), (6.1, 80.0)], False)
    title = "Time to assign one task, all robots capable"
    picture(os.path.join(out, "figure-3.8.svg"), [(title, "robots", "seconds", curves + [thesis])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=HERE, metavar="DIR", help="where to write [default: next to this script]")
    parser.add_argument("--only", choices=["3.4", "3.8"], help="draw one of them")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    if args.only != "3.8":
        figure_3_4(args.out)
    if args.only != "3.4":
        figure_3_8(args.out)


if __name__ == "__main__":
    main()
