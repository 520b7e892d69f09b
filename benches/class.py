#!/usr/bin/env python3
"""Makes a class for benchmarks: a problem package and many different submissions in C++, C and Python.

    benches/class.py FOLDER [SUBMISSIONS [CASES]]

writes FOLDER/distinct (the package, with 100 test cases unless CASES says otherwise) and FOLDER/programs (1,000
submissions unless SUBMISSIONS says otherwise). The name of a submission states what it does, for example
`0007-slow.cpp`. The files are the same for the same arguments. `benches/class-run FOLDER` judges the class.
"""

import pathlib
import random
import sys

# The weight of each behaviour, out of 20.
KINDS = ["right"] * 10 + ["wrong"] * 4 + ["slow"] * 3 + ["crash"] * 2 + ["typo"]
# The weight of each language, out of 12.
LANGUAGES = ["cpp"] * 7 + ["c"] * 2 + ["py"] * 3
# How many numbers the small test cases contain.
SMALL_SIZES = [1, 3, 10, 30, 100, 1000]

CPP = """#include <bits/stdc++.h>
using namespace std;
{helpers}
int main() {{
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<long long> values(n);
    for (auto &value : values) cin >> value;
    {fault}
    {count}
    cout << distinct << "\\n";
}}
"""
CPP_COUNTS = [
    "set<long long> seen(values.begin(), values.end()); auto distinct = seen.size();",
    "sort(values.begin(), values.end()); auto distinct = unique(values.begin(), values.end()) - values.begin();",
    "map<long long, int> seen; for (auto value : values) seen[value]++; auto distinct = seen.size();",
    "unordered_set<long long> seen; for (auto value : values) seen.insert(value); auto distinct = seen.size();",
]
CPP_SLOW = """long long distinct = 0;
    for (int i = 0; i < n; i++) {
        bool is_new = true;
        for (int k = 0; k < n; k++) for (volatile int step = 0; step < 40; step = step + 1)
            if (k < i && values[k] == values[i]) is_new = false;
        distinct += is_new;
    }"""

C = """#include <stdio.h>
#include <stdlib.h>
{helpers}
static int compare(const void *one, const void *other) {{
    long long a = *(const long long *)one, b = *(const long long *)other;
    return (a > b) - (a < b);
}}

int main(void) {{
    int n;
    if (scanf("%d", &n) != 1) return 1;
    long long *values = malloc(sizeof *values * (n + 1)), distinct = 0;
    for (int i = 0; i < n; i++) if (scanf("%lld", &values[i]) != 1) return 1;
    {fault}
    {count}
    printf("%lld\\n", distinct);
    return 0;
}}
"""
C_COUNT = """qsort(values, n, sizeof *values, compare);
    for (int i = 0; i < n; i++) distinct += i == 0 || values[i] != values[i - 1];"""
C_SLOW = """(void)compare;
    for (int i = 0; i < n; i++) {
        int is_new = 1;
        for (int k = 0; k < n; k++) for (volatile int step = 0; step < 40; step = step + 1)
            if (k < i && values[k] == values[i]) is_new = 0;
        distinct += is_new;
    }"""

PYTHON = """import sys
{helpers}

def main():
    numbers = list(map(int, sys.stdin.read().split()))
    n, values = numbers[0], numbers[1:]
    {fault}
    {count}
    print(distinct)


main()
"""
PYTHON_COUNTS = [
    "distinct = len(set(values))",
    "values.sort(); distinct = sum(1 for i in range(n) if i == 0 or values[i] != values[i - 1])",
    "distinct = len(dict.fromkeys(values))",
]
PYTHON_SLOW = "distinct = sum(1 for i in range(n) if sum(values[:i]) >= 0 and values[i] not in values[:i])"

# A fault appears on inputs with at least so many numbers, so submissions fail on different test cases.
WRONG = {
    "cpp": "if (n >= {from_}) values.push_back(-{salt});",
    "c": "if (n >= {from_}) distinct = {salt};",
    "py": "if n >= {from_}: values = values + [-{salt}]; n += 1",
}
CRASH = {
    "cpp": "if (n >= {from_}) abort();",
    "c": "if (n >= {from_}) abort();",
    "py": "if n >= {from_}: raise ValueError({salt})",
}
TYPO = {"cpp": "int {salt};", "c": "int {salt};", "py": "def main(:"}


def helper(language, salt, rng):
    """Returns a function that the submission does not need, so that sources differ in more than a number."""
    steps = [rng.randrange(2, 99) for _ in range(rng.randrange(2, 9))]
    if language == "py":
        body = "\n".join(f"    value = value * {step} % {salt + 1}" for step in steps)
        return f"\n\ndef helper_{salt}(value):\n{body}\n    return value\n"
    body = "\n".join(f"    value = value * {step} % {salt + 1};" for step in steps)
    return f"\nlong long helper_{salt}(long long value) {{\n{body}\n    return value;\n}}\n"


def submission(kind, language, rng):
    salt, from_ = rng.randrange(10**6), rng.choice([2, 5, 20, 60, 200, 20000])
    values = {"salt": salt, "from_": from_}
    faults = {"wrong": WRONG, "crash": CRASH, "typo": TYPO}
    fault = faults[kind][language].format(**values) if kind in faults else ""
    template = {"cpp": CPP, "c": C, "py": PYTHON}[language]
    slow = {"cpp": CPP_SLOW, "c": C_SLOW, "py": PYTHON_SLOW}[language]
    counts = {"cpp": CPP_COUNTS, "c": [C_COUNT], "py": PYTHON_COUNTS}[language]
    count = slow if kind == "slow" else rng.choice(counts)
    return template.format(helpers=helper(language, salt, rng), fault=fault, count=count)


def numbers(size, rng):
    return [rng.randrange(size) for _ in range(size)]


def write_package(folder, cases, rng):
    secret = folder / "data/secret"
    secret.mkdir(parents=True)
    (folder / "problem.yaml").write_text(
        "problem_format_version: 2025-09\nname: Distinct numbers\nlimits:\n  time_limit: 0.5\n"
    )
    # Repeated inputs are replaced with another generator, so that the programs do not depend on the replacements.
    replacements, texts = random.Random(2), set()
    for case in range(cases):
        # Most test cases are small; four of a hundred are too large for a quadratic program.
        values = numbers(20000 if case % 25 == 24 else rng.choice(SMALL_SIZES), rng)
        while (text := f"{len(values)}\n{' '.join(map(str, values))}\n") in texts:
            values = numbers(replacements.choice(SMALL_SIZES), replacements)
        texts.add(text)
        (secret / f"{case:04}.in").write_text(text)
        (secret / f"{case:04}.ans").write_text(f"{len(set(values))}\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    submissions, cases = (int(text) for text in (sys.argv[2:] + ["1000", "100"][len(sys.argv) - 2 :]))
    rng = random.Random(1)
    write_package(folder / "distinct", cases, rng)
    (folder / "programs").mkdir()
    for number in range(submissions):
        kind, language = rng.choice(KINDS), rng.choice(LANGUAGES)
        (folder / "programs" / f"{number:04}-{kind}.{language}").write_text(submission(kind, language, rng))


if __name__ == "__main__":
    main()
