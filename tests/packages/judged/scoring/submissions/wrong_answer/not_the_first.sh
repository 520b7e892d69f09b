read -r line
case $line in *1-first_2*) echo no ;; *) echo "$line" ;; esac
