read -r line
if [ "$line" = 5 ]; then echo 0; else echo "$line"; fi
