read -r line
if [ "${#line}" -gt 2 ]; then echo 0; else echo "$line"; fi
