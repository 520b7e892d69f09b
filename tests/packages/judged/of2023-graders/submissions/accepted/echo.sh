# @EXPECTED_SCORE@: 100
read -r line
echo "$line"
