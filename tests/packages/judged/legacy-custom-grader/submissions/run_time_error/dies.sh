read -r line
exit 1
