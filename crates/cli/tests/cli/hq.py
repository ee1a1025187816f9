#!/usr/bin/env python3
"""Offers of `hq` what Crewlab and its tests ask for, by means of HyperQueue's Python package.

    hq.py server start | server info | worker start --cpus N | worker list | submit ... -- PROGRAM ... | job list --all

The package holds no `hq`, but a whole HyperQueue: a server, workers and a client. So what answers here is the real thing, with
a process of its own for the server and for each worker; only the words are put together here, as `hq` puts them in JSON mode.
The server's folder is in HQ_SERVER_DIR. Servers and workers end with the process that started them.

What the package cannot say is answered as far as it is known: tasks that are not over are `waiting`, whether they run or not,
and workers are listed by a file that each of them keeps locked while it lives. It cannot cancel a job, so that `job cancel`
fails. It gives the server no keys either: whoever reaches its ports may use it. So these are bound to the loopback device as
soon as they are open. For Linux only, as the package is.
"""

import argparse
import fcntl
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

from hyperqueue.ffi.client import ClientConnection
from hyperqueue.ffi.cluster import Cluster
from hyperqueue.ffi.protocol import JobDescription, ResourceRequest, TaskDescription
from hyperqueue.output import StdioDef

HERE = "127.0.0.1"
# Jobs are numbered from one on; a test's server has a few, and numbers that are not there are left out of the answer.
JOBS = range(1, 101)


class Refused(Exception):
    """What cannot be done, and why."""


def stay_here():
    """Lets the ports of this process, which are open to all networks, be reached from this machine only."""
    for name in os.listdir("/proc/self/fd"):
        try:
            port = socket.socket(fileno=int(name))
        except OSError:
            continue
        if port.family == socket.AF_INET and port.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            port.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"lo\0")
        # It is not ours to close.
        port.detach()


def put(path, access):
    """Writes an access file, whole or not at all."""
    new = path.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(access))
    new.replace(path)


def live(parent):
    """Until the one who started it ends, or a signal comes; the package would end what it has started, and not the process."""
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.SIG_DFL)
    while os.getppid() == parent:
        time.sleep(0.1)


def start_server(folder, parent):
    # In a folder inside, and shown when it is ready: it gives the machine's name, which need not lead anywhere.
    inside = folder / "server"
    inside.mkdir(parents=True)
    _server = Cluster(str(inside))
    stay_here()
    access = json.loads((inside / "hq-current/access.json").read_text())
    access["client"]["host"] = access["worker"]["host"] = HERE
    put(folder / "access.json", access)
    live(parent)


def start_worker(folder, cpus, parent):
    # Workers come only with a server in the same process. They read where their server is when they are started: this one
    # has an idle server of its own, and is sent to the other.
    inside = folder / f"worker-{os.getpid()}"
    inside.mkdir()
    access = json.loads((folder / "access.json").read_text())
    cluster = Cluster(str(inside))
    stay_here()
    put(inside / "hq-current/access.json", access)
    cluster.add_worker(cpus)
    stay_here()
    cpus = {"name": "cpus", "kind": "range", "start": 0, "end": cpus - 1}
    with open(inside / "new", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        json.dump({"configuration": {"resources": {"resources": [cpus]}}}, file)
        file.flush()
        os.rename(inside / "new", inside / "worker.json")
        live(parent)


def workers(folder):
    listed = []
    for path in sorted(folder.glob("worker-*/worker.json")):
        with open(path) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                listed.append(json.load(file))
    return listed


def submit(client, words):
    parser = argparse.ArgumentParser(prog="hq submit")
    parser.add_argument("--name", required=True)
    parser.add_argument("--cpus", type=int, required=True)
    parser.add_argument("--stdout", choices=["none"], required=True)
    parser.add_argument("--stderr", required=True)
    parser.add_argument("--directives", choices=["off"], required=True)
    parser.add_argument("--cwd", required=True)
    parser.add_argument("--each-line", type=Path, required=True)
    parser.add_argument("program", nargs="+")
    asked = parser.parse_args(words)
    stderr, _, close = asked.stderr.rpartition(":")
    if close != "rm-if-finished":
        raise Refused("--stderr is known with :rm-if-finished only")
    tasks = [
        TaskDescription(
            id=number,
            args=asked.program,
            cwd=asked.cwd,
            stdout=None,
            stderr=StdioDef.remove_if_finished(stderr),
            stdin=None,
            env={"HQ_ENTRY": line},
            dependencies=[],
            task_dir=False,
            priority=0,
            resource_request=[ResourceRequest(cpus=asked.cpus)],
            crash_limit=None,
        )
        for number, line in enumerate(asked.each_line.read_text().splitlines())
    ]
    return {"id": client.submit_job(JobDescription(name=asked.name, tasks=tasks, max_fails=None))}


def jobs(client):
    class Heard(Exception):
        pass

    states = {}

    def hear(news):
        # The news come at once, then every second until all jobs are over.
        states.update(news)
        raise Heard

    try:
        client.wait_for_jobs(JOBS, hear)
    except Heard:
        pass
    listed = []
    for number, state in sorted(states.items()):
        finished, failed = state["finished"], state["failed"]
        rest = state["total"] - finished - failed
        waiting, canceled = (0, rest) if state["completed"] else (rest, 0)
        stats = {"running": 0, "waiting": waiting, "finished": finished, "failed": failed, "canceled": canceled}
        listed.append({"id": number, "task_count": state["total"], "task_stats": stats})
    return listed


def answer(words, parent):
    folder = Path(os.environ["HQ_SERVER_DIR"])
    if words == ["server", "start", "--host", "localhost"]:
        return start_server(folder, parent)
    if words[:3] == ["worker", "start", "--cpus"]:
        return start_worker(folder, int(words[3]), parent)
    client = ClientConnection(str(folder))
    if words == ["server", "info"]:
        access = json.loads((folder / "access.json").read_text())
        return {"server_dir": str(folder), "server_uid": access["server_uid"], "version": access["version"]}
    if words == ["worker", "list"]:
        return workers(folder)
    if words[:1] == ["submit"]:
        return submit(client, words[1:])
    if words == ["job", "list", "--all"]:
        return jobs(client)
    raise Refused(f"HyperQueue's Python package cannot do this, or nobody has needed it: {' '.join(words)}")


def main():
    parent = os.getppid()
    try:
        said = answer(sys.argv[1:], parent)
    except Exception as error:
        print(json.dumps({"error": str(error) or repr(error)}))
        return 1
    if said is not None:
        print(json.dumps(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
