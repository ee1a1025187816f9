#!/usr/bin/env python3
"""Solves allocation instances with HiGHS, the reference that `crewlab allocate --method joint` is measured against.

    bench_highs.py INSTANCE.json ... [--json] [--exact] [--seconds S]

The model is the one of docs/allocation.md: which plan each task follows, which robot does which of its subtasks. Understands
plans with reward sum, mean or min. HiGHS stops at its own default gap of 0.01 % unless --exact is given. Files made by
`crewlab bench allocation --instances DIR` that hold a plain matrix go to scipy's linear_sum_assignment instead. Times are
processor time, without reading the file and building the model.
"""

import argparse
import json
import sys
import time

import highspy
import numpy as np


class Rows:
    """Constraints, collected row by row as HiGHS expects them."""

    def __init__(self):
        self.start, self.index, self.value, self.upper, self.lower = [0], [], [], [], []

    def add(self, terms, lower, upper):
        for column, factor in terms:
            self.index.append(column)
            self.value.append(factor)
        self.start.append(len(self.index))
        self.lower.append(lower)
        self.upper.append(upper)


def model(instance):
    """Costs, integrality and upper limits of columns, and the rows."""
    infinity = highspy.kHighsInf
    cost, whole, limit, rows = [], [], [], Rows()
    robots = [[] for _ in range(instance["robots"])]

    def column(value, integer=True, upper=1.0):
        cost.append(value)
        whole.append(integer)
        limit.append(upper)
        return len(cost) - 1

    for task in instance["tasks"]:
        choices = []
        for plan in task["plans"]:
            reward, subtasks = plan.get("reward", "mean"), plan["subtasks"]
            factor = {"sum": 1.0, "mean": 1.0 / len(subtasks), "min": 0.0}[reward]
            followed = column(0.0)
            choices.append((followed, 1.0))
            per_robot = [[] for _ in robots]
            smallest = None
            if reward == "min":
                entries = [value for row in subtasks for value in row if value is not None]
                # Shifted to at least 0, so that a plan that is not used has value 0.
                low, high = (min(entries), max(entries)) if entries else (0.0, 0.0)
                smallest = column(1.0, integer=False, upper=high - low)
                cost[followed] += low
                rows.add([(smallest, 1.0), (followed, low - high)], -infinity, 0.0)
            for row in subtasks:
                terms, chosen = [], []
                for robot, value in enumerate(row):
                    if value is None:
                        continue
                    pair = column(factor * value)
                    terms.append((pair, 1.0))
                    robots[robot].append((pair, 1.0))
                    per_robot[robot].append((pair, 1.0))
                    if smallest is not None:
                        chosen.append((pair, low - value))
                rows.add(terms + [(followed, -1.0)], 0.0, 0.0)
                if smallest is not None:
                    rows.add(chosen + [(smallest, 1.0)], -infinity, 0.0)
            # Tightens the relaxation: a robot does at most one subtask of a plan, and only if the plan is used.
            for pairs in per_robot:
                if len(pairs) > 1:
                    rows.add(pairs + [(followed, -1.0)], -infinity, 0.0)
        rows.add(choices, -infinity, 1.0)
    for pairs in robots:
        if pairs:
            rows.add(pairs, -infinity, 1.0)
    return cost, whole, limit, rows


def solve(instance, exact, seconds):
    started = time.process_time()
    cost, whole, limit, rows = model(instance)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(cost), len(rows.upper)
    program.col_cost_ = np.array(cost, dtype=float)
    program.col_lower_ = np.zeros(len(cost))
    program.col_upper_ = np.array(limit, dtype=float)
    program.row_lower_ = np.array(rows.lower, dtype=float)
    program.row_upper_ = np.array(rows.upper, dtype=float)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.array(rows.start)
    program.a_matrix_.index_ = np.array(rows.index)
    program.a_matrix_.value_ = np.array(rows.value, dtype=float)
    program.sense_ = highspy.ObjSense.kMaximize
    kinds = highspy.HighsVarType
    program.integrality_ = [kinds.kInteger if integer else kinds.kContinuous for integer in whole]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("time_limit", seconds)
    if exact:
        highs.setOptionValue("mip_rel_gap", 0.0)
        highs.setOptionValue("mip_abs_gap", 1e-9)
    highs.passModel(program)
    built = time.process_time()
    highs.run()
    info = highs.getInfo()
    return {
        "value": info.objective_function_value,
        "bound": info.mip_dual_bound,
        "nodes": info.mip_node_count,
        "solved": highs.getModelStatus() == highspy.HighsModelStatus.kOptimal,
        "build_ms": (built - started) * 1e3,
        "time_ms": (time.process_time() - built) * 1e3,
    }


def square(matrix):
    from scipy.optimize import linear_sum_assignment

    rewards = np.array(matrix)
    times = []
    for _ in range(5):
        started = time.process_time()
        rows, columns = linear_sum_assignment(rewards, maximize=True)
        times.append(time.process_time() - started)
    value = float(rewards[rows, columns].sum())
    return {"value": value, "bound": value, "nodes": 0, "solved": True, "build_ms": 0.0, "time_ms": min(times) * 1e3}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="INSTANCE.json")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument("--exact", action="store_true", help="accept no gap")
    parser.add_argument("--seconds", type=float, default=600.0, help="time limit per instance [s]")
    args = parser.parse_args()
    if not args.json:
        print(f"{'instance':<40} {'value':>12} {'bound':>12} {'nodes':>6} {'time':>12}")
    for file in args.files:
        with open(file) as opened:
            content = json.load(opened)
        answer = square(content) if isinstance(content, list) else solve(content, args.exact, args.seconds)
        if args.json:
            print(json.dumps({"file": file, **answer}), flush=True)
        else:
            name = file.rsplit("/", 1)[-1]
            print(
                f"{name:<40} {answer['value']:>12.3f} {answer['bound']:>12.3f} {answer['nodes']:>6} "
                f"{answer['time_ms']:>9.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
