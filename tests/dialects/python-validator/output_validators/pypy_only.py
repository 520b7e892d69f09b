"""Accepts if PyPy runs it."""
import sys

sys.exit(42 if sys.implementation.name == "pypy" else 43)
