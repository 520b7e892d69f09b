#!/usr/bin/env python3
"""Compares the cost of a test case in referee and in other tools: one package, one accepted C++ program, one machine.

    benches/side-by-side.py [FOLDER]      measures ${REFEREE:-target/release/referee}

The script installs BAPCtools, problemtools, online-judge-tools and rbx (from PyPI, in virtual environments) and toster
(with cargo) into FOLDER (default: target/side-by-side) unless they are there. It names each tool that it cannot
install, and leaves it out. Every tool judges packages of 1 case and of ${CASES:-10,100,1000} cases of the same size,
${ROUNDS:-3} times each, in turns. The fastest time counts, because other work on the machine only adds time. There are
at least two rounds, because BAPCtools and rbx compile their checkers in the first. ${TOOLS} selects tools by name,
separated by commas.

The start-up is the time of one case. The cost of a case is the time of all other cases, divided by their number. CPU
time includes all processes that the tool starts. Each run compiles the C++ program, except with online-judge-tools,
which needs an executable. BAPCtools and rbx do not compile an unchanged program again, so the script changes a comment
in the program. rbx has no option to judge cases in parallel.

A run counts only if its output shows that the tool accepted the program on all cases. problemtools prints a verdict,
but not how many cases it judged.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

COUNTS = (1, *map(int, os.environ.get("CASES", "10,100,1000").split(",")))
ROUNDS = max(2, int(os.environ.get("ROUNDS", 3)))
LONGEST_SECONDS = 300
SOURCE = "submissions/accepted/sum.cpp"
PROGRAM = """#include <iostream>
int main() { long a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }
"""
VALIDATOR = """#include <iostream>
int main() { long a, b; std::cin >> a >> b; return std::cin ? 42 : 43; }
"""
RBX_PROBLEM = f"""name: sum
timeLimit: 2000
memoryLimit: 1024
checker: {{path: wcmp.cpp}}
testcases: [{{name: secret, testcaseGlob: "data/secret/*.in"}}]
solutions: [{{path: {SOURCE}, outcome: ACCEPTED}}]
"""


@dataclass
class Tool:
    """How to measure a tool. `command` gets a package's folder; `accepted` gets the output and the number of cases."""

    binary: Path
    command: Callable[[Path], list]
    accepted: Callable[[str, int], bool]
    sandbox: str
    package: str = "sum"
    changed_program: bool = False


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
        SOURCE: PROGRAM,
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


def rbx_package(folder, count):
    """Writes the package of `count` cases for rbx. Its checker and testlib.h are those that rbx contains.

    Without these files, rbx downloads them from GitHub."""
    root = folder / f"rbx{count}"
    if root.exists():
        return
    shutil.copytree(folder / f"sum{count}/data/secret", root / "data/secret")
    (root / SOURCE).parent.mkdir(parents=True)
    (root / "problem.rbx.yml").write_text(RBX_PROBLEM)
    contained = next(folder.glob("rbx/lib/python*/site-packages/rbx/resources/predownloaded"))
    for name in ("testlib.h", "checkers/wcmp.cpp"):
        shutil.copy(contained / name, root)


def beside(root, name):
    return root.parent / root.name.replace("sum", name)


def tools_in(folder, referee):
    """Returns the tools by name."""
    binaries = folder / "venv/bin"
    jobs = str(os.cpu_count())
    toster, oj, verifyproblem, bt = folder / "bin/toster", binaries / "oj", binaries / "verifyproblem", binaries / "bt"
    rbx = folder / "rbx/bin/rbx"

    def all_expected(output, count):
        return f"all as expected: 1 submission judged, {count + 1} runs" in output

    return {
        "referee": Tool(
            referee, lambda root: [referee, "grade", ".", "--no-cache", "--quiet"], all_expected, "isolation, limits",
        ),
        "referee (cached)": Tool(referee, lambda root: [referee, "grade", ".", "--quiet"], all_expected, ""),
        "toster": Tool(
            toster,
            lambda root: [toster, "-i", beside(root, "cases"), "-o", beside(root, "cases"), SOURCE],
            lambda output, count: re.search(rf"^Results: {count} correct$", output, re.M) is not None,
            "none",
        ),
        "online-judge-tools": Tool(
            oj,
            lambda root: [oj, "test", "-c", str(folder / "sum"), "-d", beside(root, "cases"), "-j", jobs, "--silent"],
            lambda output, count: f"test success: {count} cases" in output,
            "none",
        ),
        "problemtools": Tool(
            verifyproblem,
            lambda root: [verifyproblem, ".", "-p", "submissions"],
            lambda output, count: "sum.cpp (C++) OK: AC" in output and "tested: 0 errors" in output,
            "rlimits",
        ),
        "BAPCtools": Tool(
            bt,
            lambda root: [bt, "run", SOURCE, "--jobs", jobs],
            lambda output, count: f" {count + 1}/{count + 1}]" in output and "sum.cpp:  AC " in output,
            "rlimits",
            package="new",
            changed_program=True,
        ),
        "rbx": Tool(
            rbx,
            # With NO_CACHE, rbx 2.3.3 crashes. CACHE_COMPILATION never reuses the result of a run.
            lambda root: [rbx, "--cache", "CACHE_COMPILATION", "run", "--no-validate", SOURCE],
            lambda output, count: len(re.findall(r"^✓ secret/\d+ .*: ok ", output, re.M)) == count,
            "rlimits",
            package="rbx",
            changed_program=True,
        ),
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
    if not (folder / "rbx/bin/rbx").exists():
        errors["rbx"] = install_rbx(folder / "rbx")
    if not (folder / "bin/toster").exists():
        errors["toster"] = run_quietly(["cargo", "install", "--quiet", "--root", folder, "toster"])
    for binary, error in errors.items():
        if error:
            print(f"cannot install {binary}, left out: {error}", file=sys.stderr)


def install_rbx(environment):
    """Installs rbx apart from the other tools, so that its dependencies do not change the versions of theirs.

    Returns the error; None if rbx is installed."""
    pythons = [sys.executable, *(f"python3.{minor}" for minor in range(10, 15))]
    pythons += sorted(map(str, Path.home().glob(".pyenv/versions/*/bin/python3")))
    test = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))"
    fit = (python for python in pythons if shutil.which(python) and run_quietly([python, "-c", test]) is None)
    python = next(fit, None)
    if python is None:
        return "no Python 3.10 or newer found"
    error = run_quietly([python, "-m", "venv", "--clear", environment])
    return error or run_quietly([environment / "bin/pip", "install", "--quiet", "rbx.cp"])


def run_quietly(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr.strip().splitlines() or ["no error message"])[-1]


def measure(tool, package, count, home):
    """Returns the wall time and the CPU time in seconds.

    Returns None if the tool fails, or if its output does not show that it accepted the program on `count` cases."""
    command = tool.command(package)
    root = beside(package, tool.package)
    if tool.changed_program:
        (root / SOURCE).write_text(f"{PROGRAM}// {time.time_ns()}\n")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    environment["PATH"] = f"{tool.binary.parent}:{environment['PATH']}"
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
    output = (home / "log").read_text(encoding="utf-8", errors="replace")
    return (wall, processors) if done.returncode == 0 and tool.accepted(output, count) else None


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
        name: tool
        for name, tool in tools_in(folder, referee).items()
        if tool.binary.exists() and (chosen is None or name in chosen.split(","))
    }
    for count in COUNTS if "rbx" in tools else ():
        rbx_package(folder, count)
    best = {}
    for _ in range(ROUNDS):
        for name, tool in tools.items():
            for count, root in roots.items():
                if best.get((name, count), ()) is None:
                    continue
                found = measure(tool, root, count, home)
                if found is None:
                    saved = folder / f"{name}-{count}.log"
                    print(f"{name} does not accept the program on {count} cases: see {saved}", file=sys.stderr)
                    shutil.copy(home / "log", saved)
                    best[name, count] = None
                    continue
                known = best.get((name, count), found)
                best[name, count] = tuple(map(min, known, found))
    show(tools, best, spawn_cost(str(folder / "sum")))


def show(tools, best, spawn):
    wall, processors = spawn
    print(f"a bare spawn of the program: {wall * 1e3:.2f} ms, {processors * 1e3:.2f} ms of CPU\n")
    heads = "".join(f"{f'{count} cases':>20}" for count in COUNTS[1:])
    print(f"{'':20} {'start-up':>9}   {heads}{'CPU/spawn':>11}   sandbox")
    for name, tool in tools.items():
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
        line += f"{ratio:>10.1f}x" if ratio is not None else f"{'-':>11}"
        print(f"{line}   {tool.sandbox}".rstrip())
    print("\neach: milliseconds of wall time / CPU time per case, without the start-up")
    print("rlimits: limits on CPU time and memory; the program can use files, the network and other processes")


if __name__ == "__main__":
    main()
