#!/usr/bin/env python3
"""What a test case costs here and in other tools: the same package, one accepted C++ program, on one machine.

    benches/side-by-side.py [FOLDER]      takes ${REFEREE:-target/release/referee}

Installs BAPCtools, problemtools and online-judge-tools (from PyPI, in a virtual environment) and toster (by cargo)
into FOLDER (target/side-by-side) if they are not there; what cannot be installed is named and left out. Every tool
judges a package whose cases are all alike in size, of 1, 10, 100 and 1000 cases, ${ROUNDS:-3} times each in turn, and
the best counts: others on the machine only ever add to it. Names in ${TOOLS}, with commas, choose tools. Start-up is
the time of one case; what a case costs is the rest, divided by the other cases. CPU time is that of the tool and all
that it starts. The C++ program is compiled in each run but those of online-judge-tools, which take an executable.
"""

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

COUNTS = (1, 10, 100, 1000)
ROUNDS = int(os.environ.get("ROUNDS", 3))
LONGEST_SECONDS = 120
PROGRAM = """#include <iostream>
int main() { long a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }
"""
VALIDATOR = """#include <iostream>
int main() { long a, b; std::cin >> a >> b; return std::cin ? 42 : 43; }
"""


def package(folder, count):
    """A package, and beside it the same in the format that BAPCtools reads, and its cases alone."""
    root = folder / f"sum{count}"
    if root.exists():
        return root
    files = {
        "problem.yaml": "problem_format_version: legacy\nname: Sum\nlimits: {time_multiplier: 5}\n",
        "domjudge-problem.ini": "timelimit='2'\n",
        ".timelimit": "2\n",
        "submissions/accepted/sum.cpp": PROGRAM,
        "input_validators/validate.cpp": VALIDATOR,
        "problem_statement/problem.en.tex": "\\problemname{Sum}\nAdd.\n",
        "data/sample/1.in": "1 2\n",
        "data/sample/1.ans": "3\n",
    }
    for case in range(count):
        files[f"data/secret/{case:04}.in"] = f"{case} 1\n"
        files[f"data/secret/{case:04}.ans"] = f"{case + 1}\n"
        files[f"../cases{count}/{case:04}.in"] = files[f"data/secret/{case:04}.in"]
        files[f"../cases{count}/{case:04}.out"] = files[f"data/secret/{case:04}.ans"]
    uuid = f"00000000-0000-4000-8000-{count:012}"
    new = f"problem_format_version: 2025-09\nname: Sum\nuuid: {uuid}\nlimits: {{time_limit: 2}}\n"
    own = {name: text for name, text in files.items() if not name.startswith(("..", ".", "domjudge", "problem"))}
    own |= {"problem.yaml": new, "statement/problem.en.tex": files["problem_statement/problem.en.tex"]}
    files |= {f"../new{count}/{name}": text for name, text in own.items()}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def beside(root, name):
    return root.parent / root.name.replace("sum", name)


def commands(folder, referee):
    """Tools by name: the executable, and what is run for a package."""
    binaries = folder / "venv/bin"
    program = folder / "sum"
    source = "submissions/accepted/sum.cpp"
    jobs = str(os.cpu_count())
    return {
        "referee": (referee, lambda root: [referee, "grade", ".", "--no-cache", "--quiet"]),
        "referee, remembered": (referee, lambda root: [referee, "grade", ".", "--quiet"]),
        "toster": (
            folder / "bin/toster",
            lambda root: [folder / "bin/toster", "-i", beside(root, "cases"), "-o", beside(root, "cases"), source],
        ),
        "online-judge-tools": (
            binaries / "oj",
            lambda root: [
                binaries / "oj", "test", "-c", str(program), "-d", beside(root, "cases"), "-j", jobs, "--silent",
            ],
        ),
        "problemtools": (
            binaries / "verifyproblem",
            lambda root: [binaries / "verifyproblem", ".", "-p", "submissions"],
        ),
        "BAPCtools": (binaries / "bt", lambda root: [binaries / "bt", "run", source, "--jobs", jobs]),
    }


def install(folder):
    """Every tool by itself: one that cannot be had is no reason to go without the others."""
    said = {}
    if not (folder / "venv").exists():
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    for name, binary in (("bapctools", "bt"), ("problemtools", "verifyproblem"), ("online-judge-tools", "oj")):
        if not (folder / "venv/bin" / binary).exists():
            # online-judge-tools asks for a module that newer Pythons have no more.
            packages = [name, "setuptools<80"] if binary == "oj" else [name]
            said[binary] = run_quietly([folder / "venv/bin/pip", "install", "--quiet", *packages])
    if not (folder / "bin/toster").exists():
        said["toster"] = run_quietly(["cargo", "install", "--quiet", "--root", folder, "toster"])
    for binary, error in said.items():
        if error:
            print(f"{binary} cannot be installed: {error}", file=sys.stderr)


def run_quietly(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it says nothing"])[-1]


def measure(command, root, home):
    """Seconds on the wall and on the processors; None if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    environment["PATH"] = f"{command[0].parent}:{environment['PATH']}"
    with open(home / "log", "w") as log:
        try:
            done = subprocess.run(
                [str(word) for word in command], cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, timeout=LONGEST_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return None
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processors = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (wall, processors) if done.returncode == 0 else None


def floor(program):
    """What starting the program and waiting for it costs, with nothing around it."""
    times = []
    for _ in range(300):
        started = time.monotonic()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = os.posix_spawn(
            program, [program], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
            + [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)],
        )
        os.waitpid(process, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        times.append((time.monotonic() - started, processors))
    return tuple(sorted(part)[len(times) // 2] for part in zip(*times))


def main():
    project = Path(__file__).resolve().parent.parent
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else project / "target/side-by-side").resolve()
    referee = Path(os.environ.get("REFEREE", project / "target/release/referee")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    install(folder)
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    (folder / "sum.cpp").write_text(PROGRAM)
    subprocess.run(["g++", "-O2", "-o", folder / "sum", folder / "sum.cpp"], check=True)
    roots = {count: package(folder, count) for count in COUNTS}
    chosen = os.environ.get("TOOLS")
    tools = {
        name: command
        for name, (binary, command) in commands(folder, referee).items()
        if binary.exists() and (chosen is None or name in chosen.split(","))
    }
    best = {}
    for _ in range(ROUNDS):
        for name, command in tools.items():
            for count, root in roots.items():
                if best.get((name, count), ()) is None:
                    continue
                where = beside(root, "new") if name == "BAPCtools" else root
                found = measure(command(root), where, home)
                if found is None:
                    print(f"{name} fails on {count} cases: see {home / 'log'}", file=sys.stderr)
                    shutil.copy(home / "log", folder / f"{name}-{count}.log")
                    best[name, count] = None
                    continue
                known = best.get((name, count), found)
                best[name, count] = tuple(map(min, known, found))
    show(tools, best, floor(str(folder / "sum")))


def show(tools, best, spawn):
    wall, processors = spawn
    print(f"a bare spawn of the program: {wall * 1e3:.2f} ms, {processors * 1e3:.2f} ms of CPU\n")
    heads = "".join(f"{f'{count} cases':>20}" for count in COUNTS[1:])
    print(f"{'':20} {'start-up':>9}   {heads}{'CPU/spawn':>11}")
    for name in tools:
        first = best.get((name, 1))
        if not first:
            print(f"{name:20} failed")
            continue
        line = f"{name:20} {first[0]:>7.3f} s   "
        ratio = None
        for count in COUNTS[1:]:
            found = best.get((name, count))
            if not found:
                line += f"{'-':>20}"
                continue
            each = [max(0.0, (total - start) / (count - 1)) * 1e3 for total, start in zip(found, first)]
            line += f"{each[0]:>8.2f} /{each[1]:>7.2f} ms"
            ratio = each[1] / (processors * 1e3)
        print(line + (f"{ratio:>10.1f}x" if ratio is not None else ""))
    print("\neach: milliseconds on the wall / of CPU time per case, start-up taken off")


if __name__ == "__main__":
    main()
