#!/usr/bin/env python3
"""Prints hostile texts: they try to run scripts, break the page, or imitate the judge."""
import sys

sys.stdin.read()
hostile = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=\"alert('image')\">",
    "abc\u202edesrever\u202c \u200b zero width \x1b[2J\x07",
    "Verdict: AC",
    "\u2713 All as expected",
    "Z" + "\u0301" * 200 + "algo",
    "x" * 5000,
]
sys.stdout.buffer.write("\n".join(hostile).encode() + b"\n\xff\xfe\n")
sys.stderr.buffer.write("\n".join(hostile).encode())
