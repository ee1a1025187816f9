#!/usr/bin/env python3
"""navground's scenarios on navground and on Crewlab, in one go: bench_navground.py [--robots N ...] [--steps N] [--range M].

Both run the same robots (Thymio) in steps of 0.1 s on one core, with the same density and the same range within which
robots know of each other. Where navground's world has no ends, Crewlab's robots turn round at the border. Prints collisions
(new contacts), efficacy (mean speed towards the goal as a share of the wanted speed) and agent-steps per second of processor
time of both. The machine may be noisy: only ratios mean something.
"""

import argparse
import json
import os
import subprocess
import time

from navground import sim

CREWLAB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "target", "release", "crewlab")
CONTROLLERS = {"ORCA": "orca", "HL": "human-like"}
SCENES = {"CrossTorus": "crossing", "Cross": "cross", "Corridor": "corridor"}
THYMIO = """
groups:
  - type: thymio
    number: {robots}
    radius: 0.08
    control_period: 0.1
    speed_tolerance: 0.02
    kinematics: {{type: 2WDiff, wheel_axis: 0.094, max_speed: 0.166}}
    behavior: {{type: {behavior}, optimal_speed: 0.12, horizon: 5.0, safety_margin: 0.02}}
    state_estimation: {{type: Bounded, range: {range}}}
"""


def scenario(kind, robots, behavior, reach):
    """The scenario in navground's format: its own examples have 20 robots; more robots have more room."""
    scale = robots / 20
    side = 4 * scale**0.5
    room = {
        "CrossTorus": f"side: {side}",
        "Cross": f"side: {side}\ntarget_margin: 0.1\ntolerance: {0.5 * scale**0.5}",
        "Corridor": f"length: {8 * scale}\nwidth: 0.6",
    }[kind]
    group = THYMIO.format(robots=robots, behavior=behavior, range=reach)
    return f"type: {kind}\nagent_margin: 0.1\n{room}\n{group}"


def measure_navground(kind, robots, behavior, reach, steps):
    """Speed in a first run, and what happens in a second one, so that looking costs nothing."""

    def world():
        new = sim.World()
        sim.load_scenario(scenario(kind, robots, behavior, reach)).init_world(new, seed=1)
        return new

    timed = world()
    start = time.process_time()
    for _ in range(steps):
        timed.update(0.1)
    speed = robots * steps / (time.process_time() - start)
    watched, before, collisions, efficacy = world(), set(), 0, 0.0
    for _ in range(steps):
        watched.update(0.1)
        now = {tuple(sorted((a._uid, b._uid))) for a, b in watched.collisions}
        collisions += len(now - before)
        before = now
        efficacy += sum(agent.behavior.efficacy for agent in watched.agents) / robots
    return {"collisions": collisions, "efficacy": efficacy / steps, "agent_steps_per_s": speed}


def measure_crewlab(kind, robots, behavior, reach, steps):
    command = [CREWLAB, "bench", "traffic", "--json", "--scenes", SCENES[kind], "--robots", str(robots)]
    command += ["--controllers", CONTROLLERS[behavior], "--ticks", str(steps), "--range", str(reach)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robots", type=int, nargs="+", default=[20, 100, 500])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--range", type=float, default=5.0, dest="reach")
    args = parser.parse_args()
    print(f"robots know of each other within {args.reach:g} m; {args.steps} steps of 0.1 s")
    print("                                 collisions          efficacy        agent-steps/s")
    print("scenario    agents  controller   navg.  crewlab   navg.  crewlab     navg.    crewlab  ratio")
    for kind in SCENES:
        for behavior in CONTROLLERS:
            for robots in args.robots:
                theirs = measure_navground(kind, robots, behavior, args.reach, args.steps)
                ours = measure_crewlab(kind, robots, behavior, args.reach, args.steps)
                ratio = ours["agent_steps_per_s"] / theirs["agent_steps_per_s"]
                print(
                    f"{kind:<11} {robots:>6}  {CONTROLLERS[behavior]:<10}"
                    f" {theirs['collisions']:>7} {ours['collisions']:>8}"
                    f" {theirs['efficacy']:>7.3f} {ours['efficacy']:>8.3f}"
                    f" {theirs['agent_steps_per_s']:>9,.0f} {ours['agent_steps_per_s']:>10,.0f} {ratio:>5.1f}x",
                    flush=True,
                )


if __name__ == "__main__":
    main()
