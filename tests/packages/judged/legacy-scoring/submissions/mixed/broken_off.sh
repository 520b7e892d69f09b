read -r line
case $line in *2_a_2*) echo no ;; *) echo "$line" ;; esac
