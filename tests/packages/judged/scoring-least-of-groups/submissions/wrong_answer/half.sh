read -r line
case $line in *a_2*) echo no ;; *) echo "$line" ;; esac
