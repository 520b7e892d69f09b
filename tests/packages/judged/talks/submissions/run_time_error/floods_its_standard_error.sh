head -c 3000000 /dev/zero >&2
