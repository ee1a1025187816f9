"""Runs of the `crewlab` binary, for the scripts next to this file."""

import json
import os
import subprocess
import sys
import tempfile

BINARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "target", "release", "crewlab")


def run(binary, scenario, sets, seed):
    """The summary of one run, whose folder is deleted."""
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "run", scenario, "--seed", str(seed), "--json", "-q", "--threads", "1"]
        command += ["--out", os.path.join(folder, "run")] + [part for s in sets for part in ("--set", s)]
        done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)
