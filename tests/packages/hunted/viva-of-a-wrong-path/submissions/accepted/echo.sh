read -r line
echo "$line"
