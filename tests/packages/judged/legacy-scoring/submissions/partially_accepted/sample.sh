read -r line
case $line in *sample*|*2_b*) echo no ;; *) echo "$line" ;; esac
