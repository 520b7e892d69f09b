#!/usr/bin/env python3
"""Compares the cost of a test case in referee and in other tools: one package, one accepted C++ program, one machine.

    benches/side-by-side.py [FOLDER]      measures ${REFEREE:-target/release/referee}

The script installs BAPCtools, problemtools and online-judge-tools (from PyPI, in a virtual environment) and toster (with
cargo) into FOLDER (default: target/side-by-side) unless they are there. It names each tool that it cannot install, and
leaves it out. Every tool judges packages of 1, 10, 100 and 1000 cases of the same size, ${ROUNDS:-3} times each, in
turns. The fastest time counts, because other work on the machine only adds time. ${TOOLS} selects tools by name,
separated by commas. The start-up is the time of one case. The cost of a case is the time of all other cases, divided by
their number. CPU time includes all processes that the tool starts. Each run compiles the C++ program, except with
online-judge-tools, which needs an executable.
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
    """Writes a package of `count` cases, a copy in the format that BAPCtools reads, and a folder with only the cases.

    Returns the package's folder."""
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
    """Returns the tools by name: the executable, and a function from a package's folder to the command."""
    binaries = folder / "venv/bin"
    program = folder / "sum"
    source = "submissions/accepted/sum.cpp"
    jobs = str(os.cpu_count())
    return {
        "referee": (referee, lambda root: [referee, "grade", ".", "--no-cache", "--quiet"]),
        "referee (cached)": (referee, lambda root: [referee, "grade", ".", "--quiet"]),
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
    """Installs every tool on its own, so that a failure does not affect the other tools."""
    errors = {}
    if not (folder / "venv").exists():
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    for name, binary in (("bapctools", "bt"), ("problemtools", "verifyproblem"), ("online-judge-tools", "oj")):
        if not (folder / "venv/bin" / binary).exists():
            # online-judge-tools imports a module that newer versions of Python and setuptools no longer contain.
            packages = [name, "setuptools<80"] if binary == "oj" else [name]
            errors[binary] = run_quietly([folder / "venv/bin/pip", "install", "--quiet", *packages])
    if not (folder / "bin/toster").exists():
        errors["toster"] = run_quietly(["cargo", "install", "--quiet", "--root", folder, "toster"])
    for binary, error in errors.items():
        if error:
            print(f"cannot install {binary}, left out: {error}", file=sys.stderr)


def run_quietly(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["no error message"])[-1]


def measure(command, root, home):
    """Returns the wall time and the CPU time in seconds; None if the command fails."""
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


def spawn_cost(program):
    """Returns the median wall time and CPU time, in seconds, of starting the program and waiting for it."""
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
                    print(f"{name} fails on {count} cases: see {folder / f'{name}-{count}.log'}", file=sys.stderr)
                    shutil.copy(home / "log", folder / f"{name}-{count}.log")
                    best[name, count] = None
                    continue
                known = best.get((name, count), found)
                best[name, count] = tuple(map(min, known, found))
    show(tools, best, spawn_cost(str(folder / "sum")))


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
    print("\neach: milliseconds of wall time / CPU time per case, without the start-up")


if __name__ == "__main__":
    main()
