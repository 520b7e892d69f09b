# Prints escape sequences that would clear the user's terminal, set its title and write "AC" in green.
import sys

sys.stdout.write("\x1b[2J\x1b]0;owned\x07\x1b[1;32mAC\x1b[0m\r\n")
sys.stderr.write("\x1b[2J\x9b31m")
