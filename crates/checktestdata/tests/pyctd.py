"""Runs the package `checktestdata` of PyPI on the cases of a folder: N.ctd is a program, N.in its input.

Prints a line for each case: its number, and `accepted`, `rejected` or `broken`.
"""

import contextlib
import io
import pathlib
import sys

from checktestdata.lib import ValidationError
from checktestdata.parser import parse
from checktestdata.tokenizer import tokenize


def outcome(program: pathlib.Path) -> str:
    try:
        parser = parse(tokenize(program.read_bytes()))
        code = compile(parser.python_code(), program.name, "exec")
        sys.argv = ["pyctd", str(program.with_suffix(".in"))]
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, parser.python_globals())
    except ValidationError:
        return "rejected"
    except Exception:
        return "broken"
    return "accepted"


for file in sorted(pathlib.Path(sys.argv[1]).glob("*.ctd"), key=lambda path: int(path.stem)):
    print(file.stem, outcome(file))
