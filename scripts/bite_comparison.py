#!/usr/bin/env python3
"""BITE beside other coordinators on all missions, with faults and bad radio: completed runs, mission time, messages and idle time.

    scripts/bite_comparison.py --seeds 10

A run that is not completed counts with its time limit. Build first: make build.
"""

import argparse
import os
import statistics
from concurrent.futures import ThreadPoolExecutor

from runs import BINARY, run

MISSIONS = ["waste-cleanup", "janitorial", "bounding-overwatch", "service", "box-pushing", "explore-building", "formation"]
COORDINATORS = ["bite", "alliance", "muroco", "cbba", "greedy"]
CONDITIONS = {
    "undisturbed": [],
    "a robot dies": ["disturbances=[{between: [0 s, SPAN s], stop: random}]"],
    "software restarts": ["disturbances=[{between: [0 s, SPAN s], for: 20 s, crash: random}]"],
    "40 % of messages lost": ["radio.loss=40 %"],
    "delay of 1 s": ["radio.delay=1 s"],
}
# Until when something happens to a robot: within the time that the mission takes [s].
SPANS = {"waste-cleanup": 300, "janitorial": 300, "bounding-overwatch": 150, "service": 30, "box-pushing": 30, "explore-building": 80, "formation": 38}
# What the scenarios allow is up to a day; nobody learns anything from waiting longer.
LIMIT = "run.until=40 min"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--missions", default=",".join(MISSIONS))
    parser.add_argument("--conditions", default=";".join(CONDITIONS), help="separated by semicolons")
    parser.add_argument("--binary", default=BINARY)
    args = parser.parse_args()
    seeds = range(1, args.seeds + 1)
    conditions = args.conditions.split(";")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        work = {}
        for mission in args.missions.split(","):
            for condition in conditions:
                sets = [change.replace("SPAN", str(SPANS[mission])) for change in CONDITIONS[condition]]
                for coordinator in COORDINATORS:
                    changes = [f"team.coordinator={coordinator}", LIMIT, *sets]
                    work[mission, condition, coordinator] = [
                        pool.submit(run, args.binary, mission, changes, seed) for seed in seeds
                    ]
        runs = {key: [future.result() for future in futures] for key, futures in work.items()}

    def table(title, cell):
        print(f"\n{title}\n")
        print("| mission | condition | " + " | ".join(COORDINATORS) + " |")
        print("| --- | --- | " + " | ".join("---" for _ in COORDINATORS) + " |")
        for mission in args.missions.split(","):
            for condition in conditions:
                cells = [cell(runs[mission, condition, coordinator]) for coordinator in COORDINATORS]
                print(f"| {mission} | {condition} | " + " | ".join(cells) + " |")

    def time(found):
        done = sum(one["completed"] for one in found)
        mean = statistics.mean(one["time_s"] if one["completed"] else 2400 for one in found)
        return f"{mean:.0f} s" if done == len(found) else f"{mean:.0f} s ({done}/{len(found)})"

    def messages(found):
        # A broadcast to n others is n messages; here it is one.
        rates = [one["messages"]["broadcasts"] + one["messages"]["unicasts"] for one in found]
        robots = [len(one["team"]) * one["time_s"] / 60 for one in found]
        return f"{statistics.mean(rate / minutes for rate, minutes in zip(rates, robots)):.0f}"

    def idle(found):
        shares = [one["teamwork"]["idle_share"] for one in found if one["teamwork"]["idle_share"] is not None]
        return f"{100 * statistics.mean(shares):.0f} %" if shares else "-"

    table("Mission time, and completed runs if not all", time)
    table("Messages per robot and minute", messages)
    table("Idle share", idle)


if __name__ == "__main__":
    main()
