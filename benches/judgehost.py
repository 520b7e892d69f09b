#!/usr/bin/env python3
"""Compares `referee judgehost` with `referee grade` on the same work: the submissions of a contest.

    benches/judgehost.py [SUBMISSIONS [CASES]]      measures ${REFEREE:-target/release/referee}

A DOMjudge server for tests, in this process, hands out SUBMISSIONS (default: 2000) short C programs, each with CASES
(default: 5) test cases. All programs differ, so that each of them is compiled. The scripts of the server count as
DOMjudge's own, so the judgehosts compile and compare as `grade --as domjudge` does. The script measures one judgehost
against `grade --jobs 1`, and two judgehosts against `grade --jobs 2`, in ${ROUNDS:-1} rounds in turns. It prints each
wall time, the ratios of the fastest ones, and the requests and bytes for each submission. Nothing is cached between the
runs.

Other work on the machine makes both times longer, most of all that of the judgehosts, which are bound to one core each.
So the script also prints the load and the CPU time, which includes compilers and programs. For judgehosts it prints the
CPU time of the server, too. With two judgehosts on two cores, the server takes this time from them.
"""

import base64
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REFEREE = Path(os.environ.get("REFEREE", "target/release/referee")).resolve()
ROUNDS = int(os.environ.get("ROUNDS", 1))
TIME_LIMIT = 5
MEMORY_MIB = 256
BATCH = 25
SCRIPT = b"#!/bin/sh\nexit 1\n"


def md5(content):
    return hashlib.md5(content).hexdigest()


SCRIPT_HASH = md5(f"{md5(SCRIPT)}run1".encode())


def program(number):
    return f'#include <stdio.h>\nint main(void){{long a,b;scanf("%ld %ld",&a,&b);printf("%ld\\n",a+b);/*{number}*/}}\n'


def case(number):
    return f"{number} 1\n", f"{number + 1}\n"


class Contest:
    """The submissions, and what the judgehosts have done with them."""

    def __init__(self, submissions, cases):
        self.lock = threading.Lock()
        self.cases = cases
        self.open = [(one, first) for one in range(submissions) for first in range(0, cases, BATCH)]
        self.open.reverse()
        self.results = {}
        self.begun = self.ended = None
        self.requests = self.sent = self.received = 0

    def tasks(self, submission, first):
        limits = {"script_timelimit": 30, "script_memory_limit": 2097152, "script_filesize_limit": 2621440}
        common = {
            "type": "judging_run",
            "submitid": str(submission),
            "jobid": str(submission),
            "compile_script_id": "1",
            "run_script_id": "2",
            "compare_script_id": "3",
            "compile_config": json.dumps(
                {**limits, "language_extensions": ["c"], "filter_compiler_files": True, "hash": SCRIPT_HASH}
            ),
            "run_config": json.dumps(
                {
                    "time_limit": TIME_LIMIT,
                    "memory_limit": MEMORY_MIB << 10,
                    "output_limit": 8192,
                    "process_limit": 64,
                    "entry_point": None,
                    "pass_limit": 1,
                    "overshoot": 0,
                    "hash": SCRIPT_HASH,
                }
            ),
            "compare_config": json.dumps(
                {**limits, "compare_args": None, "combined_run_compare": False, "hash": SCRIPT_HASH}
            ),
        }
        for number in range(first, min(first + BATCH, self.cases)):
            hashes = "_".join(md5(text.encode()) for text in case(number))
            yield {
                **common,
                "judgetaskid": submission * self.cases + number + 1,
                "testcase_id": str(number),
                "testcase_hash": hashes,
            }

    def answer(self, method, path, form):
        """Returns the status and the content of an answer."""
        parts = path.split("/")
        if path == "info":
            return 200, {"domjudge": {"version": "9.0.1"}}
        if path == "config":
            return 200, {"output_storage_limit": 60000, "timelimit_overshoot": "1s|10%", "diskspace_error": 1024}
        if path == "judgehosts/fetch-work":
            with self.lock:
                self.begun = self.begun or time.monotonic()
                work = self.open.pop() if self.open else None
            return 200, list(self.tasks(*work)) if work else []
        if parts[:2] == ["judgehosts", "get_files"]:
            return 200, self.files(parts[2], int(parts[3]))
        if parts[1:2] == ["add-judging-run"]:
            with self.lock:
                assert parts[3] not in self.results, "a result was sent twice"
                self.results[parts[3]] = form["runresult"][0]
                self.ended = time.monotonic()
            return 200, 1
        if method == "PUT":
            assert form.get("compile_success") == ["1"], form
            return 204, None
        return 200, []

    def files(self, kind, number):
        encoded = lambda text: base64.b64encode(text.encode()).decode()
        if kind == "source":
            return [{"filename": f"s{number}.c", "content": encoded(program(number)), "is_executable": False}]
        names = ("input", "output")
        return [
            {"filename": name, "content": encoded(text), "is_executable": False}
            for name, text in zip(names, case(number))
        ]


class Handler(BaseHTTPRequestHandler):
    """One request of a judgehost. Each request has a connection of its own."""

    protocol_version = "HTTP/1.1"

    def reply(self):
        contest = self.server.contest
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        form = urllib.parse.parse_qs(body.decode(), keep_blank_values=True)
        status, content = contest.answer(self.command, self.path.removeprefix("/api/v4/"), form)
        text = b"" if content is None else json.dumps(content).encode()
        with contest.lock:
            contest.requests += 1
            contest.received += length
            contest.sent += len(text)
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = reply

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 1024


def environment(folder):
    return {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "XDG_STATE_HOME": str(folder / "state")}


def cpu_seconds():
    """Returns the CPU time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judge(submissions, cases, hosts, folder):
    """Lets judgehosts judge the contest. Returns the seconds from the first question for work to the last result."""
    server = Server(("127.0.0.1", 0), Handler)
    server.contest = contest = Contest(submissions, cases)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    secret = folder / "restapi.secret"
    secret.touch(mode=0o600)
    secret.write_text(f"default http://127.0.0.1:{server.server_port}/api/v4 judgehost secret\n")
    command = [REFEREE, "judgehost", "--quiet", "--until-idle", "--secret", secret, "--default-script", SCRIPT_HASH]
    started = [subprocess.Popen(command, env=environment(folder)) for _ in range(hosts)]
    codes = [process.wait() for process in started]
    server.shutdown()
    assert codes == [0] * hosts, codes
    assert len(contest.results) == submissions * cases, f"{len(contest.results)} results"
    assert set(contest.results.values()) == {"correct"}, "a result is wrong"
    return contest.ended - contest.begun, contest


def write_package(submissions, cases, folder):
    files = {"problem.yaml": "name: Sum\nvalidation: default\n"}
    for number in range(cases):
        files[f"data/secret/{number:04}.in"], files[f"data/secret/{number:04}.ans"] = case(number)
    for number in range(submissions):
        files[f"submissions/accepted/s{number}.c"] = program(number)
    for name, text in files.items():
        path = folder / "sum" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def grade(jobs, folder):
    """Grades the same submissions. Returns the seconds."""
    command = [REFEREE, "grade", folder / "sum", "--as", "domjudge", "--jobs", str(jobs), "--quiet"]
    command += ["--time-limit", str(TIME_LIMIT), "--memory", str(MEMORY_MIB)]
    begun = time.monotonic()
    subprocess.run(command, env=environment(folder), check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def main():
    submissions = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(f"{submissions} submissions, {cases} test cases each; load {os.getloadavg()[0]:.1f} at the start")
    fastest, least = {}, {}
    for count in [1, 2] * ROUNDS:
        for name in ("judgehost", "grade"):
            with tempfile.TemporaryDirectory() as temporary:
                folder, before, server_before = Path(temporary), cpu_seconds(), time.process_time()
                if name == "grade":
                    write_package(submissions, cases, folder)
                    seconds = grade(count, folder)
                else:
                    seconds, contest = judge(submissions, cases, count, folder)
                cpu, server = cpu_seconds() - before, time.process_time() - server_before
            of_server = f", server {server:.1f} s" if name == "judgehost" else ""
            pace, load = submissions / seconds, os.getloadavg()[0]
            print(
                f"{name:9} x {count}: {seconds:7.1f} s, {pace:6.2f} submissions/s, CPU {cpu:7.1f} s, "
                f"load {load:.1f}{of_server}",
                flush=True,
            )
            fastest[name, count] = min(seconds, fastest.get((name, count), seconds))
            least[name, count] = min(cpu, least.get((name, count), cpu))
    for count in (1, 2):
        wall, cpu = (times["judgehost", count] / times["grade", count] for times in (fastest, least))
        print(f"ratio with {count}: {wall:.3f} of the wall time, {cpu:.3f} of the CPU time")
    print(
        f"for each submission: {contest.requests / submissions:.1f} requests, "
        f"{contest.received / submissions:.0f} bytes to the server, {contest.sent / submissions:.0f} bytes from it"
    )


if __name__ == "__main__":
    main()
