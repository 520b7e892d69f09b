# @EXPECTED_SCORE@: 40
read -r line
case $line in *1_2*|*1_1*) echo no ;; *) echo "$line" ;; esac
