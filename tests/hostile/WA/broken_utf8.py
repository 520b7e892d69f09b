# Prints bytes that are not valid UTF-8.
import sys

sys.stdout.buffer.write(b"\xff\xfe\xc0\x80 \xed\xa0\x80\n" * 100)
