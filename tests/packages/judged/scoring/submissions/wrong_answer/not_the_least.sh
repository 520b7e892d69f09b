read -r line
case $line in *3-least_2*) echo no ;; *) echo "$line" ;; esac
