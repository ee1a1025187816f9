#!/usr/bin/env python3
"""The diffusion workload on IR-SIM and on Crewlab, on one arena and in one go: bench_irsim.py [ROBOTS].

Both simulate the same robots with the same sensor and the same controller for ticks of 0.1 s on one core. Prints
robot-ticks per second of both and their ratio. The machine may be noisy: only the ratio means something.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import yaml

CREWLAB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "target", "release", "crewlab")
BEAMS = 24
REACH = 0.1
WHEEL_SPEED, WHEEL_BASE = 0.05, 0.14


def irsim_world(arena):
    """The arena in IR-SIM's format."""
    side, radius = arena["L"], arena["robot_radius"]
    lidar = {
        "type": "lidar2d",
        "range_min": 0,
        "range_max": radius + REACH,
        "angle_range": 2 * math.pi * (BEAMS - 1) / BEAMS,
        "number": BEAMS,
        "noise": False,
    }
    robot = {
        "kinematics": {"name": "diff"},
        "shape": {"name": "circle", "radius": radius},
        "vel_max": [1, 3],
        "vel_min": [-1, -3],
        "sensors": [lidar],
    }
    half = side / 2
    walls = [(0, half, side, 0.1), (0, -half, side, 0.1), (half, 0, 0.1, side), (-half, 0, 0.1, side)]
    obstacles = [
        {"shape": {"name": "rectangle", "length": w, "width": h}, "state": [x, y, 0]} for x, y, w, h in walls
    ]
    box = {"name": "rectangle", "length": arena["box_size"], "width": arena["box_size"]}
    obstacles += [{"shape": box, "state": place} for place in arena["boxes"]]
    return {
        "world": {
            "width": side + 4,
            "height": side + 4,
            "offset": [-half - 2, -half - 2],
            "step_time": 0.1,
            "sample_time": 0.1,
            "collision_mode": "stop",
            "control_mode": "auto",
        },
        "robot": [dict(robot, state=place) for place in arena["robots"]],
        "obstacle": obstacles,
    }


def controller(robots, radius):
    """Wheel speeds from beams, for all robots at once, as IR-SIM expects them."""
    angles = robots[0].lidar.angle_list
    distance = np.array([robot.lidar.range_data for robot in robots]) - radius
    reading = np.where(distance < 0.009889556, 1.0, 0.0100527 / (np.maximum(distance, 0) + 0.000163144))
    reading[distance >= 0.0999] = 0
    x, y = (reading * np.cos(angles)).mean(-1), (reading * np.sin(angles)).mean(-1)
    angle, length = np.arctan2(y, x), np.hypot(x, y)
    straight = (np.abs(angle) <= math.radians(7.5)) & (length < 0.1)
    left = np.where(straight | (angle > 0), WHEEL_SPEED, 0.0)
    right = np.where(straight | (angle <= 0), WHEEL_SPEED, 0.0)
    return [np.array([[(l + r) / 2], [(r - l) / WHEEL_BASE]]) for l, r in zip(left, right)]


def measure_irsim(arena, ticks):
    import matplotlib

    matplotlib.use("Agg")
    import irsim

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "world.yaml")
        with open(path, "w") as file:
            yaml.safe_dump(irsim_world(arena), file)
        env = irsim.make(path, headless=True, log_level="ERROR")
    ids = list(range(len(env.robot_list)))

    def step():
        env.step(controller(env.robot_list, arena["robot_radius"]), ids)

    for _ in range(3):
        step()
    start = time.perf_counter()
    for _ in range(ticks):
        step()
    return ticks * len(ids) / (time.perf_counter() - start)


def measure_crewlab(path):
    command = [CREWLAB, "bench", "world", "--arena", path, "--threads", "1", "--seconds", "2", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)[0]["robot_ticks_per_s"]


def main():
    robots = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arena.json")
        subprocess.run([CREWLAB, "bench", "world", "--robots", str(robots), "--write-arena", path], check=True)
        with open(path) as file:
            arena = json.load(file)
        ours = measure_crewlab(path)
        theirs = measure_irsim(arena, max(5, 20000 // robots))
    print(f"{robots} robots, robot-ticks/s: crewlab {ours:,.0f}, IR-SIM {theirs:,.0f}, ratio {ours / theirs:,.0f}")


if __name__ == "__main__":
    main()
