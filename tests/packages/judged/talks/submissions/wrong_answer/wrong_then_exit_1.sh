# What it said was wrong, however it ends.
echo 0
exit 1
