echo 0
exit 1
