#!/usr/bin/env python3
"""Tables 3 to 5 of BITE: how long the robots of the formation mission take to agree, by group of protocols, with 95 % intervals.

    scripts/formation_tables.py --seeds 100

Build first: make build.
"""

import argparse
import math
import os
import statistics
from concurrent.futures import ThreadPoolExecutor

from runs import BINARY, run

# Table 2: the protocols at A (after standing up), B (after the triangle), D (allocates the triangle), C (after the line) and E
# (allocates the line). Groups 8 and 9 begin with the line.
GROUPS = {
    1: (1, 1, 2, 1, 2),
    2: (1, 9, 2, 1, 2),
    3: (1, 1, 3, 1, 6),
    4: (5, 1, 2, 1, 2),
    5: (8, 9, 3, 1, 2),
    6: (1, 7, 3, 4, 6),
    7: (5, 1, 2, 5, 2),
    8: (1, 1, 2, 9, 2),
    9: (9, 1, 2, 9, 2),
}
POINTS = {
    "A": ("stand-up", "decide"),
    "B": ("walk", "decide"),
    "D": ("walk", "allocate"),
    "C": ("line", "decide"),
    "E": ("line", "allocate"),
}
# Table 5: groups with allocation by radio only, with decisions by radio only, and with both.
KINDS = {"only allocation": [3], "only synchronisation": [2, 4, 7], "both": [5, 6]}


def sets(group):
    a, b, d, c, e = (f"sf{number}" for number in GROUPS[group])
    points = f"stand-up: {{decide: {a}}}, walk: {{decide: {b}, allocate: {d}}}, line: {{decide: {c}, allocate: {e}}}"
    changes = [f"team.bite.points={{{points}}}", "parameters.hold=0 m"]
    if group == 6:
        changes.append("team.bite.protocols.repeats=4")
    if group > 7:
        changes.append("team.bite.graph.nodes.stand-up.next=[line-up, search]")
    return changes


def mean(values, digits=0):
    """The mean with the half width of its interval (normal)."""
    if not values:
        return "-"
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.{digits}f} ± {half:.{digits}f}"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(*cells):
    row(*cells)
    row(*("---" for _ in cells))


def measure(summary, name):
    return next(m["value"] for m in summary["measures"] if m["name"] == name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--set", action="append", default=[], help="a further change, e.g. radio.delay=\"100 ms\"")
    parser.add_argument("--binary", default=BINARY)
    args = parser.parse_args()
    seeds = range(1, args.seeds + 1)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        work = {g: [pool.submit(run, args.binary, "formation", sets(g) + args.set, seed) for seed in seeds] for g in GROUPS}
        runs = {group: [future.result() for future in futures] for group, futures in work.items()}

    print("Time per use of each point [ms] (table 3)\n")
    head("group", *POINTS, "decisions", "allocations")
    by_protocol, totals = {}, {}
    for group, summaries in runs.items():
        cells = []
        for name, place in zip(POINTS, GROUPS[group]):
            uses = [p for s in summaries for p in s["interactions"]["points"] if (p["behaviour"], p["kind"]) == POINTS[name]]
            times = [1000 * p["mean_s"] for p in uses if p["mean_s"] is not None]
            cells.append(mean(times))
            by_protocol.setdefault(f"SF{place}", []).extend(times)
        count = lambda kind: sum(p["uses"] for s in summaries for p in s["interactions"]["points"] if p["kind"] == kind) / len(summaries)
        row(group, *cells, f"{count('decide'):.1f}", f"{count('allocate'):.1f}")

    print("\nPer run [ms] (table 4)\n")
    head("group", "synchronisation", "allocation", "interaction", "total", "completed", "mix-ups per walk", "splits")
    for group, summaries in runs.items():
        sync = [1000 * s["interactions"]["synchronisation_s"] for s in summaries]
        alloc = [1000 * s["interactions"]["allocation_s"] for s in summaries]
        both = [one + other for one, other in zip(sync, alloc)]
        total = [1000 * measure(s, "total_s") for s in summaries if s["completed"]]
        totals[group] = (statistics.mean(both), statistics.mean(total) if total else math.nan)
        walks = sum(measure(s, "walks") for s in summaries)
        mixed = sum(measure(s, "mix_ups") for s in summaries)
        done = sum(s["completed"] for s in summaries)
        share = f"{100 * mixed / walks:.0f} %" if walks else "-"
        splits = sum(s["interactions"]["splits"] for s in summaries)
        row(group, mean(sync), mean(alloc), mean(both), mean(total), f"{done}/{len(summaries)}", share, splits)

    print("\nMeans of groups [ms] (table 5)\n")
    head("radio is used for", "interaction", "total")
    for kind, groups in KINDS.items():
        means = [statistics.mean(totals[group][place] for group in groups) for place in (0, 1)]
        row(kind, *(f"{value:.0f}" for value in means))

    print("\nTime per use by protocol [ms]\n")
    head("protocol", "time", "samples")
    for protocol, times in sorted(by_protocol.items(), key=lambda item: (statistics.mean(item[1]) if item[1] else 0.0, item[0])):
        row(protocol, mean(times), len(times))


if __name__ == "__main__":
    main()
