#!/usr/bin/env python3
"""Runs one scenario with several coordinators on the same seeds and compares them.

    scripts/coordinators.py waste-cleanup-death --coordinators alliance,muroco,greedy --seeds 100 \\
        --csv death.csv --svg death.svg

    scripts/coordinators.py --from death.csv --svg death.svg       # the same tables and picture again

Every coordinator gets the same seeds, and a seed stands for the same world, the same robots and the same mishaps: runs with the same
seed are compared with each other (common random numbers), so a difference shows with far fewer runs than between strangers.

Printed are two tables in Markdown. The first has one row per coordinator; times are of completed runs, and 95 % intervals are
bootstrapped. The second has the differences to the first coordinator, seed by seed, over the seeds that both completed. An
interval that does not contain 0 is a difference that is not chance. Coordinators that this build does not have are left out with
a word. Build first: make build.
"""

import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from xml.sax.saxutils import escape

from runs import BINARY, COLOURS, GRID, TEXT, run

COLUMNS = ["coordinator", "seed", "completed", "time_s", "progress", "messages", "bytes", "lost_at_work", "taken_over",
           "never_taken_over", "takeover_mean_s", "takeover_max_s", "auctions", "re_auctions", "duplicates", "performance"]
RESAMPLES = 4000


def row(summary):
    radio, losses, market = summary["radio"], summary.get("reallocation", {}), summary.get("auctions", {})
    return {
        "coordinator": summary["coordinator"],
        "seed": summary["seed"],
        "completed": int(summary["completed"]),
        "time_s": summary["time_s"],
        "progress": summary["progress"],
        "messages": radio["messages"],
        "bytes": radio["bytes"],
        "lost_at_work": losses.get("tasks", 0),
        "taken_over": losses.get("reallocated", 0),
        "never_taken_over": losses.get("never", 0),
        "takeover_mean_s": losses.get("mean_s", ""),
        "takeover_max_s": losses.get("max_s", ""),
        "auctions": market.get("auctions", ""),
        "re_auctions": market.get("re_auctions", ""),
        "duplicates": market.get("duplicates", ""),
        "performance": market.get("performance", ""),
    }


def known(binary, wanted):
    """The wanted coordinators that this build has, in the wanted order."""
    listed = subprocess.run([binary, "list", "coordinators", "--json"], capture_output=True, text=True)
    if not listed.stdout:
        sys.exit(listed.stderr)
    names = [entry["name"] for entry in json.loads(listed.stdout)["coordinators"]]
    for name in wanted:
        if name not in names:
            print(f"{name} is left out: this build has {', '.join(names)}", file=sys.stderr)
    found = [name for name in dict.fromkeys(wanted) if name in names]
    return found or sys.exit("none of these coordinators is there")


def measure(args):
    """One row per run, in the order of coordinators and seeds."""
    coordinators = known(args.binary, args.coordinators.split(","))
    todo = [(name, seed) for name in coordinators for seed in range(args.first, args.first + args.seeds)]

    def one(job):
        name, seed = job
        return row(run(args.binary, args.scenario, args.set + [f"team.coordinator={name}"], seed))

    with ThreadPoolExecutor(args.processes) as pool:
        return list(pool.map(one, todo))


def read(path):
    def typed(name, value):
        if name == "coordinator" or value == "":
            return value
        number = float(value)
        return int(number) if number.is_integer() and not name.endswith("_s") else number

    with open(path, newline="") as file:
        return [{name: typed(name, value) for name, value in row.items()} for row in csv.DictReader(file)]


def bootstrap(values, stream):
    """95 % interval of the mean: the middle of the means of random draws from the values."""
    if len(values) < 2:
        return None
    generator = random.Random(stream)
    means = sorted(statistics.fmean(generator.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def interval(bounds, form=".0f"):
    return f"{bounds[0]:{form}} to {bounds[1]:{form}}" if bounds else "-"


def grouped(rows):
    groups = {}
    for entry in rows:
        groups.setdefault(entry["coordinator"], []).append(entry)
    return groups


def takeovers(runs):
    """Mean over all takeovers, the longest one, and how many there were of how many losses at work."""
    known = [r for r in runs if r["takeover_mean_s"] != ""]
    count = sum(r["taken_over"] for r in known)
    mean = sum(r["takeover_mean_s"] * r["taken_over"] for r in known) / count if count else None
    longest = max((r["takeover_max_s"] for r in known), default=None)
    return mean, longest, count, sum(r["lost_at_work"] for r in runs)


def print_table(groups):
    print("| coordinator | completed | mean time | 95 % interval | median | messages per run | bytes per run "
          "| taken over after: mean | longest | taken over |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, runs in groups.items():
        times = [r["time_s"] for r in runs if r["completed"]]
        shown = ["-"] * 3
        if times:
            shown = [f"{statistics.fmean(times):.0f} s", f"{interval(bootstrap(times, name))} s", f"{statistics.median(times):.0f} s"]
        mean, longest, count, lost = takeovers(runs)
        cells = [name, f"{len(times)}/{len(runs)}"] + shown
        cells += [f"{statistics.fmean(r['messages'] for r in runs):.0f}", f"{statistics.fmean(r['bytes'] for r in runs):.0f}"]
        cells += [f"{mean:.1f} s" if mean is not None else "-", f"{longest:.1f} s" if longest is not None else "-"]
        cells += [f"{count} of {lost}" if lost else "-"]
        print(f"| {' | '.join(cells)} |")


def differences(groups):
    """[(coordinator, [its value minus that of the first one, seed by seed])] for times, of the seeds that both completed."""
    (_, base), *others = groups.items()
    ours = {r["seed"]: r for r in base}
    result = []
    for name, runs in others:
        pairs = [(ours[r["seed"]], r) for r in runs if r["seed"] in ours]
        both = [(a, b) for a, b in pairs if a["completed"] and b["completed"]]
        result.append((name, pairs, both))
    return result


def print_differences(groups):
    first = next(iter(groups))
    if len(groups) < 2:
        return
    print(f"\nAgainst {first}, seed by seed (below 0: faster, or less, than {first}):\n")
    print("| coordinator | seeds that both completed | mission time | 95 % interval | faster in | messages per run | 95 % interval |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, pairs, both in differences(groups):
        times = [b["time_s"] - a["time_s"] for a, b in both]
        said = [b["messages"] - a["messages"] for a, b in pairs]
        shown = ["-"] * 3
        if times:
            faster = sum(t < 0 for t in times)
            shown = [f"{statistics.fmean(times):+.0f} s", f"{interval(bootstrap(times, first + name), '+.0f')} s", f"{faster} of {len(times)}"]
        talk = f"{statistics.fmean(said):+.0f} | {interval(bootstrap(said, name + first), '+.0f')}" if said else "- | -"
        print(f"| {name} | {len(both)} of {len(pairs)} | {' | '.join(shown)} | {talk} |")


def ticks(low, high, about=6):
    """Round numbers from 0, or from below `low` if that leaves half of the picture empty, up to at least `high`."""
    low = low if low > high / 2 else 0.0
    raw = (high - low) / about or 1.0
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    return [i * step for i in range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1)]


def quartiles(values):
    values = sorted(values)

    def at(share):
        place = share * (len(values) - 1)
        low = math.floor(place)
        high = min(low + 1, len(values) - 1)
        return values[low] + (place - low) * (values[high] - values[low])

    return at(0.25), at(0.5), at(0.75)


def draw(groups, title):
    """One row per coordinator: every completed run is a dot, with the box of the middle half and the median on top of them."""
    names = list(groups)
    times = {name: [r["time_s"] / 60 for r in runs if r["completed"]] for name, runs in groups.items()}
    if not any(times.values()):
        sys.exit("no run was completed: there is nothing to draw")
    known = [value for values in times.values() for value in values]
    marks = ticks(min(known), max(known))
    left = 30 + 8 * max(len(name) for name in names)
    width, pitch, top = 600, 64, 62
    right, tall = left + width, top + pitch * len(names) + 86

    def x(minutes):
        return left + width * (minutes - marks[0]) / (marks[-1] - marks[0] or 1.0)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + 120} {tall}" width="{right + 120}" height="{tall}" '
           'font-family="Helvetica, Arial, sans-serif">', f'<rect width="{right + 120}" height="{tall}" fill="white"/>']

    def text(at, y, words, anchor="start", colour=TEXT, weight="normal", size=12):
        out.append(f'<text x="{at:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}" '
                   f'font-size="{size}">{escape(words)}</text>')

    def line(x1, y1, x2, y2, colour, thick=1.0):
        out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{thick}"/>')

    bottom = top + pitch * len(names)
    text(16, 28, title, weight="bold", size=16)
    for mark in marks:
        line(x(mark), top, x(mark), bottom, GRID)
        text(x(mark), bottom + 17, f"{mark:g}", "middle")
    line(left, bottom, right, bottom, TEXT)
    text(left + width / 2, bottom + 36, "time until the mission was completed [min]", "middle")
    text(right + 12, top - 8, "completed", size=11)
    for number, name in enumerate(names):
        middle, colour = top + pitch * (number + 0.5), COLOURS[number % len(COLOURS)]
        text(left - 12, middle + 4, name, "end", colour, "bold")
        text(right + 12, middle + 4, f"{len(times[name])}/{len(groups[name])}")
        generator = random.Random(name)
        for value in times[name]:
            # Below the box, and strewn so that equal times do not hide each other; the height means nothing.
            y = middle + 8 + generator.uniform(0, 16)
            out.append(f'<circle cx="{x(value):.1f}" cy="{y:.1f}" r="2.2" fill="{colour}" fill-opacity="0.45"/>')
        if times[name]:
            low, median, high = quartiles(times[name])
            box = middle - 9
            line(x(min(times[name])), box, x(max(times[name])), box, colour, 1.2)
            out.append(f'<rect x="{x(low):.1f}" y="{box - 9:.1f}" width="{max(x(high) - x(low), 1):.1f}" height="18" fill="white" '
                       f'stroke="{colour}" stroke-width="1.6"/>')
            line(x(median), box - 9, x(median), box + 9, colour, 3)
    text(16, tall - 14, "Dots: one completed run each. Box: the middle half, with the median; line: from the fastest to the slowest. "
         "The same seeds for all." + (" The axis does not begin at 0." if marks[0] else ""), size=11)
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", help="a scenario file or name")
    parser.add_argument("--coordinators", default="alliance,muroco,greedy", help="the others are compared with the first one")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--set", action="append", default=[], help="other values, as for `crewlab run --set`")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--from", dest="source", help="compare the runs of this CSV instead of running anything")
    parser.add_argument("--csv", help="write one row per run")
    parser.add_argument("--svg", help="draw mission times")
    parser.add_argument("--title", help="heading of the picture")
    parser.add_argument("--binary", default=BINARY)
    args = parser.parse_args()
    if args.source:
        rows = read(args.source)
    elif args.scenario:
        rows = measure(args)
    else:
        parser.error("give a scenario, or --from a CSV")
    if args.csv:
        with open(args.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    groups = grouped(rows)
    print_table(groups)
    print_differences(groups)
    if args.svg:
        name = os.path.splitext(os.path.basename(args.scenario or args.source))[0]
        with open(args.svg, "w") as file:
            file.write(draw(groups, args.title or f"{name}: mission times by coordinator"))


if __name__ == "__main__":
    main()
