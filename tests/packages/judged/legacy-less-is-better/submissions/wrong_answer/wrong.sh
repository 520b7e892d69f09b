read -r line
case $line in *secret_2*) echo no ;; *) echo "$line" ;; esac
