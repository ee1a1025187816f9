#!/usr/bin/env python3
"""How many seeds complete where teams once did not finish, as in docs/campaign.md: a row per setting and coordinator.

    scripts/finishing.py --seeds 100

Build first: make build.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import tempfile

from runs import BINARY


def team(robots):
    return [{"name": "w0", "type": "cleaner", "side-range": True}, {"name": "w", "type": "cleaner", "count": robots - 1}]


def squad(scouts, guards):
    return [{"name": "s", "type": "scout", "count": scouts}, {"name": "g", "type": "guard", "count": guards}]


def stops(robot):
    there = f"robots.{robot}.x > 9 && abs(robots.{robot}.y - 4) < 0.7 && time > 200"
    return {"when": there, "stop": robot}


def disturbed(*entries):
    return {"disturb": list(entries)}


def noise(robot_type, parts, share):
    return {f"robot-types.{robot_type}.{part}.relative-noise": share for part in parts}


CRATE = {"name": "crate", "rectangle": ["0.4 m", "1.0 m"], "at": ["9.2 m", "4 m"]}
SENSES = [f"sensors.{sensor}" for sensor in ("range-scanner", "low-proximity", "high-proximity", "microphones", "dust")]
TOOLS = [f"effectors.{effector}" for effector in ("drive", "dumper", "duster-arm", "vacuum")]
PLACE = ["sensors.position", "sensors.compass"]
EXACT = {f"robot-types.janitor.{sensor}.absolute-noise": 0 for sensor in PLACE}

# Words, scenario, coordinators, changes, and the share of the seeds that are run.
SETTINGS = [
    ("a crate in the deposit", "waste-cleanup", ["alliance"], disturbed({"at": "2 min", "object-added": CRATE}), 1),
    ("gold and green walled in", "waste-cleanup", ["alliance"], disturbed({"at": "2 min", "trap": "gold"}, {"at": "2 min", "trap": "green"}), 1),
    ("two robots stop in the deposit", "waste-cleanup", ["alliance"], disturbed(stops("gold"), stops("green")), 1),
    ("two deaths", "waste-cleanup", ["alliance"], disturbed("two-deaths"), 1),
    ("20 robots", "waste-cleanup", ["alliance", "greedy"], {"team.robots": team(20)}, 1),
    ("30 robots", "waste-cleanup", ["alliance", "greedy"], {"team.robots": team(30)}, 1),
    ("a deposit with a radius of 0.4 m", "waste-cleanup", ["alliance"], {"parameters.deposit-radius": "0.4 m"}, 1),
    ("a room of 60 m x 80 m", "waste-cleanup", ["alliance"], {"world.size": ["60 m", "80 m"], "run.until": "24 h"}, 0.2),
    ("the deposit is moved", "waste-cleanup", ["alliance"], disturbed({"at": "5 min", "area-moved": {"area": "deposit", "to": ["6 m", "1.5 m"]}}), 1),
    ("a spill is moved", "waste-cleanup", ["alliance"], disturbed({"at": "10 s", "area-moved": {"area": "top spill", "to": ["7 m", "6.5 m"]}}), 1),
    ("two pieces of waste are away for 80 s", "waste-cleanup", ["alliance"], disturbed({"at": "4 min", "for": "80 s", "items-removed": {"item": "waste", "count": 2}}), 1),
    ("a tick of 500 ms", "waste-cleanup", ["alliance"], {"run.tick": "500 ms"}, 1),
    ("20 % noise of position and compass, taken literally", "waste-cleanup", ["alliance"], noise("cleaner", PLACE, 0.2), 1),
    ("15 robots", "bounding-overwatch", ["alliance", "greedy"], {"team.robots": squad(8, 7)}, 1),
    ("16 robots", "bounding-overwatch", ["alliance", "greedy"], {"team.robots": squad(8, 8)}, 1),
    ("a robot is walled in", "bounding-overwatch", ["alliance"], disturbed({"at": "30 s", "trap": "r3"}), 1),
    ("a tick of 20 ms", "janitorial", ["alliance"], {"run.tick": "20 ms"}, 1),
    ("a tick of 10 ms", "janitorial", ["alliance"], {"run.tick": "10 ms"}, 0.5),
    ("25 % noise", "janitorial", ["alliance"], noise("janitor", SENSES + TOOLS, 0.25), 1),
    ("20 % noise of position and compass, taken literally", "janitorial", ["alliance"], {**noise("janitor", PLACE, 0.2), **EXACT}, 1),
    ("a radio delay of 2 s", "service", ["muroco"], {"radio.delay": "2 s"}, 1),
    ("a clock is 90 % slow", "service", ["muroco"], disturbed({"at": "10 s", "clock": {"robot": "random", "drift": "-90 %"}}), 1),
]


def runs(binary, scenario, coordinators, changes, seeds):
    """The rows of a sweep, whose folder is deleted."""
    sets = {key: value for key, value in changes.items() if key != "disturb"}
    plan = {"crewlab": 1, "scenario": scenario, "seeds": seeds, "set": sets, "disturb": changes.get("disturb", [])}
    plan["factors"] = {"team.coordinator": coordinators}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sweep.yaml")
        with open(path, "w") as file:
            json.dump(plan, file)
        out = os.path.join(folder, "results")
        subprocess.run([binary, "sweep", path, "--out", out, "--quiet"], check=True)
        with open(os.path.join(out, "runs.csv")) as file:
            return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--binary", default=BINARY)
    options = parser.parse_args()
    print("| mission | setting | coordinator | completed | median time |\n| --- | --- | --- | --- | --- |")
    for words, scenario, coordinators, changes, share in SETTINGS:
        rows = runs(options.binary, scenario, coordinators, changes, max(1, round(share * options.seeds)))
        for coordinator in coordinators:
            mine = [row for row in rows if row["team.coordinator"] == coordinator]
            done = sum(float(row["completed"]) for row in mine)
            time = statistics.median(float(row["time_s"]) for row in mine)
            print(f"| {scenario} | {words} | {coordinator} | {done:.0f} of {len(mine)} | {time:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
