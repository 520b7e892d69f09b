# @EXPECTED_SCORE@: 3
read -r line
echo "$line"
