exec >&-
sleep 60
