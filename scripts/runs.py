"""Runs of the `crewlab` binary, for the scripts beside this file, and the looks of their pictures."""

import json
import os
import subprocess
import sys
import tempfile

BINARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "target", "release", "crewlab")
# Told apart by everybody who sees colours, and in print by their brightness.
COLOURS = ["#0060a8", "#d05a00", "#5a8f29", "#8a3fa0", "#555555"]
TEXT, GRID = "#222222", "#dddddd"


def run(binary, scenario, sets, seed):
    """The summary of one run, whose folder is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "run", scenario, "--seed", str(seed), "--json", "-q", "--threads", "1"]
        command += ["--out", os.path.join(folder, "run")] + [part for s in sets for part in ("--set", s)]
        done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)
