"""Accepts every output."""
import sys

sys.exit(42)
