read -r line
case $line in *b_1*) echo no ;; *) echo "$line" ;; esac
