"""The same rows on pyAgrum and on Crewlab: the score (BIC) of the structure that each finds, and times. Usage: bench_agrum.py [SEEDS]"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter

import pyagrum as gum

CREWLAB = os.path.join(os.path.dirname(__file__), "..", "target", "release", "crewlab")


def crewlab(*arguments):
    return subprocess.run([CREWLAB, *arguments], check=True, capture_output=True, text=True).stdout


def shortest(work, times):
    """The shortest time of several. [s]"""
    best = math.inf
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def bic(rows, parents, states):
    """The score of a structure, computed here so that both are measured by the same formula."""
    total = 0.0
    for child, above in parents.items():
        families = Counter((tuple(row[p] for p in above), row[child]) for row in rows)
        above_counts = Counter(tuple(row[p] for p in above) for row in rows)
        total += sum(n * math.log(n / above_counts[key]) for (key, _), n in families.items())
        total -= 0.5 * math.log(len(rows)) * states ** len(above) * (states - 1)
    return total


def learner(file):
    made = gum.BNLearner(file)
    made.useScoreBIC()
    made.useNoPrior()
    return made


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    ours = {row["what"]: row["us"] for row in json.loads(crewlab("bench", "learn", "--quick", "--json"))["rows"]}
    print(f"{'seed':>4} {'pyAgrum BIC':>14} {'Crewlab BIC':>14} {'hill climbing':>14} {'posterior':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, seeds + 1):
            file = os.path.join(folder, f"rows-{seed}.csv")
            crewlab("bench", "learn", "--instance", file, "--seed", str(seed))
            with open(file) as lines:
                rows = list(csv.DictReader(lines))
            made = learner(file)
            made.useGreedyHillClimbing()
            seconds = shortest(made.learnBN, 20)
            network = made.learnBN()
            names = list(network.names())
            parents = {name: [network.variable(p).name() for p in network.parents(name)] for name in names}
            model = os.path.join(folder, f"model-{seed}.json")
            found = json.loads(crewlab("learn-model", file, "--out", model, "--json"))["found"]
            engine = gum.LazyPropagation(network)

            def ask():
                engine.setEvidence({"v1": 0, "v2": 1})
                engine.makeInference()
                engine.posterior("v0")

            asked = shortest(ask, 200)
            theirs = bic(rows, parents, 3)
            print(f"{seed:>4} {theirs:>14.4f} {found['score']:>14.4f} {seconds * 1e3:>11.3f} ms {asked * 1e6:>9.1f} us")
    print("\nCrewlab, the slowest of five seeds:")
    for what, us in ours.items():
        print(f"  {what:<42} {us:>10.2f} us")


if __name__ == "__main__":
    main()
