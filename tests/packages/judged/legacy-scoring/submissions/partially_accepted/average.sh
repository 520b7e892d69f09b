read -r line
case $line in *1_2*|*b_2*) echo no ;; *) echo "$line" ;; esac
