echo 0
while :; do :; done
