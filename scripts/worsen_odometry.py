#!/usr/bin/env python3
"""Writes a copy of a recorded log (docs/maps.md) with worse odometry: errors that accumulate are added to every motion.

    zcat log.csv.gz > log.csv
    scripts/worsen_odometry.py log.csv worse.csv --seed 2 --turn-per-turn 0.1 --turn-per-way 0.05

--reference takes the motions of the reference instead of those of odometry. The same options give the same file.
"""

import argparse
import math
import random


def wrap(angle):
    return (angle + math.pi) % (2 * math.pi) - math.pi


def worsened(pose, before, after, noise, options):
    """The pose after a motion from `before` to `after`, with errors, if the robot was believed to be at `pose`."""
    dx, dy = after[0] - before[0], after[1] - before[1]
    way, turn = math.hypot(dx, dy), wrap(after[2] - before[2])
    cos, sin = math.cos(before[2]), math.sin(before[2])
    ahead, left = cos * dx + sin * dy, -sin * dx + cos * dy

    def veer():
        return noise.gauss(0, options.turn_per_way) * way**0.5 / 2**0.5 + options.curl * way / 2

    stretch = (1 + options.scale) * (1 + options.way_per_way * noise.gauss(0, 1))
    first = veer()
    ahead = ahead * stretch + options.way_per_turn * abs(turn) * noise.gauss(0, 1)
    left *= stretch
    cos, sin = math.cos(pose[2] + first), math.sin(pose[2] + first)
    turned = turn * (1 + options.turn_per_turn * noise.gauss(0, 1))
    heading = wrap(pose[2] + first + turned + veer())
    return [pose[0] + cos * ahead - sin * left, pose[1] + sin * ahead + cos * left, heading]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    parser.add_argument("out")
    parser.add_argument("--reference", action="store_true", help="motions of the reference instead of odometry's")
    parser.add_argument("--seed", type=int, default=1)
    for name, meaning in [
        ("turn-per-turn", "noise of a turn, as a share"),
        ("turn-per-way", "noise of the heading [rad per root of a metre]"),
        ("way-per-way", "noise of the way, as a share"),
        ("way-per-turn", "noise of the way [m/rad]"),
        ("scale", "what every way is too long, as a share"),
        ("curl", "what every way turns too much [rad/m]"),
    ]:
        parser.add_argument("--" + name, type=float, default=0.0, help=meaning)
    options = parser.parse_args()
    noise = random.Random(options.seed)
    with open(options.log) as log, open(options.out, "w") as out:
        header = log.readline()
        while header.startswith("#"):
            out.write(header)
            header = log.readline()
        out.write(header)
        names = header.strip().split(",")
        odometry = names.index("odom_x")
        source = names.index("ref_x") if options.reference else odometry
        before = pose = None
        for line in log:
            cells = line.rstrip("\n").split(",")
            after = [float(cell) for cell in cells[source : source + 3]]
            pose = after if before is None else worsened(pose, before, after, noise, options)
            before = after
            cells[odometry : odometry + 3] = [f"{value:.5f}" for value in pose]
            out.write(",".join(cells) + "\n")


if __name__ == "__main__":
    main()
