exec >&-
sleep 0.1
exit 1
