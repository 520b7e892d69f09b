# @EXPECTED_SCORE@: 50
read -r line
case $line in *1_2*) echo no ;; *) echo "$line" ;; esac
