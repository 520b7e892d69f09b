# @EXPECTED_RESULTS@: WRONG_ANSWER
read -r line
case $line in *_2*|*_3*) echo no ;; *) echo "$line" ;; esac
