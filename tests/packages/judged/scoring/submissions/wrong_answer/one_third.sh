read -r line
case $line in *2-parts_1*|*2-parts_2*) echo no ;; *) echo "$line" ;; esac
