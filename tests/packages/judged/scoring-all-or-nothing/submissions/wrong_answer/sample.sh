read -r line
case $line in *sample*) echo no ;; *) echo "$line" ;; esac
