echo 0
sleep 60
