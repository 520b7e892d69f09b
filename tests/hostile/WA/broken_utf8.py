# Bytes that are no text.
import sys

sys.stdout.buffer.write(b"\xff\xfe\xc0\x80 \xed\xa0\x80\n" * 100)
