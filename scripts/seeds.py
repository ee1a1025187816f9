#!/usr/bin/env python3
"""Runs scenarios for many seeds and prints how many were completed and how long that took.

    scripts/seeds.py waste-cleanup-death --coordinators alliance,greedy --seeds 100
    scripts/seeds.py janitorial experiments/alliance/figure-12.yaml --seeds 20 --set radio.loss=0.2

Build first: make build.
"""

import argparse
import os
import statistics
from concurrent.futures import ThreadPoolExecutor

from runs import BINARY, run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--coordinators", default="", help="one row for each of these [default: the scenario's own]")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--binary", default=BINARY)
    args = parser.parse_args()
    print("| scenario | coordinator | completed | mean time | median | longest | seeds not completed |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for scenario in args.scenarios:
        for coordinator in args.coordinators.split(","):
            sets = args.set + ([f"team.coordinator={coordinator}"] if coordinator else [])
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                results = list(pool.map(lambda seed: run(args.binary, scenario, sets, seed), range(1, args.seeds + 1)))
            times = [r["time_s"] for r in results if r["completed"]]
            failed = [str(r["seed"]) for r in results if not r["completed"]]
            figures = [statistics.mean(times), statistics.median(times), max(times)] if times else []
            shown = " | ".join(f"{f:.0f} s" for f in figures) or "- | - | -"
            if len(failed) > 10:
                failed = failed[:10] + ["..."]
            name = os.path.splitext(os.path.basename(scenario))[0]
            print(f"| {name} | {results[0]['coordinator']} | {len(times)}/{len(results)} | {shown} | {' '.join(failed)} |")


if __name__ == "__main__":
    main()
