#!/usr/bin/env python3
"""Runs a scenario over the levels of one key, for several coordinators and many seeds, and draws how the team degrades.

    scripts/degradation.py experiments/radio/waste-cleanup-loss.yaml --key radio.loss --unit % --levels 0,20,40,60,80,90,100 \\
        --coordinators alliance,greedy --seeds 20 --label "messages lost" --csv loss.csv --svg loss.svg

    scripts/degradation.py --from loss.csv --unit % --label "messages lost" --svg loss.svg       # draws it again

Left panel: the share of runs that were completed, with Wilson's 95 % interval. Right panel: the mean time of the completed
runs with its 95 % interval; a run that was not completed ends at the scenario's time limit, so its time is unknown: it is
left out, and means that lack runs are hollow. Build first: make build.
"""

import argparse
import csv
import math
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from xml.sax.saxutils import escape

from runs import BINARY, COLOURS, GRID, TEXT, run

COLUMNS = ["level", "coordinator", "seed", "completed", "time_s", "delivery_ratio", "broadcasts", "bytes"]
# 97.5 % points of Student's t by degrees of freedom.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
           2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def measure(args):
    """One row per run, in the order of levels, coordinators and seeds."""
    todo = [(level, coordinator, seed)
            for level in args.levels.split(",")
            for coordinator in args.coordinators.split(",")
            for seed in range(1, args.seeds + 1)]

    def one(job):
        level, coordinator, seed = job
        sets = args.set + [f"{args.key}={level} {args.unit}".strip()]
        summary = run(args.binary, args.scenario, sets + ([f"team.coordinator={coordinator}"] if coordinator else []), seed)
        messages = summary["messages"]
        settled = messages["delivered"] + messages["lost"]
        return {
            "level": level,
            "coordinator": summary["coordinator"],
            "seed": seed,
            "completed": int(summary["completed"]),
            "time_s": summary["time_s"],
            "delivery_ratio": f"{messages['delivered'] / settled:.4f}" if settled else "",
            "broadcasts": messages["broadcasts"],
            "bytes": messages["bytes"],
        }

    with ThreadPoolExecutor(args.processes) as pool:
        return list(pool.map(one, todo))


def wilson(successes, count):
    """Wilson's 95 % interval of a share."""
    z, share = 1.959964, successes / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(values):
    """Mean and the half width of its 95 % interval; 0 if there is but one value."""
    mean = statistics.mean(values)
    if len(values) < 2:
        return mean, 0.0
    factor = STUDENT[len(values) - 2] if len(values) - 2 < len(STUDENT) else 1.96
    return mean, factor * statistics.stdev(values) / math.sqrt(len(values))


def figures(rows):
    """{coordinator: [(level, completed, runs, low, high, mean time, half width, mean delivery)]}, levels rising."""
    groups = {}
    for row in rows:
        groups.setdefault(row["coordinator"], {}).setdefault(float(row["level"]), []).append(row)
    table = {}
    for coordinator, levels in groups.items():
        for level, runs in sorted(levels.items()):
            times = [float(r["time_s"]) for r in runs if int(r["completed"])]
            mean, half = mean_interval(times) if times else (None, None)
            heard = [float(r["delivery_ratio"]) for r in runs if r["delivery_ratio"] != ""]
            low, high = wilson(len(times), len(runs))
            line = (level, len(times), len(runs), low, high, mean, half, statistics.mean(heard) if heard else None)
            table.setdefault(coordinator, []).append(line)
    return table


def print_table(table, unit):
    print("| level | coordinator | completed | 95 % interval | mean time of these | delivered |")
    print("| --- | --- | --- | --- | --- | --- |")
    for level in sorted({line[0] for lines in table.values() for line in lines}):
        for coordinator, lines in table.items():
            for at, completed, runs, low, high, mean, half, heard in lines:
                if at == level:
                    time = f"{mean:.0f} ± {half:.0f} s" if mean is not None else "-"
                    delivered = f"{100 * heard:.1f} %" if heard is not None else "-"
                    shown = f"{level:g} {unit}".strip()
                    print(f"| {shown} | {coordinator} | {completed}/{runs} | {100 * low:.0f} to {100 * high:.0f} % | {time} | {delivered} |")


def ticks(low, high, about=5):
    """Round numbers from low to high."""
    raw = (high - low) / about or 1.0
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def spread(places, gap, low, high):
    """Moves places apart so that none are nearer than the gap, as little as possible and within bounds."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    result = list(places)
    for _ in range(200):
        for a, b in zip(order, order[1:]):
            lack = gap - (result[b] - result[a])
            if lack > 1e-6:
                result[a] -= lack / 2
                result[b] += lack / 2
        result = [min(max(r, low), high) for r in result]
    return result


class Panel:
    """One diagram: axes, lines with intervals, and the lines' names at their ends."""

    def __init__(self, left, top, width, height, levels, ys, title):
        self.box = (left, top, width, height)
        self.levels, self.xs = levels, (levels[0], levels[-1])
        self.ys, self.title, self.out = ys, title, []

    def x(self, value):
        left, _, width, _ = self.box
        low, high = self.xs
        return left + 14 + (width - 28) * (value - low) / (high - low)

    def y(self, value):
        _, top, _, height = self.box
        low, high = self.ys
        return top + height - height * (value - low) / (high - low)

    def text(self, x, y, words, anchor="start", colour=TEXT, weight="normal", size=12):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}" '
                        f'font-size="{size}">{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, colour, width=1.0):
        self.out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>')

    def axes(self, label, x_ticks, y_ticks, y_format):
        left, top, width, height = self.box
        self.text(left, top - 14, self.title, weight="bold", size=13)
        for value in y_ticks:
            self.line(left, self.y(value), left + width, self.y(value), GRID)
            self.text(left - 6, self.y(value) + 4, y_format(value), "end")
        for value in x_ticks:
            self.line(self.x(value), top + height, self.x(value), top + height + 4, TEXT)
            self.text(self.x(value), top + height + 17, f"{value:g}", "middle")
        self.line(left, top + height, left + width, top + height, TEXT)
        self.text(left + width / 2, top + height + 36, label, "middle")

    def curves(self, curves):
        """[(name, colour, [(level, value, low, high, hollow)])]"""
        left, top, width, height = self.box
        ends = []
        for number, (name, colour, points) in enumerate(curves):
            if not points:
                continue
            # Side by side, so that equal values do not hide each other.
            aside = 3.5 * (number - (len(curves) - 1) / 2)
            placed = [(self.x(level) + aside, self.y(value), self.y(low), self.y(high), hollow)
                      for level, value, low, high, hollow in points]
            # No line over levels that have no value.
            order = {level: place for place, level in enumerate(self.levels)}
            for one, two, a, b in zip(points, points[1:], placed, placed[1:]):
                if order[two[0]] == order[one[0]] + 1:
                    self.line(a[0], a[1], b[0], b[1], colour, 2)
            for x, y, low, high, hollow in placed:
                self.line(x, low, x, high, colour, 1.2)
                fill = "white" if hollow else colour
                self.out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{fill}" stroke="{colour}" stroke-width="1.6"/>')
            ends.append((name, colour, placed[-1][0], placed[-1][1]))
        heights = spread([y for *_, y in ends], 16, top + 2, top + height - 2)
        for (name, colour, x, y), shown in zip(ends, heights):
            label = left + width + 8
            self.line(x + 5, y, label - 3, shown, colour, 0.8)
            self.text(label, shown + 4, name, colour=colour, weight="bold")


def draw(table, args, limit):
    names = list(table)
    levels = sorted({line[0] for lines in table.values() for line in lines})
    if len(levels) < 2:
        sys.exit("a curve needs two levels or more")
    span = (levels[0], levels[-1])
    label = (args.label or args.key or "level") + (f" [{args.unit}]" if args.unit else "")
    shares, times = [], []
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        shares.append((name, colour, [(l[0], 100 * l[1] / l[2], 100 * l[3], 100 * l[4], False) for l in table[name]]))
        times.append((name, colour, [(l[0], l[5] / 60, (l[5] - l[6]) / 60, (l[5] + l[6]) / 60, l[1] < l[2])
                                     for l in table[name] if l[5] is not None]))
    top = max((high for _, _, points in times for *_, high, _ in points), default=1.0)
    marks = ticks(0, top)
    if marks[-1] < top:
        marks.append(2 * marks[-1] - marks[-2])
        top = marks[-1]
    room = 24 + 7 * max(len(name) for name in names)
    width, height = 330, 250
    # What the axes' ends are is in the ticks, so all levels are shown where there is room for them.
    x_ticks = levels if len(levels) <= 8 and min(b - a for a, b in zip(levels, levels[1:])) > (span[1] - span[0]) / 14 else ticks(*span)
    left = Panel(60, 84, width, height, levels, (0, 100), "Runs completed [%]")
    left.axes(label, x_ticks, [0, 20, 40, 60, 80, 100], lambda v: f"{v:g}")
    left.curves(shares)
    right = Panel(60 + width + room + 60, 84, width, height, levels, (0, top), "Time of the completed runs [min]")
    right.axes(label, x_ticks, marks, lambda v: f"{v:g}")
    right.curves(times)
    runs = min(l[2] for lines in table.values() for l in lines)
    notes = [f"{runs} seeds per point; bars are 95 % intervals (Wilson; Student's t of the mean)."]
    if any(l[1] < l[2] for lines in table.values() for l in lines):
        notes.append(f"Runs not completed were stopped at the time limit ({limit / 60:g} min). Their time is unknown and not in the mean: hollow points "
                     "are too low, and levels without any completed run have none.")
    whole, tall = 60 + 2 * width + 2 * room + 60, 84 + height + 64 + 16 * len(notes)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {tall}" width="{whole}" height="{tall}" '
             'font-family="Helvetica, Arial, sans-serif">', f'<rect width="{whole}" height="{tall}" fill="white"/>']
    head = Panel(0, 0, 0, 0, (0, 1), (0, 1), "")
    head.text(16, 28, args.title or label, weight="bold", size=16)
    for number, note in enumerate(notes):
        head.text(16, tall - 14 - 16 * (len(notes) - 1 - number), note, size=11)
    return "\n".join(parts + head.out + left.out + right.out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", help="a scenario file or name")
    parser.add_argument("--key", default="", help="what is varied, as for `crewlab run --set`")
    parser.add_argument("--levels", default="", help="its values, with commas in between")
    parser.add_argument("--unit", default="", help="unit of the levels, such as %% or dB")
    parser.add_argument("--coordinators", default="", help="the scenario's own without it")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--set", action="append", default=[], help="other values, as for `crewlab run --set`")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--from", dest="source", help="draw this CSV instead of running anything")
    parser.add_argument("--csv", help="write one row per run")
    parser.add_argument("--svg", help="draw the curves")
    parser.add_argument("--label", help="what the levels are, for the axis")
    parser.add_argument("--title", help="heading of the picture")
    parser.add_argument("--binary", default=BINARY)
    args = parser.parse_args()
    if args.source:
        with open(args.source, newline="") as file:
            rows = list(csv.DictReader(file))
    elif args.scenario and args.key and args.levels:
        rows = measure(args)
    else:
        parser.error("give a scenario with --key and --levels, or --from a CSV")
    if args.csv:
        with open(args.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    table = figures(rows)
    print_table(table, args.unit)
    if args.svg:
        # Whoever does not finish stops at the limit.
        limit = max((float(r["time_s"]) for r in rows if not int(r["completed"])), default=None)
        with open(args.svg, "w") as file:
            file.write(draw(table, args, limit))


if __name__ == "__main__":
    main()
