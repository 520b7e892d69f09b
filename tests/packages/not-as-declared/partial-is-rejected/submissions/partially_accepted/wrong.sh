read -r line
case $line in *_2*) echo no ;; *) echo "$line" ;; esac
