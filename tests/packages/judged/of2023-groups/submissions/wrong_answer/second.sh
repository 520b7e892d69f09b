read -r line
case $line in *2_1*) echo no ;; *) echo "$line" ;; esac
